#include <tutti/relay/eval/reference.hpp>

#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/eval/kernel_set.hpp>
#include <tutti/relay/op/default_operators.hpp>
#include <tutti/relay/op/op_set.hpp>
#include <tutti/relay/op/standard_ops.hpp>

#include "support/catch.hpp"

#include <set>
#include <string>

namespace relay = tutti::relay;

TEST_CASE("reference: every built-in operator has one kernel", "[relay][eval]") {
    std::set<std::string> others;
    for (const relay::op_def* op : relay::op_set(relay::standard_ops).all())
        if (relay::kernels::reference().rows_of(*op).size() != 1) others.emplace(op->name);
    CHECK(others == std::set<std::string>{});
    CHECK(relay::kernels::reference().rows().size() == relay::op_set(relay::standard_ops).all().size());
    CHECK(relay::kernels::reference().next() == nullptr);
    for (const relay::kernel_row& row : relay::kernels::reference().rows()) {
        INFO(row.op->name);
        CHECK(relay::is_built_in(*row.op));
        CHECK(row.run != nullptr);
    }
}
