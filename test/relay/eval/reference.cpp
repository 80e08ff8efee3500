#include <tutti/relay/eval/reference.hpp>

#include <tutti/relay/eval/kernel_entry.hpp>
#include <tutti/relay/op/op_set.hpp>
#include <tutti/relay/op/standard_ops.hpp>

#include "support/catch.hpp"

#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <string_view>

namespace relay = tutti::relay;

namespace {

bool own_kernel(const relay::invocation&) { return false; }

} // namespace

TEST_CASE("reference: every built-in operator has a kernel", "[relay][eval]") {
    std::set<std::string> missing;
    for (const relay::op_def* op : relay::op_set(relay::standard_ops).all())
        if (relay::kernels::reference::find(*op) == nullptr) missing.emplace(op->name);
    CHECK(missing == std::set<std::string>{});
}

TEST_CASE("reference: there is no kernel for an operator that does not exist, and none twice", "[relay][eval]") {
    const std::span<const relay::kernel_entry> all = relay::kernels::reference::all();
    CHECK(std::ranges::adjacent_find(all, {}, &relay::kernel_entry::op) == all.end());
    for (const relay::kernel_entry& entry : all) {
        INFO(entry.op);
        CHECK(relay::op_set(relay::standard_ops).find(entry.op) != nullptr);
        CHECK(entry.run != nullptr);
    }
}

TEST_CASE("reference: an operator of one's own has its own kernel, or none", "[relay][eval]") {
    relay::op_def mine = relay::definition<relay::op::add>;
    CHECK(relay::kernels::reference::find(mine) == nullptr); // it is not the built-in one, though called so
    mine.evaluate = own_kernel;
    CHECK(relay::kernels::reference::find(mine) == &own_kernel);
    mine.evaluate = nullptr;
    mine.name = "mine";
    CHECK(relay::kernels::reference::find(mine) == nullptr);
}
