#include <tutti/relay/ir/type_table.hpp>

#include <tutti/relay/ir/type_text.hpp>

#include "support/catch.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

using namespace tutti::relay;

namespace {

constexpr bool keeps_each_type_once() {
    type_table t;
    const std::array shape{dim(1), dim::any()};
    const std::array wide{dim::wide(1), dim::any()};
    const type_id a = t.tensor(shape, dtype::float32);
    const type_id b = t.tensor(shape, dtype::int8);
    const type_id c = t.tensor(wide, dtype::float32);
    const type_id scalar = t.tensor({}, dtype::float32);
    const std::array pair{a, b};
    const type_id tuple = t.tuple(pair);
    const type_id f = t.function(pair, a);
    const std::array triple{a, b, a};
    const bool different =
        a != b && a != c && a != scalar && tuple != f && f != t.tuple(triple) && t.tuple({}) != t.function({}, scalar);
    return different && t.tensor(shape, dtype::float32) == a && t.tuple(pair) == tuple && t.function(pair, a) == f &&
           t.params(f).size() == 2 && t.result(f) == a && t.fields(tuple)[1] == b && t.fields(t.tuple({})).empty() &&
           t.params(t.function({}, a)).empty() && t.is_tensor(a) && !t.is_tensor(f) && !t.is_tensor(type_id::none);
}

static_assert(keeps_each_type_once());

} // namespace

TEST_CASE("type_table: keeps each type once", "[relay][type_table]") { CHECK(keeps_each_type_once()); }

TEST_CASE("type_table: imports a type with its members, and no others", "[relay][type_table]") {
    type_table from;
    from.tensor(std::array{dim(99)}, dtype::int64);
    const type_id x = from.tensor(std::array{dim(2), dim::any()}, dtype::float32);
    const std::array parts{x, from.tuple({})};
    const type_id f = from.function(parts, from.tuple(parts));
    type_table to;
    to.tensor({}, dtype::boolean);
    const type_id made = to.import(from, f);
    CHECK(to_text(to, made) == to_text(from, f));
    CHECK(to_text(to, made) == "fn (Tensor[(2, ?), float32], ()) -> (Tensor[(2, ?), float32], ())");
    CHECK(to.size() == 5); // the bool, the tensor, the empty tuple, the pair and the function
    CHECK(to.import(from, f) == made);
    CHECK(to.import(from, type_id::none) == type_id::none);
    CHECK(from.import(from, f) == f);
}

TEST_CASE("type_table: a tuple nested a hundred thousand times is made, imported and written without recursion",
          "[relay][type_table][deep]") {
    type_table from;
    type_id t = from.tensor({}, dtype::float32);
    constexpr int depth = 100000;
    for (int i = 0; i < depth; ++i) t = from.tuple(std::array{t});
    type_table to;
    std::string text;
    CHECK(append_type(text, to, to.import(from, t)));
    std::string expected = std::string(depth, '(') + "float32";
    for (int i = 0; i < depth; ++i) expected += ",)";
    CHECK((text == expected));
}

TEST_CASE("type_table: one that is cleared is as a new one", "[relay][type_table]") {
    type_table types;
    const type_id a = types.variable("A", 0);
    types.function(std::array{types.tensor(std::array{dim(2)}, dtype::float32), a}, types.data("List", std::array{a}));
    types.clear();
    CHECK(types.size() == 0);
    const type_id t = types.tensor(std::array{dim(3)}, dtype::boolean);
    CHECK(to_text(types, types.data("Tree", std::array{t})) == "Tree[Tensor[(3), bool]]");
    CHECK(types.size() == 2);
}

TEST_CASE("type_table: a tuple is another type than tensors that are noted at the same place", "[relay][type_table]") {
    for (std::int64_t tensors = 1; tensors < 400; ++tensors) {
        type_table types;
        for (std::int64_t n = 0; n < tensors; ++n) types.tensor(std::array{dim(n)}, dtype::float32);
        CHECK(types.size() == static_cast<std::size_t>(tensors));
        CHECK(types.fields(types.tuple(std::array{type_id{0}})).size() == 1); // the first type with members
    }
}
