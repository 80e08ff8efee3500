#include <tutti/relay/testing/check_pass.hpp>

#include <tutti/base/error.hpp>
#include <tutti/pass/adaptors.hpp>
#include <tutti/pass/make_pass.hpp>
#include <tutti/pass/sequential.hpp>
#include <tutti/relay/transform/passes/eliminate_common_subexpr.hpp>
#include <tutti/relay/transform/passes/fold_constant.hpp>
#include <tutti/relay/transform/passes/fuse_ops.hpp>
#include <tutti/relay/unit.hpp>

#include "relay/malformed.hpp"
#include "support/catch.hpp"
#include "swapping_pass.hpp"

#include <string>
#include <string_view>

namespace relay = tutti::relay;
using relay::testing::check_pass;
using relay::testing::check_pass_keeps;
using relay::testing::check_pass_text;

namespace {

constexpr std::string_view sums = "def @main(%x: int32) { add(%x, add(1, 2)) }";
constexpr auto liar = tutti::make_pass<"Liar">([](relay::ir_module& m) {
    m = relay::parse("def @main(%x: int32) -> int32 { %x }");
    return tutti::unchanged;
});
constexpr auto untyped = tutti::make_pass<"Untyped">(
    [](relay::ir_module& m) { m = relay::parse("def @main(%x: int32) { add(%x, (1, 2)) }"); });

} // namespace

TEST_CASE("check_pass: compares programs by their structure", "[relay][testing][check_pass]") {
    CHECK(check_pass(relay::fold_constant{}, sums, "def @main(%other: int32) -> int32 { %0 = add(%other, 3); %0 }"));
    CHECK(check_pass(tutti::sequential(relay::fold_constant{}, relay::eliminate_common_subexpr{}),
                     "def @main(%x: int32) { multiply(add(%x, add(1, 2)), add(%x, 3)) }",
                     "def @main(%x: int32) { %0 = add(%x, 3); multiply(%0, %0) }"));
    CHECK(check_pass_keeps(relay::fold_constant{}, "def @main(%x: int32) { add(%x, 1) }"));
    CHECK(check_pass([](relay::ir_module& m) { m.remove_if([](const auto& f) { return f.name == "f"; }); },
                     "def @f() { 1 }\ndef @main() { 2 }", "def @main() { 2 }"));
    CHECK(check_pass(relay::fold_constant{}, relay::parse(sums), relay::parse("def @main(%x: int32) { add(%x, 3) }")));
}

TEST_CASE("check_pass: shows differences, line by line", "[relay][testing][check_pass]") {
    CHECK(check_pass(relay::fold_constant{}, sums, "def @main(%x: int32) { add(%x, 4) }").message ==
          "the result differs (- expected, + actual):\n"
          "@@ -1,3 +1,3 @@\n"
          " def @main(%x: int32) -> int32 {\n"
          "-  add(%x, 4)\n"
          "+  add(%x, 3)\n"
          " }\n");
    const auto sharing = check_pass_keeps(relay::eliminate_common_subexpr{},
                                          "def @main(%x: int32) { multiply(add(%x, 1), add(%x, 1)) }");
    CHECK(sharing.message.find("+  multiply(%0, %0)\n") != std::string::npos);
}

TEST_CASE("check_pass: reports faults of texts, passes, and results", "[relay][testing][check_pass]") {
    CHECK(check_pass(relay::fold_constant{}, "def @main( {", sums).message.starts_with("before:1:"));
    CHECK(check_pass(relay::fold_constant{}, sums, "def @main() { ad(1, 2) }").message.starts_with("after:1:"));
    CHECK(check_pass(liar, sums, "def @main(%x: int32) { %x }")
              .message.starts_with("the pass reported no change, but changed the unit:\n@@"));
    CHECK(check_pass(untyped, sums, sums).message.starts_with("the pass's result is not well-formed: "));
    const auto threw = check_pass([](relay::ir_module&) { throw tutti::error("here", "it fails"); }, sums, sums);
    CHECK(threw.message == "the pass threw: here: it fails\n");
    CHECK_FALSE(check_pass(tutti::test::swapping_pass{}, "def @main(%x: int32, %y: int32) { subtract(%x, %y) }",
                           "def @main(%x: int32, %y: int32) { subtract(%x, %y) }"));
}

TEST_CASE("check_pass: checks the text against a pattern", "[relay][testing][check_pass]") {
    CHECK(check_pass_text(relay::fuse_ops{}, "def @main(%x: Tensor[(2), float32]) { exp(negative(%x)) }",
                          "CHECK: [[F:%\\d+]] = fn (%p0: {{.*}}Primitive=1)\nCHECK-NEXT: [[N:%\\d+]] = negative(%p0)\n"
                          "CHECK-NEXT: exp([[N]])\nCHECK: [[F]](%x)"));
    const auto other = check_pass_text(relay::fold_constant{}, sums, "CHECK: add(%x, 4)");
    CHECK(other.message.find("the nearest is line 2:\n   2 |   add(%x, 3)\n") != std::string::npos);
    CHECK(check_pass_text(relay::fold_constant{}, "def", "CHECK: add").message.starts_with("before:1:"));
}

TEST_CASE("check_pass: reports a malformed result, whatever its fault", "[relay][testing][check_pass]") {
    const relay::ir_module good = malformed::program();
    for (const malformed::malformation& each : malformed::all()) {
        INFO(each.name);
        const auto breaks = tutti::make_pass<"Break">([&](relay::ir_module& m) { each.to(m); });
        const auto idle = tutti::make_pass<"Idle">([](relay::ir_module& m) { tutti::relay::infer_types(m); });
        const auto shows = [](const relay::testing::outcome& checked) {
            INFO(checked.message);
            CHECK((!checked && checked.message.starts_with("the pass's result is ")));
        };
        shows(check_pass(breaks, good, good));
        shows(check_pass([&](relay::ir_module& m) { each.to(m); }, good, good));
        if (each.how == malformed::damage::wrong) continue;
        CHECK(check_pass(breaks, good, good).message.starts_with("the pass's result is malformed: after Break: "));
        shows(check_pass(tutti::sequential(breaks, idle), good, good));
        shows(check_pass(tutti::sequential(idle, tutti::fixpoint(breaks, 2), idle), good, good));
        shows(tutti::testing::check_pass(breaks, good, good));
        shows(tutti::testing::check_pass_text(breaks, good, "CHECK: add"));
    }
}
