#include <tutti/relay/eval/compiled_elsewhere.hpp>

#include <tutti/relay/op/broadcast.hpp>

#include "support/catch.hpp"

using namespace tutti;

TEST_CASE("compiled elsewhere: operators and kernels are found as ever, in constant evaluation too", "[relay][eval]") {
    static_assert(relay::op_set(relay::standard_ops).find("add") == &relay::definition<relay::op::add>);
    CHECK(relay::op_set(relay::standard_ops).find("add") == &relay::definition<relay::op::add>);
    static_assert(relay::kernels::reference::find(relay::definition<relay::op::add>) != nullptr);
    CHECK(relay::kernels::reference::find(relay::definition<relay::op::add>) ==
          relay::kernels::reference::named("add"));
    CHECK(relay::kernels::reference::named("add") != nullptr);
}
