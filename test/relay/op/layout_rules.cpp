#include <tutti/relay/op/layout_rules.hpp>

#include <tutti/relay/op/op_set.hpp>
#include <tutti/relay/op/standard_ops.hpp>

#include "catch.hpp"

using namespace tutti::relay;

static_assert(layout_rule_set<layout_rules::standard>);

TEST_CASE("layout rules: are for operators that exist", "[relay][layout]") {
    const op_set ops{standard_ops};
    for (const auto& [name, rule] : layout_rules::standard_table) {
        INFO(name);
        REQUIRE(ops.find(name) != nullptr);
        CHECK(layout_rules::standard::find(*ops.find(name)) == rule);
    }
    CHECK(layout_rules::standard::find(*ops.find("reshape")) == nullptr);
}
