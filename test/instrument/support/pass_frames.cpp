#include <tutti/instrument/support/pass_frames.hpp>

#include "support/catch.hpp"

#include <memory>
#include <vector>

using tutti::internal::pass_nesting;

namespace {

using frames = tutti::instrument::pass_frames<int>;

constexpr tutti::pass_info a{.name = "A"}, b{.name = "B"}, c{.name = "C"};

// Ends a pass and returns its frame, or 0 if its begin was not seen.
int ended(frames& n, const tutti::pass_info& pass) {
    int own = 0;
    const bool is_known = n.end(pass, [&](int frame) { own = frame; });
    CHECK(is_known == (own != 0));
    return own;
}

// Leaves a context, and returns the frames of the passes that end with it.
std::vector<int> left_by_exit(frames& n) {
    std::vector<int> left;
    n.exit([&](int frame) { left.push_back(frame); });
    return left;
}

} // namespace

TEST_CASE("pass_frames: passes end in the order opposite to that in which they began", "[instrument][pass_frames]") {
    frames n;
    CHECK(n.enter());
    CHECK(n.outermost());
    CHECK(n.around() == nullptr);
    n.begin(a, 1);
    CHECK_FALSE(n.outermost());
    CHECK(n.around() == &n.back());
    n.begin(b, 2);
    CHECK(n.depth() == 2);
    CHECK((n[0] == 1 && n[1] == 2 && n.back() == 2));
    CHECK(ended(n, b) == 2);
    CHECK(ended(n, a) == 1);
    CHECK(n.outermost());
    CHECK(n.empty());
    CHECK(left_by_exit(n).empty());
}

TEST_CASE("pass_frames: a context in a pass has outermost passes of its own", "[instrument][pass_frames]") {
    frames n;
    n.enter();
    n.begin(a, 1);
    CHECK_FALSE(n.enter());
    CHECK(n.outermost());
    CHECK(n.around() == nullptr);
    n.begin(b, 2);
    CHECK(*n.around() == 2);
    CHECK(ended(n, b) == 2);
    CHECK(left_by_exit(n).empty());
    CHECK_FALSE(n.outermost());
    CHECK(*n.around() == 1);
    CHECK(ended(n, a) == 1);
    CHECK(left_by_exit(n).empty());
    CHECK(n.enter());
}

TEST_CASE("pass_frames: leaving during a pass does not wait for its end", "[instrument][pass_frames]") {
    frames n;
    n.enter();
    n.begin(a, 1);
    n.begin(b, 2);
    CHECK(left_by_exit(n) == std::vector{2, 1});
    CHECK(n.depth() == 0);
    CHECK(n.enter()); // no pass is running any more
    CHECK_FALSE(n.end(b));
    CHECK_FALSE(n.end(a));
    CHECK(left_by_exit(n).empty());
}

TEST_CASE("pass_frames: leaves the passes around an inner context alone", "[instrument][pass_frames]") {
    frames n;
    n.enter();
    n.begin(a, 1);
    n.enter();
    n.begin(b, 2);
    CHECK(left_by_exit(n) == std::vector{2});
    CHECK_FALSE(n.enter());
    CHECK_FALSE(n.end(b));
    CHECK(left_by_exit(n).empty());
    CHECK(ended(n, a) == 1);
}

TEST_CASE("pass_frames: handles missing ends, and contexts that were not left", "[instrument][pass_frames]") {
    frames n;
    n.enter();
    n.begin(a, 1);
    n.enter();
    n.begin(b, 2);
    n.begin(c, 3);
    n.begin(a, 4);
    std::vector<int> inner;
    CHECK(n.end(b, [&](int frame) { CHECK(frame == 2); }, [&](int frame) { inner.push_back(frame); }));
    CHECK(inner == std::vector{4, 3});
    CHECK(ended(n, a) == 1); // the exit of another instrument threw
    CHECK(n.outermost());
    CHECK(left_by_exit(n).empty());
    CHECK(n.enter());
    CHECK_FALSE(n.end(a));
}

TEST_CASE("pass_frames: may be left without having been entered", "[instrument][pass_frames]") {
    frames n;
    CHECK(left_by_exit(n).empty());
    n.begin(a, 1);
    CHECK(left_by_exit(n) == std::vector{1});
    CHECK(n.outermost());
}

TEST_CASE("pass_frames: a frame is no longer there when it is handed out", "[instrument][pass_frames]") {
    frames n;
    n.enter();
    n.begin(a, 1);
    n.begin(b, 2);
    n.begin(c, 3);
    n.end(b, [&](int) { CHECK(n.back() == 1); }, [&](int) { CHECK(n.back() == 2); });
    CHECK(n.depth() == 1);
}

TEST_CASE("pass_frames: frames may be of types that cannot be copied or made from nothing",
          "[instrument][pass_frames]") {
    struct own {
        std::unique_ptr<int> number;
        explicit own(int n) : number(std::make_unique<int>(n)) {}
    };
    tutti::instrument::pass_frames<own> n;
    n.begin(a, own(1));
    n.begin(b, own(2));
    CHECK(n.end(a, [&](const own& frame) { CHECK(*frame.number == 1); }));
    pass_nesting nothing_kept;
    nothing_kept.begin(a);
    CHECK(nothing_kept.depth() == 1);
    CHECK(nothing_kept.end(a));
}

TEST_CASE("seen_run: knows whether a pass is the next, and whether any has begun since", "[instrument][pass_frames]") {
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
    seen.see(inside(7)); // this pass ran two others
    CHECK(seen.is_next(inside(8)));
    CHECK_FALSE(seen.is_current(outer));
    seen.forget();
    CHECK_FALSE(seen.is_next(inside(8)));
}
