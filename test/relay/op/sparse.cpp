#include <tutti/relay/op/sparse.hpp>

#include "one_call.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::test;
using Catch::Matchers::Contains;
using relay::dim;
using relay::dims;
using relay::dtype;

TEST_CASE("sparse: sparse_reshape has a column for each axis", "[relay][sparse]") {
    const auto reshaped = [](const dims& indices, const dims& before, const dims& after, dtype element = dtype::int32) {
        return [=](relay::builder& b) {
            return relay::sparse_reshape(b.variable("i", indices, element), b.variable("s", before, dtype::int32),
                                         b.variable("n", after, dtype::int64));
        };
    };
    CHECK(type_of(reshaped({5, 3}, {3}, {2})) == "(Tensor[(5, 2), int32], Tensor[(2), int64])");
    CHECK(type_of(reshaped({dim::any(), 3}, {3}, {2})) == "(Tensor[(?, 2), int32], Tensor[(2), int64])");
    CHECK_THAT(refusal_of(reshaped({5, 3}, {2}, {2})), Contains("argument `prev_shape`"));
    CHECK_THAT(refusal_of(reshaped({5}, {1}, {2})), Contains("a matrix of integers"));
    CHECK_THAT(refusal_of(reshaped({5, 3}, {3}, {2, 2})), Contains("argument `new_shape`"));
    CHECK_THAT(refusal_of(reshaped({5, 3}, {3}, {2}, dtype::float32)), Contains("argument `sparse_indices`"));
}

TEST_CASE("sparse: how many rows sparse_fill_empty_rows gives is known when it runs", "[relay][sparse]") {
    const auto filled = [](const dims& indices, const dims& values, const dims& shape) {
        return [=](relay::builder& b) {
            return relay::sparse_fill_empty_rows(
                b.variable("i", indices, dtype::int32), b.variable("v", values, dtype::int32),
                b.variable("s", shape, dtype::int32), b.variable("d", {1}, dtype::int32));
        };
    };
    CHECK(type_of(filled({2, 3}, {2}, {3})) == "(Tensor[(?, 3), int64], Tensor[(?), int64], Tensor[(?), int64])");
    CHECK_THAT(refusal_of(filled({2, 3}, {1}, {3})), Contains("argument `sparse_values`"));
    CHECK_THAT(refusal_of(filled({2, 3}, {2}, {2})), Contains("argument `dense_shape`"));
}
