#include <tutti/relay/op/dyn.hpp>

#include "one_call.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::test;
using Catch::Matchers::Contains;
using relay::dim;
using relay::dims;
using relay::dtype;
using relay::expr;

namespace {

const auto with_vector = [](const dims& vector, auto call) {
    return [=](relay::builder& b) { return call(b.variable("x", {2, 3}), b.variable("v", vector, dtype::int64)); };
};

const auto reshaped = [](expr x, expr v) { return relay::dyn::reshape(x, v); };

} // namespace

TEST_CASE("dyn: a vector's length is the rank; the sizes are not known", "[relay][dyn]") {
    CHECK(type_of(with_vector({3}, reshaped)) == "Tensor[(?, ?, ?), float32]");
    CHECK(type_of(with_vector({2}, relay::dyn::broadcast_to)) == "Tensor[(?, ?), float32]");
    CHECK(type_of(with_vector({3}, relay::dyn::tile)) == "Tensor[(?, ?, ?), float32]");
    CHECK(type_of(with_vector({1}, relay::dyn::squeeze)) == "Tensor[(?), float32]");
    CHECK(type_of(with_vector({4}, [](expr, expr v) { return relay::dyn::zeros(v, dtype::int8); })) ==
          "Tensor[(?, ?, ?, ?), int8]");
    CHECK(type_of(with_vector({}, [](expr x, expr k) {
              return relay::dyn::topk(x, k, {.axis = 0, .ret_type = "values", .dtype = dtype::int32});
          })) == "Tensor[(?, 3), float32]");
    CHECK(type_of(with_vector({2}, [](expr x, expr v) { return relay::dyn::strided_slice(x, v, v, v); })) ==
          "Tensor[(?, ?), float32]");
    CHECK(type_of(with_vector({2, 2}, [](expr x, expr v) { return relay::dyn::nn::pad(x, v, v); })) ==
          "Tensor[(?, ?), float32]");
    CHECK(type_of(with_vector({1}, [](expr, expr v) { return relay::dyn::sparse_to_dense(v, v, v, v); })) ==
          "Tensor[(?), int64]");
}

TEST_CASE("dyn: a slice keeps the axes that it is given no places for", "[relay][dyn]") {
    const auto slice = [](expr x, expr v) { return relay::dyn::strided_slice(x, v, v, v); };
    CHECK(type_of(with_vector({1}, slice)) == "Tensor[(?, 3), float32]");
    CHECK(type_of(with_vector({0}, slice)) == "Tensor[(2, 3), float32]");
    CHECK_THAT(refusal_of(with_vector({3}, slice)), Contains("no more indices than the data has axes"));
}

TEST_CASE("dyn: full takes its value's type, one_hot makes a new axis", "[relay][dyn]") {
    CHECK(type_of([](relay::builder& b) {
              return relay::dyn::full(b.constant(1.0F), b.variable("s", {2}, dtype::int64));
          }) == "Tensor[(?, ?), float32]");
    CHECK(type_of([](relay::builder& b) {
              return relay::dyn::full(b.constant(1.0F), b.variable("s", {2}, dtype::int64), dtype::int8);
          }) == "Tensor[(?, ?), int8]");
    CHECK_THAT(refusal_of(with_vector({2}, [](expr x, expr v) { return relay::dyn::full(x, v); })), Contains("rank 0"));
    const auto one_hot = [](std::int64_t axis) {
        return [=](relay::builder& b) {
            const auto number = b.constant(1.0F);
            return relay::dyn::one_hot(b.variable("i", {4, 5}, dtype::int32), number, number,
                                       b.variable("d", {}, dtype::int32), {.axis = axis, .dtype = dtype::float32});
        };
    };
    CHECK(type_of(one_hot(-1)) == "Tensor[(4, 5, ?), float32]");
    CHECK(type_of(one_hot(1)) == "Tensor[(4, ?, 5), float32]");
}

TEST_CASE("dyn: resizing keeps the other axes of the layout", "[relay][dyn]") {
    CHECK(type_of({1, 4, 5, 6}, [](expr x) { return relay::dyn::nn::upsampling(x, x, x); }) ==
          "Tensor[(1, 4, ?, ?), float32]");
    CHECK(type_of({1, 4, 5, 6, 7}, [](expr x) { return relay::dyn::nn::upsampling3d(x, x, x, x); }) ==
          "Tensor[(1, 4, ?, ?, ?), float32]");
    CHECK(type_of({1, 5, 6, 4}, [](expr x) { return relay::dyn::image::resize2d(x, x, x, {.layout = "NHWC"}); }) ==
          "Tensor[(1, ?, ?, 4), float32]");
}

TEST_CASE("dyn: a rank that is not known, or is absurd, is refused", "[relay][dyn]") {
    CHECK_THAT(refusal_of(with_vector({dim::any()}, reshaped)),
               Contains("dyn.reshape, argument `newshape`") && Contains("a vector whose length is known"));
    CHECK_THAT(refusal_of(with_vector({1, 3}, reshaped)), Contains("a vector"));
    CHECK_THAT(refusal_of(with_vector({1 << 20}, reshaped)), Contains("0 to 64 elements"));
    CHECK_THAT(refusal_of(with_vector({3}, relay::dyn::squeeze)), Contains("no more axes than the data has"));
}

TEST_CASE("dyn: expand_dims has more axes, of sizes that are not known", "[relay][dyn]") {
    const auto more = [](std::int64_t count, const relay::dims& axis, relay::dtype element) {
        return [=](relay::builder& b) {
            return relay::dyn::expand_dims(b.variable("x", {2, 2}), b.variable("a", axis, element),
                                           {.num_newaxis = count});
        };
    };
    CHECK(tutti::test::type_of(more(1, {}, relay::dtype::int64)) == "Tensor[(?, ?, ?), float32]");
    CHECK(tutti::test::type_of(more(0, {}, relay::dtype::int32)) == "Tensor[(?, ?), float32]");
    CHECK_THAT(tutti::test::refusal_of(more(1, {1}, relay::dtype::int64)), Contains("argument `axis`"));
    CHECK_THAT(tutti::test::refusal_of(more(1, {}, relay::dtype::float32)), Contains("an integer"));
    CHECK_THAT(tutti::test::refusal_of(more(-1, {}, relay::dtype::int64)), Contains("attribute `num_newaxis`"));
}
