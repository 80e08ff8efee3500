#include <tutti/relay/op/qnn.hpp>

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

const auto quantised = [](auto call) {
    return [=](relay::builder& b) {
        const relay::qnn::scale s{b.constant(1.0F), b.constant(0)};
        return call(b, b.variable("x", {1, 4, 6, 6}, dtype::int8), s);
    };
};

} // namespace

TEST_CASE("qnn: shapes follow the operators of the same name", "[relay][qnn]") {
    using relay::qnn::scale;
    CHECK(type_of(quantised([](relay::builder&, expr x, scale s) { return relay::qnn::add(x, x, s, s, s); })) ==
          "Tensor[(1, 4, 6, 6), int8]");
    CHECK(type_of(quantised([](relay::builder& b, expr x, scale s) {
              return relay::qnn::conv2d(x, b.variable("w", {8, 4, 3, 3}, dtype::int8), s, s,
                                        {.out_dtype = dtype::int32});
          })) == "Tensor[(1, 8, 4, 4), int32]");
    CHECK(type_of(quantised([](relay::builder& b, expr x, scale s) {
              return relay::qnn::concatenate(b.tuple({x, x}),
                                             {b.tuple({s.scale, s.scale}), b.tuple({s.zero_point, s.zero_point})}, s,
                                             {.axis = 1});
          })) == "Tensor[(1, 8, 6, 6), int8]");
    CHECK(type_of(quantised([](relay::builder& b, expr x, scale s) {
              return relay::qnn::dense(x, b.variable("w", {5, 6}, dtype::int8), s, s, {.out_dtype = dtype::int32});
          })) == "Tensor[(1, 4, 6, 5), int32]");
}

TEST_CASE("qnn: quantise and back", "[relay][qnn]") {
    using relay::qnn::scale;
    CHECK(type_of(quantised([](relay::builder&, expr x, scale s) { return relay::qnn::dequantize(x, s); })) ==
          "Tensor[(1, 4, 6, 6), float32]");
    CHECK(type_of(quantised([](relay::builder&, expr x, scale s) {
              return relay::qnn::quantize(relay::qnn::dequantize(x, s), s, {.out_dtype = dtype::uint8});
          })) == "Tensor[(1, 4, 6, 6), uint8]");
    CHECK(type_of(quantised([](relay::builder&, expr x, scale s) {
              return relay::qnn::requantize(x, s, s, {.out_dtype = dtype::int32});
          })) == "Tensor[(1, 4, 6, 6), int32]");
    CHECK_THAT(refusal_of(quantised([](relay::builder&, expr x, scale s) {
                   return relay::qnn::quantize(x, s, {.out_dtype = dtype::uint8});
               })),
               Contains("qnn.quantize, argument `data`") && Contains("elements of type float32"));
}

TEST_CASE("qnn: a scale is one number, or one for each index along the axis", "[relay][qnn]") {
    const auto with_scale = [](dims size, std::int64_t axis) {
        return quantised([=](relay::builder& b, expr x, relay::qnn::scale s) {
            const relay::qnn::scale given{b.variable("s", size, dtype::float32), s.zero_point};
            return relay::qnn::requantize(x, given, s, {.axis = axis, .out_dtype = dtype::int8});
        });
    };
    for (const auto& [size, axis] :
         {std::pair{dims{4}, 1}, {dims{6}, -1}, {dims{1}, 1}, {dims{}, 1}, {dims{dim::any()}, 1}})
        CHECK(type_of(with_scale(size, axis)) == "Tensor[(1, 4, 6, 6), int8]");
    for (const auto& [size, axis] : {std::pair{dims{40}, 1}, {dims{4}, 2}, {dims{4}, 7}, {dims{2, 2}, 1}})
        CHECK_THAT(refusal_of(with_scale(size, axis)),
                   Contains("argument `input_scale`") && Contains("one number, or one for each index along the axis"));
    CHECK_THAT(refusal_of(quantised([](relay::builder& b, expr x, relay::qnn::scale s) {
                   return relay::qnn::dequantize(x, {s.scale, b.variable("z", {3}, dtype::int32)}, {.axis = 1});
               })),
               Contains("argument `input_zero_point`"));
}

TEST_CASE("qnn: products of batches, and differences", "[relay][qnn]") {
    using relay::qnn::scale;
    CHECK(type_of([](relay::builder& b) {
              const scale s{b.constant(1.0F), b.constant(0)};
              return relay::qnn::batch_matmul(b.variable("x", {2, 3, 4}, dtype::int8),
                                              b.variable("y", {1, 5, 4}, dtype::int8), s, s);
          }) == "Tensor[(2, 3, 5), int32]");
    CHECK(type_of(quantised([](relay::builder& b, expr x, scale s) {
              return relay::qnn::subtract(x, b.variable("y", {6}, dtype::int8), s, s, s);
          })) == "Tensor[(1, 4, 6, 6), int8]");
}
