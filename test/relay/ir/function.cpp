#include <tutti/relay/ir/function.hpp>

#include "support/catch.hpp"

#include <utility>

using namespace tutti::relay;

TEST_CASE("function: a copy is independent, a move takes the graph along", "[relay][function]") {
    tutti::relay::function f;
    CHECK(f.root == expr_id::none);
    const expr_id params[]{f.graph.variable("x")};
    f.root = f.graph.function(params, params[0]);
    tutti::relay::function copy = f;
    copy.graph.global("other");
    CHECK(f.graph.size() == 2);
    const tutti::relay::function moved = std::move(copy);
    CHECK(moved.graph.size() == 3);
    CHECK(moved.graph.body(moved.root) == params[0]);
}
