#include <tutti/runtime/debug_instruments.hpp>

#include <tutti/pass/with.hpp>
#include <tutti/runtime/sequential.hpp>
#include <tutti/runtime/standard_instruments.hpp>

#include "catch.hpp"
#include "plan_unit.hpp"
#include "temporary_folder.hpp"

namespace runtime = tutti::runtime;

namespace {

runtime::instrument_registry<plan> known() {
    auto all = runtime::standard_instruments<plan>();
    runtime::add_debug_instruments(all);
    return all;
}

// What an instrument writes around AddSort,DropFirst; "|" where the body has ended.
std::string written(std::string_view name, std::string value = {}, bool fails = false) {
    std::string text;
    runtime::pass_context<plan> ctx{
        {.instruments = {known().make(name, {.write = [&](std::string_view part) { text += part; },
                                             .value = std::move(value),
                                             .pipeline = "AddSort,DropFirst"})}}};
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

TEST_CASE("debug_instruments: are there as far as the unit has the parts for", "[runtime][debug_instruments]") {
    runtime::instrument_registry<plan> all;
    runtime::add_debug_instruments(all);
    std::string names;
    for (const auto& each : all.list()) names += each.name + (each.value.empty() ? "" : "=" + each.value) + " ";
    CHECK(names ==
          "bisect-limit=N crash-reproducer=FILE memory perf-counters print-changed print-changed-names print-dir=DIR "
          "print-on-failure time-trace=FILE timing-as=FORM ");
    runtime::instrument_registry<int> few;
    runtime::add_debug_instruments(few);
    CHECK(few.list().size() == 5);
}

TEST_CASE("debug_instruments: print", "[runtime][debug_instruments]") {
    CHECK(written("print-changed") ==
          "// after AddSort:\n@@ -1 +1,2 @@\n scan\n+sort\n// after DropFirst:\n@@ -1,2 +1 @@\n-scan\n sort\n|");
    CHECK(written("print-changed-names") == "// after AddSort\n// after DropFirst\n|");
    CHECK(written("print-on-failure", {}, true) == "// before ThrowIt, which failed: ThrowIt: cannot\nscan\nsort\n!");
    CHECK(written("bisect-limit", "1") ==
          "BISECT: running pass (1) AddSort\nBISECT: NOT running pass (2) DropFirst\n|");
    CHECK(written("perf-counters").starts_with("|sequential"));
    CHECK(written("timing-as", "csv").starts_with("|depth,pass,inclusive_ns,self_ns\n0,sequential,"));
    CHECK(written("timing-as", "tree").starts_with("|sequential: "));
    CHECK(written("timing-as", "list").starts_with("|     calls"));
    CHECK(written("timing-as", "json").starts_with("|{\"passes\":[{\"pass\":\"sequential\""));
}

TEST_CASE("debug_instruments: write files", "[runtime][debug_instruments]") {
    const temporary_folder folder;
    CHECK(written("print-dir", folder.path("ir")) == "|");
    CHECK(folder.read("ir/0002-DropFirst.txt") == "// after DropFirst, pass 2\n// pipeline: AddSort,DropFirst\nsort\n");
    CHECK(written("time-trace", folder.path("trace.json")) == "|");
    CHECK(folder.read("trace.json").starts_with("{\"displayTimeUnit\""));
    CHECK(written("crash-reproducer", folder.path("crash")) == "|");
    CHECK(folder.read("crash") == "no file");
    CHECK(written("crash-reproducer", folder.path("crash"), true) == "!");
    CHECK(folder.read("crash").starts_with("// reproducer: ThrowIt\n"));
}

TEST_CASE("debug_instruments: refuse what they cannot do, before any pass runs", "[runtime][debug_instruments]") {
    const auto refused = [](std::string_view name, std::string value) {
        try {
            known().make(name, {.value = std::move(value)});
        } catch (const tutti::error& e) {
            return std::string{e.what()};
        }
        return std::string{"made"};
    };
    CHECK(refused("bisect-limit", "few") == "bisect-limit: `few` is no number of passes; expected 0, 1, 2, …");
    CHECK(refused("bisect-limit", "-1") == "bisect-limit: `-1` is no number of passes; expected 0, 1, 2, …");
    CHECK(refused("timing-as", "xml") == "timing-as: `xml` is no form of it; expected tree, list, csv or json");
    for (const char* const name : {"print-dir", "time-trace", "crash-reproducer"})
        CHECK(refused(name, "/dev/null/x").find("/dev/null") != std::string::npos);
    // this program does not count
    CHECK(refused("memory", "") == "tutti::instrument::memory: the program does not count what it allocates; expected "
                                   "one of its sources to include <tutti/instrument/count_allocations.hpp>");
}
