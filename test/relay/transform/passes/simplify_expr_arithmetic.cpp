#include <tutti/relay/transform/passes/simplify_expr_arithmetic.hpp>

#include "relay/transform/rule_programs.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::relay;

namespace {

constexpr std::string_view parameters = "%x: Tensor[(2, 3), float32], %y: Tensor[(2, 3), float32]";

template <class... Rules>
std::string after(std::string_view lines) {
    return test::rewritten<Rules...>(test::with_parameters(parameters, lines));
}

} // namespace

TEST_CASE("add_to_itself: x + x becomes 2 x", "[relay][transform][simplify_expr]") {
    CHECK(after<relay::detail::add_to_itself>("  add(%x, %x)") == "  multiply(%x, 2f)\n}\n");
    CHECK(after<relay::detail::add_to_itself>("  add(%x, %y)") == "  add(%x, %y)\n}\n");
    CHECK(after<relay::detail::add_to_itself>("  %0 = exp(%x);\n  add(%0, %0)") ==
          "  %0 = exp(%x);\n  multiply(%0, 2f)\n}\n");
    CHECK(after<relay::detail::add_to_itself>("  %0 = exp(%x);\n  %1 = add(%0, %0);\n  subtract(%0, %1)") ==
          "  %0 = exp(%x);\n  %1 = exp(%x);\n  %2 = multiply(%0, 2f);\n  subtract(%1, %2)\n}\n");
}

TEST_CASE("add_to_itself: a bool cannot be 2", "[relay][transform][simplify_expr]") {
    const std::string sum = test::with_parameters("%x: Tensor[(2), bool]", "  add(%x, %x)");
    CHECK(test::rewritten<relay::detail::add_to_itself>(sum) == "  add(%x, %x)\n}\n");
}

TEST_CASE("divide_by_root: a division by a root becomes a product", "[relay][transform][simplify_expr]") {
    CHECK(after<relay::detail::divide_by_root>("  %0 = sqrt(%x);\n  divide(%y, %0)") ==
          "  %0 = rsqrt(%x);\n  multiply(%y, %0)\n}\n");
    CHECK(after<relay::detail::divide_by_root>("  %0 = sqrt(%x);\n  divide(%0, %y)") ==
          "  %0 = sqrt(%x);\n  divide(%0, %y)\n}\n");
}

TEST_CASE("neutral_operand: removes 0 from sums and 1 from products", "[relay][transform][simplify_expr]") {
    using rule = relay::detail::neutral_operand;
    for (const std::string_view line :
         {"  add(%x, -0f)", "  add(-0f, %x)", "  subtract(%x, 0f)", "  multiply(1f, %x)", "  divide(%x, 1f)"})
        CHECK(after<rule>(line) == "  %x\n}\n");
    for (const std::string line : {"  add(%x, 1f)", "  subtract(0f, %x)", "  multiply(%x, 0f)", "  divide(1f, %x)"})
        CHECK(after<rule>(line) == line + "\n}\n");
    CHECK(after<rule>("  %0 = zeros_like(%y);\n  subtract(%x, %0)") == "  %x\n}\n");
    CHECK(after<rule>("  %0 = ones(shape=[3], dtype=\"float32\");\n  multiply(%x, %0)") == "  %x\n}\n");
}

TEST_CASE("neutral_operand: keeps a zero that turns -0 into 0, except with as_reference",
          "[relay][transform][simplify_expr]") {
    using rule = relay::detail::neutral_operand;
    for (const std::string line :
         {"  add(%x, 0f)", "  add(0f, %x)", "  subtract(%x, -0f)", "  %0 = zeros_like(%y);\n  add(%x, %0)"}) {
        CHECK(after<rule>(line) == line + "\n}\n");
        CHECK(test::rewritten<rule>(test::with_parameters(parameters, line), test::by_reference) == "  %x\n}\n");
    }
    CHECK(test::rewritten<rule>(test::with_parameters("%x: Tensor[(2), int32]", "  add(%x, 0)")) == "  %x\n}\n");
}

TEST_CASE("neutral_operand: keeps an operand that determines the result's shape", "[relay][transform][simplify_expr]") {
    const std::string wider = "  %0 = zeros(shape=[4, 2, 3], dtype=\"float32\");\n  add(%x, %0)";
    CHECK(after<relay::detail::neutral_operand>(wider) == wider + "\n}\n");
}

TEST_CASE("full_operand: equal elements become a scalar if they do not determine the shape",
          "[relay][transform][simplify_expr]") {
    using rule = relay::detail::full_operand;
    CHECK(after<rule>("  %0 = full(3f, shape=[2, 3], dtype=\"float32\");\n  maximum(%x, %0)") ==
          "  maximum(%x, 3f)\n}\n");
    CHECK(after<rule>("  %0 = full_like(%y, 3f);\n  subtract(%0, %x)") == "  subtract(3f, %x)\n}\n");
    CHECK(after<rule>("  %0 = ones_like(%y);\n  subtract(%0, %x)") == "  subtract(1f, %x)\n}\n");
    CHECK(after<rule>("  %0 = zeros(shape=[3], dtype=\"float32\");\n  minimum(%x, %0)") == "  minimum(%x, 0f)\n}\n");
    const std::string wider = "  %0 = zeros(shape=[4, 2, 3], dtype=\"float32\");\n  minimum(%x, %0)";
    CHECK(after<rule>(wider) == wider + "\n}\n");
    const std::string other = "  %0 = full(3, shape=[2, 3], dtype=\"float32\");\n  maximum(%x, %0)";
    CHECK(after<rule>(other) == other + "\n}\n");
    const std::string bias = "  %0 = zeros(shape=[3], dtype=\"float32\");\n  nn.bias_add(%x, %0)";
    CHECK(after<rule>(bias) == bias + "\n}\n");
}

TEST_CASE("factor_after_sum: moves a factor before a constant summand", "[relay][transform][simplify_expr]") {
    CHECK(after<relay::detail::factor_after_sum>("  %0 = add(3f, %x);\n  multiply(%0, 2f)") ==
          "  %0 = multiply(%x, 2f);\n  add(%0, 6f)\n}\n");
    const std::string shared = "  %0 = add(%x, 3f);\n  %1 = multiply(%0, 2f);\n  add(%0, %1)";
    CHECK(after<relay::detail::factor_after_sum>(shared) == shared + "\n}\n");
}

TEST_CASE("two_constants: consecutive constants become one", "[relay][transform][simplify_expr]") {
    CHECK(after<relay::detail::two_constants>("  %0 = multiply(3f, %x);\n  multiply(%0, 2f)") ==
          "  multiply(%x, 6f)\n}\n");
    CHECK(after<relay::detail::two_constants>("  %0 = add(%x, 3f);\n  %1 = add(2f, %0);\n  add(%1, 4f)") ==
          "  add(%x, 9f)\n}\n");
    const std::string mixed = "  %0 = add(%x, 3f);\n  multiply(%0, 2f)";
    CHECK(after<relay::detail::two_constants>(mixed) == mixed + "\n}\n");
}

TEST_CASE("two_constants, factor_after_sum: combine constants if the result is a normal number",
          "[relay][transform][simplify_expr]") {
    using relay::detail::factor_after_sum;
    using relay::detail::two_constants;
    const auto check = [](auto rule, const std::string& line) {
        using rule_type = decltype(rule);
        CHECK(after<rule_type>(line) == line + "\n}\n");
        CHECK(test::rewritten<rule_type>(test::with_parameters(parameters, line), test::by_reference) !=
              line + "\n}\n");
    };
    // The combined constants would be 0 or infinite, and would change the results that are noted here.
    check(two_constants{}, "  %0 = multiply(%x, 1e-30f);\n  multiply(%0, 1e-30f)"); // 1e-30 for x = 1e+30
    check(two_constants{}, "  %0 = multiply(%x, 1e+30f);\n  multiply(%0, 1e+30f)"); // 0 for x = 0
    check(two_constants{}, "  %0 = add(%x, 3e+38f);\n  add(%0, 3e+38f)");           // 3e+38 for x = -3e+38
    check(factor_after_sum{}, "  %0 = add(%x, 1e+30f);\n  multiply(%0, 1e+30f)");   // 0 for x = -1e+30
}
