#include <tutti/pass/pass.hpp>

#include "archetypes/pass.hpp"
#include "archetypes/tree.hpp"
#include "support/catch.hpp"

#include <utility>

namespace {
struct context {};

static_assert(tutti::detail::pass_over<pass_by_value, int, context>);
static_assert(tutti::detail::pass_over<pass_by_value, tree, context>);
static_assert(tutti::detail::pass_over<pass_in_place, int, context>);
static_assert(tutti::detail::pass_over<pass_in_place, tree, context>);
static_assert(tutti::detail::pass_over<pass_without_context<tree>, tree, context>);
static_assert(tutti::detail::pass_over<pass_in_place_without_context<tree>, tree, context>);
static_assert(tutti::detail::pass_over<pass_described_late, int, context>);
static_assert(tutti::internal::describes_itself_statically<pass_by_value>);
static_assert(!tutti::internal::describes_itself_statically<pass_described_late>);

static_assert(tutti::detail::transforms_in_place<pass_in_place, int, context>);
static_assert(!tutti::detail::transforms_by_value<pass_in_place, int, context>);
static_assert(tutti::detail::transforms_by_value<pass_by_value, int, context>);
static_assert(!tutti::detail::transforms_in_place<pass_by_value, int, context>);

struct undescribed {
    int operator()(int n) const { return n; }
};
struct loses_the_unit {
    static constexpr tutti::pass_info info{.name = "Loses"};
    void operator()(int, auto&) const {}
};
struct looks_only {
    static constexpr tutti::pass_info info{.name = "Looks"};
    void operator()(const int&) const {}
};
struct changes_itself {
    static constexpr tutti::pass_info info{.name = "ChangesItself"};
    int operator()(int n) { return n; }
};
struct another_unit {
    static constexpr tutti::pass_info info{.name = "Another"};
    long operator()(int n) const { return n; }
};
static_assert(!tutti::internal::describes_itself<undescribed> && tutti::transforms<undescribed, int, context>);
static_assert(tutti::internal::describes_itself<loses_the_unit> && tutti::internal::describes_itself<looks_only> &&
              tutti::internal::describes_itself<changes_itself> && tutti::internal::describes_itself<another_unit>);
static_assert(!tutti::transforms<loses_the_unit, int, context>);
static_assert(!tutti::transforms<looks_only, int, context>);
static_assert(!tutti::transforms<const changes_itself, int, context>);
static_assert(tutti::transforms<changes_itself, int, context>);
static_assert(!tutti::transforms<another_unit, int, context>);
static_assert(!tutti::transforms<pass_without_context<tree>, int, context>);

struct increment {
    static constexpr tutti::pass_info info{.name = "Increment"};
    tree operator()(tree t) const {
        ++t.value;
        return t;
    }
};
struct increment_in_place {
    static constexpr tutti::pass_info info{.name = "IncrementInPlace"};
    void operator()(tree& t) const { ++t.value; }
};
static_assert(tutti::detail::pass_over<increment, tree, context> &&
              tutti::detail::pass_over<increment_in_place, tree, context>);
} // namespace

TEST_CASE("pass: by value or in place, each is called over both kinds of unit", "[pass][pass]") {
    context ctx;
    CHECK(tutti::detail::call_by_value<tree>(increment{}, leaf(1), ctx).value == 2);
    CHECK(tutti::detail::call_by_value<tree>(increment_in_place{}, leaf(1), ctx).value == 2);
    tree t = node(1, leaf(5), leaf(6));
    tutti::internal::call_in_place(increment{}, t, ctx);
    tutti::internal::call_in_place(increment_in_place{}, t, ctx);
    CHECK(t.value == 3);
    CHECK(sum(t) == 14);
}
