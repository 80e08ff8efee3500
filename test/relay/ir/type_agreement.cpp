#include <tutti/relay/ir/type_agreement.hpp>

#include <tutti/base/vector.hpp>

#include "support/catch.hpp"

#include <array>
#include <vector>

using namespace tutti::relay;

namespace {

constexpr type_id tensor_of(type_table& types, tutti::vector<dim> shape, dtype element = dtype::float32) {
    return types.tensor(shape, element);
}

constexpr bool agrees_where_unknown() {
    type_table types;
    const type_id known = tensor_of(types, {1, 2});
    const type_id batch = tensor_of(types, {dim::any(), 2});
    const type_id other = tensor_of(types, {1, 3});
    return agree(types, known, known) && agree(types, known, batch) && agree(types, batch, known) &&
           !agree(types, batch, other);
}
static_assert(agrees_where_unknown());
static_assert(agree(dim(5), dim::wide(5)) && agree(dim::any(), dim(5)) && agree(dim::any(), dim::any()) &&
              !agree(dim(5), dim(6)));

} // namespace

TEST_CASE("type_agreement: an unknown dimension agrees with every dimension", "[relay][type_agreement]") {
    CHECK(agrees_where_unknown());
}

TEST_CASE("type_agreement: kind, element type and rank count", "[relay][type_agreement]") {
    type_table types;
    const type_id tensor = tensor_of(types, {dim::any()});
    CHECK(agree(types, tensor, tensor_of(types, {dim::wide(5)})));
    CHECK_FALSE(agree(types, tensor, tensor_of(types, {dim::any()}, dtype::int32)));
    CHECK_FALSE(agree(types, tensor, tensor_of(types, {})));
    CHECK_FALSE(agree(types, tensor, tensor_of(types, {dim::any(), dim::any()})));
    CHECK_FALSE(agree(types, tensor, types.tuple(std::array{tensor})));
    CHECK_FALSE(agree(types, types.tuple({}), types.function({}, tensor)));
}

TEST_CASE("type_agreement: members of tuples and functions are compared pairwise", "[relay][type_agreement]") {
    type_table types;
    const type_id known = tensor_of(types, {2});
    const type_id open = tensor_of(types, {dim::any()});
    const type_id other = tensor_of(types, {3});
    const auto tuple = [&](type_id a, type_id b) { return types.tuple(std::array{a, b}); };
    CHECK(agree(types, tuple(known, open), tuple(open, other)));
    CHECK_FALSE(agree(types, tuple(known, open), tuple(other, other)));
    CHECK_FALSE(agree(types, tuple(known, open), types.tuple(std::array{known})));
    CHECK(agree(types, types.function(std::array{known}, open), types.function(std::array{open}, other)));
    CHECK_FALSE(agree(types, types.function(std::array{known}, known), types.function(std::array{open}, other)));
    CHECK_FALSE(agree(types, types.function({}, known), types.function(std::array{open}, known)));
    CHECK_FALSE(agree(types, types.function(std::array{known}, known), types.function(std::array{other}, known)));
}

TEST_CASE("type_agreement: shared members are compared once", "[relay][type_agreement]") {
    type_table types;
    type_id a = tensor_of(types, {2});
    type_id b = tensor_of(types, {dim::any()});
    type_id c = tensor_of(types, {3});
    for (int depth = 0; depth < 1000; ++depth) { // the printed form of each type would contain 2^1000 tensors
        a = types.tuple(std::array{a, a});
        b = types.tuple(std::array{b, b});
        c = types.tuple(std::array{c, c});
    }
    CHECK(agree(types, a, b));
    CHECK_FALSE(agree(types, a, c));
}

TEST_CASE("type_agreement: a hundred thousand tuples deep", "[relay][type_agreement]") {
    type_table types;
    type_id a = tensor_of(types, {2});
    type_id b = tensor_of(types, {dim::any()});
    for (int depth = 0; depth < 100'000; ++depth) {
        a = types.tuple(std::array{a});
        b = types.tuple(std::array{b});
    }
    CHECK(agree(types, a, b));
    CHECK_FALSE(agree(types, a, types.tuple(std::array{b})));
}

namespace {

constexpr bool common_type_says_what_both_say() {
    type_table types;
    const type_id a = tensor_of(types, {1, 2, dim::any()});
    const type_id b = tensor_of(types, {1, dim::any(), 3});
    const type_id both = tensor_of(types, {1, dim::any(), dim::any()});
    const type_id tuple = types.tuple(std::array{a, types.function(std::array{b}, a)});
    const type_id other = types.tuple(std::array{b, types.function(std::array{b}, b)});
    return common_type(types, a, b) == both && common_type(types, a, a) == a &&
           common_type(types, tuple, other) == types.tuple(std::array{both, types.function(std::array{b}, both)});
}
static_assert(common_type_says_what_both_say());

} // namespace

TEST_CASE("type_agreement: the common type is unknown where either type is", "[relay][type_agreement]") {
    CHECK(common_type_says_what_both_say());
    type_table types;
    CHECK(common_type(types, tensor_of(types, {dim::wide(5)}), tensor_of(types, {5})) ==
          tensor_of(types, {dim::wide(5)}));
}

TEST_CASE("type_agreement: the common type of shared members takes no longer", "[relay][type_agreement]") {
    type_table types;
    type_id a = tensor_of(types, {2});
    type_id b = tensor_of(types, {dim::any()});
    for (int depth = 0; depth < 100; ++depth) {
        a = types.tuple(std::array{a, a});
        b = types.tuple(std::array{b, b});
    }
    CHECK(common_type(types, a, b) == b);
}
