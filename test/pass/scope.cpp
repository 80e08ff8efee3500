#include <tutti/pass/scope.hpp>

#include <tutti/pass/make_pass.hpp>
#include <tutti/pass/pass_context.hpp>
#include <tutti/pass/with.hpp>

#include "archetypes/tree.hpp"
#include "support/catch.hpp"

namespace {
constexpr auto next = tutti::make_pass<"Next", 3>([](int n) { return n + 1; });
constexpr auto next_in_place = tutti::make_pass<"NextInPlace">([](int& n) { ++n; });

struct next_twice {
    static constexpr tutti::pass_info info{.name = "NextTwice"};
    constexpr int operator()(int n, auto& ctx) const {
        ctx.run(next_in_place, n);
        return ctx.run(next, n + 0);
    }
};
constexpr int in_a_scope(int n) {
    const tutti::pass_context<> ctx{};
    return tutti::with(ctx, [&](auto& scope) {
        scope.run(next_twice{}, n);
        return scope.run(next_twice{}, n + 0);
    });
}
static_assert(in_a_scope(1) == 5);
} // namespace

TEST_CASE("scope: runs an lvalue in place, takes and returns an rvalue, over either kind of pass", "[pass][scope]") {
    tutti::pass_context ctx{};
    tutti::with(ctx, [](auto& scope) {
        int n = 1;
        STATIC_REQUIRE(std::is_same_v<decltype(scope.run(next, n)), tutti::detail::in_place_result<int>>);
        STATIC_REQUIRE(std::is_same_v<decltype(scope.run(next, 1)), int>);
        scope.run(next, n);
        scope.run(next_in_place, n);
        CHECK(n == 3);
        CHECK(scope.run(next, 1) == 2);
        CHECK(scope.run(next_in_place, 1) == 2);
    });
}

TEST_CASE("scope: a pass run directly ignores level and disabled", "[pass][scope]") {
    tutti::pass_context ctx{tutti::opt_level<0>, tutti::disable<"Next">};
    CHECK(tutti::with(ctx, [](auto& scope) { return scope.run(next, 1); }) == 2);
}

TEST_CASE("scope: moves a unit that owns through a pass", "[pass][scope]") {
    const auto grow = tutti::make_pass<"Grow">([](tree t) { return node(1, std::move(t), leaf(2)); });
    tutti::pass_context ctx{};
    tree t = tutti::with(ctx, [&](auto& scope) { return scope.run(grow, scope.run(grow, leaf(3))); });
    CHECK(sum(t) == 9);
    tutti::with(ctx, [&](auto& scope) { scope.run(grow, t); });
    CHECK(sum(t) == 12);
}

TEST_CASE("scope: tells a pass the level", "[pass][scope]") {
    const auto level = tutti::make_pass<"Level">([](int& n, auto& ctx) { n = ctx.opt_level(); });
    tutti::pass_context ctx{tutti::opt_level<3>};
    CHECK(tutti::with(ctx, [&](auto& scope) { return scope.opt_level() + scope.run(level, 0); }) == 6);
}
