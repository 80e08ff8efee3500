// Tests two custom passes, one of which is faulty. The tests check the structure of the resulting program, its text,
// and the results of random programs before and after the pass. No test framework is needed. In a framework,
// `CHECK(check_pass(...))` shows the same messages.

#include <tutti/pass.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/testing.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/transform/rule_pass.hpp>

#include <iostream>
#include <string_view>

namespace relay = tutti::relay;
namespace op = tutti::relay::op;
namespace testing = tutti::relay::testing;

// Rewrites max(x, x) and min(x, x) to x.
template <class Op>
constexpr relay::expr_id of_one(relay::rewriter& r, relay::expr_id call) {
    const auto arguments = r.from().arguments(call);
    return arguments[0] == arguments[1] ? relay::argument(r, call, 0).id : relay::expr_id::none;
}
struct simplify_extremes : relay::rule_pass<simplify_extremes> {
    static constexpr tutti::pass_info info{.name = "SimplifyExtremes", .opt_level = 1};
    static constexpr relay::call_rule rules[]{relay::on_call<op::maximum>(&of_one<op::maximum>),
                                              relay::on_call<op::minimum>(&of_one<op::minimum>)};
};

// Rewrites a cast of a cast to the outer cast. This is wrong if the inner cast changes the value, as when it converts
// 3.5 to an integer.
constexpr relay::expr_id outer_cast(relay::rewriter& r, relay::expr_id call) {
    const relay::graph& g = r.from();
    const relay::expr_id inner = g.arguments(call)[0];
    if (!relay::calls<op::cast>(g, inner)) return relay::expr_id::none;
    return relay::cast(relay::argument(r, inner, 0), {.dtype = g.types().element(g.type(call))}).id;
}
struct join_casts : relay::rule_pass<join_casts> {
    static constexpr tutti::pass_info info{.name = "JoinCasts", .opt_level = 1};
    static constexpr relay::call_rule rules[]{relay::on_call<op::cast>(&outer_cast)};
};

int failed = 0;
void expect(std::string_view what, const testing::outcome& found) {
    std::cout << what << ": " << found << '\n';
    failed += found ? 0 : 1;
}

int main() {
    // Programs are compared by structure. Names and type comments do not matter.
    expect("an extreme of one",
           testing::check_pass(simplify_extremes{},
                               "def @main(%x: int32) { exp(cast(maximum(%x, %x), dtype=\"float32\")) }",
                               "def @main(%other: int32) { exp(cast(%other, dtype=\"float32\")) }"));
    expect("an extreme of two",
           testing::check_pass_keeps(simplify_extremes{}, "def @main(%x: int32, %y: int32) { maximum(%x, %y) }"));
    expect("a pipeline, by its text", testing::check_pass_text(tutti::sequential(simplify_extremes{}, join_casts{}),
                                                               "def @main(%x: Tensor[(4), int8]) {\n"
                                                               "  %0 = cast(minimum(%x, %x), dtype=\"int16\");\n"
                                                               "  %1 = cast(%0, dtype=\"float32\");\n"
                                                               "  add(%1, %1)\n}",
                                                               R"(
               CHECK-LABEL: def @main
               CHECK:       [[CAST:%\d+]] = cast(%x, dtype="float32")
               CHECK-NEXT:  add([[CAST]], [[CAST]])
               CHECK-NOT:   {{int16|minimum}}
           )"));

    // Compares results before and after the pass, first of one program for these inputs, then of random programs. If a
    // random program fails, the message has its seed and the smallest program that fails.
    const relay::ir_module rounds =
        relay::parse("def @main(%x: Tensor[(2), float32]) { cast(cast(%x, dtype=\"int8\"), dtype=\"float32\") }");
    expect("values", testing::check_values(join_casts{}, rounds, {tutti::kernel::tensor({2}, {4.F, 3.5F})}));
    const testing::outcome right = testing::check_values(simplify_extremes{}, {.programs = 500});
    const testing::outcome wrong = testing::check_values(join_casts{}, {.programs = 500});
    std::cout << "random programs: " << (right ? "nothing" : "something") << " is wrong with SimplifyExtremes, "
              << (wrong.message.starts_with("seed ") ? "something" : "nothing") << " with JoinCasts\n";
    std::cout << failed << " failed\n";
}
