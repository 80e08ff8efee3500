#include <tutti/pass/make_pass.hpp>

#include "archetypes/tree.hpp"
#include "support/catch.hpp"

namespace {
struct context {};
constexpr auto twice = tutti::make_pass<"Twice", 1>([](int n) { return 2 * n; });
constexpr auto next = tutti::make_pass<"Next">([](int& n, auto&) { ++n; });
int negate(int n) { return -n; }

static_assert(twice.info == tutti::pass_info{.name = "Twice", .opt_level = 1});
static_assert(next.info.opt_level == 0);
static_assert(tutti::detail::pass_over<decltype(twice), int, context>);
static_assert(tutti::detail::transforms_in_place<decltype(next), int, context>);
static_assert(twice(4) == 8);
static_assert(sizeof(twice) == 1);
} // namespace

TEST_CASE("make_pass: makes a pass of a lambda", "[pass][make_pass]") {
    context ctx;
    int n = 3;
    next(n, ctx);
    CHECK(twice(n) == 8);
    CHECK(twice.info.name == "Twice");
}

TEST_CASE("make_pass: makes a pass of a function, of a lambda that owns, and over a unit that owns",
          "[pass][make_pass]") {
    CHECK(tutti::make_pass<"Negate">(&negate)(3) == -3);
    const auto add = tutti::make_pass<"Add">([by = std::make_unique<int>(4)](tree t) {
        t.value += *by;
        return t;
    });
    CHECK(add(leaf(1)).value == 5);
}

namespace {
struct Halve {
    constexpr void operator()(int& n) const { n /= 2; }
};
static_assert(tutti::make_pass(Halve{}).info == tutti::pass_info{.name = "Halve"});
static_assert(tutti::make_pass<2>(Halve{}).info == tutti::pass_info{.name = "Halve", .opt_level = 2});
static_assert(tutti::make_pass<"Half">(Halve{}).info.name == "Half");
} // namespace

TEST_CASE("make_pass: takes the name of a class", "[pass][make_pass]") {
    int n = 8;
    tutti::make_pass(Halve{})(n);
    CHECK(n == 4);
}
