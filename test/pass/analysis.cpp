#include <tutti/pass/analysis.hpp>

#include <tutti/pass/adaptors.hpp>
#include <tutti/pass/each.hpp>
#include <tutti/pass/make_pass.hpp>

#include "support/catch.hpp"
#include "support/levels.hpp"
#include "support/two_layers.hpp"

namespace {
int computed = 0; // runs of total_trips

struct total_trips {
    static constexpr std::string_view name = "TotalTrips";
    int operator()(const function& f) const {
        ++computed;
        int all = 0;
        for (const loop& l : f.loops) all += l.trips;
        return all;
    }
};
struct module_trips { // uses another analysis
    int operator()(const module& m, auto& ctx) const {
        int all = 0;
        for (const function& f : m.functions) all += ctx.template get<total_trips>(f);
        return all;
    }
};

struct reads {
    static constexpr tutti::pass_info info{.name = "Reads"};
    tutti::change operator()(function& f, auto& ctx) const {
        const int& first = ctx.template get<total_trips>(f);
        const int& second = ctx.template get<total_trips>(f);
        CHECK(first == second);
        return tutti::unchanged;
    }
};
constexpr auto grows = tutti::make_pass<"Grows">([](function& f) {
    for (loop& l : f.loops) ++l.trips;
});
struct keeps {
    static constexpr tutti::pass_info info{.name = "Keeps"};
    using preserves = tutti::analyses<total_trips>;
    void operator()(function& f) const { f.cost = 1; }
};
struct lies {
    static constexpr tutti::pass_info info{.name = "Lies"};
    using preserves = tutti::all_analyses;
    void operator()(function& f) const { f.loops.push_back({1}); }
};
constexpr auto sums =
    tutti::make_pass<"Sums">([](module& m, auto& ctx) { m.functions[0].cost = ctx.template get<module_trips>(m); });

struct caching_layer {
    template <class Unit, class... I>
    static auto context(I&... instruments) {
        return tutti::pass_context{tutti::analysis_cache{}, tutti::instruments(instruments...)};
    }
};
struct run_time_layer {
    template <class Unit, class... I>
    static auto context(I&... instruments) {
        return tutti::runtime::pass_context<Unit>{
            tutti::runtime::context_options<Unit>{.instruments = {instruments...}}};
    }
};

int runs_of(auto& ctx, auto&& pass, auto&& unit) {
    computed = 0;
    tutti::with(ctx, [&](auto& scope) { scope.run(pass, unit); });
    return computed;
}
} // namespace

TEMPLATE_TEST_CASE("analysis: is computed on first use, and kept until the unit changes", "[pass][analysis]",
                   caching_layer, run_time_layer) {
    auto ctx = TestType::template context<function>();
    function f{.loops = {{3}, {4}}};
    CHECK(runs_of(ctx, tutti::sequential(keeps{}), f) == 0);
    CHECK(runs_of(ctx, tutti::sequential(reads{}, reads{}), f) == 1);
    CHECK(runs_of(ctx, tutti::sequential(reads{}, keeps{}, reads{}), f) == 1);
    CHECK(runs_of(ctx, tutti::sequential(reads{}, grows, reads{}), f) == 2);
    CHECK(runs_of(ctx, tutti::repeat(reads{}, 5), f) == 1);
}

TEMPLATE_TEST_CASE("analysis: a change to a part invalidates the results of the whole, but not of other parts",
                   "[pass][analysis]", caching_layer, run_time_layer) {
    auto ctx = TestType::template context<module>();
    module m{.functions = {{.loops = {{1}}}, {.loops = {{2}}}, {.loops = {{3}}}}};
    CHECK(runs_of(ctx, tutti::sequential(sums, sums), m) == 3 + 3); // sums declares no preserved analyses
    const auto grow_second = tutti::make_pass<"GrowSecond">([second = 0](function& f) mutable {
        if (++second != 2) return tutti::unchanged;
        ++f.loops[0].trips;
        return tutti::changed;
    });
    auto reading = tutti::sequential(tutti::each<function>(reads{}), tutti::each<function>(grow_second), sums);
    CHECK(runs_of(ctx, reading, m) == 3 + 1);
    CHECK(m.functions[0].cost == 1 + 3 + 3);
}

TEMPLATE_TEST_CASE("analysis: nothing is kept of units that were moved or are gone", "[pass][analysis]", caching_layer,
                   run_time_layer) {
    auto ctx = TestType::template context<function>();
    const auto by_value = tutti::make_pass<"ByValue">([](function f, auto& scope) {
        f.cost = scope.template get<total_trips>(f);
        return f;
    });
    for (int trips = 1; trips < 4; ++trips) {
        function f{.loops = {{trips}}}; // at the same address in each iteration
        tutti::with(ctx, [&](auto& scope) {
            scope.run(reads{}, f);
            CHECK(scope.template get<total_trips>(f) == trips);
            CHECK(scope.run(tutti::sequential(by_value, by_value), function{.loops = {{10 * trips}}}).cost ==
                  10 * trips);
        });
    }
}

TEMPLATE_TEST_CASE("analysis: a pass that throws preserves nothing", "[pass][analysis]", caching_layer,
                   run_time_layer) {
    auto ctx = TestType::template context<function>();
    const auto fail = tutti::make_pass<"Fail">([](function& f) {
        f.loops[0].trips = 50;
        throw 3;
    });
    const auto tries = tutti::make_pass<"Tries">([&](function& f, auto& scope) {
        scope.template get<total_trips>(f);
        try {
            scope.run(fail, f);
        } catch (int) {
            f.cost = scope.template get<total_trips>(f);
        }
    });
    function f{.loops = {{1}}};
    CHECK(runs_of(ctx, tries, f) == 2);
    CHECK(f.cost == 50);
}

TEMPLATE_TEST_CASE("analysis: an instrument sees kept results, and can detect wrong declarations", "[pass][analysis]",
                   caching_layer, run_time_layer) {
    struct finds {
        std::string text;
        void analysis_kept(const tutti::pass_info& info, const tutti::kept_analysis& kept) {
            CHECK(kept.comparable());
            text.append(info.name).append(kept.holds() ? " kept " : " spoilt ").append(kept.name).append("\n");
        }
    } all;
    auto ctx = TestType::template context<function>(all);
    function f{.loops = {{3}}};
    tutti::with(ctx, [&](auto& scope) { scope.run(tutti::sequential(reads{}, keeps{}, lies{}, grows), f); });
    CHECK(all.text == "Reads kept TotalTrips\nKeeps kept TotalTrips\nLies spoilt TotalTrips\n");
}

TEST_CASE("analysis: a static context without a cache computes it each time", "[pass][analysis]") {
    tutti::pass_context ctx{};
    function f{.loops = {{3}}};
    CHECK(runs_of(ctx, reads{}, f) == 2);
}

TEST_CASE("analysis: many units keep their results side by side", "[pass][analysis]") {
    tutti::pass_context ctx{tutti::analysis_cache{}};
    module m;
    for (int i = 0; i < 1000; ++i) m.functions.push_back({.loops = {{i}}});
    CHECK(runs_of(ctx, tutti::sequential(tutti::each<function>(reads{}), tutti::each<function>(reads{})), m) == 1000);
}
