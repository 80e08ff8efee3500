#include <tutti/relay/op/sequence.hpp>

#include "one_call.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::test;
using Catch::Matchers::Contains;
using relay::dim;
using relay::dims;
using relay::dtype;
using relay::expr;

TEST_CASE("sequence: reverse keeps the type", "[relay][sequence]") {
    CHECK(type_of({2, dim::any()}, [](expr x) { return relay::reverse(x, {.axis = dim(-2)}); }) ==
          "Tensor[(2, ?), float32]");
    CHECK_THAT(refusal_of({2, 3}, [](expr x) { return relay::reverse(x, {.axis = dim(2)}); }),
               Contains("attribute `axis`"));
    CHECK_THAT(refusal_of({}, [](expr x) { return relay::reverse(x, {.axis = dim(0)}); }),
               Contains("attribute `axis`"));
}

TEST_CASE("sequence: reverse_sequence has a length for each sequence", "[relay][sequence]") {
    const auto reversed = [](const dims& lengths, const relay::reverse_sequence_attributes& a,
                             dtype element = dtype::int32) {
        return [=](relay::builder& b) {
            return relay::reverse_sequence(b.variable("x", {2, 3, 4}), b.variable("l", lengths, element), a);
        };
    };
    CHECK(type_of(reversed({2}, {})) == "Tensor[(2, 3, 4), float32]");
    CHECK(type_of(reversed({4}, {.seq_axis = 0, .batch_axis = -1})) == "Tensor[(2, 3, 4), float32]");
    CHECK_THAT(refusal_of(reversed({3}, {})), Contains("one length for each place along `batch_axis`"));
    CHECK_THAT(refusal_of(reversed({2, 1}, {})), Contains("argument `seq_lengths`"));
    CHECK_THAT(refusal_of(reversed({2}, {}, dtype::float32)), Contains("integers"));
    CHECK_THAT(refusal_of(reversed({2}, {.seq_axis = 3})), Contains("attribute `seq_axis`"));
    CHECK_THAT(refusal_of(reversed({2}, {.batch_axis = -4})), Contains("attribute `batch_axis`"));
}

TEST_CASE("sequence: sequence_mask has a length for each of the other axis", "[relay][sequence]") {
    const auto masked = [](const dims& data, const dims& lengths, std::int64_t axis, dtype element = dtype::int32) {
        return [=](relay::builder& b) {
            return relay::sequence_mask(b.variable("x", data), b.variable("l", lengths, element), {.axis = axis});
        };
    };
    CHECK(type_of(masked({5, 2, 3}, {2}, 0)) == "Tensor[(5, 2, 3), float32]");
    CHECK(type_of(masked({5, 2}, {5}, 1)) == "Tensor[(5, 2), float32]");
    CHECK_THAT(refusal_of(masked({5, 2}, {5}, 0)), Contains("argument `valid_length`"));
    CHECK_THAT(refusal_of(masked({5, 2}, {5}, -1)), Contains("attribute `axis`"));
    CHECK_THAT(refusal_of(masked({5}, {5}, 0)), Contains("two dimensions or more"));
    CHECK_THAT(refusal_of(masked({5, 2}, {2}, 0, dtype::float32)), Contains("integers"));
}

TEST_CASE("sequence: nn.fifo_buffer keeps the buffer's type", "[relay][sequence]") {
    const auto pushed = [](const dims& data, const dims& buffer, std::int64_t axis, dtype element = dtype::float32) {
        return [=](relay::builder& b) {
            return relay::nn::fifo_buffer(b.variable("x", data, element), b.variable("b", buffer), {.axis = axis});
        };
    };
    CHECK(type_of(pushed({2, 3}, {5, 3}, 0)) == "Tensor[(5, 3), float32]");
    CHECK(type_of(pushed({5, dim::any()}, {5, 3}, -1)) == "Tensor[(5, 3), float32]");
    CHECK_THAT(refusal_of(pushed({5, 3}, {5, 3}, 0)), Contains("fewer elements than the buffer has"));
    CHECK_THAT(refusal_of(pushed({2, 4}, {5, 3}, 0)), Contains("the buffer's sizes, except along `axis`"));
    CHECK_THAT(refusal_of(pushed({2}, {5, 3}, 0)), Contains("as many dimensions"));
    CHECK_THAT(refusal_of(pushed({2, 3}, {5, 3}, 2)), Contains("attribute `axis`"));
    CHECK_THAT(refusal_of(pushed({2, 3}, {5, 3}, 0, dtype::int32)), Contains("elements of type float32"));
}
