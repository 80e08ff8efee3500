#include <tutti/pass/order_steps.hpp>

#include "support/catch.hpp"

#include <string_view>

namespace {

struct typed {
    static constexpr std::string_view name = "typed";
};
struct plain {};
struct lower {
    using breaks = tutti::properties<typed>;
};
struct fuse {
    using needs = tutti::properties<typed>;
};

template <class P>
constexpr tutti::internal::order_step step(std::string_view name, int level = 0) {
    tutti::internal::order_step made;
    made.name = name;
    made.claims = tutti::internal::stated_by<P>;
    made.level = level;
    made.runs = tutti::decision::unknown;
    return made;
}

// Returns the number of the pass that needs what another broke, and the level.
constexpr auto mistake_of(auto... each) {
    tutti::internal::order_steps steps;
    (steps.add(each), ...);
    return steps.find_mistake();
}

} // namespace

TEST_CASE("order_steps: finds the pass that needs a property and the one that broke it", "[pass][order_steps]") {
    constexpr auto found = mistake_of(step<plain>("A"), step<lower>("B"), step<plain>("C"), step<fuse>("D"));
    STATIC_REQUIRE(found.pass == 3);
    STATIC_REQUIRE(found.broken_by == 1);
    STATIC_REQUIRE(found.property == "typed");
    STATIC_REQUIRE(found.level == -1);
    CHECK_FALSE(mistake_of(step<fuse>("A"), step<lower>("B")));
}

TEST_CASE("order_steps: skips the passes inside a pass that does not run", "[pass][order_steps]") {
    const auto inside = [](tutti::decision runs) {
        auto around = step<plain>("around");
        around.runs = runs;
        around.inside = 1;
        return static_cast<bool>(mistake_of(around, step<lower>("B"), step<fuse>("C")));
    };
    CHECK(inside(tutti::decision::run));
    CHECK_FALSE(inside(tutti::decision::disabled));
}

TEST_CASE("order_steps: a mistake at lower levels only has the level", "[pass][order_steps]") {
    struct infer {
        using gives = tutti::properties<typed>;
    };
    constexpr auto found = mistake_of(step<lower>("A"), step<infer>("B", 3), step<fuse>("C"));
    STATIC_REQUIRE(found.pass == 2);
    STATIC_REQUIRE(found.level == 2);
}

TEST_CASE("order_steps: grows", "[pass][order_steps]") {
    tutti::internal::order_steps steps;
    for (int i = 0; i < 100; ++i) CHECK(steps.add(step<plain>("A")) == static_cast<std::size_t>(i));
    steps.add(step<lower>("B"));
    steps.add(step<fuse>("C"));
    CHECK(steps.size() == 102);
    CHECK(steps.find_mistake().pass == 101);
    CHECK(steps[100].name == "B");
}
