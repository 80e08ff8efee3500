#include <tutti/relay/op/dense.hpp>

#include "../programs.hpp"
#include "one_call.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::test;
using Catch::Matchers::Contains;
using relay::dim;
using relay::dims;

namespace {

std::string dense_type(const dims& data, const dims& weight, const relay::dense_attributes& a = {}) {
    relay::builder b;
    return inferred(b, relay::nn::dense(b.variable("x", data), b.variable("w", weight), a));
}

std::string dense_refusal(const dims& data, const dims& weight, const relay::dense_attributes& a = {}) {
    relay::builder b;
    return inference_refusal(b, relay::nn::dense(b.variable("x", data), b.variable("w", weight), a));
}

} // namespace

TEST_CASE("dense: the last axis becomes the units", "[relay][dense]") {
    CHECK(dense_type({4, 3}, {5, 3}) == "Tensor[(4, 5), float32]");
    CHECK(dense_type({3}, {5, 3}) == "Tensor[(5), float32]");
    CHECK(dense_type({2, 4, 3}, {5, 3}, {.units = std::optional(dim(5))}) == "Tensor[(2, 4, 5), float32]");
    CHECK(dense_type({dim::any(), 3}, {5, 3}) == "Tensor[(?, 5), float32]");
    CHECK(dense_type({4, 3}, {5, 3}, {.out_dtype = relay::dtype::int32}) == "Tensor[(4, 5), int32]");
}

TEST_CASE("dense: infers the type of an unannotated weight if the units are known", "[relay][dense]") {
    relay::builder b;
    const auto w = b.variable("w");
    const auto y = relay::nn::dense(b.variable("x", {4, 3}), w, {.units = std::optional(dim(5))});
    CHECK(inferred(b, b.tuple({y, w})) == "(Tensor[(4, 5), float32], Tensor[(5, 3), float32])");
    CHECK_THAT(inference_refusal(b, relay::nn::dense(b.variable("x", {4, 3}), b.variable("w"))),
               Contains("%w: has no type"));
}

TEST_CASE("dense: refuses mismatched operands", "[relay][dense]") {
    CHECK(dense_refusal({4, 3}, {5, 4}) == "@main: nn.dense, argument `weight`: Tensor[(5, 4), float32] does "
                                           "not fit `data`, Tensor[(4, 3), float32]; "
                                           "expected Tensor[(5, 3), float32]");
    CHECK_THAT(dense_refusal({4, 3}, {5, 3}, {.units = std::optional(dim(6))}),
               Contains("expected Tensor[(6, 3), float32]"));
    CHECK_THAT(dense_refusal({4, 3}, {5, 3, 1}), Contains("expected two dimensions"));
    CHECK_THAT(dense_refusal({}, {5, 3}), Contains("argument `data`") && Contains("expected one dimension or more"));
}

TEST_CASE("bias_add: the bias runs along its axis, whose size an unannotated one takes", "[relay][dense]") {
    const auto bias_type = [](std::int64_t axis) {
        relay::builder b;
        const auto bias = b.variable("bias");
        return inferred(b, b.tuple({relay::nn::bias_add(b.variable("x", {2, 3, 4}), bias, {.axis = axis}), bias})[1]);
    };
    CHECK(bias_type(1) == "Tensor[(3), float32]");
    CHECK(bias_type(-1) == "Tensor[(4), float32]");
    CHECK(bias_type(-3) == "Tensor[(2), float32]");
}

TEST_CASE("bias_add: a bias of another size and an axis that is not there are refused", "[relay][dense]") {
    const auto refused = [](const dims& bias, std::int64_t axis) {
        relay::builder b;
        return inference_refusal(
            b, relay::nn::bias_add(b.variable("x", {2, 3}), b.variable("bias", bias), {.axis = axis}));
    };
    CHECK(refused({2}, 1) == "@main: nn.bias_add, argument `bias`: Tensor[(2), float32] does not fit `data`, "
                             "Tensor[(2, 3), float32]; expected Tensor[(3), float32]");
    CHECK_THAT(refused({3, 1}, 1), Contains("expected Tensor[(3), float32]"));
    CHECK_THAT(refused({3}, 2), Contains("attribute `axis`: 2 is not an axis"));
}

TEST_CASE("dense: batch_matmul takes one product for each of a batch", "[relay][dense]") {
    const auto product = [](const dims& x, const dims& y, const relay::batch_matmul_attributes& a) {
        relay::builder b;
        return inferred(b, relay::nn::batch_matmul(b.variable("x", x), b.variable("y", y), a));
    };
    CHECK(product({2, 3, 4}, {2, 5, 4}, {.transpose_b = true}) == "Tensor[(2, 3, 5), float32]");
    CHECK(product({2, 4, 3}, {1, 4, 5}, {.transpose_a = true}) == "Tensor[(2, 3, 5), float32]");
    CHECK(product({dim::any(), 3, 4}, {2, 4, 5}, {.out_dtype = relay::dtype::int32}) == "Tensor[(?, 3, 5), int32]");
    CHECK(product({dim::any(), 3, 4}, {1, 4, 5}, {}) == "Tensor[(?, 3, 5), float32]");
    const auto refused = [](const dims& x, const dims& y) {
        relay::builder b;
        return inference_refusal(b, relay::nn::batch_matmul(b.variable("x", x), b.variable("y", y)));
    };
    CHECK_THAT(refused({2, 3, 4}, {2, 5, 3}),
               Contains("nn.batch_matmul, argument `tensor_b`: Tensor[(2, 5, 3), float32]"));
    CHECK_THAT(refused({2, 3, 4}, {3, 5, 4}), Contains("a batch of one or of the same size"));
    CHECK_THAT(refused({3, 4}, {3, 5, 4}), Contains("argument `tensor_a`") && Contains("three dimensions"));
}

TEST_CASE("dense: matmul goes with a matrix, each transposed or not", "[relay][dense]") {
    const auto product = [](const relay::dims& a, const relay::dims& b, const relay::matmul_attributes& attributes) {
        return [=](relay::builder& g) { return relay::nn::matmul(g.variable("a", a), g.variable("b", b), attributes); };
    };
    CHECK(type_of(product({2, 3, 4}, {4, 5}, {})) == "Tensor[(2, 3, 5), float32]");
    CHECK(type_of(product({4}, {4, 5}, {})) == "Tensor[(5), float32]");
    CHECK(type_of(product({3, 4}, {5, 3}, {.transpose_a = true, .transpose_b = true})) == "Tensor[(4, 5), float32]");
    CHECK(type_of(product({3, 4}, {4, 5}, {.out_dtype = relay::dtype::int32})) == "Tensor[(3, 5), int32]");
    CHECK(type_of([](relay::builder& g) {
              return relay::nn::matmul(g.variable("a", {3, 4}), g.variable("b"), {.units = relay::dim(7)});
          }) == "Tensor[(3, 7), float32]");
    CHECK_THAT(refusal_of(product({3, 4}, {5, 4}, {})), Catch::Matchers::Contains("argument `tensor_b`"));
    CHECK_THAT(refusal_of(product({4}, {4, 5}, {.transpose_a = true})),
               Catch::Matchers::Contains("argument `tensor_a`"));
    CHECK_THAT(refusal_of(product({4}, {4}, {})), Catch::Matchers::Contains("two dimensions"));
    CHECK_THAT(refusal_of(product({3, 4}, {4, 5}, {.units = relay::dim(6)})),
               Catch::Matchers::Contains("argument `tensor_b`"));
}

TEST_CASE("prelu: tells its slopes' type", "[relay][dense]") {
    relay::builder b;
    const auto alpha = b.variable("a");
    CHECK(inferred(b, b.tuple({relay::nn::prelu(b.variable("x", {1, 3, 2}), alpha, {.axis = -1}), alpha})) ==
          "(Tensor[(1, 3, 2), float32], Tensor[(2), float32])");
    relay::builder c;
    CHECK_THAT(inference_refusal(c, relay::nn::prelu(c.variable("x", {1, 3}), c.variable("a", {2}))),
               Contains("nn.prelu, argument `alpha`") && Contains("expected Tensor[(3), float32]"));
}
