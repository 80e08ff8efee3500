#include <tutti/relay/ir/expr.hpp>

#include "support/catch.hpp"

using namespace tutti::relay;

TEST_CASE("expr: a number in brackets is a tuple's field", "[relay][expr]") {
    graph g;
    const expr x{&g, g.variable("x")};
    const expr_id fields[]{x.id, x.id};
    const expr pair{&g, g.tuple(fields)};
    const expr second = pair[1];
    CHECK(g.kind(second.id) == expr_kind::projection);
    CHECK(g.field(second.id) == 1);
    CHECK(g.operand(second.id, 0) == pair.id);
    CHECK(second != pair);
    CHECK(second == expr{&g, second.id});
}
