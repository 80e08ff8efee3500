#include <tutti/pass/analysis_cache.hpp>

#include <tutti/instrument/check_analyses.hpp>
#include <tutti/parallel/thread_pool.hpp>
#include <tutti/pass/adaptors.hpp>
#include <tutti/pass/each.hpp>
#include <tutti/pass/make_pass.hpp>
#include <tutti/pass/parallel.hpp>

#include "support/catch.hpp"
#include "support/levels.hpp"
#include "support/two_layers.hpp"

#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

// A unit that runs passes on copies of its parts, one after the other at the same address.
struct page {
    std::vector<function> functions{};
};
template <>
struct tutti::unit_traits<page> {
    static std::vector<function>& parts(page& p) { return p.functions; }
    template <class Context, class Run>
    static tutti::change transform_parts(page& p, Context&, Run&& run) {
        tutti::change all = tutti::unchanged;
        function copy;
        for (function& f : p.functions) {
            copy = f;
            all |= run(copy);
            f = copy;
        }
        return all;
    }
};

namespace {

std::atomic<int> computed = 0; // runs of total_trips, on any thread

struct total_trips {
    static constexpr std::string_view name = "TotalTrips";
    int operator()(const function& f) const {
        ++computed;
        int all = 0;
        for (const loop& l : f.loops) all += l.trips;
        return all;
    }
};
struct trips_of_loop {
    int operator()(const loop& l) const { return l.trips; }
};

// The result of MostTrips points into the result of SortedLoops.
struct sorted_loops {
    static constexpr std::string_view name = "SortedLoops";
    std::vector<int> operator()(const function& f) const {
        std::vector<int> all;
        for (const loop& l : f.loops) all.push_back(l.trips);
        std::ranges::sort(all);
        return all;
    }
};
struct most_trips {
    static constexpr std::string_view name = "MostTrips";
    const int* operator()(const function& f, auto& ctx) const { return &ctx.template get<sorted_loops>(f).back(); }
};
struct twice_most_trips {
    int operator()(const function& f, auto& ctx) const { return 2 * *ctx.template get<most_trips>(f); }
};

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

// A pass that stores twice the total trips of a function as its cost.
struct doubles {
    static constexpr tutti::pass_info info{.name = "Doubles"};
    tutti::change operator()(function& f, auto& ctx) const {
        f.cost = 2 * ctx.template get<total_trips>(f);
        return tutti::unchanged;
    }
};
struct adds_loops {
    static constexpr tutti::pass_info info{.name = "AddsLoops"};
    tutti::change operator()(function& f, auto& ctx) const {
        f.cost = 0;
        ctx.run(tutti::each<loop>(tutti::make_pass<"Add">([&f](loop& l, auto& in) {
                    f.cost += 2 * in.template get<trips_of_loop>(l);
                    return tutti::unchanged;
                })),
                f);
        return tutti::unchanged;
    }
};
constexpr auto grows = tutti::make_pass<"Grows">([](function& f) {
    for (loop& l : f.loops) ++l.trips;
    return tutti::changed;
});

struct keeps_top {
    static constexpr tutti::pass_info info{.name = "KeepsTop"};
    using preserves = tutti::analyses<most_trips, twice_most_trips>;
    void operator()(function& f) const { f.loops.push_back({9}); }
};

struct changes_it {
    static constexpr tutti::pass_info info{.name = "changes_it", .kind = tutti::pass_kind::adaptor};
    tutti::change operator()(function& f) const {
        tutti::pass_context plain{};
        tutti::with(plain, [&](auto& in) { in.run(grows, f); });
        return tutti::changed;
    }
};

struct throws_once {
    int operator()(const function& f, auto& ctx) const {
        const int trips = ctx.template get<total_trips>(f);
        if (f.cost == 0) throw 3;
        return trips;
    }
};

struct trips_when_grown {
    int operator()(const function& f, auto& ctx) const {
        const int& before = ctx.template get<total_trips>(f);
        function copy = f;
        ctx.run(tutti::sequential(doubles{}, grows, doubles{}), copy);
        return 10 * before + copy.cost;
    }
};

template <class Whole>
Whole three() {
    return {.functions = {{.loops = {{1}}}, {.loops = {{2}}}, {.loops = {{3}}}}};
}
std::string costs(const auto& whole) {
    std::string text;
    for (const function& f : whole.functions) text += std::to_string(f.cost) + " ";
    return text;
}

int runs_of(auto& ctx, auto&& pass, auto&& unit) {
    computed = 0;
    tutti::with(ctx, [&](auto& scope) { scope.run(pass, unit); });
    return computed;
}

// Returns the report of check_analyses for a pass over a function with one loop of three trips.
template <class Layer>
std::string complaint(const auto& pass) {
    tutti::instrument::check_analyses check;
    auto ctx = Layer::template context<function>(check);
    function f{.loops = {{3}}};
    try {
        tutti::with(ctx, [&](auto& scope) { scope.run(pass, f); });
    } catch (const tutti::error& e) {
        return e.where() + ": " + e.problem();
    }
    return {};
}

} // namespace

TEMPLATE_TEST_CASE("analysis_cache: each part has its own results, also where parts are copies at one address",
                   "[pass][analysis_cache]", caching_layer, run_time_layer) {
    tutti::instrument::check_analyses check;
    auto ctx = TestType::template context<page>(check);
    auto in_place = TestType::template context<module>(check);
    const auto run = [&](const auto& pass) {
        page p = three<page>();
        module m = three<module>();
        tutti::with(ctx, [&](auto& scope) { scope.run(tutti::each<function>(pass), p); });
        tutti::with(in_place, [&](auto& scope) { scope.run(tutti::each<function>(pass), m); });
        CHECK(costs(p) == "2 4 6 ");
        CHECK(costs(m) == "2 4 6 ");
    };
    run(doubles{});
    run(adds_loops{});
    run(tutti::sequential(doubles{}, doubles{}));
    run(tutti::fixpoint(doubles{}));
}

TEMPLATE_TEST_CASE("analysis_cache: nothing is kept of a unit that a pass runs others over and that is gone then",
                   "[pass][analysis_cache]", caching_layer, run_time_layer) {
    auto ctx = TestType::template context<module>();
    const auto copies = tutti::make_pass<"Copies">([](module& m, auto& scope) {
        for (function& f : m.functions) {
            function copy = f;
            scope.run(doubles{}, copy);
            scope.run_member(adds_loops{}, copy);
            CHECK(copy.cost == 2 * f.loops[0].trips);
            copy = scope.run(doubles{}, function{f});
            f.cost = copy.cost;
        }
        return tutti::unchanged;
    });
    module m = three<module>();
    tutti::with(ctx, [&](auto& scope) { scope.run(copies, m); });
    CHECK(costs(m) == "2 4 6 ");
}

TEMPLATE_TEST_CASE("analysis_cache: keeps no results of a unit that was passed by value", "[pass][analysis_cache]",
                   caching_layer, run_time_layer) {
    auto ctx = TestType::template context<function>();
    const auto by_value = tutti::make_pass<"ByValue">([](function f, auto& scope) {
        f.cost = 2 * scope.template get<total_trips>(f);
        f.loops[0].trips += 1;
        return f;
    });
    function f{.loops = {{3}}};
    tutti::with(ctx, [&](auto& scope) {
        scope.run(tutti::sequential(by_value, tutti::sequential(by_value, doubles{}), by_value, doubles{}), f);
        CHECK(f.cost == 2 * 6);
        CHECK(scope.run(tutti::sequential(by_value, by_value, doubles{}), function{.loops = {{1}}}).cost == 2 * 3);
    });
}

TEMPLATE_TEST_CASE("analysis_cache: a unit of the pass's own ends with the pass", "[pass][analysis_cache]",
                   caching_layer, run_time_layer) {
    auto ctx = TestType::template context<module>();
    const auto asks_of_copy = tutti::make_pass<"AsksOfCopy">([](function& f, auto& scope) {
        const function copy = f;
        f.cost = 2 * scope.template get<total_trips>(copy);
        return tutti::unchanged;
    });
    module m = three<module>();
    tutti::with(ctx, [&](auto& scope) { scope.run(tutti::each<function>(asks_of_copy), m); });
    CHECK(costs(m) == "2 4 6 ");
}

TEMPLATE_TEST_CASE("analysis_cache: results for parts in place stay from pass to pass", "[pass][analysis_cache]",
                   caching_layer, run_time_layer) {
    auto ctx = TestType::template context<module>();
    const auto asks_of_all = tutti::make_pass<"AsksOfAll">([](module& m, auto& scope) {
        for (function& f : m.functions) f.cost = scope.template get<total_trips>(f);
        return tutti::unchanged;
    });
    module m = three<module>();
    CHECK(runs_of(ctx, tutti::sequential(asks_of_all, asks_of_all, tutti::each<function>(doubles{})), m) == 3);
    CHECK(runs_of(ctx, tutti::sequential(tutti::each<function>(doubles{}, doubles{}), asks_of_all), m) == 3);
    CHECK(runs_of(ctx, tutti::sequential(asks_of_all, tutti::each<function>(grows), asks_of_all), m) == 6);
}

TEMPLATE_TEST_CASE("analysis_cache: parts that are replaced by changed copies have no results of before",
                   "[pass][analysis_cache]", caching_layer, run_time_layer) {
    auto ctx = TestType::template context<page>();
    const auto asks_of_all = tutti::make_pass<"AsksOfAll">([](page& p, auto& scope) {
        for (function& f : p.functions) f.cost = 2 * scope.template get<total_trips>(f);
        return tutti::unchanged;
    });
    page p = three<page>();
    tutti::with(ctx, [&](auto& scope) {
        scope.run(tutti::sequential(asks_of_all, tutti::each<function>(grows), asks_of_all), p);
    });
    CHECK(costs(p) == "4 6 8 ");
}

TEMPLATE_TEST_CASE("analysis_cache: invalidation includes dependent results", "[pass][analysis_cache]", caching_layer,
                   run_time_layer) {
    const auto asks = tutti::make_pass<"Asks">([](function& f, auto& scope) {
        f.cost = *scope.template get<most_trips>(f) + scope.template get<twice_most_trips>(f);
        return tutti::unchanged;
    });
    tutti::instrument::check_analyses check;
    for (const bool checked : {false, true}) {
        function f{.loops = {{3}, {1}}};
        const auto run = [&](auto&& ctx) {
            tutti::with(
                ctx, [&](auto& scope) { scope.run(tutti::sequential(asks, keeps_top{}, asks, keeps_top{}, asks), f); });
        };
        if (checked)
            run(TestType::template context<function>(check));
        else
            run(TestType::template context<function>());
        CHECK(f.cost == 27);
    }
}

TEMPLATE_TEST_CASE("analysis_cache: a unit that passes in another context change has no results of before",
                   "[pass][analysis_cache]", caching_layer, run_time_layer) {
    caching_layer layer;
    auto fixed = layer.context<function>();
    tutti::runtime::pass_context<function> erased;
    const auto check = [&](const auto& change) {
        const auto changes = tutti::make_pass<"Changes">([&](function& f, auto& scope) {
            CHECK(scope.template get<total_trips>(f) == 3);
            change(f, scope);
            CHECK(scope.template get<total_trips>(f) == 4);
            return tutti::changed;
        });
        tutti::instrument::check_analyses compare;
        auto ctx = TestType::template context<function>(compare);
        function f{.loops = {{3}}};
        tutti::with(ctx, [&](auto& scope) { scope.run(changes, f); });
    };
    check([&](function& f, auto&) { tutti::with(fixed, [&](auto& in) { in.run(grows, f); }); });
    check([&](function& f, auto&) { tutti::with(erased, [&](auto& in) { in.run(tutti::sequential(grows), f); }); });
    check([&](function& f, auto&) { erased.run(grows, f); });
    check([&](function& f, auto&) { f = tutti::with(fixed, [&](auto& in) { return in.run(grows, std::move(f)); }); });
    // The change is made in the scope of an enclosing context.
    check([&](function& f, auto& outer) {
        tutti::with(fixed, [&](auto& in) {
            in.run(tutti::make_pass<"Inside">([&](function& g, auto& inner) {
                       CHECK(inner.template get<total_trips>(g) == 3);
                       outer.run(grows, g);
                       CHECK(inner.template get<total_trips>(g) == 4);
                       return tutti::unchanged;
                   }),
                   f);
        });
    });
    // A context without a cache does not invalidate results, so the pass calls invalidate.
    check([&](function& f, auto& scope) {
        tutti::pass_context plain{};
        tutti::with(plain, [&](auto& in) { in.run(grows, f); });
        scope.invalidate(f);
    });
}

TEMPLATE_TEST_CASE("analysis_cache: an adaptor that changes the unit itself invalidates results",
                   "[pass][analysis_cache]", caching_layer, run_time_layer) {
    auto ctx = TestType::template context<function>();
    function f{.loops = {{3}}};
    tutti::with(ctx, [&](auto& scope) { scope.run(tutti::sequential(doubles{}, changes_it{}, doubles{}), f); });
    CHECK(f.cost == 8);
}

TEMPLATE_TEST_CASE("check_analyses: finds a kept result that no longer holds when a pass asks for it",
                   "[pass][analysis_cache]", caching_layer, run_time_layer) {
    const std::string_view stale = "the kept analysis TotalTrips is stale: computing it again gives another result";
    const auto asks_twice = [](auto between) {
        return tutti::make_pass<"AsksTwice">([between](function& f, auto& scope) {
            static_cast<void>(scope.template get<total_trips>(f));
            between(f);
            static_cast<void>(scope.template get<total_trips>(f));
        });
    };
    CHECK(complaint<TestType>(asks_twice([](function&) {})).empty());
    CHECK(complaint<TestType>(asks_twice([](function& f) { ++f.loops[0].trips; })) ==
          "in AsksTwice: " + std::string{stale});
    CHECK(complaint<TestType>(asks_twice([](function& f) {
              tutti::pass_context plain{};
              tutti::with(plain, [&](auto& in) { in.run(grows, f); });
          })) == "in AsksTwice: " + std::string{stale});
    const auto asks_of_copies = tutti::make_pass<"AsksOfCopies">([](function& f, auto& scope) {
        function copy = f;
        for (int i = 0; i < 2; ++i) {
            copy.loops[0].trips = i;
            static_cast<void>(scope.template get<total_trips>(copy));
        }
    });
    CHECK(complaint<TestType>(asks_of_copies) == "in AsksOfCopies: " + std::string{stale});
    // The error names the stale analysis, from which the requested one was computed.
    const auto asks_for_top = tutti::make_pass<"AsksForTop">([](function& f, auto& scope) {
        static_cast<void>(scope.template get<most_trips>(f));
        ++f.loops[0].trips;
        static_cast<void>(scope.template get<most_trips>(f));
    });
    CHECK(complaint<TestType>(asks_for_top) ==
          "in AsksForTop: the kept analysis SortedLoops is stale: computing it again gives another result");
}

TEMPLATE_TEST_CASE("analysis_cache: an analysis that throws leaves nothing behind", "[pass][analysis_cache]",
                   caching_layer, run_time_layer) {
    auto ctx = TestType::template context<function>();
    const auto asks = tutti::make_pass<"Asks">([](function& f, auto& scope) {
        CHECK_THROWS_AS(scope.template get<throws_once>(f), int);
        f.cost = 1;
        CHECK(scope.template get<throws_once>(f) == 3);
    });
    function f{.loops = {{3}}};
    CHECK(runs_of(ctx, asks, f) == 1);
}

TEMPLATE_TEST_CASE("analysis_cache: an analysis may run passes over a copy", "[pass][analysis_cache]", caching_layer,
                   run_time_layer) {
    auto ctx = TestType::template context<function>();
    const auto asks =
        tutti::make_pass<"Asks">([](function& f, auto& scope) { f.cost = scope.template get<trips_when_grown>(f); });
    function f{.loops = {{3}}};
    CHECK(runs_of(ctx, asks, f) == 3);
    CHECK(f.cost == 38);
}

TEST_CASE("analysis_cache: passes over parts at the same time have results of their own", "[pass][analysis_cache]") {
    tutti::thread_pool pool{3};
    const auto run = [&](auto&& ctx, auto whole) {
        tutti::with(ctx, [&](auto& scope) { scope.run(tutti::each<function>(doubles{}, adds_loops{}), whole); });
        CHECK(costs(whole) == "2 4 6 ");
    };
    run(tutti::pass_context{tutti::analysis_cache{}, tutti::on(pool)}, three<module>());
    run(tutti::pass_context{tutti::analysis_cache{}, tutti::on(pool)}, three<page>());
    run(tutti::runtime::pass_context<module>{tutti::runtime::context_options<module>{.executor = tutti::on(pool)}},
        three<module>());
}
