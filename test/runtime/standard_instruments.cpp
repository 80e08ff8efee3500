#include <tutti/runtime/standard_instruments.hpp>

#include <tutti/pass/with.hpp>
#include <tutti/runtime/sequential.hpp>

#include "catch.hpp"
#include "plan_unit.hpp"

#include <algorithm>

namespace runtime = tutti::runtime;

namespace {

// What instruments write around the passes, and "|" when the body has ended.
std::string written(std::string_view name, std::vector<std::string> passes = {}) {
    std::string text;
    runtime::pass_context<plan> ctx{{.instruments = {runtime::standard_instruments<plan>().make(
                                         name, {std::move(passes), [&](std::string_view part) { text += part; }})}}};
    plan p{{"scan"}};
    const runtime::sequential<plan> pipeline{{add_sort, drop_first}};
    for (int i = 0; i < 2; ++i)
        tutti::with(ctx, [&](auto& scope) {
            scope.run(pipeline, p);
            text += "|";
        });
    return text;
}

} // namespace

TEST_CASE("standard_instruments: offers what the unit has the parts for", "[runtime][standard_instruments]") {
    std::string names;
    const auto all = runtime::standard_instruments<plan>();
    for (const auto& each : all.list()) names += each.name + " ";
    CHECK(names == "op-diff print-ir-after print-ir-before timing verify-each ");
    const auto few = runtime::standard_instruments<int>();
    CHECK(few.list().size() == 1);
}

TEST_CASE("standard_instruments: write what they found when the context is left", "[runtime][standard_instruments]") {
    CHECK(written("op-diff") == "|sequential: -1 scan, +1 sort\n\tAddSort: +1 sort\n\tDropFirst: -1 scan\n"
                                "|\tAddSort: +1 sort\n\tDropFirst: -1 sort\n");
    CHECK(written("print-ir-before", {"DropFirst"}) ==
          "// before DropFirst\nscan\nsort\n|// before DropFirst\nsort\nsort\n|");
    CHECK(written("print-ir-after", {"DropFirst"}) == "// after DropFirst\nsort\n|// after DropFirst\nsort\n|");
    CHECK(written("verify-each") == "||");
    const std::string times = written("timing");
    CHECK(times.starts_with("|sequential: "));
    CHECK(times.find("\n\tAddSort: ") != std::string::npos);
    CHECK(std::count(times.begin(), times.end(), '\n') == 6);
}
