// Laws of each instrument of the library. There is a row for each header of include/tutti/instrument.
// test/house/instruments.py fails if a row is missing.

#include <tutti/instrument.hpp>
#include <tutti/instrument/blame.hpp>
#include <tutti/instrument/check_properties.hpp>
#include <tutti/instrument/count_allocations.hpp>
#include <tutti/instrument/cycles.hpp>
#include <tutti/instrument/dump.hpp>
#include <tutti/instrument/filter.hpp>
#include <tutti/instrument/measured.hpp>
#include <tutti/instrument/memory.hpp>
#include <tutti/instrument/only_changed.hpp>
#include <tutti/instrument/perf_counters.hpp>
#include <tutti/instrument/progress.hpp>
#include <tutti/instrument/sample.hpp>
#include <tutti/instrument/time_trace.hpp>
#include <tutti/instrument/totals.hpp>
#include <tutti/parallel/thread_pool.hpp>
#include <tutti/pass/parallel.hpp>
#include <tutti/report/graph_file.hpp>
#include <tutti/report/report.hpp>
#include <tutti/search/bisect_limit.hpp>
#include <tutti/search/crash_reproducer.hpp>
#include <tutti/search/rewrite_limit.hpp>

#include "observed.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

// A unit whose traits support every instrument.
struct numbered {
    int n = 0;
};

} // namespace

template <>
struct tutti::unit_traits<numbered> {
    static constexpr std::string_view name = "number";
    static std::string to_text(const numbered& u) { return "number " + std::to_string(u.n) + "\n"; }
    static std::string to_text(const numbered& u, std::string_view) { return to_text(u); }
    static tutti::operator_counts count_operators(const numbered& u) {
        tutti::operator_counts counts;
        counts["one"] = u.n;
        return counts;
    }
    static void verify(const numbered&) {}
    static tutti::unit_graph graph(const numbered& u) {
        tutti::unit_graph g;
        g.add({.label = std::to_string(u.n)});
        return g;
    }
    static std::uint64_t fingerprint(const numbered& u) { return static_cast<std::uint64_t>(u.n); }
};

// A unit whose parts are `numbered`.
struct many {
    std::vector<numbered> all{};
};
template <>
struct tutti::unit_traits<many> {
    static std::vector<numbered>& parts(many& u) { return u.all; }
    static std::string to_text(const many& u) {
        std::string text;
        for (const numbered& each : u.all) text += unit_traits<numbered>::to_text(each);
        return text;
    }
    static tutti::unit_graph graph(const many& u) { return unit_traits<numbered>::graph(u.all.front()); }
};

namespace {

namespace instrument = tutti::instrument;

struct numbers {
    using unit = numbered;
    static numbered make() { return {1}; }
    static void next(numbered& u) { ++u.n; }
    static std::string show(const numbered& u) { return std::to_string(u.n); }
};

void ignore(std::string_view) {}

// Calls `check(name, make)` for each instrument.
template <class Check>
void each_instrument(Check&& check) {
    check("bisect_limit", [] { return instrument::bisect_limit{instrument::bisect_limit<>::unlimited, ignore}; });
    check("blame", [] { return instrument::blame{}; });
    check("callbacks", [] {
        return instrument::callbacks{.run_before_pass = [](const auto&, const tutti::pass_info&) {},
                                     .run_after_pass = [](const auto&, const tutti::pass_info&) {}};
    });
    check("check_analyses", [] { return instrument::check_analyses{}; });
    check("check_properties", [] { return instrument::check_properties{std::vector<instrument::claimed_pass>{}}; });
    check("cycles", [] { return instrument::cycles{}; });
    check("progress",
          [] { return instrument::progress{{.pipeline = "None"}, [](const instrument::progress_step&) {}}; });
    check("crash_reproducer", [folder = temporary_folder{}, number = 0]() mutable {
        return instrument::crash_reproducer{{.file = folder.path(std::to_string(++number))}};
    });
    check("dump", [folder = temporary_folder{}, number = 0]() mutable {
        return instrument::dump{{.folder = folder.path(std::to_string(++number))}};
    });
    check("filter", [] { return instrument::filter({"Next", "Inner"}, instrument::verify{}); });
    check("graph_file", [folder = temporary_folder{}, number = 0]() mutable {
        return instrument::graph_file{{.file = folder.path(std::to_string(++number) + ".svg")}};
    });
    check("measured", [] { return instrument::measured{instrument::verify{}}; });
    check("memory", [] { return instrument::memory{}; });
    check("only_changed", [] { return instrument::only_changed{instrument::verify{}}; });
    check("op_diff", [] { return instrument::op_diff{}; });
    check("perf_counters", [] { return instrument::perf_counters{}; });
    check("print_changed", [] { return instrument::print_changed{{}, ignore}; });
    check("print_ir", [] { return instrument::print_ir{{.before = {"Next"}, .after = {"Says"}}, ignore}; });
    check("print_on_failure", [] { return instrument::print_on_failure{ignore}; });
    check("remarks", [] { return instrument::remarks{}; });
    check("report", [] { return instrument::report{}; });
    check("rewrite_limit", [] { return instrument::rewrite_limit{instrument::rewrite_limit<>::unlimited, ignore}; });
    check("sample", [] { return instrument::sample{2, instrument::timing{}}; });
    check("statistics", [] { return instrument::statistics{}; });
    check("time_trace", [] { return instrument::time_trace{}; });
    check("totals", [] { return instrument::totals{}; });
    check("timing", [] { return instrument::timing{}; });
    check("verify", [] { return instrument::verify{}; });
}

} // namespace

// One instrument throws. The same two instruments, listed before and after it in every run, must keep working after
// errors and in nested contexts.
TEMPLATE_TEST_CASE("laws: no instrument changes the unit or the events of others, whatever fails", "[laws][instrument]",
                   static_layer, erased_layer) {
    using layer = observed<TestType, numbers>;
    only_sees nothing, nothing_else;
    each_instrument([&](std::string_view name, auto&& make) {
        auto front = make();
        auto back = make();
        for (const hook bad : bad_hooks) {
            for (const bool fails : {false, true}) {
                INFO(name << ", hook " << static_cast<int>(bad) << (fails ? ", a pass fails" : ""));
                const std::string without = layer::run(bad, fails, nothing, nothing_else);
                CHECK(layer::run(bad, fails, front, back) == without);
                CHECK(without.find("wrong") == std::string::npos);
            }
        }
    });
}

TEST_CASE("laws: an instrument that changes the events of others is detected", "[laws][instrument]") {
    struct refuses {
        bool should_run(const numbered&, const tutti::pass_info& info) { return info.name != "Idle"; }
    } it;
    only_sees nothing;
    using layer = observed<static_layer, numbers>;
    CHECK(layer::run(hook::none, false, it, nothing) != layer::run(hook::none, false, nothing, nothing));
}

TEST_CASE("laws: instruments of threads with contexts of their own do not meet", "[laws][instrument]") {
    each_instrument([&](std::string_view name, auto&& make) {
        decltype(make()) here[]{make(), make()};
        decltype(make()) there[]{make(), make()};
        std::string seen[2];
        const auto work = [](auto& two, std::string& text) {
            for (int i = 0; i < 10; ++i) {
                text += observed<static_layer, numbers>::run(hook::none, i % 2 != 0, two[0], two[1]);
                text += observed<erased_layer, numbers>::run(hook::none, i % 2 != 0, two[0], two[1]);
            }
        };
        std::thread other{[&] { work(there, seen[1]); }};
        work(here, seen[0]);
        other.join();
        INFO(name);
        CHECK(seen[0] == seen[1]);
        CHECK_FALSE(seen[0].empty());
    });
}

namespace {

// Records events, each with the enclosing passes.
struct noting {
    std::vector<std::string> events{};

    void note(const char* what, const tutti::pass_run& run) {
        std::string text = what;
        for (const tutti::pass_run* at = &run; at; at = at->outer) text.append(" ").append(at->name);
        events.push_back(text);
    }
    void run_before_pass(const auto&, const tutti::pass_run& run) { note("before", run); }
    void run_after_pass(const auto&, const tutti::pass_run& run) { note("after", run); }
    void pass_failed(const auto*, const tutti::pass_run& run, const std::exception_ptr&) { note("failed", run); }
    void pass_skipped(const tutti::pass_info& info, tutti::skip_reason) { events.emplace_back(info.name); }
    void pass_remarked(const tutti::pass_run& run, const tutti::remark&) { note("remarked", run); }
    bool should_apply(const tutti::pass_run& run, const tutti::rewrite_site& site) {
        note(site.where == "6" ? "refused" : "asked", run);
        return site.where != "6";
    }
};
struct noting_in_order : noting {
    noting_in_order fork() const { return {}; }
    void join(noting_in_order&& part) { events.insert(events.end(), part.events.begin(), part.events.end()); }
};

auto parts_pipeline(bool fails) {
    const auto next = tutti::make_pass<"Next">([](numbered& u, auto& ctx) {
        if (!ctx.may_apply("next", [&] { return std::to_string(u.n); })) return tutti::unchanged;
        u.n *= 3;
        ctx.count("next", u.n);
        ctx.remark(tutti::remark_kind::applied, std::to_string(u.n), "next");
        return tutti::changed;
    });
    const auto high = tutti::make_pass<"High", 9>([](numbered&) {});
    const auto last = tutti::make_pass<"Last">([fails](numbered& u) {
        if (fails && u.n > 12) throw std::runtime_error("fails at " + std::to_string(u.n));
    });
    return tutti::sequential(tutti::each<numbered>(next, high, next), tutti::each<numbered>(last));
}

// Runs passes over parts on an executor. Returns their events and the result.
template <class Noting, bool Erased>
std::vector<std::string> seen_on(tutti::executor auto& executor, bool fails, auto&... instruments) {
    const auto pipeline = parts_pipeline(fails);
    many units;
    for (int i = 0; i < 12; ++i) units.all.push_back({i});
    Noting sees;
    const auto run = [&](auto&& ctx) {
        try {
            tutti::with(ctx, [&](auto& scope) { scope.run(pipeline, units); });
        } catch (const std::exception& e) {
            sees.events.emplace_back(e.what());
        }
    };
    if constexpr (Erased)
        run(tutti::runtime::pass_context<many>{tutti::runtime::context_options<many>{
            .instruments = {instruments..., sees}, .executor = tutti::on(executor)}});
    else
        run(tutti::pass_context{tutti::instruments(instruments..., sees), tutti::on(executor)});
    for (const numbered& u : units.all) sees.events.push_back(std::to_string(u.n));
    return sees.events;
}
std::vector<std::string> sorted(std::vector<std::string> events) {
    std::sort(events.begin(), events.end());
    return events;
}

} // namespace

TEST_CASE("laws: with parallel parts no instrument changes the unit or the events of others", "[laws][instrument]") {
    tutti::inline_executor alone;
    tutti::thread_pool pool{3};
    each_instrument([&](std::string_view name, auto&& make) {
        INFO(name);
        auto it = make();
        const auto serial = seen_on<noting, false>(alone, false);
        CHECK(seen_on<noting, true>(alone, false) == serial);
        CHECK(seen_on<noting_in_order, false>(pool, false, it) == serial);
        CHECK(seen_on<noting_in_order, true>(pool, false, it) == serial);
        // An instrument that cannot be forked sees the parts in any order. Only the erased layer is tested, since it
        // compiles faster.
        CHECK(sorted(seen_on<noting, true>(pool, false, it)) == sorted(serial));
        const auto failing = seen_on<noting, false>(alone, true);
        CHECK(seen_on<noting_in_order, false>(pool, true, it) == failing);
        CHECK(seen_on<noting_in_order, true>(pool, true, it) == failing);
    });
}

TEST_CASE("laws: with parallel parts, instruments show the same as with serial ones", "[laws][instrument]") {
    tutti::inline_executor alone;
    tutti::thread_pool pool{3};
    const auto test = [&]<bool Erased>(std::bool_constant<Erased>) {
        const auto shown = [&](auto& executor) {
            instrument::statistics counts;
            instrument::remarks<> said;
            std::string written;
            instrument::remarks writes{{}, [&](std::string_view line) { written += line; }};
            instrument::verify verifies;
            instrument::timing times;
            seen_on<noting, Erased>(executor, false, counts, said, writes, verifies, times);
            std::string text = counts.render() + said.render() + written;
            for (std::size_t i = 0; i < times.last().size(); ++i) {
                const auto entry = times.last()[i];
                text.append(entry.depth, ' ').append(entry.name).append("\n");
                CHECK(entry.self >= 0);
            }
            return text;
        };
        const std::string serial = shown(alone);
        CHECK(serial.find("   Next\n") != std::string::npos);
        for (int round = 0; round < 5; ++round) CHECK(shown(pool) == serial);
    };
    test(std::false_type{});
    test(std::true_type{});
}
