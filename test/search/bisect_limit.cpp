#include <tutti/search/bisect_limit.hpp>

#include "support/catch.hpp"
#include "support/levels.hpp"
#include "support/plan_unit.hpp"
#include "support/two_layers.hpp"

using tutti::instrument::bisect_limit;

namespace {
template <class Layer, class Unit>
std::string ran(std::size_t limit, const auto& passes, Unit& unit, const setup& how = {}) {
    std::string text;
    bisect_limit first{limit, [&](std::string_view line) { text += line; }};
    auto ctx = Layer::template context<Unit>(how, first);
    Layer::with(ctx, [&](auto& scope) { scope.run(passes, unit); });
    return text + std::to_string(first.count()) + " " + first.last();
}
} // namespace

TEMPLATE_TEST_CASE("bisect_limit: runs at most this many passes, including nested ones", "[instrument][bisect_limit]",
                   static_layer, erased_layer) {
    const auto all = tutti::sequential(add_sort, tutti::sequential<"Inner">(drop_first), tutti::repeat(add_sort, 2));
    plan p{{"scan"}};
    CHECK(ran<TestType>(3, all, p) ==
          "BISECT: running pass (1) AddSort\nBISECT: running pass (2) DropFirst in Inner\n"
          "BISECT: running pass (3) AddSort in repeat\nBISECT: NOT running pass (4) AddSort in repeat\n"
          "4 AddSort in repeat");
    CHECK(p.steps == std::vector<std::string>{"sort", "sort"});
    CHECK(ran<TestType>(0, add_sort, p) == "BISECT: NOT running pass (1) AddSort\n1 ");
    CHECK(ran<TestType>(9, add_sort, p) == "BISECT: running pass (1) AddSort\n1 AddSort");
}

TEMPLATE_TEST_CASE("bisect_limit: counts passes that the context requires, and runs them", "[instrument][bisect_limit]",
                   static_layer, erased_layer) {
    plan p;
    CHECK(ran<TestType>(1, tutti::sequential(add_sort, drop_first, add_sort), p,
                        {.opt_level = 0, .required = {"AddSort"}}) ==
          "BISECT: running required pass (1) AddSort\nBISECT: NOT running pass (2) DropFirst\n"
          "BISECT: running required pass (3) AddSort\n3 AddSort");
    CHECK(p.steps.size() == 2);
}

TEMPLATE_TEST_CASE("bisect_limit: counts each part", "[instrument][bisect_limit]", static_layer, erased_layer) {
    const auto count = tutti::make_pass<"Count">([](function& f) { ++f.cost; });
    module m{{{}, {}, {}}};
    CHECK(ran<TestType>(2, tutti::sequential(tutti::each<function>(count)), m) ==
          "BISECT: running pass (1) Count in function over a function\n"
          "BISECT: running pass (2) Count in function over a function\n"
          "BISECT: NOT running pass (3) Count in function over a function\n3 Count in function over a function");
    CHECK(m.functions[1].cost == 1);
    CHECK(m.functions[2].cost == 0);
}

TEMPLATE_TEST_CASE("bisect_limit: goes on counting after a failure, and past passes that others refuse",
                   "[instrument][bisect_limit]", static_layer, erased_layer) {
    bisect_limit<> first{3};
    std::string ignored;
    refusing_recorder refuses{"R", ignored, "DropFirst"};
    auto ctx = TestType::template context<plan>({}, first, refuses);
    plan p{{"scan"}};
    TestType::with(ctx, [&](auto& scope) {
        CHECK_THROWS_AS(scope.run(throw_it, p), tutti::error);
        scope.run(tutti::sequential(drop_first, add_sort, add_sort), p);
    });
    CHECK(first.count() == 4);
    CHECK(p.steps == std::vector<std::string>{"scan", "sort"});
}
