#include <tutti/runtime/standard_instruments.hpp>

#include <tutti/pass/with.hpp>
#include <tutti/runtime/parse_instruments.hpp>
#include <tutti/runtime/sequential.hpp>

#include "support/catch.hpp"
#include "support/plan_unit.hpp"

#include <algorithm>

namespace runtime = tutti::runtime;

namespace {

inline constexpr auto say_it = tutti::make_pass<"SayIt">([](plan&, auto& ctx) {
    ctx.count("sayings", 2);
    ctx.remark(tutti::remark_kind::missed, "plan", "too short");
    ctx.remark(tutti::remark_kind::note, "plan", "short");
    return tutti::unchanged;
});

// Runs passes twice with an instrument. Returns the instrument's output, in which "|" marks the end of the passes.
std::string written(std::string_view instrument) {
    std::string text;
    runtime::pass_context<plan> ctx{
        {.instruments = runtime::parse_instruments(instrument, runtime::standard_instruments<plan>(),
                                                   {.write = [&](std::string_view part) { text += part; }})}};
    plan p{{"scan"}};
    const runtime::sequential<plan> pipeline{{add_sort, drop_first, say_it}};
    for (int i = 0; i < 2; ++i)
        tutti::with(ctx, [&](auto& scope) {
            scope.run(pipeline, p);
            text += "|";
        });
    return text;
}

} // namespace

TEST_CASE("standard_instruments: offers the instruments for the unit's traits", "[runtime][standard_instruments]") {
    std::string names;
    const auto all = runtime::standard_instruments<plan>();
    for (const auto& each : all.list()) names += std::string{each.name} + " ";
    CHECK(names == "op_diff print_ir remarks statistics timing verify ");
    const auto few = runtime::standard_instruments<int>();
    CHECK(few.list().size() == 3);
}

TEST_CASE("standard_instruments: write their results when the context is left", "[runtime][standard_instruments]") {
    CHECK(written("op_diff") == "|sequential: -1 scan, +1 sort\n\tAddSort: +1 sort\n\tDropFirst: -1 scan\n"
                                "|\tAddSort: +1 sort\n\tDropFirst: -1 sort\n");
    CHECK(written("print_ir{before=[DropFirst]}") ==
          "// before DropFirst\nscan\nsort\n|// before DropFirst\nsort\nsort\n|");
    CHECK(written("print_ir{after=[DropFirst]}") == "// after DropFirst\nsort\n|// after DropFirst\nsort\n|");
    CHECK(written("print_ir{before=[AddSort],after=[DropFirst]}").find("// before AddSort\nscan\n// after Drop") == 0);
    CHECK(written("verify") == "||");
    CHECK(written("statistics") == "|2  SayIt  sayings\n|2  SayIt  sayings\n");
    CHECK(written("remarks{kinds=[missed]}") == "SayIt: missed: plan: too short\n|SayIt: missed: plan: too short\n|");
    CHECK(written("remarks{passes=[AddSort]}") == "||");
    CHECK(written("remarks{passes=[all],kinds=[note]}") == "SayIt: note: plan: short\n|SayIt: note: plan: short\n|");
    const std::string times = written("timing");
    CHECK(times.starts_with("|sequential: "));
    CHECK(times.find("\n\tAddSort: ") != std::string::npos);
    CHECK(std::count(times.begin(), times.end(), '\n') == 8);
    CHECK(written("timing{form=csv}").starts_with("|depth,pass,inclusive_ns,self_ns\n0,sequential,"));
    CHECK(written("timing{form=list}").starts_with("|     calls"));
    CHECK(written("timing{form=list,most=1}").find("others") != std::string::npos);
    CHECK(written("timing{form=json}").starts_with("|{\"passes\":[{\"pass\":\"sequential\""));
}

TEST_CASE("standard_instruments: refuse unsupported requests", "[runtime][standard_instruments]") {
    const auto refused = [](std::string_view text) {
        try {
            runtime::parse_instruments(text, runtime::standard_instruments<plan>());
        } catch (const runtime::pipeline_error& e) {
            return e.problem() + " | " + e.expected();
        }
        return std::string{"made"};
    };
    CHECK(refused("timing{form=xml}") == "timing: option form: `xml` is not of its type | tree or list or csv or json");
    CHECK(refused("remarks{kinds=[failed]}") ==
          "remarks: option kinds: `[failed]` is not of its type | a list [a,b] of "
          "each applied or missed or note");
    CHECK(refused("print_ir") == "print_ir: option after: is missing | print_ir{after=...}");
    CHECK(refused("print_ir{after=[]}") == "print_ir: option after: is missing | print_ir{after=...}");
}
