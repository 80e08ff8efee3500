#include <tutti/pass/adaptors.hpp>

#include <tutti/pass/make_pass.hpp>

#include "support/catch.hpp"
#include "support/levels.hpp"
#include "support/two_layers.hpp"

#include <vector>

namespace {
// Halves numbers above 1, and reports changes.
constexpr auto halve = tutti::make_pass<"Halve">([](int& n) {
    if (n <= 1) return tutti::unchanged;
    n /= 2;
    return tutti::changed;
});
constexpr auto next = tutti::make_pass<"Next">([](int& n) { ++n; });

struct is_large {
    static constexpr std::string_view name = "is_large";
    constexpr bool operator()(const int& n) const { return n > 10; }
};

struct run_counter {
    std::vector<std::string> runs{};
    int changes = 0, unknown = 0;
    void run_after_pass(const auto&, const tutti::pass_info& info, tutti::change what) {
        runs.emplace_back(info.name);
        if (what == tutti::changed) ++changes;
        if (what == tutti::change::unknown) ++unknown;
    }
};

struct remark_listener {
    std::string text;
    void pass_remarked(const tutti::pass_run& run, const tutti::remark& said) {
        text.append(run.name).append(": ").append(to_string(said.kind)).append(": ").append(said.text);
    }
};

constexpr int run(const auto& pass, int n) {
    return tutti::with(tutti::pass_context{}, [&](auto& scope) { return scope.run(pass, n + 0); });
}
static_assert(run(tutti::fixpoint(halve), 100) == 1);
static_assert(run(tutti::fixpoint(halve, 2), 100) == 25);
static_assert(run(tutti::repeat(next, 3), 1) == 4);
static_assert(run(tutti::only_if(is_large{}, tutti::repeat(next, 2)), 11) == 13);
static_assert(run(tutti::only_if(is_large{}, next), 10) == 10);
static_assert(tutti::only_if_adaptor<is_large>::label == "is_large");
} // namespace

TEMPLATE_TEST_CASE("fixpoint: runs until nothing changes, and says whether anything did", "[pass][adaptors]",
                   static_layer, erased_layer) {
    run_counter counter;
    auto ctx = TestType::template context<int>({}, counter);
    int n = 8;
    TestType::with(ctx, [&](auto& scope) {
        CHECK(scope.run(tutti::fixpoint(tutti::sequential(halve)), n) == tutti::changed);
        CHECK(scope.run(tutti::fixpoint(halve), n) == tutti::unchanged);
    });
    CHECK(n == 1);
    // Three rounds halve n, and a fourth changes nothing. Each round runs a sequential and its pass. The fixpoint
    // itself counts as one more run. The second fixpoint and its pass run once each.
    CHECK(counter.runs.size() == 4 * 2 + 1 + 2);
    CHECK(counter.changes == 3 * 2 + 1);
    CHECK(counter.unknown == 0);
}

TEMPLATE_TEST_CASE("fixpoint: asks the fingerprint where the pass does not say", "[pass][adaptors]", static_layer,
                   erased_layer) {
    const auto shrink = tutti::make_pass<"Shrink">([](loop& l) { l.trips = l.trips > 3 ? l.trips - 1 : l.trips; });
    run_counter counter;
    auto ctx = TestType::template context<loop>({}, counter);
    loop l{6};
    TestType::with(ctx, [&](auto& scope) { scope.run(tutti::fixpoint(shrink), l); });
    CHECK(l.trips == 3);
    CHECK(counter.runs.size() == 5); // three that shrink l, one that does not, and the fixpoint
    CHECK(counter.changes == 4);
    CHECK(counter.unknown == 0);
}

TEMPLATE_TEST_CASE("fixpoint: changes that cancel out are none, whether or not an instrument sees them",
                   "[pass][adaptors]", static_layer, erased_layer) {
    const auto grow = tutti::make_pass<"Grow">([](loop& l) { ++l.trips; });
    const auto shrink = tutti::make_pass<"Shrink">([](loop& l) { return --l.trips, tutti::changed; });
    const auto rounds = [&](auto&... instruments) {
        int runs = 0;
        const auto count = tutti::make_pass<"Count">([&](loop&) { ++runs; });
        auto ctx = TestType::template context<loop>({}, instruments...);
        loop l{.trips = 3};
        TestType::with(ctx,
                       [&](auto& scope) { scope.run(tutti::fixpoint(tutti::sequential(grow, count, shrink), 9), l); });
        return runs;
    };
    run_counter counter;
    CHECK(rounds() == 1);
    CHECK(rounds(counter) == 1);
}

TEMPLATE_TEST_CASE("fixpoint: without either it runs as often as the limit allows, and remarks it", "[pass][adaptors]",
                   static_layer, erased_layer) {
    remark_listener heard;
    auto ctx = TestType::template context<int>({}, heard);
    int n = 1;
    TestType::with(ctx, [&](auto& scope) { scope.run(tutti::fixpoint(next, 4), n); });
    CHECK(n == 5);
    CHECK(heard.text == "fixpoint: missed: the limit was reached before a round changed nothing");
}

TEMPLATE_TEST_CASE("fixpoint: fails at its limit, or is silent about it", "[pass][adaptors]", static_layer,
                   erased_layer) {
    const auto at_limit = [](tutti::on_limit then, auto&... heard) {
        auto ctx = TestType::template context<int>({}, heard...);
        int n = 0;
        TestType::with(ctx, [&](auto& scope) { scope.run(tutti::fixpoint(next, 4, then), n); });
        return n;
    };
    remark_listener heard;
    CHECK(at_limit(tutti::on_limit::silent, heard) == 4);
    CHECK(heard.text.empty());
    CHECK_THROWS_WITH(at_limit(tutti::on_limit::fail), "the limit was reached before a round changed nothing");
}

TEMPLATE_TEST_CASE("adaptors: are disabled by name, and instruments see them", "[pass][adaptors]", static_layer,
                   erased_layer) {
    run_counter counter;
    const setup s{.disabled = {"repeat"}};
    auto ctx = TestType::template context<int>(s, counter);
    int n = 20;
    TestType::with(ctx, [&](auto& scope) {
        scope.run(tutti::sequential(tutti::repeat(next, 2), tutti::only_if(is_large{}, next)), n);
    });
    CHECK(n == 21);
    CHECK(counter.runs == std::vector<std::string>{"Next", "only_if", "sequential"});
}

TEST_CASE("adaptors: a predicate may ask the context", "[pass][adaptors]") {
    const auto asks = [](const int&, auto& ctx) { return ctx.opt_level() > 2; };
    int n = 1;
    tutti::with(tutti::pass_context{tutti::opt_level<3>},
                [&](auto& scope) { scope.run(tutti::only_if(asks, next), n); });
    tutti::with(tutti::pass_context{}, [&](auto& scope) { scope.run(tutti::only_if(asks, next), n); });
    CHECK(n == 2);
}
