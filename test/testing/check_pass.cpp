#include <tutti/testing/check_pass.hpp>

#include <tutti/pass/make_pass.hpp>
#include <tutti/pass/sequential.hpp>

#include "support/catch.hpp"
#include "support/plan_unit.hpp"

#include <stdexcept>
#include <string>

using tutti::testing::check_pass;
using tutti::testing::check_pass_text;

namespace {

constexpr auto sort = tutti::make_pass<"Sort", 3>([](plan& p) { p.steps.push_back("sort"); });
constexpr auto liar = tutti::make_pass<"Liar">([](plan& p) {
    p.steps.push_back("lie");
    return tutti::unchanged;
});
constexpr auto thrower = tutti::make_pass<"Thrower">([](plan&) { throw std::runtime_error("no"); });

} // namespace

TEST_CASE("check_pass: compares the result of a pass over any kind of unit", "[testing][check_pass]") {
    CHECK(check_pass(sort, plan{{"scan"}}, plan{{"scan", "sort"}}));
    CHECK(check_pass(tutti::sequential(sort, sort), plan{{}}, plan{{"sort", "sort"}}));
    CHECK(check_pass([](plan& p) { p.steps.clear(); }, plan{{"scan"}}, plan{{}}));
    CHECK(check_pass(tutti::sequential(sort), plan{{"scan"}}, plan{{"scan"}}, {.opt_level = 2}));
}

TEST_CASE("check_pass: shows differences, wrong reports, and errors", "[testing][check_pass]") {
    const auto other = check_pass(sort, plan{{"scan"}}, plan{{"scan", "join"}});
    CHECK_FALSE(other);
    CHECK(other.message.starts_with("the result differs (- expected, + actual):\n"));
    CHECK(check_pass(liar, plan{{}}, plan{{"lie"}}).message == "the pass reported no change, but changed the unit\n");
    CHECK(check_pass(thrower, plan{{}}, plan{{}}).message == "the pass threw: no\n");
}

TEST_CASE("check_pass: checks the text against a pattern", "[testing][check_pass]") {
    CHECK(check_pass_text(sort, plan{{"scan"}}, "CHECK: scan\nCHECK: sort"));
    const auto other = check_pass_text(sort, plan{{"scan"}}, "CHECK: join");
    CHECK(other.message.find("matches nothing") != std::string::npos);
    CHECK(other.message.find("the pass's result:\n") != std::string::npos);
    CHECK(check_pass_text(thrower, plan{{}}, "CHECK: x").message == "the pass threw: no\n");
}
