#include <tutti/instrument/print_ir.hpp>

#include <tutti/pass.hpp>

#include "support/catch.hpp"
#include "support/plan_unit.hpp"
#include "support/stderr_of.hpp"

using tutti::instrument::print_ir;
using tutti::instrument::print_points;

namespace {
std::string printed(print_points points) {
    std::string text;
    print_ir print{std::move(points), [&](std::string_view part) { text += part; }};
    plan p{{"scan"}};
    tutti::with(tutti::pass_context{tutti::instruments(print)},
                [&](auto& scope) { scope.run(tutti::sequential(add_sort, drop_first), p); });
    return text;
}
} // namespace

TEST_CASE("print_ir: prints before and after the passes that are named", "[instrument][print_ir]") {
    CHECK(printed({}) == "");
    CHECK(printed({.before = {"DropFirst"}}) == "// before DropFirst\nscan\nsort\n");
    CHECK(printed({.before = {"AddSort"}, .after = {"AddSort", "DropFirst"}}) ==
          "// before AddSort\nscan\n// after AddSort\nscan\nsort\n// after DropFirst\nsort\n");
    CHECK(printed({.after = {"all"}}) ==
          "// after AddSort\nscan\nsort\n// after DropFirst\nsort\n// after sequential\nsort\n");
}

TEST_CASE("print_ir: prints nothing after a pass that failed", "[instrument][print_ir]") {
    std::string text;
    print_ir print{{.before = {"all"}, .after = {"all"}}, [&](std::string_view part) { text += part; }};
    plan p{{"scan"}};
    tutti::with(tutti::pass_context{tutti::instruments(print)},
                [&](auto& scope) { CHECK_THROWS_AS(scope.run(throw_it, p), tutti::error); });
    CHECK(text == "// before ThrowIt\nscan\n");
}

TEST_CASE("print_ir: at exit, reports passes that had nothing to print", "[instrument][print_ir]") {
    CHECK(printed({.after = {"AddSrot", "DropFirst"}}) ==
          "// after DropFirst\nsort\n// after AddSrot: no pass of that name ran; did you mean AddSort?\n");
    CHECK(printed({.before = {"Entirely"}}) == "// before Entirely: no pass of that name ran\n");

    std::string text;
    print_ir print{{.before = {"AddSort", "all"}}, [&](std::string_view part) { text += part; }};
    plan p{{"scan"}};
    tutti::pass_context ctx{tutti::instruments(print), tutti::disable("AddSort")};
    for (int i = 0; i < 2; ++i) {
        text.clear();
        tutti::with(ctx, [&](auto& scope) { scope.run(tutti::sequential(add_sort), p); });
        CHECK(text == "// before sequential\nscan\n// before AddSort: it was skipped (disabled)\n");
    }
}

TEST_CASE("print_ir: writes to the standard error by default", "[instrument][print_ir]") {
    CHECK(written_to_stderr([] {
              print_ir print{{.after = {"AddSort"}}};
              plan p{{"scan"}};
              tutti::with(tutti::pass_context{tutti::instruments(print)}, [&](auto& scope) { scope.run(add_sort, p); });
          }) == "// after AddSort\nscan\nsort\n");
}
