#include <tutti/pass/pass_context.hpp>

#include "archetypes/instrument.hpp"
#include "archetypes/pass.hpp"
#include "support/catch.hpp"

#include <vector>

namespace {
using tutti::decision;

struct level_0 {
    static constexpr tutti::pass_info info{.name = "Level0"};
};
struct level_3 {
    static constexpr tutti::pass_info info{.name = "Level3", .opt_level = 3};
};
struct late_3 {
    tutti::pass_info info{.name = "Late3", .opt_level = 3};
};

template <class P>
constexpr decision known(const auto& context) {
    return std::remove_cvref_t<decltype(context)>::template known<P>();
}

constexpr tutti::pass_context<> plain{};
static_assert(plain.opt_level() == 2);
static_assert(known<level_0>(plain) == decision::run);
static_assert(known<level_3>(plain) == decision::opt_level);
static_assert(known<late_3>(plain) == decision::unknown);
static_assert(plain.decide(late_3{}) == decision::opt_level);

// "Disabled" has priority over "required", and "required" over the level. All is decided at compile time.
constexpr tutti::pass_context three{tutti::opt_level<3>, tutti::disable<level_0>};
static_assert(known<level_3>(three) == decision::run);
static_assert(known<level_0>(three) == decision::disabled);
constexpr tutti::pass_context required{tutti::require<"Level3", "Level0">, tutti::disable<"Level0">};
static_assert(known<level_3>(required) == decision::run);
static_assert(known<level_0>(required) == decision::disabled);
static_assert(required.is_required(level_3{}));

// With a run-time value, only the decisions that depend on the value are unknown at compile time.
constexpr tutti::pass_context mixed{tutti::opt_level(3), tutti::disable<level_0>};
static_assert(known<level_3>(mixed) == decision::unknown);
static_assert(known<level_0>(mixed) == decision::disabled);
static_assert(mixed.decide(level_3{}) == decision::run);
static_assert(mixed.decide(level_0{}) == decision::disabled);
constexpr tutti::pass_context requires_late{tutti::opt_level<0>, tutti::require<late_3>};
static_assert(known<late_3>(requires_late) == decision::run);

static_assert(sizeof(three) == 1);
} // namespace

TEST_CASE("pass_context: values decide what its type leaves open", "[pass][pass_context]") {
    const std::vector<std::string_view> names{"Level0", "X"};
    const tutti::pass_context ctx{tutti::opt_level(1), tutti::disable(names), tutti::require("Level3")};
    CHECK(ctx.opt_level() == 1);
    CHECK(ctx.decide(level_0{}) == decision::disabled);
    CHECK(ctx.decide(level_3{}) == decision::run);
    CHECK(ctx.decide(late_3{}) == decision::opt_level);
    CHECK(ctx.is_required(level_3{}));
    CHECK_FALSE(ctx.is_required(late_3{}));
}

TEST_CASE("pass_context: compares by name where a pass's description is not a constant", "[pass][pass_context]") {
    struct same_name {
        tutti::pass_info info{.name = "Level0"};
    };
    const tutti::pass_context ctx{tutti::opt_level<3>, tutti::disable<level_0>};
    CHECK(ctx.decide(same_name{}) == decision::disabled);
    CHECK(ctx.decide(late_3{}) == decision::run);
}

TEST_CASE("pass_context: has the instruments it was given", "[pass][pass_context]") {
    only_before a;
    tutti::pass_context ctx{tutti::instruments(a, only_after{}), tutti::opt_level<1>};
    CHECK(ctx.instruments().size() == 2);
    CHECK_FALSE(ctx.instruments_cleared());
    CHECK(tutti::pass_context<>{}.instruments().size() == 0);
}
