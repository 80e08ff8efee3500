// What holds for each instrument of the library. A row for each header of include/tutti/instrument that has one: where a row is missing
// test/house/instruments.py fails.

#include <tutti/instrument.hpp>
#include <tutti/instrument/bisect_limit.hpp>
#include <tutti/instrument/count_allocations.hpp>
#include <tutti/instrument/crash_reproducer.hpp>
#include <tutti/instrument/dump.hpp>
#include <tutti/instrument/filter.hpp>
#include <tutti/instrument/graph_file.hpp>
#include <tutti/instrument/measured.hpp>
#include <tutti/instrument/memory.hpp>
#include <tutti/instrument/only_changed.hpp>
#include <tutti/instrument/perf_counters.hpp>
#include <tutti/instrument/report.hpp>
#include <tutti/instrument/sample.hpp>
#include <tutti/instrument/time_trace.hpp>

#include "catch.hpp"
#include "observed.hpp"
#include "temporary_folder.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

namespace {

// A unit that has all that instruments may ask for.
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
    check("callbacks", [] {
        return instrument::callbacks{.run_before_pass = [](const auto&, const tutti::pass_info&) {},
                                     .run_after_pass = [](const auto&, const tutti::pass_info&) {}};
    });
    check("check_analyses", [] { return instrument::check_analyses{}; });
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
    check("sample", [] { return instrument::sample{2, instrument::timing{}}; });
    check("statistics", [] { return instrument::statistics{}; });
    check("time_trace", [] { return instrument::time_trace{}; });
    check("timing", [] { return instrument::timing{}; });
    check("verify", [] { return instrument::verify{}; });
}

} // namespace

// The instrument is one and the same all the time: it goes on when something was thrown, and when it is in a context in a context.
TEMPLATE_TEST_CASE("laws: no instrument changes the unit or what others see, whatever fails", "[laws][instrument]",
                   static_layer, erased_layer) {
    using layer = observed<TestType, numbers>;
    only_sees nothing, nothing_else;
    each_instrument([&](std::string_view name, auto&& make) {
        auto it = make();
        for (const hook bad : bad_hooks) {
            for (const bool fails : {false, true}) {
                INFO(name << ", hook " << static_cast<int>(bad) << (fails ? ", a pass fails" : ""));
                const std::string without = layer::run(bad, fails, nothing, nothing_else);
                CHECK(layer::run(bad, fails, it, nothing) == without);
                CHECK(layer::run(bad, fails, nothing, it) == without);
                CHECK(without.find("wrong") == std::string::npos);
            }
        }
    });
}

TEST_CASE("laws: one that changes what others see is found", "[laws][instrument]") {
    struct refuses {
        bool should_run(const numbered&, const tutti::pass_info& info) { return info.name != "Idle"; }
    } it;
    only_sees nothing;
    using layer = observed<static_layer, numbers>;
    CHECK(layer::run(hook::none, false, it, nothing) != layer::run(hook::none, false, nothing, nothing));
}

TEST_CASE("laws: instruments of threads with contexts of their own do not meet", "[laws][instrument]") {
    each_instrument([&](std::string_view name, auto&& make) {
        auto here = make();
        auto there = make();
        std::string seen[2];
        const auto work = [](auto& it, std::string& text) {
            only_sees nothing;
            for (int i = 0; i < 10; ++i) {
                text += observed<static_layer, numbers>::run(hook::none, i % 2 != 0, it, nothing);
                text += observed<erased_layer, numbers>::run(hook::none, i % 2 != 0, it, nothing);
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
