#include <tutti/pass/instruments.hpp>

#include "archetypes/instrument.hpp"
#include "archetypes/tree.hpp"
#include "catch.hpp"

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

using two = tutti::instrument_set<only_before&, only_exits>;
static_assert(two::around_contexts && two::around_passes<int> && !two::asked<int> && !two::catches<int>);
static_assert(!tutti::instrument_set<>::around_contexts && !tutti::instrument_set<>::around_passes<int>);
static_assert(!tutti::instrument_set<only_exits>::around_passes<int>);
static_assert(tutti::instrument_set<all_hooks>::asked<tree> && tutti::instrument_set<all_hooks>::catches<tree>);
// one that measures need not stop its clock for itself
static_assert(!tutti::instrument_set<measuring>::pauses<int>);
static_assert(!tutti::instrument_set<measuring, only_enters>::pauses<int>);
static_assert(tutti::instrument_set<measuring, only_after>::pauses<int>);
static_assert(tutti::instrument_set<measuring, measuring>::pauses<int>);
} // namespace

TEST_CASE("instruments: keeps temporaries, refers to lvalues", "[pass][instruments]") {
    counter kept;
    auto set = tutti::instruments(kept, counter{});
    STATIC_REQUIRE(std::is_same_v<decltype(set), tutti::instrument_set<counter&, counter>>);
    std::size_t begun = 0;
    set.before(1, {.name = "A"}, begun);
    CHECK(begun == 2);
    CHECK(*kept.before == 1);
    auto moved = std::move(set);
    moved.before(leaf(1), {.name = "A"}, begun);
    CHECK(*kept.before == 2);
}

TEST_CASE("instruments: asks every instrument, whatever the others said", "[pass][instruments]") {
    answers no{.answer = false};
    answers yes{.answer = true};
    auto set = tutti::instruments(no, yes, no);
    CHECK_FALSE(set.should_run(1, {.name = "A"}));
    CHECK(no.asked == 2);
    CHECK(yes.asked == 1);
    CHECK(tutti::instruments(yes).should_run(1, {.name = "A"}));
}

TEST_CASE("instruments: tells failures to a range only", "[pass][instruments]") {
    struct failures {
        int count = 0;
        void pass_failed(const int&, const tutti::pass_info&, const std::exception_ptr&) { ++count; }
    } a, b, c;
    auto set = tutti::instruments(a, b, c);
    set.failed(1, {.name = "A"}, nullptr, 1, 2);
    CHECK(a.count == 0);
    CHECK(b.count == 1);
    CHECK(c.count == 0);
}
