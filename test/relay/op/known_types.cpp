#include <tutti/relay/op/known_types.hpp>

#include "support/catch.hpp"

#include <array>

using namespace tutti::relay;

namespace {

struct open_known_types : known_types {
    using known_types::common, known_types::forget_types, known_types::function_of, known_types::is_none,
        known_types::is_open, known_types::resolved, known_types::same, known_types::text, known_types::type_of,
        known_types::unifier_, known_types::uses_unifier_, known_types::variable_text;
    explicit open_known_types(graph& g) : known_types(g) {}
};

} // namespace

TEST_CASE("known_types: types agree up to `?`, and unknown parts are found", "[relay][known_types]") {
    graph g;
    const expr_id x = g.variable("x");
    const expr_id pair = g.tuple(std::array{x, x});
    type_table& types = g.types();
    const type_id two = types.tensor(std::array{dim(2)}, dtype::float32);
    const type_id any = types.tensor(std::array{dim::any()}, dtype::float32);
    open_known_types known(g);
    CHECK(known.is_none(0, pair));
    CHECK(known.is_open(known.type_of(x)));
    known.type_of(x) = two;
    CHECK_FALSE(known.is_none(1, pair));
    CHECK(known.same(two, any));
    CHECK(known.text(known.common(two, any)) == "Tensor[(?), float32]");
    CHECK_FALSE(known.same(two, types.tensor({}, dtype::float32)));
    CHECK_FALSE(known.uses_unifier_);
    const type_id open = known.unifier_.fresh();
    CHECK(known.is_open(open));
    CHECK(known.same(open, two));
    CHECK(known.uses_unifier_);
    CHECK(known.resolved(open) == two);
    CHECK(known.variable_text(x) == "%x");
    const type_id a = types.variable("A", 0);
    const type_id f = types.function(std::array{a}, a);
    CHECK(known.function_of(types.generic(std::array{a}, f)) == f);
    CHECK(known.function_of(f) == f);
    known.forget_types();
    CHECK(known.is_open(known.type_of(x)));
    CHECK_FALSE(known.uses_unifier_);
}
