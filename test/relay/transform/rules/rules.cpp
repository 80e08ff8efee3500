#include <tutti/relay/transform/transforms.hpp>

#include "catch.hpp"
#include "harness.hpp"
#include "nn_rows.hpp"
#include "program_rows.hpp"
#include "simplify_rows.hpp"

#include <algorithm>
#include <iostream>

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

TEST_CASE("rules: each leaves what programs compute", "[relay][transform][rules]") {
    std::map<std::string, test::rule_tally> tallies;
    for (const test::rule_row& row : rows()) {
        test::rule_tally tally = test::try_row(row, rules());
        for (std::size_t i = 0; i < tally.complaints.size() && i < 3; ++i) UNSCOPED_INFO(tally.complaints[i]);
        CHECK(tally.complaints.size() == 0);
        const std::size_t end = row.pass.find_first_of("{,");
        tallies[test::known_rule{.pass = row.pass.substr(0, end), .name = row.rule}.id()].add(tally);
    }
    std::cout << test::table(tallies);
}
