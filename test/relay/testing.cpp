#include <tutti/relay/testing.hpp>

#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/text/printer.hpp>
#include <tutti/relay/transform/rule_pass.hpp>

#include "support/catch.hpp"

#include <cstdint>
#include <string_view>

namespace relay = tutti::relay;
namespace testing = tutti::relay::testing;

namespace {

// Rewrites x + 0 to x, for int32. The faulty variant `Any` does so for any constant addend.
template <bool Any>
constexpr relay::expr_id without_zero(relay::rewriter& r, relay::expr_id call) {
    const relay::expr right = relay::argument(r, call, 1);
    if (right.graph->kind(right.id) != relay::expr_kind::constant) return relay::expr_id::none;
    const relay::tensor& value = right.graph->constant_value(right.id);
    if (value.type() != relay::dtype::int32 || value.rank() != 0) return relay::expr_id::none;
    return Any || *value.data<std::int32_t>() == 0 ? relay::argument(r, call, 0).id : relay::expr_id::none;
}
template <bool Any>
struct drops_zero : relay::rule_pass<drops_zero<Any>> {
    static constexpr tutti::pass_info info{.name = "DropsZero", .opt_level = 1};
    static constexpr relay::call_rule rules[]{relay::on_call<relay::op::add>(&without_zero<Any>)};
};
using my_pass = drops_zero<false>;
using wrong_pass = drops_zero<true>;

} // namespace

TEST_CASE("relay/testing: compares results of passes over programs, and matches their text", "[relay][testing]") {
    CHECK(
        testing::check_pass(my_pass{}, "def @main(%x: int32) { add(%x, 0) }", "def @main(%x: int32) -> int32 { %x }"));
    CHECK_FALSE(
        testing::check_pass(my_pass{}, "def @main(%x: int32) { add(%x, 1) }", "def @main(%x: int32) -> int32 { %x }"));
    CHECK(testing::check_pass_keeps(my_pass{}, "def @main(%x: int32) { add(%x, 1) }"));
    CHECK_FALSE(testing::check_pass_keeps(wrong_pass{}, "def @main(%x: int32) { add(%x, 1) }"));

    constexpr std::string_view program = "def @main(%x: float32) { %0 = exp(%x); %1 = add(%0, %0); multiply(%1, %1) }";
    CHECK(testing::check_pass_text(my_pass{}, program, "CHECK: [[X:%\\d+]] = exp(%x)\nCHECK-NEXT: add([[X]], [[X]])"));
    CHECK_FALSE(testing::check_pass_text(my_pass{}, program, "CHECK: log"));
}

TEST_CASE("relay/testing: random programs compute the same before and after, and are the same by their seed",
          "[relay][testing]") {
    CHECK(testing::check_values(my_pass{}, {.programs = 30}));
    const testing::random_module made = testing::make_random_module(7);
    CHECK(relay::to_text(made.program) == relay::to_text(testing::make_random_module(7).program));
    CHECK(relay::to_text(made.program) != relay::to_text(testing::make_random_module(8).program));
}
