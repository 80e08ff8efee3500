#include <tutti/relay/op/type_unifier.hpp>

#include <tutti/base/error.hpp>
#include <tutti/relay/ir/type_text.hpp>

#include "relay/malformed.hpp"
#include "support/catch.hpp"

using namespace tutti;
using relay::type_id;

namespace {

constexpr bool finds_types() {
    relay::type_table types;
    relay::type_unifier unifier(types);
    const type_id a = types.variable("A", 0);
    const type_id number = types.tensor({}, relay::dtype::int32);
    const type_id params[]{a, types.data("List", {&a, 1})};
    const type_id cons = types.generic({&a, 1}, types.function(params, params[1]));
    const type_id instance = unifier.instance(cons);
    if (!unifier.unify(types.params(instance)[0], number)) return false;
    return unifier.resolve(types.result(instance)) == types.data("List", {&number, 1});
}
static_assert(finds_types());

} // namespace

TEST_CASE("type_unifier: instances of generic types are unified with other types", "[relay][op]") {
    CHECK(finds_types());
}

TEST_CASE("type_unifier: generic types agree, whatever the names of their parameters", "[relay][op]") {
    relay::type_table types;
    relay::type_unifier unifier(types);
    const auto identity = [&](const char* name) {
        const type_id v = types.variable(name, 0);
        return types.generic({&v, 1}, types.function({&v, 1}, v));
    };
    CHECK(unifier.unify(identity("A"), identity("B")));
    const type_id number = types.tensor({}, relay::dtype::int32);
    CHECK(unifier.unify(identity("A"), types.function({&number, 1}, number)));
    CHECK_FALSE(unifier.unify(identity("A"), types.function({&number, 1}, types.tuple({}))));
    CHECK_FALSE(unifier.unify(types.variable("A", 0), types.variable("A", 1)));
}

TEST_CASE("type_unifier: a type variable is as general as all types unified with it", "[relay][op]") {
    relay::type_table types;
    relay::type_unifier unifier(types);
    const relay::dim three[]{relay::dim(3)};
    const relay::dim any[]{relay::dim::any()};
    const type_id hole = unifier.fresh();
    CHECK(unifier.unify(hole, types.tensor(three, relay::dtype::float32)));
    CHECK(unifier.unify(hole, types.tensor(any, relay::dtype::float32)));
    CHECK(relay::to_text(types, unifier.resolve(hole)) == "Tensor[(?), float32]");
}

TEST_CASE("type_unifier: a type that would be part of itself is refused", "[relay][op]") {
    relay::type_table types;
    relay::type_unifier unifier(types);
    const type_id hole = unifier.fresh();
    CHECK(unifier.unify(hole, types.data("List", {&hole, 1})));
    CHECK_THROWS_AS(unifier.resolve(hole), error);
    CHECK(unifier.unify(types.data("List", {&hole, 1}), hole)); // terminates
}

TEST_CASE("type_unifier: two incomplete types with one number, as in a corrupt table, are the same", "[relay][op]") {
    relay::type_table types;
    const type_id one = types.incomplete(1), other = types.incomplete(2);
    malformed::types_(types)[relay::index(other)].first = 1;
    relay::type_unifier unifier(types);
    CHECK(unifier.unify(one, other));
    CHECK(unifier.unify(other, one)); // terminates
    CHECK(unifier.unify(one, types.tensor({}, relay::dtype::int32)));
    CHECK(relay::to_text(types, unifier.resolve(other)) == "int32");
}
