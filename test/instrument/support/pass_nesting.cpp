#include <tutti/instrument/support/pass_nesting.hpp>

#include "support/catch.hpp"

using tutti::instrument::pass_nesting;

namespace {
constexpr tutti::pass_info a{.name = "A"}, b{.name = "B"}, c{.name = "C"};
} // namespace

TEST_CASE("pass_nesting: passes end in the order opposite to that in which they began", "[instrument][pass_nesting]") {
    pass_nesting n;
    CHECK(n.enter());
    CHECK(n.outermost());
    n.begin(a);
    CHECK_FALSE(n.outermost());
    n.begin(b);
    CHECK(n.depth() == 2);
    CHECK(n.end(b) == 1);
    CHECK(n.end(a) == 1);
    CHECK(n.outermost());
    CHECK(n.exit() == 0);
}

TEST_CASE("pass_nesting: a context in a pass has outermost passes of its own", "[instrument][pass_nesting]") {
    pass_nesting n;
    n.enter();
    n.begin(a);
    CHECK_FALSE(n.enter());
    CHECK(n.outermost());
    n.begin(b);
    CHECK(n.end(b) == 1);
    CHECK(n.exit() == 0);
    CHECK_FALSE(n.outermost());
    CHECK(n.end(a) == 1);
    CHECK(n.exit() == 0);
    CHECK(n.enter());
}

TEST_CASE("pass_nesting: leaving during a pass does not wait for its end", "[instrument][pass_nesting]") {
    pass_nesting n;
    n.enter();
    n.begin(a);
    n.begin(b);
    CHECK(n.exit() == 2);
    CHECK(n.depth() == 0);
    CHECK(n.enter()); // part of the context again
    CHECK(n.end(b) == 0);
    CHECK(n.end(a) == 0);
    CHECK(n.exit() == 0);
}

TEST_CASE("pass_nesting: leaves the passes around an inner context alone", "[instrument][pass_nesting]") {
    pass_nesting n;
    n.enter();
    n.begin(a);
    n.enter();
    n.begin(b);
    CHECK(n.exit() == 1);
    CHECK_FALSE(n.enter());
    CHECK(n.end(b) == 0);
    CHECK(n.exit() == 0);
    CHECK(n.end(a) == 1);
}

TEST_CASE("pass_nesting: handles missing ends, and contexts that were not left", "[instrument][pass_nesting]") {
    pass_nesting n;
    n.enter();
    n.begin(a);
    n.enter();
    n.begin(b);
    n.begin(c);
    CHECK(n.end(b) == 2);
    CHECK(n.end(a) == 1); // the exit of another instrument threw
    CHECK(n.outermost());
    CHECK(n.exit() == 0);
    CHECK(n.enter());
    CHECK(n.end(a) == 0);
}

TEST_CASE("pass_nesting: may be left without having been entered", "[instrument][pass_nesting]") {
    pass_nesting n;
    CHECK(n.exit() == 0);
    n.begin(a);
    CHECK(n.exit() == 1);
    CHECK(n.outermost());
}

TEST_CASE("seen_run: knows whether a pass is the next, and whether any has begun since", "[instrument][pass_nesting]") {
    tutti::pass_run outer{{.name = "A"}};
    outer.number = 4;
    tutti::instrument::seen_run seen(outer);
    const auto inside = [&outer](std::size_t number) {
        tutti::pass_run run{{.name = "B"}, &outer, 1};
        run.number = number;
        return run;
    };
    CHECK(seen.is_next(inside(5)));
    CHECK_FALSE(seen.is_next(inside(6)));
    CHECK_FALSE(seen.is_next(outer));
    CHECK(seen.is_current(outer));
    seen.see(inside(7)); // it ran two others
    CHECK(seen.is_next(inside(8)));
    CHECK_FALSE(seen.is_current(outer));
    seen.forget();
    CHECK_FALSE(seen.is_next(inside(8)));
}
