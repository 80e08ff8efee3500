#include <tutti/pass/parallel.hpp>

#include <tutti/parallel/thread_pool.hpp>

#include "support/catch.hpp"
#include "support/levels.hpp"
#include "support/two_layers.hpp"

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

// Types that create contexts of both kinds, on an executor and with these instruments.
struct static_on {
    template <class E>
    static auto context(E& executor, auto&... instruments) {
        return tutti::pass_context{tutti::opt_level<1>, tutti::analysis_cache{}, tutti::instruments(instruments...),
                                   tutti::on(executor)};
    }
};
struct erased_on {
    template <class E>
    static auto context(E& executor, auto&... instruments) {
        return tutti::runtime::pass_context<module>{tutti::runtime::context_options<module>{
            .opt_level = 1, .instruments = {instruments...}, .executor = tutti::on(executor)}};
    }
};

struct trips {
    static constexpr std::string_view name = "Trips";
    int operator()(const function& f) const {
        int sum = 0;
        for (const loop& l : f.loops) sum += l.trips;
        return sum;
    }
};
constexpr auto unroll = tutti::make_pass<"Unroll", 1>([](loop& l) { l.trips /= 2; });
constexpr auto high = tutti::make_pass<"High", 2>([](function& f) { f.cost = -1; });
constexpr auto cost = tutti::make_pass<"Cost">([](function& f, auto& ctx) {
    f.cost = ctx.template get<trips>(f) + ctx.template get<trips>(f);
    ctx.count("costs", f.cost);
    ctx.remark(tutti::remark_kind::note, "here", std::to_string(f.cost));
    return tutti::changed;
});
constexpr auto pipeline = tutti::sequential(tutti::each<function>(tutti::each<loop>(unroll), high, cost));

module many_functions(int count) {
    module m;
    for (int i = 0; i < count; ++i)
        m.functions.push_back({.loops = std::vector<loop>(static_cast<std::size_t>(i % 3), loop{2 * i}), .cost = i});
    return m;
}
std::string costs(const module& m) {
    std::string text;
    for (const function& f : m.functions) text += std::to_string(f.cost) + " ";
    return text;
}

// Records all events in one list, each with the enclosing passes.
struct noting {
    std::vector<std::string> events{};

    void note(const char* what, const tutti::pass_run& run) {
        std::string text = what;
        for (const tutti::pass_run* at = &run; at; at = at->outer) text.append(" ").append(at->name);
        events.push_back(text + " " + std::to_string(run.depth));
    }
    void run_before_pass(const auto&, const tutti::pass_run& run) { note("before", run); }
    void run_after_pass(const auto&, const tutti::pass_run& run, tutti::change what) {
        note(what == tutti::changed ? "changed" : "after", run);
    }
    void pass_failed(const auto*, const tutti::pass_run& run, const std::exception_ptr&) { note("failed", run); }
    void pass_skipped(const tutti::pass_info& info, tutti::skip_reason) {
        events.push_back("skipped " + std::string(info.name));
    }
    void pass_counted(const tutti::pass_run& run, std::string_view name, std::int64_t n) {
        note(("counted " + std::string(name) + std::to_string(n)).c_str(), run);
    }
    void pass_remarked(const tutti::pass_run& run, const tutti::remark& said) {
        note(("remarked " + std::string(said.text)).c_str(), run);
    }
    void analysis_kept(const tutti::pass_run& run, const auto& kept) { note(std::string(kept.name).c_str(), run); }
};
// An instrument that is forked for each part.
struct forking : noting {
    int joined = 0;

    forking fork() const { return {}; }
    void join(forking&& child) {
        ++joined;
        events.insert(events.end(), child.events.begin(), child.events.end());
    }
};
struct ordered : noting {
    static constexpr bool in_order = true;
};
struct at_once {
    static constexpr bool concurrent = true;
    std::atomic<int> begun = 0;
    void run_before_pass(const function&, const tutti::pass_info&) { ++begun; }
};

template <class Layer>
std::vector<std::string> events_of(auto& executor, auto&& instrument, const auto& passes, int count) {
    auto ctx = Layer::context(executor, instrument);
    module m = many_functions(count);
    tutti::with(ctx, [&](auto& scope) { scope.run(passes, m); });
    return instrument.events;
}
std::vector<std::string> sorted(std::vector<std::string> events) {
    std::ranges::sort(events);
    return events;
}

} // namespace

static_assert(!tutti::forks<noting> && tutti::forks<forking>);
static_assert(tutti::internal::wants_order<ordered> && tutti::internal::concurrent_instrument<at_once&>);

TEMPLATE_TEST_CASE("on: transforms parts in parallel, with the results of serial execution", "[pass][parallel]",
                   static_on, erased_on) {
    tutti::inline_executor alone;
    auto serial = TestType::context(alone);
    module expected = many_functions(50);
    tutti::with(serial, [&](auto& scope) { scope.run(pipeline, expected); });
    for (const unsigned threads : {1U, 2U, 4U}) {
        tutti::thread_pool pool{threads};
        auto ctx = TestType::context(pool);
        for (const int count : {0, 1, 50}) {
            module m = many_functions(count);
            const tutti::change what = tutti::with(ctx, [&](auto& scope) { return scope.run(pipeline, m); });
            CHECK(what == (count == 0 ? tutti::unchanged : tutti::changed));
            if (count == 50) CHECK(costs(m) == costs(expected));
        }
    }
}

TEMPLATE_TEST_CASE("on: instruments see the same events, each with the passes around it", "[pass][parallel]", static_on,
                   erased_on) {
    tutti::inline_executor alone;
    tutti::thread_pool pool{3};
    const auto serial = events_of<TestType>(alone, noting{}, pipeline, 20);
    CHECK(serial.size() > 200);
    const auto at_the_same_time = events_of<TestType>(pool, noting{}, pipeline, 20);
    CHECK(sorted(at_the_same_time) == sorted(serial));
    // The outermost pass begins first and ends last.
    CHECK(at_the_same_time.front() == serial.front());
    CHECK(at_the_same_time.back() == serial.back());
}

TEMPLATE_TEST_CASE("on: an instrument that forks notes events in the order of the parts", "[pass][parallel]", static_on,
                   erased_on) {
    tutti::inline_executor alone;
    tutti::thread_pool pool{3};
    forking it;
    CHECK(events_of<TestType>(pool, it, pipeline, 20) == events_of<TestType>(alone, noting{}, pipeline, 20));
    CHECK(it.joined == 20);
}

TEMPLATE_TEST_CASE("on: where an instrument wants order parts come one after another", "[pass][parallel]", static_on,
                   erased_on) {
    tutti::inline_executor alone;
    tutti::thread_pool pool{3};
    CHECK(events_of<TestType>(pool, ordered{}, pipeline, 20) == events_of<TestType>(alone, noting{}, pipeline, 20));
}

TEMPLATE_TEST_CASE("on: a concurrent instrument is called by several threads at once", "[pass][parallel]", static_on,
                   erased_on) {
    tutti::thread_pool pool{2};
    at_once it;
    auto ctx = TestType::context(pool, it);
    module m = many_functions(30);
    // Each run of Meet waits for a second one, so two threads are in the pass at the same time.
    std::atomic<int> inside = 0;
    const auto meet = tutti::make_pass<"Meet">([&](function&) {
        ++inside;
        while (inside < 2) {}
    });
    tutti::with(ctx, [&](auto& scope) { scope.run(tutti::each<function>(meet), m); });
    CHECK(it.begun == 30);
}

TEMPLATE_TEST_CASE("on: throws the error of the first failing part, and skips parts that have not begun",
                   "[pass][parallel]", static_on, erased_on) {
    const auto fail = tutti::make_pass<"Fail">([](function& f) {
        if (f.cost >= 7) throw std::runtime_error("function " + std::to_string(f.cost));
        f.cost = 1000;
    });
    const auto failing = tutti::each<function>(fail);
    tutti::inline_executor alone;
    tutti::thread_pool pool{4};
    const auto run = [&](auto& executor, auto&& instrument) {
        auto ctx = TestType::context(executor, instrument);
        module m = many_functions(40);
        std::string said;
        try {
            tutti::with(ctx, [&](auto& scope) { scope.run(failing, m); });
        } catch (const std::runtime_error& e) {
            said = e.what();
        }
        CHECK(said == "function 7");
        CHECK(std::all_of(m.functions.begin(), m.functions.begin() + 7,
                          [](const function& f) { return f.cost == 1000; }));
        return instrument.events;
    };
    const auto serial = run(alone, noting{});
    for (int round = 0; round < 20; ++round) CHECK(run(pool, forking{}) == serial);
    // Each beginning has one end.
    const auto events = run(pool, noting{});
    const auto count = [&](std::string_view begin) {
        return std::ranges::count_if(events, [&](const std::string& e) { return e.starts_with(begin); });
    };
    CHECK(count("before") == count("after") + count("changed") + count("failed"));
}

TEST_CASE("on: in a run-time context, the part's context is the current one", "[pass][parallel]") {
    using context = tutti::runtime::pass_context<module>;
    tutti::thread_pool pool{2};
    std::vector<std::string> said(20);
    noting r;
    auto ctx = erased_on::context(pool, r);
    std::atomic<int> others = 0; // counted, since Catch's checks are not thread-safe
    const auto inner = tutti::make_pass<"Inner">([](loop& l) { ++l.trips; });
    const auto outer = tutti::make_pass<"Outer">([&](function& f, auto& scope) {
        if (&context::current() != &scope.context()) ++others;
        loop l{f.cost};
        context::current().run(inner, l);
        f.cost = l.trips;
    });
    module m = many_functions(20);
    tutti::with(ctx, [&](auto& scope) { scope.run(tutti::each<function>(outer), m); });
    CHECK(others == 0);
    for (int i = 0; i < 20; ++i) CHECK(m.functions[static_cast<std::size_t>(i)].cost == i + 1);
    CHECK(std::ranges::count(r.events, "before Inner Outer function 2") == 20);
}

TEMPLATE_TEST_CASE("on: analyses of a part are kept between its passes, and dropped with it", "[pass][parallel]",
                   static_on, erased_on) {
    tutti::thread_pool pool{3};
    std::atomic<int> wrong = 0;
    const auto ask = tutti::make_pass<"Ask">([&](function& f, auto& ctx) {
        if (ctx.template get<trips>(f) != trips{}(f)) ++wrong;
        return tutti::unchanged;
    });
    const auto grow = tutti::make_pass<"Grow">([](function& f) { f.loops.push_back({1}); });
    const auto ask_all = tutti::make_pass<"AskAll">([&](module& m, auto& ctx) {
        for (function& f : m.functions)
            if (ctx.template get<trips>(f) != trips{}(f)) ++wrong;
        return tutti::unchanged;
    });
    auto ctx = TestType::context(pool);
    module m = many_functions(30);
    tutti::with(ctx, [&](auto& scope) {
        scope.run(tutti::sequential(ask_all, tutti::each<function>(ask, grow, ask), ask_all), m);
    });
    CHECK(wrong == 0);
}

TEST_CASE("for_each_part: gives passes over a whole the scopes of its parts", "[pass][parallel]") {
    tutti::thread_pool pool{2};
    forking it;
    auto ctx = static_on::context(pool, it);
    const auto whole = tutti::make_pass<"Whole">([](module& m, auto& in) {
        return in.for_each_part(m.functions.size(), [&](std::size_t i, auto& part) {
            part.count("seen", static_cast<std::int64_t>(i));
            m.functions[i].cost = 5;
            return i == 3 ? tutti::changed : tutti::unchanged;
        });
    });
    module m = many_functions(5);
    CHECK(tutti::with(ctx, [&](auto& scope) { return scope.run(whole, m); }) == tutti::changed);
    CHECK(costs(m) == "5 5 5 5 5 ");
    CHECK(it.events == std::vector<std::string>{"before Whole 0", "counted seen0 Whole 0", "counted seen1 Whole 0",
                                                "counted seen2 Whole 0", "counted seen3 Whole 0",
                                                "counted seen4 Whole 0", "changed Whole 0"});
}
