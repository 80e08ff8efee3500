// A pass that breaks a program ends in an error that names the pass, whichever instruments observe the pass. The cases
// are malformed programs × every instrument of the library × verify listed before and after the instrument × static and
// run-time contexts. test/house/instruments.py fails if the row of an instrument is missing.

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
#include <tutti/relay/debug/compare.hpp>
#include <tutti/relay/debug/verify_numerics.hpp>
#include <tutti/relay/testing/check_pass.hpp>
#include <tutti/relay/transform/function_pass.hpp>
#include <tutti/relay/unit.hpp>
#include <tutti/report/graph_file.hpp>
#include <tutti/report/report.hpp>
#include <tutti/search/bisect_limit.hpp>
#include <tutti/search/crash_reproducer.hpp>
#include <tutti/search/rewrite_limit.hpp>

#include "relay/malformed.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"
#include "support/two_layers.hpp"

#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace {

namespace instrument = tutti::instrument;
namespace relay = tutti::relay;

void ignore(std::string_view) {}

// Checks that each beginning has one end, and records whether its pass_failed hook gets the unit.
struct watched_ends {
    int open = 0;
    bool wrong = false, gave_unit = false;

    void run_before_pass(const auto&, const tutti::pass_info&) { ++open; }
    void run_after_pass(const auto&, const tutti::pass_info&) { wrong = wrong || --open < 0; }
    void pass_failed(const auto* unit, const tutti::pass_info&, const std::exception_ptr&) {
        wrong = wrong || --open < 0;
        gave_unit = gave_unit || unit != nullptr;
    }
};

// A no-op instrument. It replaces verify, or serves where a context needs an instrument.
struct nothing {
    void run_before_pass(const auto&, const tutti::pass_info&) {}
};

// Calls `row(name, make)` for each instrument, configured to observe as much as possible.
template <class Row>
void each_instrument(Row&& row) {
    row("bisect_limit", [] { return instrument::bisect_limit{instrument::bisect_limit<>::unlimited, ignore}; });
    row("callbacks", [] {
        return instrument::callbacks{.run_before_pass = [](const auto&, const tutti::pass_info&) {},
                                     .run_after_pass = [](const auto&, const tutti::pass_info&) {}};
    });
    row("blame", [] { return instrument::blame{}; });
    row("check_analyses", [] { return instrument::check_analyses{}; });
    row("check_properties", [] { return instrument::check_properties{std::vector<instrument::claimed_pass>{}}; });
    row("cycles", [] { return instrument::cycles{}; });
    row("progress", [] { return instrument::progress{{.pipeline = "None"}, [](const instrument::progress_step&) {}}; });
    row("crash_reproducer", [folder = temporary_folder{}, number = 0]() mutable {
        return instrument::crash_reproducer{{.file = folder.path(std::to_string(++number))}};
    });
    row("dump", [folder = temporary_folder{}, number = 0]() mutable {
        return instrument::dump{{.folder = folder.path(std::to_string(++number)), .full = number % 2 == 0}};
    });
    row("filter", [] {
        return instrument::filter({"Break"}, instrument::print_ir{{.before = {"all"}, .after = {"all"}}, ignore});
    });
    row("graph_file", [folder = temporary_folder{}, number = 0]() mutable {
        return instrument::graph_file{{.file = folder.path(std::to_string(++number) + ".svg")}};
    });
    row("measured", [] { return instrument::measured{instrument::op_diff{}}; });
    row("memory", [] { return instrument::memory{}; });
    row("only_changed", [] { return instrument::only_changed{instrument::print_ir{{.after = {"all"}}, ignore}}; });
    row("op_diff", [] { return instrument::op_diff{}; });
    row("perf_counters", [] { return instrument::perf_counters{}; });
    row("print_changed", [] { return instrument::print_changed{{}, ignore}; });
    row("print_ir", [] { return instrument::print_ir{{.before = {"all"}, .after = {"all"}}, ignore}; });
    row("print_on_failure", [] { return instrument::print_on_failure{ignore}; });
    row("remarks", [] { return instrument::remarks{}; });
    row("report", [] { return instrument::report{}; });
    row("rewrite_limit", [] { return instrument::rewrite_limit{instrument::rewrite_limit<>::unlimited, ignore}; });
    row("sample", [] { return instrument::sample{1, instrument::print_changed{{}, ignore}}; });
    row("statistics", [] { return instrument::statistics{}; });
    row("time_trace", [] { return instrument::time_trace{}; });
    row("totals", [] { return instrument::totals{}; });
    row("timing", [] { return instrument::timing{}; });
    row("verify", [] { return instrument::verify{}; });
}

// Defined outside of templates: g++ 12 rejects the default values of the options inside templates.
auto numerics() { return relay::verify_numerics{{}, ignore}; }

// Passes that break a program: one in place, one by value, and one that then throws.
using breaking = std::function<void(relay::ir_module&)>;
auto in_place(const breaking& how) {
    return tutti::make_pass<"Break">([&how](relay::ir_module& m) { how(m); });
}
auto by_value(const breaking& how) {
    return tutti::make_pass<"Break">([&how](relay::ir_module m) {
        how(m);
        return m;
    });
}
auto halfway(const breaking& how) {
    return tutti::make_pass<"Break">([&how](relay::ir_module& m) {
        how(m);
        throw std::runtime_error{"after Break: halfway"};
    });
}

constexpr auto idle = tutti::make_pass<"Idle">([](relay::ir_module&) {});

// Runs a pass with these instruments. Returns the error message, or "nothing".
template <class Layer>
std::string thrown(const auto& pass, relay::ir_module m, auto&... instruments) {
    auto context = Layer::template context<relay::ir_module>({}, instruments...);
    try {
        Layer::with(context, [&](auto& scope) { scope.run(tutti::sequential<"All">(idle, pass, idle), m); });
        return "nothing";
    } catch (const tutti::error& e) {
        return e.what();
    } catch (const std::runtime_error& e) {
        return e.what();
    }
}

} // namespace

TEMPLATE_TEST_CASE("laws: a pass that breaks a program ends in an error that names it, with every instrument",
                   "[laws][instrument][malformed]", static_layer, erased_layer) {
    const relay::ir_module good = malformed::program();
    const auto check = [&](std::string_view name, auto&& make) {
        for (const malformed::malformation& each : malformed::all()) {
            const breaking how = each.to;
            std::string alone;
            for (const int order : {-1, 0, 1}) {
                INFO(each.name << ", " << name << ", order of verify " << order);
                watched_ends before, behind;
                auto it = make();
                instrument::verify verifies;
                nothing idles;
                std::string what;
                if (order < 0)
                    what = thrown<TestType>(in_place(how), good, before, verifies, it, behind);
                else if (order > 0)
                    what = thrown<TestType>(in_place(how), good, before, it, verifies, behind);
                else
                    what = thrown<TestType>(in_place(how), good, before, it, idles, behind);
                CHECK((before.open == 0 && !before.wrong && behind.open == 0 && !behind.wrong));
                if (order == 0 && each.how == malformed::damage::wrong) continue; // only verify detects it
                CHECK(what.starts_with("after Break: "));
                if (each.how == malformed::damage::unreadable) CHECK((!before.gave_unit && !behind.gave_unit));
                if (alone.empty()) alone = what; // the message with verify listed first
                if (each.how == malformed::damage::unreadable) CHECK(what == alone);
            }
        }
    };
    each_instrument(check);
    check("verify_numerics", numerics);
}

TEMPLATE_TEST_CASE("laws: no hook gets a unit that a by-value or throwing pass has broken",
                   "[laws][instrument][malformed]", static_layer, erased_layer) {
    const relay::ir_module good = malformed::program();
    for (const malformed::malformation& each : malformed::all()) {
        if (each.how != malformed::damage::unreadable) continue;
        INFO(each.name);
        const breaking how = each.to;
        const auto check = [&](const auto& pass) {
            watched_ends before, behind;
            instrument::print_changed prints{{}, ignore};
            instrument::report reports;
            instrument::op_diff counts;
            temporary_folder folder;
            instrument::graph_file draws{{.file = folder.path("graph.svg")}};
            const std::string what = thrown<TestType>(pass, good, before, prints, reports, draws, counts, behind);
            CHECK(what.starts_with("after Break: "));
            CHECK((before.open == 0 && !before.wrong && behind.open == 0 && !behind.wrong));
            CHECK((!before.gave_unit && !behind.gave_unit));
            CHECK(folder.files().empty());
        };
        check(by_value(how));
        check(halfway(how));
        check(tutti::fixpoint(in_place(how), 3));
    }
}

TEMPLATE_TEST_CASE("laws: an error names a function pass that breaks a function, and the module is unchanged",
                   "[laws][instrument][malformed]", static_layer, erased_layer) {
    const relay::ir_module good = malformed::program();
    for (const malformed::malformation& each : malformed::all()) {
        if (each.how != malformed::damage::unreadable) continue;
        // Malformations outside of functions are skipped.
        relay::ir_module broken = good;
        each.to(broken);
        if (broken.data_types().is_whole() == false) continue;
        INFO(each.name);
        const relay::function bad = *broken.find("main");
        const auto breaks = tutti::make_pass<"Break">([&](relay::function& f) {
            if (f.graph.size() > 10) f = bad;
        });
        const auto check = [&](const auto& pass, bool watch) {
            relay::ir_module m = good;
            watched_ends ends;
            instrument::print_changed prints{{}, ignore};
            nothing idles;
            const auto run = [&](auto& first, auto& second) {
                auto context = TestType::template context<relay::ir_module>({}, first, second);
                std::string what = "nothing";
                try {
                    TestType::with(context, [&](auto& scope) { scope.run(pass, m); });
                } catch (const tutti::error& e) {
                    what = e.what();
                }
                return what;
            };
            const std::string what = watch ? run(ends, prints) : run(idles, idles);
            CHECK(what.starts_with("after Break: "));
            CHECK((ends.open == 0 && !ends.wrong));
            CHECK(relay::structural_equal(m, good));
        };
        for (const bool watch : {false, true}) check(tutti::each<relay::function>(breaks), watch);
    }
}

// By design: without instruments, a pass costs only its call.
TEMPLATE_TEST_CASE("laws: without instruments, the result of a pass is not checked", "[laws][malformed]", static_layer,
                   erased_layer) {
    for (const malformed::malformation& each : malformed::all()) {
        if (each.how != malformed::damage::unreadable) continue;
        INFO(each.name);
        const breaking how = each.to;
        relay::ir_module m = malformed::program();
        auto context = TestType::template context<relay::ir_module>({});
        CHECK_NOTHROW(TestType::with(
            context, [&](auto& scope) { scope.run(tutti::sequential<"All">(idle, in_place(how), idle), m); }));
        CHECK_THROWS_AS(relay::check_well_formed(m), tutti::error);
    }
}

// `copier` requires a well-formed program, so no code that may get a malformed program may include its header. That is
// the code that this file includes: instruments, unit traits and the functions that check passes.
namespace tutti::relay {
class copier;
} // namespace tutti::relay
namespace {
template <class T>
constexpr bool is_known = requires { sizeof(T); };
static_assert(!is_known<relay::copier> && is_known<relay::ir_module>);
} // namespace
