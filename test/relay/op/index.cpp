#include <tutti/relay/op/index.hpp>

#include "one_call.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::test;
using Catch::Matchers::Contains;
using relay::dim;
using relay::dims;
using relay::dtype;
using relay::expr;

TEST_CASE("index: one_hot makes a new axis", "[relay][index]") {
    const auto hot = [](const dims& on, const relay::one_hot_attributes& a) {
        return [=](relay::builder& b) {
            return relay::one_hot(b.variable("i", {2, 3}, dtype::int32), b.variable("on", on), b.variable("off", {}),
                                  a);
        };
    };
    CHECK(type_of(hot({}, {.depth = 5, .dtype = dtype::float32})) == "Tensor[(2, 3, 5), float32]");
    CHECK(type_of(hot({}, {.depth = 5, .axis = 0, .dtype = dtype::int8})) == "Tensor[(5, 2, 3), int8]");
    CHECK_THAT(refusal_of(hot({1}, {.depth = 5, .dtype = dtype::int8})), Contains("argument `on_value`"));
    CHECK_THAT(refusal_of(hot({}, {.depth = 0, .dtype = dtype::int8})), Contains("attribute `depth`"));
    CHECK_THAT(refusal_of(hot({}, {.depth = 2})), Contains("attribute `dtype`"));
}

TEST_CASE("index: argsort returns indices of the requested type", "[relay][index]") {
    CHECK(type_of({4, 5}, [](expr x) { return relay::argsort(x, {.axis = 0, .dtype = dtype::int32}); }) ==
          "Tensor[(4, 5), int32]");
    CHECK_THAT(refusal_of({4, 5}, [](expr x) { return relay::argsort(x, {.axis = 2, .dtype = dtype::int32}); }),
               Contains("attribute `axis`"));
    CHECK_THAT(refusal_of({4, 5}, [](expr x) { return relay::argsort(x, {}); }), Contains("attribute `dtype`"));
}

TEST_CASE("index: topk gives values, places or both", "[relay][index]") {
    const auto top = [](std::optional<dim> k, std::int64_t axis, std::string_view wanted) {
        return
            [=](expr x) { return relay::topk(x, {.k = k, .axis = axis, .ret_type = wanted, .dtype = dtype::int64}); };
    };
    CHECK(type_of({20, 100}, top(dim(5), 0, "both")) == "(Tensor[(5, 100), float32], Tensor[(5, 100), int64])");
    CHECK(type_of({20, 100}, top(dim(0), -1, "values")) == "Tensor[(20, 100), float32]");
    CHECK(type_of({20, 100}, top({}, -1, "indices")) == "Tensor[(20, ?), int64]");
    CHECK_THAT(refusal_of({20}, top(dim(1), 0, "all")), Contains("attribute `ret_type`: \"all\""));
}

TEST_CASE("index: sparse_to_dense has the requested shape", "[relay][index]") {
    const auto dense = [](const dims& values, const dims& value) {
        return [=](relay::builder& b) {
            return relay::sparse_to_dense(b.variable("i", {2}, dtype::int32), b.variable("v", values),
                                          b.variable("d", value), {.output_shape = {5}});
        };
    };
    CHECK(type_of(dense({2}, {})) == "Tensor[(5), float32]");
    CHECK_THAT(refusal_of(dense({2, 1}, {})), Contains("argument `sparse_values`"));
    CHECK_THAT(refusal_of(dense({2}, {1})), Contains("argument `default_value`"));
}

TEST_CASE("index: take puts the indices' axes in the place of its own", "[relay][index]") {
    const auto taken = [](const relay::take_attributes& a, dtype element = dtype::int32) {
        return [=](relay::builder& b) {
            return relay::take(b.variable("x", {2, 3, 4}), b.variable("i", {2, 5}, element), a);
        };
    };
    CHECK(type_of(taken({})) == "Tensor[(2, 5), float32]");
    CHECK(type_of(taken({.axis = dim(1)})) == "Tensor[(2, 2, 5, 4), float32]");
    CHECK(type_of(taken({.axis = dim(-1)}, dtype::uint32)) == "Tensor[(2, 3, 2, 5), float32]");
    CHECK(type_of(taken({.batch_dims = 1, .axis = dim(1)})) == "Tensor[(2, 5, 4), float32]");
    CHECK_THAT(refusal_of(taken({.axis = dim(3)})), Contains("attribute `axis`"));
    CHECK_THAT(refusal_of(taken({.batch_dims = 2, .axis = dim(1)})), Contains("attribute `batch_dims`"));
    CHECK_THAT(refusal_of(taken({.batch_dims = -1, .axis = dim(1)})), Contains("attribute `batch_dims`"));
    CHECK_THAT(refusal_of(taken({}, dtype::float32)), Contains("argument `indices`"));
}

TEST_CASE("index: sort keeps the type, and how many places argwhere gives is known when it runs", "[relay][index]") {
    CHECK(type_of({4, dim::any()}, [](expr x) { return relay::sort(x, {.axis = 0}); }) == "Tensor[(4, ?), float32]");
    CHECK_THAT(refusal_of({4, 5}, [](expr x) { return relay::sort(x, {.axis = 2}); }), Contains("attribute `axis`"));
    CHECK(type_of({4, 5, 6}, [](expr x) { return relay::argwhere(x); }) == "Tensor[(?, 3), int32]");
    CHECK(type_of({}, [](expr x) { return relay::argwhere(x); }, dtype::boolean) == "Tensor[(?, 0), int32]");
}
