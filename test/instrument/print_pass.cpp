#include <tutti/instrument/print_pass.hpp>

#include <tutti/pass.hpp>
#include <tutti/pipeline/options.hpp>

#include "support/catch.hpp"
#include "support/plan_unit.hpp"
#include "support/stderr_of.hpp"

namespace {

struct secret {
    std::string text = "...", rest = "all";
};

void run(const auto& passes, auto unit) {
    tutti::with(tutti::pass_context{}, [&](auto& scope) { scope.run(passes, unit); });
}

} // namespace

template <>
struct tutti::unit_traits<secret> {
    static std::string to_text(const secret& s) { return s.text; }
    static std::string to_full_text(const secret& s) { return s.rest; }
};

TEST_CASE("print_pass: writes the unit at its position in the pipeline", "[instrument][print_pass]") {
    std::string text;
    const auto write = [&](std::string_view part) { text += part; };
    plan p{{"scan"}};
    tutti::with(tutti::pass_context{}, [&](auto& scope) {
        scope.run(tutti::sequential(tutti::print_pass{write}, add_sort, tutti::print_pass{write, "sorted"}), p);
    });
    CHECK(text == "PrintIR():\nscan\nPrintIR(sorted):\nscan\nsort\n");
    tutti::with(tutti::pass_context{},
                [&](auto& scope) { CHECK(scope.run(tutti::print_pass{write}, p) == tutti::unchanged); });
}

TEST_CASE("print_pass: its options are its header and how much it shows", "[instrument][print_pass]") {
    std::string text;
    const auto write = [&](std::string_view part) { text += part; };
    tutti::print_pass pass{write};
    run(pass, secret{});
    CHECK(tutti::internal::set_option(pass, "header", R"("a b")") == tutti::internal::option_outcome::set);
    CHECK(tutti::internal::set_option(pass, "show_meta_data", "True") == tutti::internal::option_outcome::set);
    CHECK(tutti::internal::set_option(pass, "show_meta_data", "1") == tutti::internal::option_outcome::no_such_value);
    CHECK(tutti::internal::set_option(pass, "write", "x") == tutti::internal::option_outcome::no_such_option);
    pass.show_meta_data = true;
    run(pass, secret{});
    run(pass, plan{{"scan"}}); // a plan has only a text
    CHECK(text == "PrintIR():\n...\nPrintIR(a b):\nall\nPrintIR(a b):\nscan\n");
}

TEST_CASE("print_pass: writes to standard error by default", "[instrument][print_pass]") {
    CHECK(written_to_stderr([] { run(tutti::print_pass{}, plan{{"scan"}}); }) == "PrintIR():\nscan\n");
}
