#include <tutti/relay/transform/rule_pass.hpp>

#include <tutti/relay/op/annotation.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/norm.hpp>
#include <tutti/relay/transform/rewrite/pattern_rules.hpp>

#include "relay/programs.hpp"
#include "relay/transform/evaluate.hpp"
#include "relay/transform/fuse_programs.hpp"
#include "support/catch.hpp"

using namespace tutti;
namespace op = tutti::relay::op;

namespace {

constexpr relay::expr_id leave(relay::rewriter&, relay::expr_id) { return relay::expr_id::none; }
constexpr relay::expr_id its_data(relay::rewriter& r, relay::expr_id call) { return relay::argument(r, call, 0).id; }

// A pass that is defined by rules. The first rule for tanh leaves the call, so the second one applies.
struct calls_by_rules : relay::rule_pass<calls_by_rules> {
    static constexpr pass_info info{.name = "CallsByRules"};
    static constexpr relay::call_rule rules[]{
        relay::on_call<op::tanh>(&leave), relay::on_call<op::tanh>(&relay::call_instead<op::fast_tanh>),
        relay::on_call<op::exp>(&leave), relay::on_call<op::nn::dropout>(&its_data, 0)};
};

struct root_of_square {
    static constexpr std::string_view name = "root_of_square";
    static constexpr auto pattern =
        relay::patterns::call<op::sqrt>(relay::patterns::call<op::multiply>(relay::patterns::_x, relay::patterns::_x));
    static constexpr relay::expr_id replace(relay::rule_site& s) { return s.call<op::abs>({s[relay::patterns::_x]}); }
};
constexpr relay::rewrite_rule of_roots[]{relay::rule_of<root_of_square>};

struct patterns_by_rules : relay::rule_pass<patterns_by_rules> {
    static constexpr pass_info info{.name = "PatternsByRules"};
    static constexpr relay::pattern_rules rules{of_roots};
};

struct by_transform : relay::rule_pass<by_transform, calls_by_rules> {
    static constexpr pass_info info{.name = "ByTransform"};
    static constexpr relay::function transform(const relay::function& f) { return f; }
};

static_assert(tutti::detail::pass_over<calls_by_rules, relay::ir_module, pass_context<>>);
static_assert(std::is_same_v<calls_by_rules::required, passes<relay::infer_type>>);
static_assert(std::is_same_v<by_transform::required, passes<relay::infer_type, calls_by_rules>>);

} // namespace

TEST_CASE("rule_pass: applies the first matching rule, for calls and for fields of their results",
          "[relay][transform][rule_pass]") {
    const auto after = test::after(test::typed("def @main(%x: Tensor[(2), float32]) {\n  %0 = tanh(%x);\n"
                                               "  %1 = nn.dropout(%0, rate=0.5f);\n  %2 = %1.0;\n  %3 = exp(%2);\n"
                                               "  (%3, %1.1)\n}"),
                                   calls_by_rules{});
    CHECK(test::bare_text(after) ==
          "def @main(%x: Tensor[(2), float32]) -> (Tensor[(2), float32], Tensor[(2), float32]) {\n"
          "  %0 = fast_tanh(%x);\n"
          "  %1 = nn.dropout(%0);\n"
          "  %2 = exp(%0);\n"
          "  %3 = %1.1;\n"
          "  (%2, %3)\n"
          "}\n");
}

TEST_CASE("rule_pass: rules may be patterns, or transform a whole function", "[relay][transform][rule_pass]") {
    const auto before = test::typed("def @main(%x: Tensor[(2), float32]) {\n  %0 = multiply(%x, %x);\n  sqrt(%0)\n}");
    CHECK(test::bare_text(test::after(before, patterns_by_rules{})) ==
          "def @main(%x: Tensor[(2), float32]) -> Tensor[(2), float32] {\n  abs(%x)\n}\n");
    CHECK(test::bare_text(test::after(before, by_transform{})) == test::bare_text(before));
}

TEST_CASE("rule_pass: refuses a module without types and leaves it unchanged", "[relay][transform][rule_pass]") {
    relay::ir_module m = relay::parse("def @main(%x: Tensor[(2), float32]) {\n  exp(%x)\n}");
    CHECK(test::refusal(m, [](relay::ir_module& it) {
              with(pass_context{}, [&](auto& scope) { scope.run(calls_by_rules{}, it); });
          }) == "CallsByRules: a function has no types; expected InferType to have run before");
}
