#include <tutti/relay/ir/match.hpp>

#include "support/catch.hpp"

#include <array>

using namespace tutti;
using relay::attr_value;
using relay::expr_id;

namespace {

// Builds `match (%x) { Cons(%a, (_, %b)) => %b, _ => %x }` and reads its clauses.
constexpr bool reads_clauses() {
    relay::graph g;
    const expr_id x = g.variable("x");
    const expr_id a = g.variable("a");
    const expr_id b = g.variable("b");
    const std::array values{attr_value::of(true), attr_value::list(3), attr_value::of(g.strings().add("Cons")),
                            attr_value::of(true), attr_value::list(2), attr_value{},
                            attr_value::of(true), attr_value{}};
    const expr_id m = g.match(std::array{x, a, b, b, x}, g.attrs().add(values));
    std::size_t clauses = 0;
    bool good = relay::is_complete(g, m);
    relay::for_each_clause(g, m, [&](const relay::match_clause& c) {
        if (clauses == 0)
            good = good && c.first_variable == 1 && c.body == 3 && c.pattern.size() == 6 &&
                   relay::kind_of_pattern(c.pattern) == relay::pattern_kind::constructor &&
                   relay::pattern_fields(c.pattern) == 2 && relay::pattern_head(c.pattern) == 2 &&
                   relay::kind_of_pattern(c.pattern.subspan(3)) == relay::pattern_kind::tuple;
        else
            good = good && c.first_variable == 4 && c.body == 4 &&
                   relay::kind_of_pattern(c.pattern) == relay::pattern_kind::wildcard;
        ++clauses;
    });
    std::size_t bound = 0;
    relay::for_each_bound(g, m, [&](std::size_t i) { bound = bound * 10 + i; });
    return good && clauses == 2 && bound == 12;
}
static_assert(reads_clauses());

} // namespace

TEST_CASE("match: clauses have the variables of their patterns and a body", "[relay][ir]") { CHECK(reads_clauses()); }
