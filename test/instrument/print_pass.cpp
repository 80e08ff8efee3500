#include <tutti/instrument/print_pass.hpp>

#include "catch.hpp"

#include "plan_unit.hpp"

#include <tutti/pass/with.hpp>

TEST_CASE("print_pass: writes the unit where it stands in the pipeline", "[instrument][print_pass]") {
    std::string text;
    const auto write = [&](std::string_view part) { text += part; };
    plan p{{"scan"}};
    tutti::with(tutti::pass_context{}, [&](auto& scope) {
        scope.run(tutti::sequential(tutti::print_pass{write}, add_sort, tutti::print_pass{write, "sorted"}), p);
    });
    CHECK(text == "PrintIR():\nscan\nPrintIR(sorted):\nscan\nsort\n");
}
