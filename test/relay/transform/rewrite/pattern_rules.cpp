#include <tutti/relay/transform/rewrite/pattern_rules.hpp>

#include <tutti/relay/eval/kernel_set.hpp>
#include <tutti/relay/op/elementwise.hpp>

#include "relay/transform/rule_programs.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::relay::patterns;
namespace op = relay::op;

namespace {

/// Rewrites exp(negative(x)) to negative(x). Also applies after sigmoid_to_exp, which creates such calls.
struct drop_exp {
    static constexpr std::string_view name = "drop_exp";
    static constexpr auto pattern = call<op::exp>(_y(call<op::negative>(_x)));
    static constexpr relay::expr_id replace(relay::rule_site& s) { return s.call<op::negative>({s[_x]}); }
};
struct sigmoid_to_exp {
    static constexpr std::string_view name = "sigmoid_to_exp";
    static constexpr auto pattern = call<op::sigmoid>(_x);
    static constexpr relay::expr_id replace(relay::rule_site& s) { return s.call<op::exp>({s[_x]}); }
};
struct quotient_by_negative {
    static constexpr std::string_view name = "quotient_by_negative";
    static constexpr auto pattern = call<op::divide>(_y, call<op::negative>(_x));
    static constexpr relay::expr_id replace(relay::rule_site& s) { return s.call<op::multiply>({s[_y], s[_x]}); }
};
/// Rewrites exp(exp(x)) to exp(x).
struct halve_exp {
    static constexpr std::string_view name = "halve_exp";
    static constexpr auto pattern = call<op::exp>(call<op::exp>(_x));
    static constexpr relay::expr_id replace(relay::rule_site& s) { return s.call<op::exp>({s[_x]}); }
};
struct never_holds {
    static constexpr std::string_view name = "never_holds";
    static constexpr auto pattern = call<op::exp>(_x);
    static constexpr bool holds(const relay::rule_match&) { return false; }
    static constexpr relay::expr_id replace(relay::rule_site& s) { return s[_x]; }
};
struct gives_up {
    static constexpr std::string_view name = "gives_up";
    static constexpr auto pattern = call<op::exp>(_x);
    static constexpr relay::expr_id replace(relay::rule_site&) { return relay::expr_id::none; }
};
struct exp_to_tanh {
    static constexpr std::string_view name = "exp_to_tanh";
    static constexpr auto pattern = call<op::exp>(_x);
    static constexpr relay::expr_id replace(relay::rule_site& s) { return s.call<op::tanh>({s[_x]}); }
};
struct tanh_to_exp {
    static constexpr std::string_view name = "tanh_to_exp";
    static constexpr auto pattern = call<op::tanh>(_x);
    static constexpr relay::expr_id replace(relay::rule_site& s) { return s.call<op::exp>({s[_x]}); }
};

struct sum_of_constants {
    static constexpr std::string_view name = "sum_of_constants";
    static constexpr auto pattern = call<op::subtract>(constant(_a), constant(_b));
    static constexpr relay::expr_id replace(relay::rule_site& s) { return s.evaluate<op::add>(s[_a], s[_b]); }
};

template <class... Rules>
std::string body(std::string_view text) {
    return test::rewritten<Rules...>(text);
}
std::string program(std::string_view lines) { return test::with_parameters("%x: Tensor[(2), float32]", lines); }

} // namespace

TEST_CASE("apply_rules: replaces a match, and later rules see the result", "[relay][transform][pattern_rules]") {
    CHECK(body<drop_exp>(program("  %0 = negative(%x);\n  exp(%0)")) == "  negative(%x)\n}\n");
    CHECK(body<drop_exp, sigmoid_to_exp>(program("  %0 = negative(%x);\n  sigmoid(%0)")) == "  negative(%x)\n}\n");
}

TEST_CASE("apply_rules: an inner part of a match must not have other users", "[relay][transform][pattern_rules]") {
    const std::string shared = program("  %0 = negative(%x);\n  %1 = exp(%0);\n  add(%0, %1)");
    CHECK(body<drop_exp>(shared) == "  %0 = negative(%x);\n  %1 = exp(%0);\n  add(%0, %1)\n}\n");
}

TEST_CASE("apply_rules: an inner part may have other users that lead to the match's root only",
          "[relay][transform][pattern_rules]") {
    const std::string to_root = "  %0 = negative(%x);\n  %1 = exp(%0);\n  %2 = tanh(%1);\n";
    CHECK(body<quotient_by_negative>(program(to_root + "  divide(%2, %0)")) ==
          "  %0 = negative(%x);\n  %1 = exp(%0);\n  %2 = tanh(%1);\n  multiply(%2, %x)\n}\n");
    for (const std::string_view beyond :
         {"  %3 = divide(%2, %0);\n  add(%3, %1)", "  %3 = divide(%2, %0);\n  add(%0, %3)",
          "  %3 = divide(%2, %0);\n  (%3, %2)"})
        CHECK(body<quotient_by_negative>(program(to_root + std::string(beyond))) ==
              to_root + std::string(beyond) + "\n}\n");
}

TEST_CASE("apply_rules: skips functions made from earlier patterns", "[relay][transform][pattern_rules]") {
    const auto within = [](const std::string& attribute) {
        return body<exp_to_tanh>(program("  %0 = fn (%a: Tensor[(2), float32]" + attribute +
                                         ") {\n    exp(%a)\n  };\n  %1 = exp(%x);\n  %0(%1)"));
    };
    const std::string apart = within(", PartitionedFromPattern=\"exp_\"");
    CHECK(apart.find("exp(%a)") != std::string::npos);
    CHECK(apart.find("tanh(%x)") != std::string::npos);
    CHECK(within("").find("tanh(%a)") != std::string::npos);
}

TEST_CASE("apply_rules: prefers the overlapping match closer to the result; a chain terminates",
          "[relay][transform][pattern_rules]") {
    CHECK(body<halve_exp>(program("  %0 = exp(%x);\n  %1 = exp(%0);\n  exp(%1)")) == "  exp(%x)\n}\n");
    const std::string text = body<halve_exp>(test::chain(3001));
    CHECK(text == "  %0 = exp(%x);\n  negative(%0)\n}\n");
}

TEST_CASE("apply_rules: a rule may have a condition, and may decline a match", "[relay][transform][pattern_rules]") {
    const std::string text = program("  exp(%x)");
    CHECK(body<never_holds>(text) == "  exp(%x)\n}\n");
    CHECK(body<gives_up>(text) == "  exp(%x)\n}\n");
}

TEST_CASE("apply_rules: terminates for rules that undo each other", "[relay][transform][pattern_rules]") {
    CHECK(body<exp_to_tanh, tanh_to_exp>(program("  exp(%x)")) == "  exp(%x)\n}\n");
}

TEST_CASE("apply_rules: rewrites nested functions", "[relay][transform][pattern_rules]") {
    CHECK(body<drop_exp>(program("  %2 = fn (%y: Tensor[(2), float32]) {\n    %0 = negative(%y);\n    "
                                 "exp(%0)\n  };\n  %2(%x)"))
              .find("exp") == std::string::npos);
}

TEST_CASE("rule_site: evaluates an operator of two constants", "[relay][transform][pattern_rules]") {
    constexpr std::array rules{relay::rule_of<sum_of_constants>};
    relay::builder b;
    relay::ir_module m(b.function({}, relay::subtract(b.constant(2.0F), b.constant(relay::tensor({2}, {1.0F, 5.0F})))));
    relay::infer_types(m);
    const relay::function f = relay::apply_rules(*m.find("main"), {rules, &test::kernels});
    const relay::tensor& value = f.graph.constant_value(f.graph.body(f.root));
    CHECK(std::ranges::equal(value.elements<float>(), std::array{3.0F, 7.0F}));
    const relay::kernel_set none;
    for (const relay::kernel_set* kernels : {static_cast<const relay::kernel_set*>(nullptr), &none}) {
        const relay::function left = relay::apply_rules(*m.find("main"), {rules, kernels});
        CHECK(calls<op::subtract>(left.graph, left.graph.body(left.root)));
    }
}

namespace {

/// Rewrites tanh(x) to exp of a copy of x.
struct copied_tanh {
    static constexpr std::string_view name = "copied_tanh";
    static constexpr auto pattern = call<op::tanh>(_x);
    static constexpr relay::expr_id replace(relay::rule_site& s) { return s.call<op::exp>({s.copy(s[_x])}); }
};

} // namespace

TEST_CASE("rule_site: a copy has its own calls, and keeps the sharing within it", "[relay][transform][pattern_rules]") {
    CHECK(body<copied_tanh>(program("  %0 = negative(%x);\n  %1 = add(%0, %0);\n  %2 = tanh(%1);\n  add(%1, %2)")) ==
          "  %0 = negative(%x);\n  %1 = negative(%x);\n  %2 = add(%1, %1);\n  %3 = add(%0, %0);\n  %4 = "
          "exp(%2);\n  add(%3, %4)\n}\n");
}

TEST_CASE("rule_site: limits copies that would double the program", "[relay][transform][pattern_rules]") {
    std::string chain = "  %0 = tanh(%x);\n";
    for (int i = 1; i < 80; i += 2)
        chain += "  %" + std::to_string(i) + " = tanh(%" + std::to_string(i - 1) + ");\n  %" + std::to_string(i + 1) +
                 " = add(%" + std::to_string(i - 1) + ", %" + std::to_string(i) + ");\n";
    const std::string text = body<copied_tanh>(program(chain + "  negative(%80)"));
    CHECK(text.size() < 2'000'000);
    CHECK(text.find("tanh") == std::string::npos);
}
