#include <tutti/base/error.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/transform/transforms.hpp>

#include "harness.hpp"
#include "nn_rows.hpp"
#include "program_rows.hpp"
#include "simplify_rows.hpp"
#include "support/catch.hpp"

#include <iostream>
#include <utility>

using namespace tutti;

namespace {

const std::vector<test::known_rule>& rules() {
    static const std::vector<test::known_rule> all = test::rules_of(relay::transforms);
    return all;
}

std::vector<test::rule_row> rows() {
    std::vector<test::rule_row> all;
    for (const std::span<const test::rule_row> some :
         {std::span<const test::rule_row>(test::simplify_rows), std::span<const test::rule_row>(test::nn_rows),
          std::span<const test::rule_row>(test::program_rows)})
        all.insert(all.end(), some.begin(), some.end());
    return all;
}

} // namespace

TEST_CASE("rules: each has a row in the tables, and each row has a rule", "[relay][transform][rules]") {
    const std::vector<test::rule_row> all = rows();
    for (const std::string& wrong : test::mismatches(rules(), all)) FAIL_CHECK(wrong);
    CHECK(rules().size() > 50);
}

TEST_CASE("rules: each keeps results", "[relay][transform][rules]") {
    std::map<std::string, test::rule_tally> tallies;
    for (const test::rule_row& row : rows()) {
        const test::rule_tally tally = test::try_row(row, rules());
        for (const std::string& said : tally.complaints) FAIL_CHECK(said);
        tallies[test::rule_of_row(row).id()].add(tally);
    }
    std::cout << test::table(tallies);
}

// The following tests show that the harness detects faults.

TEST_CASE("mismatches: finds a rule without a row, a row without a rule, and two rules with the same name",
          "[relay][transform][rules]") {
    const std::vector<test::known_rule> some{{.pass = "A", .name = "x"}, {.pass = "A", .name = "y"}, {.pass = "B"}};
    const std::vector<test::rule_row> rows{{"A{o=1}", "x", ""}, {"A", "y", ""}, {"B,InferType", "", ""}};
    CHECK(test::mismatches(some, rows).empty());
    CHECK(test::mismatches(some, std::span(rows).first(2)) == std::vector<std::string>{"B has no row"});
    CHECK(test::mismatches(some, std::span(rows).last(2)) == std::vector<std::string>{"A: x has no row"});
    CHECK(test::mismatches(std::span(some).first(2), rows) ==
          std::vector<std::string>{"a row is of B, which is no rule"});
    const std::vector<test::known_rule> twice{some[0], some[0]};
    CHECK(test::mismatches(twice, std::span(rows).first(1)) == std::vector<std::string>{"two rules are called A: x"});
}

TEST_CASE("try_row: detects the unsound rewrites of the reference", "[relay][transform][rules]") {
    const auto unsound = [](std::string_view pass, std::string_view rule) {
        std::size_t found = 0;
        std::size_t tried = 0;
        for (test::rule_row row : rows()) {
            if (test::rule_of_row(row).id() != test::known_rule{.pass = pass, .name = rule}.id()) continue;
            const std::string by_reference = std::string(pass) + "{as_reference=True}";
            row.pass = by_reference;
            row.fires = row.stays = "";
            ++tried;
            found += test::try_row(row, rules()).differences;
        }
        INFO(pass << ' ' << rule);
        CHECK(tried != 0);
        return found != 0;
    };
    CHECK(unsound("SimplifyExpr", "cast_of_a_wider"));
    CHECK(unsound("SimplifyExpr", "neutral_operand"));
    CHECK(unsound("SimplifyExpr", "factor_after_sum"));
    CHECK(unsound("SimplifyExpr", "two_constants"));
    CHECK(unsound("SimplifyExpr", "argmax_of_dequantized"));
    CHECK(unsound("SimplifyExpr", "argmin_of_dequantized"));
    CHECK(unsound("SimplifyExpr", "argsort_of_dequantized"));
    CHECK(unsound("FoldExplicitPadding", "explicit_padding"));
    CHECK(unsound("DivToMul", "divide"));
    CHECK(unsound("FlattenAtrousConv", ""));
    CHECK(unsound("BackwardFoldScaleAxis", ""));
    CHECK(unsound("ForwardFoldScaleAxis", ""));
}

TEST_CASE("try_row: detects a rule that is wrong, one that does nothing, and one that does too much",
          "[relay][transform][rules]") {
    const test::module_change nothing = [](relay::ir_module&) {};
    const auto becomes = [](std::string_view text) {
        return [text = std::string(text)](relay::ir_module& m) {
            const relay::dtype type =
                relay::element_of(m.find("main")->graph, m.find("main")->graph.body(m.find("main")->root));
            std::string all = text;
            for (std::size_t at; (at = all.find("$T")) != std::string::npos;)
                all.replace(at, 2, tutti::kernel::name(type));
            m = relay::parse(all);
        };
    };
    const test::rule_row row{"A", "", "def @main(%x: Tensor[(40), $T], %x1: Tensor[(40), $T]) { subtract(%x, %x1) }",
                             "all"};
    const auto same =
        becomes("def @main(%x: Tensor[(40), $T], %x1: Tensor[(40), $T]) { %0 = negative(%x1); add(%x, %0) }");
    const auto turned = becomes("def @main(%x: Tensor[(40), $T], %x1: Tensor[(40), $T]) { subtract(%x1, %x) }");
    CHECK(test::try_row(row, turned, nothing).differences > 0);
    CHECK(test::try_row(row, nothing, turned).differences > 0);
    const test::rule_tally idle = test::try_row(row, nothing, nothing);
    CHECK(idle.differences == 0);
    REQUIRE(idle.complaints.size() == 12);
    CHECK(idle.complaints[0].starts_with("A , bool: should be rewritten"));
    test::rule_row stays = row;
    std::swap(stays.fires, stays.stays);
    CHECK(test::try_row(stays, nothing, nothing).complaints.empty());
    REQUIRE(!test::try_row(stays, same, same).complaints.empty());
    CHECK(test::try_row(stays, same, same).complaints.back().find("should be left") != std::string::npos);
    const test::module_change fails = [](relay::ir_module&) { throw error("A", "failed"); };
    CHECK(test::try_row(row, fails, nothing).differences > 0);
    const test::rule_row refused{"A", "", "def @main(%x: Tensor[(40), $T]) { exp(%x) }", "all"};
    CHECK(test::try_row(refused, nothing, nothing).complaints[0].find("is refused") != std::string::npos);
}

TEST_CASE("try_row: allows only the rounding that a row declares", "[relay][transform][rules]") {
    const test::module_change rounded = [](relay::ir_module& m) {
        m = relay::parse("def @main(%i: Tensor[(4), float32]) { %0 = multiply(%i, 0.333333f); add(%0, 1f) }");
    };
    test::rule_row row{"A", "", "def @main(%i: Tensor[(4), float32]) { %0 = divide(%i, 3f); add(%0, 1f) }"};
    CHECK(test::try_row(row, rounded, rounded).differences > 0);
    row.ulps = 1;
    CHECK(test::try_row(row, rounded, rounded).differences > 0);
    row.ulps = 16;
    CHECK(test::try_row(row, rounded, rounded).differences == 0);
}
