#include <tutti/instrument/blame.hpp>

#include "support/catch.hpp"
#include "support/plan_unit.hpp"
#include "support/two_layers.hpp"

using tutti::instrument::blame;
using tutti::instrument::blame_form;
using tutti::instrument::blame_options;
using tutti::instrument::render;

TEMPLATE_TEST_CASE("blame: names the pass that last changed each line, and its line in the source",
                   "[instrument][blame]", static_layer, erased_layer) {
    blame found;
    auto ctx = TestType::template context<plan>({}, found);
    plan p{{"scan", "filter"}};
    const auto rename = tutti::make_pass<"Rename">([](plan& each) { each.steps[0] = "seek"; });
    TestType::with(ctx, [&](auto& scope) {
        scope.run(tutti::sequential(add_sort, tutti::sequential<"Inner">(drop_first, rename)), p);
    });
    CHECK(render(found.history()) == "pass      run source\n"
                                     "Rename      3      2 | seek\n"
                                     "AddSort     1      - | sort\n");
    const auto versions = found.history().versions(0);
    REQUIRE(versions.size() == 2);
    CHECK(versions[0].pass == "Rename");
    CHECK(versions[1].text == "filter");
    CHECK(versions[1].run == 0);
}

TEMPLATE_TEST_CASE("blame: goes on after a pass that failed, and begins anew with another unit", "[instrument][blame]",
                   static_layer, erased_layer) {
    blame found;
    auto ctx = TestType::template context<plan>({}, found);
    plan p{{"scan"}};
    TestType::with(ctx, [&](auto& scope) {
        CHECK_THROWS_AS(scope.run(tutti::sequential(add_sort, throw_it), p), tutti::error);
        scope.run(tutti::sequential(add_sort), p);
    });
    CHECK(found.history().size() == p.steps.size());
    plan other{{"other"}};
    TestType::with(ctx, [&](auto& scope) { scope.run(tutti::sequential(add_sort), other); });
    CHECK(render(found.history()) == "pass       run source\n"
                                     "(source)            1 | other\n"
                                     "AddSort      1      - | sort\n");
}

TEMPLATE_TEST_CASE("blame: credits a pass with its changes before it runs another one", "[instrument][blame]",
                   static_layer, erased_layer) {
    blame found;
    auto ctx = TestType::template context<plan>({}, found);
    const auto outer = tutti::make_pass<"Outer">([](plan& each, auto& scope) {
        each.steps.push_back("outer");
        scope.run(add_sort, each);
    });
    plan p{{"scan"}};
    TestType::with(ctx, [&](auto& scope) { scope.run(tutti::sequential(outer), p); });
    CHECK(render(found.history()) == "pass       run source\n"
                                     "(source)            1 | scan\n"
                                     "Outer        1      - | outer\n"
                                     "AddSort      2      - | sort\n");
    const auto annotate = tutti::make_pass<"Annotate">([](plan& each) { each.steps[1] += " // annotated"; });
    TestType::with(ctx, [&](auto& scope) { scope.run(annotate, p); });
    CHECK(render(found.history()).find("Annotate     3      - | outer // annotated") != std::string::npos);
    CHECK(render(found.history(), blame_form::list, {"Annotate"}).find("Outer        1      - | outer // annotated") !=
          std::string::npos);
}

TEST_CASE("blame: history of a value, and as JSON", "[instrument][blame]") {
    tutti::instrument::line_history lines;
    lines.start("%0 = a\n%1 = b %0\n", "%");
    lines.add("%0 = x\n%1 = a %0\n%2 = b %1\n", "Insert", 1);
    lines.add("%0 = x\n%1 = a %0\n%2 = c %1\n", "Replace", 2);
    CHECK(render(lines, "%2", blame_form::list) == "// %2, line 3\npass       run   line\n"
                                                   "Replace      2      3 | %2 = c %1\n"
                                                   "(source)            2 | %1 = b %0\n");
    CHECK(render(lines, "%7", blame_form::list) == "// %7: no line of the text after the passes has this value\n");
    CHECK(render(lines, "%2", blame_form::json).find(R"("pass":"Replace","run":2,"line":3,"text":"%2 = c %1")") !=
          std::string::npos);
}

TEST_CASE("blame: discards the earliest versions beyond the limit, and says so", "[instrument][blame]") {
    tutti::instrument::line_history lines{2000};
    lines.start("a\n", "%");
    for (std::size_t i = 1; i < 100; ++i) lines.add("a" + std::to_string(i) + "\n", "Pass", i);
    const auto versions = lines.versions(0);
    CHECK(versions.size() < 25);
    CHECK(versions.back().is_incomplete);
    CHECK(lines.missing().find("were discarded") != std::string::npos);
    CHECK(render(lines).find("?") != std::string::npos);
}
