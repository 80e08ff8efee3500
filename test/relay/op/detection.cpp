#include <tutti/relay/op/detection.hpp>

#include "one_call.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::test;
using Catch::Matchers::Contains;
using relay::builder;
using relay::dim;
using relay::dims;
using relay::dtype;
using relay::expr;

TEST_CASE("detection: get_valid_counts gives counts, boxes and places", "[relay][detection]") {
    const auto counted = [](const dims& data, const dims& threshold) {
        return [=](builder& b) {
            return relay::vision::get_valid_counts(b.variable("x", data, dtype::float16), b.variable("t", threshold));
        };
    };
    CHECK(type_of(counted({2, dim::any(), 6}, {})) ==
          "(Tensor[(2), int32], Tensor[(2, ?, 6), float16], Tensor[(2, ?), int32])");
    CHECK_THAT(refusal_of(counted({2, 6}, {})), Contains("vision.get_valid_counts, argument `data`"));
    CHECK_THAT(refusal_of(counted({2, 5, 6}, {2})), Contains("one number"));
}

TEST_CASE("detection: non_max_suppression returns boxes, or their indices and number", "[relay][detection]") {
    const auto suppressed = [](const dims& data, const dims& count, const dims& indices,
                               const relay::non_max_suppression_attributes& a) {
        return [=](builder& b) {
            return relay::vision::non_max_suppression(
                b.variable("x", data), b.variable("n", count, dtype::int32), b.variable("i", indices, dtype::int32),
                b.constant(kernel::tensor::scalar(-1)), b.constant(kernel::tensor::scalar(0.5F)), a);
        };
    };
    CHECK(type_of(suppressed({2, 5, 6}, {2}, {2, 5}, {})) == "(Tensor[(2, 5), int32], Tensor[(2, 1), int32])");
    CHECK(type_of(suppressed({2, 5, 6}, {2}, {2, 5, 6}, {.return_indices = false})) == "Tensor[(2, 5, 6), float32]");
    CHECK_THAT(refusal_of(suppressed({2, 5, 6}, {2}, {2, 6}, {})), Contains("an index for each box"));
    CHECK_THAT(refusal_of(suppressed({2, 5, 6}, {3}, {2, 5}, {})), Contains("a count for each image"));
    CHECK_THAT(refusal_of(suppressed({2, 5}, {2}, {2, 5}, {})), Contains("a tensor of rank 3"));
}

TEST_CASE("detection: all_class_non_max_suppression gives rows in one of two forms", "[relay][detection]") {
    const auto suppressed = [](const dims& boxes, const dims& scores, std::string_view form) {
        return [=](builder& b) {
            return relay::vision::all_class_non_max_suppression(
                b.variable("x", boxes), b.variable("s", scores), b.constant(kernel::tensor::scalar(-1)),
                b.constant(kernel::tensor::scalar(0.5F)), b.constant(kernel::tensor::scalar(0.F)),
                {.output_format = form});
        };
    };
    CHECK(type_of(suppressed({2, 5, 4}, {2, 3, 5}, "onnx")) == "(Tensor[(30, 3), int64], Tensor[(1), int64])");
    CHECK(type_of(suppressed({dim::any(), 5, 4}, {2, 3, 5}, "onnx")) == "(Tensor[(?, 3), int64], Tensor[(1), int64])");
    CHECK(type_of(suppressed({2, 5, 4}, {2, 3, 5}, "tensorflow")) ==
          "(Tensor[(2, 15, 2), int64], Tensor[(2, 15), float32], Tensor[(2), int64])");
    CHECK_THAT(refusal_of(suppressed({2, 5, 4}, {2, 3, 5}, "caffe")), Contains("\"onnx\" or \"tensorflow\""));
    CHECK_THAT(refusal_of(suppressed({2, 5, 3}, {2, 3, 5}, "onnx")), Contains("four coordinates"));
    CHECK_THAT(refusal_of(suppressed({2, 5, 4}, {2, 3, 6}, "onnx")), Contains("a score for each class"));
}
