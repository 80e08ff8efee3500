#include <tutti/relay/eval/compiled_here.hpp>

#include <tutti/relay/op/op_def.hpp>

#include "support/catch.hpp"

using namespace tutti;

TEST_CASE("compiled here: every kernel is one of a built-in operator", "[relay][eval]") {
    const relay::op_set ops(relay::standard_ops);
    CHECK(!relay::kernels::reference::all().empty());
    for (const relay::kernel_entry& kernel : relay::kernels::reference::all()) CHECK(ops.find(kernel.op) != nullptr);
}
