#include <tutti/pass/instrument_set.hpp>

#include <tutti/pass/make_pass.hpp>
#include <tutti/pass/pass_context.hpp>
#include <tutti/pass/with.hpp>

#include "archetypes/instrument.hpp"
#include "archetypes/tree.hpp"
#include "support/catch.hpp"

#include <functional>
#include <memory>
#include <string>

namespace {
struct counter {
    std::unique_ptr<int> before = std::make_unique<int>(0);
    void run_before_pass(const auto&, const tutti::pass_info&) { ++*before; }
};
struct answers {
    bool answer;
    int asked = 0;
    bool should_run(const int&, const tutti::pass_info&) {
        ++asked;
        return answer;
    }
};

template <class... I>
using set_of = tutti::internal::instrument_set<tutti::detail::instrument_slots<I...>>;
using two = set_of<only_before&, only_exits>;
static_assert(two::around_contexts && two::hooks<int>::at_passes && !two::hooks<int>::decide &&
              !two::hooks<int>::see_failed);
static_assert(!set_of<>::around_contexts && !set_of<>::hooks<int>::at_passes);
static_assert(!set_of<only_exits>::hooks<int>::at_passes);
static_assert(set_of<all_hooks>::hooks<tree>::decide && set_of<all_hooks>::hooks<tree>::see_failed);
// A measuring instrument need not stop its own clock.
static_assert(!set_of<measuring>::hooks<int>::stop_clocks);
static_assert(!set_of<measuring, only_enters>::hooks<int>::stop_clocks);
static_assert(set_of<measuring, only_after>::hooks<int>::stop_clocks);
static_assert(set_of<measuring, measuring>::hooks<int>::stop_clocks);
// Runs are tracked only if an instrument uses them.
struct takes_run {
    void run_before_pass(const int&, const tutti::pass_run&) {}
};
static_assert(!set_of<all_hooks>::hooks<int>::track);
static_assert(set_of<takes_run>::hooks<int>::track && !set_of<takes_run>::hooks<tree>::track);
} // namespace

TEST_CASE("instruments: keeps temporaries, refers to lvalues", "[pass][instrument_set]") {
    counter kept;
    auto set = tutti::instruments(kept, counter{});
    STATIC_REQUIRE(std::is_same_v<decltype(set), set_of<counter&, counter>>);
    std::size_t begun = 0;
    set.before(1, tutti::pass_info{.name = "A"}, begun);
    CHECK(begun == 2);
    CHECK(*kept.before == 1);
    auto moved = std::move(set);
    moved.before(leaf(1), tutti::pass_info{.name = "A"}, begun);
    CHECK(*kept.before == 2);
}

TEST_CASE("instruments: calls should_run of every instrument, whatever the others returned", "[pass][instrument_set]") {
    answers no{.answer = false};
    answers yes{.answer = true};
    auto set = tutti::instruments(no, yes, no);
    CHECK_FALSE(set.should_run(1, tutti::pass_info{.name = "A"}));
    CHECK(no.asked == 2);
    CHECK(yes.asked == 1);
    CHECK(tutti::instruments(yes).should_run(1, tutti::pass_info{.name = "A"}));
}

TEST_CASE("instruments: tells failures to a range only", "[pass][instrument_set]") {
    struct failures {
        int count = 0;
        void pass_failed(const int*, const tutti::pass_info&, const std::exception_ptr&) { ++count; }
    } a, b, c;
    auto set = tutti::instruments(a, b, c);
    const int unit = 1;
    set.failed(&unit, tutti::pass_info{.name = "A"}, nullptr, 1, 2);
    CHECK(a.count == 0);
    CHECK(b.count == 1);
    CHECK(c.count == 0);
}

TEST_CASE("instruments: a hook that holds nothing is left out, and may come later", "[pass][instrument_set]") {
    struct {
        std::function<bool(const int&, const tutti::pass_info&)> should_run;
        std::function<void(const int&, const tutti::pass_info&)> run_before_pass;
        std::function<void()> enter_pass_ctx;
        void (*exit_pass_ctx)() = nullptr;
    } late;
    tutti::pass_context ctx{tutti::instruments(late)};
    const auto next = tutti::make_pass<"Next">([](int& n) { ++n; });
    int n = 1, before = 0;
    tutti::with(ctx, [&](auto& scope) {
        scope.run(next, n);
        late.run_before_pass = [&](const int&, const tutti::pass_info&) { ++before; };
        scope.run(next, n);
        late.should_run = [](const int&, const tutti::pass_info&) { return false; };
        scope.run(next, n);
    });
    CHECK(before == 1);
    CHECK(n == 3);
}

TEST_CASE("instruments: a name is a member of that name, a view or a function", "[pass][instrument_set]") {
    struct {
        std::string_view name = "by value";
    } a;
    struct {
        std::string kept = "called";
        const std::string& name() const { return kept; }
    } b;
    CHECK(tutti::internal::instrument_name(a) == "by value");
    CHECK(tutti::internal::instrument_name(only_before{}).empty());
    CHECK(tutti::internal::instrument_name(b) == "called");
}
