#include <tutti/search/bisect.hpp>

#include "support/catch.hpp"
#include "support/levels.hpp"
#include "support/plan_unit.hpp"
#include "support/two_layers.hpp"

#include <cstddef>
#include <memory>
#include <string>

using tutti::instrument::bisect;
using tutti::instrument::bisect_limit;
using tutti::instrument::bisection;

namespace {
template <class Layer, class Unit>
bisection found(const auto& passes, const auto& make, const auto& is_right) {
    return bisect([&](bisect_limit<>& limit) {
        Unit unit = make();
        auto ctx = Layer::template context<Unit>({}, limit);
        Layer::with(ctx, [&](auto& scope) { scope.run(passes, unit); });
        return is_right(unit);
    });
}
const auto plans = [] { return plan{}; };
const auto is_whole = [](const plan& p) {
    for (const std::string& step : p.steps)
        if (step == "broken") return false;
    return true;
};
} // namespace

TEMPLATE_TEST_CASE("bisect: finds the pass from which on the result is wrong", "[instrument][bisect]", static_layer,
                   erased_layer) {
    const auto some = tutti::sequential(add_sort, add_sort, add_sort);
    const bisection wrong = found<TestType, plan>(
        tutti::sequential(some, some, tutti::repeat(tutti::sequential<"Inner">(add_sort, break_it), 3), some), plans,
        is_whole);
    CHECK(wrong.failed);
    CHECK(wrong.number == 8);
    CHECK(wrong.pass == "BreakIt in Inner in repeat");
    CHECK(wrong.passes == 15);
    CHECK(wrong.tries <= 6);

    for (std::size_t place = 1; place <= 9; ++place) {
        std::size_t n = 0;
        const auto at = tutti::make_pass<"At">([&](plan& p) { p.steps.push_back(++n == place ? "broken" : "sort"); });
        const bisection there = bisect([&](bisect_limit<>& limit) {
            n = 0;
            plan p;
            auto ctx = TestType::template context<plan>({}, limit);
            TestType::with(ctx, [&](auto& scope) { scope.run(tutti::repeat(at, 9), p); });
            return is_whole(p);
        });
        CHECK(there.number == place);
        CHECK(there.pass == "At in repeat");
    }
}

TEMPLATE_TEST_CASE("bisect: says that nothing is wrong, or that no pass is to blame", "[instrument][bisect]",
                   static_layer, erased_layer) {
    const bisection right = found<TestType, plan>(tutti::sequential(add_sort, add_sort), plans, is_whole);
    CHECK_FALSE(right.failed);
    CHECK(right.passes == 2);
    CHECK(right.tries == 1);
    const bisection before =
        found<TestType, plan>(tutti::sequential(add_sort), [] { return plan{{"broken"}}; }, is_whole);
    CHECK(before.failed);
    CHECK(before.number == 0);
    CHECK(before.pass.empty());
}

TEMPLATE_TEST_CASE("bisect: a pass that throws is found", "[instrument][bisect]", static_layer, erased_layer) {
    const bisection thrown = found<TestType, plan>(tutti::sequential(add_sort, add_sort, throw_it, add_sort), plans,
                                                   [](const plan&) { return true; });
    CHECK(thrown.number == 3);
    CHECK(thrown.pass == "ThrowIt");
    CHECK(thrown.passes == 3);
}

TEMPLATE_TEST_CASE("bisect: goes into parts, and needs no copy of the unit", "[instrument][bisect]", static_layer,
                   erased_layer) {
    const auto count = tutti::make_pass<"Count">([](function& f) { f.cost = f.cost == 7 ? -1 : f.cost; });
    const bisection part = found<TestType, module>(
        tutti::sequential(tutti::each<function>(count)), [] { return module{{{{}, 3}, {{}, 7}, {{}, 5}}}; },
        [](const module& m) { return m.functions[1].cost == 7; });
    CHECK(part.number == 2);
    CHECK(part.pass == "Count in function over a function");

    using owner = std::unique_ptr<int>;
    const auto spoil = tutti::make_pass<"Spoil">([](owner o) {
        *o = -*o;
        return o;
    });
    const bisection moved =
        found<TestType, owner>(spoil, [] { return std::make_unique<int>(1); }, [](const owner& o) { return *o > 0; });
    CHECK(moved.pass == "Spoil");
}

TEST_CASE("bisect_first: counts the passes that began in a try that crashed", "[instrument][bisect]") {
    std::size_t most = 0;
    const bisection found = tutti::instrument::bisect_first([&](std::size_t limit) {
        const std::size_t ran = limit < 6 ? limit : 6; // the sixth of nine passes crashes
        if (limit < 9 && limit > most) most = limit;
        return tutti::instrument::bisect_try{limit < 6, limit < 6 ? std::size_t{9} : std::size_t{6},
                                             "pass " + std::to_string(ran)};
    });
    CHECK(found.failed);
    CHECK(found.number == 6);
    CHECK(found.pass == "pass 6");
    CHECK(found.passes == 6);
    CHECK(most == 5); // the search does not repeat the crash
}
