#include <tutti/runtime/debug_instruments.hpp>

#include <tutti/pass/with.hpp>
#include <tutti/runtime/parse_instruments.hpp>
#include <tutti/runtime/sequential.hpp>
#include <tutti/runtime/standard_instruments.hpp>

#include "support/catch.hpp"
#include "support/plan_unit.hpp"
#include "support/temporary_folder.hpp"

namespace runtime = tutti::runtime;

namespace {

runtime::instrument_registry<plan> known() {
    auto all = runtime::standard_instruments<plan>();
    runtime::add_debug_instruments(all);
    return all;
}

// Runs AddSort,DropFirst with an instrument. Returns the instrument's output, in which "|" marks the end of the passes.
std::string written(std::string_view instrument, bool fails = false) {
    std::string text;
    runtime::pass_context<plan> ctx{
        {.instruments = runtime::parse_instruments(instrument, known(),
                                                   {.write = [&](std::string_view part) { text += part; },
                                                    .pipeline = "AddSort,DropFirst",
                                                    .settings = "--opt-level=2"})}};
    plan p{{"scan"}};
    const runtime::sequential<plan> pipeline{{add_sort, fails ? runtime::any_pass<plan>{throw_it} : drop_first}};
    try {
        tutti::with(ctx, [&](auto& scope) {
            scope.run(pipeline, p);
            text += "|";
        });
    } catch (const tutti::error&) {
        text += "!";
    }
    return text;
}

} // namespace

TEST_CASE("debug_instruments: are available if the unit has the traits", "[runtime][debug_instruments]") {
    runtime::instrument_registry<plan> all;
    runtime::add_debug_instruments(all);
    std::string names;
    for (const auto& each : all.list()) {
        names += each.name;
        for (const auto& option : each.options()) names += " ." + option.name;
        names += "\n";
    }
    CHECK(
        names ==
        "bisect_limit .limit\nblame .value .form .max_bytes .ignore\ncheck_properties\ncrash_reproducer .file\ndump .folder .passes .part .only_changed .full\n"
        "filter .passes\nmeasured\nmemory\nonly_changed\nperf_counters\n"
        "print_changed .form .passes .part .context\nprint_on_failure .part\nreport .file .title .nodes .bytes\n"
        "rewrite_limit .limit\nsample .every\ntime_trace .file\n");
    runtime::instrument_registry<int> few;
    runtime::add_debug_instruments(few);
    CHECK(few.list().size() == 11);
}

TEST_CASE("debug_instruments: print", "[runtime][debug_instruments]") {
    CHECK(written("print_changed") ==
          "// after AddSort:\n@@ -1 +1,2 @@\n scan\n+sort\n// after DropFirst:\n@@ -1,2 +1 @@\n-scan\n sort\n|");
    CHECK(written("print_changed{form=quiet}") == "// after AddSort\n// after DropFirst\n|");
    CHECK(written("print_changed{form=text,passes=[AddSort]}") == "// after AddSort:\nscan\nsort\n|");
    CHECK(written("print_changed{context=0,passes=[DropFirst]}") == "// after DropFirst:\n@@ -1 +0,0 @@\n-scan\n|");
    CHECK(written("print_on_failure", true) == "// before ThrowIt, which failed: ThrowIt: cannot\nscan\nsort\n!");
    CHECK(written("bisect_limit{limit=1}") ==
          "BISECT: running pass (1) AddSort\nBISECT: NOT running pass (2) DropFirst\n|");
    CHECK(written("bisect_limit") == "BISECT: running pass (1) AddSort\nBISECT: running pass (2) DropFirst\n|");
    CHECK(written("perf_counters").starts_with("|sequential"));
    const std::string costs = written("measured(print_changed{form=quiet},op_diff)");
    CHECK(costs.starts_with("// after AddSort\n// after DropFirst\n|print_changed: "));
    CHECK(costs.find("\n\trun_after_pass: 3 calls, ") != std::string::npos);
    CHECK(costs.find("\nop_diff: ") != std::string::npos);
    CHECK(written("filter{passes=[DropFirst]}(op_diff)") == "|DropFirst: -1 scan\n");
    CHECK(written("sample{every=2}(op_diff)") == "|sequential: -1 scan, +1 sort\n\tDropFirst: -1 scan\n");
    CHECK(written("only_changed(print_ir{after=[AddSort]})") == "// after AddSort\nscan\nsort\n|");
    CHECK_THROWS_WITH(written("only_changed(timing)"),
                      Catch::Contains("only_changed: timing needs the beginning of each pass"));
    CHECK_THROWS(written("only_changed(sample{every=2}(timing))"));
}

TEST_CASE("debug_instruments: write files", "[runtime][debug_instruments]") {
    const temporary_folder folder;
    const auto option = [&](const char* file) {
        std::string word;
        tutti::internal::write_word(folder.path(file), word);
        return word;
    };
    CHECK(written("dump{folder=" + option("ir") + "}") == "|");
    CHECK(folder.read("ir/0002-DropFirst.txt") == "// after DropFirst, pass 2\n// pipeline: AddSort,DropFirst\nsort\n");
    CHECK(written("dump{passes=[AddSort],folder=" + option("some") + "}") == "|");
    CHECK(folder.read("some/0002-DropFirst.txt") == "no file");
    CHECK(folder.read("some/0001-AddSort.txt") == "// after AddSort, pass 1\n// pipeline: AddSort\nscan\nsort\n");
    CHECK(written("time_trace{file=" + option("trace.json") + "}") == "|");
    CHECK(folder.read("trace.json").starts_with("{\"displayTimeUnit\""));
    CHECK(written("report{title=Plans,file=" + option("r.html") + "}") == "|");
    CHECK(folder.read("r.html").find("<h1>Plans</h1>") != std::string::npos);
    CHECK(folder.read("r.html").find("<code>AddSort,DropFirst</code>") != std::string::npos);
    CHECK(written("crash_reproducer{file=" + option("crash") + "}") == "|");
    CHECK(folder.read("crash") == "no file");
    CHECK(written("crash_reproducer{file=" + option("crash") + "}", true) == "!");
    CHECK(folder.read("crash").starts_with("// reproducer: ThrowIt\n"));
    CHECK(folder.read("crash").find("// options: --opt-level=2\n") != std::string::npos);
}

TEST_CASE("debug_instruments: refuse unsupported requests, before any pass runs", "[runtime][debug_instruments]") {
    const auto refused = [](std::string_view text) {
        try {
            runtime::parse_instruments(text, known());
        } catch (const runtime::pipeline_error& e) {
            return "text: " + e.problem() + " | " + e.expected();
        } catch (const tutti::error& e) {
            return std::string{e.what()};
        }
        return std::string{"made"};
    };
    CHECK(refused("bisect_limit{limit=few}").starts_with("text: bisect_limit: option limit: `few` is not of its type"));
    CHECK(refused("bisect_limit{limit=-1}").starts_with("text: bisect_limit: option limit: `-1` is not of its type"));
    CHECK(refused("print_changed{form=names}") ==
          "text: print_changed: option form: `names` is not of its type | diff or text or quiet");
    CHECK(refused("sample{every=0}(timing)") == "text: sample: option every: 0 is out of range | 1 or more");
    CHECK(refused("filter(timing)") == "text: filter: option passes: is missing | filter{passes=...}");
    CHECK(refused("dump") == "text: dump: option folder: is missing | dump{folder=...}");
    for (const char* const text : {"dump{folder=/dev/null/x}", "time_trace{file=/dev/null/x}",
                                   "crash_reproducer{file=/dev/null/x}", "report{file=/dev/null/x}"}) {
        CHECK(refused(text).find("/dev/null") != std::string::npos);
        CHECK(refused(text).find("text: ") == std::string::npos);
    }
    // The caller may refuse the files of instruments.
    const auto refuse = [](std::string_view instrument, const std::string& file) {
        throw tutti::input_error{{std::string{instrument} + ": no file " + file}};
    };
    for (const char* const name : {"time_trace", "crash_reproducer", "report"}) {
        std::string said;
        try {
            runtime::parse_instruments(std::string{name} + "{file=x.svg}", known(), {.check_file = refuse});
        } catch (const runtime::pipeline_error& e) {
            said = e.problem();
        }
        CHECK(said == std::string{name} + ": no file x.svg");
    }
    // This program does not count allocations.
    CHECK(refused("memory") == "tutti::instrument::memory: the program does not count allocations; expected "
                               "<tutti/instrument/count_allocations.hpp> included in one of its sources");
}
