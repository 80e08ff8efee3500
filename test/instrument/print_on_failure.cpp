#include <tutti/instrument/print_on_failure.hpp>

#include <tutti/instrument/verify.hpp>

#include "support/catch.hpp"
#include "support/plan_unit.hpp"
#include "support/stderr_of.hpp"
#include "support/two_layers.hpp"

using tutti::instrument::print_on_failure;

namespace {
template <class Layer>
std::string printed(const auto& passes, auto&... in_front) {
    std::string text;
    print_on_failure print{[&](std::string_view part) { text += part; }};
    auto ctx = Layer::template context<plan>({}, in_front..., print);
    Layer::with(ctx, [&](auto& scope) {
        plan p{{"scan"}};
        try {
            scope.run(passes, p);
        } catch (const tutti::error&) {
            text += "!\n";
        }
        plan whole{{"filter"}};
        scope.run(tutti::sequential(add_sort), whole);
    });
    return text;
}
} // namespace

TEMPLATE_TEST_CASE("print_on_failure: writes the unit as it was before the pass that failed, once",
                   "[instrument][print_on_failure]", static_layer, erased_layer) {
    const auto spoils = tutti::make_pass<"Spoils">([](plan& p) {
        p.steps = {"spoilt"};
        throw tutti::error{"Spoils", "cannot"};
    });
    CHECK(printed<TestType>(tutti::sequential(add_sort)).empty());
    CHECK(printed<TestType>(tutti::sequential(add_sort, tutti::sequential<"Inner">(spoils), add_sort)) ==
          "// before Spoils, which failed: Spoils: cannot\nscan\nsort\n!\n");
}

TEMPLATE_TEST_CASE("print_on_failure: writes units refused by an instrument in front of it",
                   "[instrument][print_on_failure]", static_layer, erased_layer) {
    tutti::instrument::verify check;
    CHECK(printed<TestType>(tutti::sequential(add_sort, break_it), check) ==
          "// before BreakIt, which failed: after BreakIt: step 2: is broken; expected a whole one\nscan\nsort\n!\n");
}

TEMPLATE_TEST_CASE("print_on_failure: tells of each failure that something catches", "[instrument][print_on_failure]",
                   static_layer, erased_layer) {
    const auto tries = tutti::make_pass<"Tries">([](plan& p, auto& ctx) {
        for (int i = 0; i < 2; ++i) {
            try {
                ctx.run(throw_it, p);
            } catch (const tutti::error&) {
                p.steps.push_back("caught");
            }
        }
        throw tutti::error{"Tries", "gives up"};
    });
    CHECK(printed<TestType>(tries) == "// before ThrowIt, which failed: ThrowIt: cannot\nscan\n"
                                      "// before ThrowIt, which failed: ThrowIt: cannot\nscan\ncaught\n"
                                      "// before Tries, which failed: Tries: gives up\nscan\n!\n");
}

TEST_CASE("print_on_failure: writes to the standard error by default", "[instrument][print_on_failure]") {
    CHECK(written_to_stderr([] {
              tutti::instrument::print_on_failure print{};
              plan p{{"scan"}};
              tutti::with(tutti::pass_context{tutti::instruments(print)},
                          [&](auto& scope) { CHECK_THROWS_AS(scope.run(throw_it, p), tutti::error); });
          }).ends_with("\nscan\n"));
}
