#include <tutti/relay/ir/type_rewrite.hpp>

#include <tutti/relay/ir/type_text.hpp>

#include "support/catch.hpp"

using namespace tutti;
using relay::type_id;

TEST_CASE("type_rewriting: puts other types in place of variables, but of those that are bound again", "[relay][ir]") {
    relay::type_table types;
    const type_id a = types.variable("A", 0);
    const type_id list = types.data("List", {&a, 1});
    const type_id inner = types.generic({&a, 1}, types.function({&a, 1}, a));
    const type_id parts[]{list, types.reference(list), inner};
    const type_id all = types.tuple(parts);
    relay::type_rewriting rewritten(types);
    rewritten.replace(a, types.tensor({}, relay::dtype::int8));
    CHECK(relay::to_text(types, rewritten(all)) == "(List[int8], ref(List[int8]), fn [A](A) -> A)");
    CHECK(rewritten(inner) == inner);
    CHECK(rewritten(types.tuple({})) == types.tuple({}));
}

TEST_CASE("type_rewriting: nothing recurses", "[relay][ir]") {
    relay::type_table types;
    type_id t = types.variable("A", 0);
    relay::type_rewriting rewritten(types);
    rewritten.replace(t, types.tuple({}));
    for (int i = 0; i < 100000; ++i) t = types.reference(t);
    CHECK_FALSE(types.has_variables(rewritten(t)));
}
