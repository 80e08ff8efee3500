#include <tutti/relay/op/signal.hpp>

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

TEST_CASE("signal: sliding_window has an axis for the places of each window and one for the window",
          "[relay][signal]") {
    const auto slid = [](std::int64_t axis, const dims& window, const dims& strides) {
        return [=](expr x) {
            return relay::sliding_window(x, {.axis = axis, .window_shape = window, .strides = strides});
        };
    };
    CHECK(type_of({2, 3, 32, 32}, slid(1, {3, 4, 5}, {1, 2, 3}), dtype::int8) ==
          "Tensor[(2, 1, 15, 10, 3, 4, 5), int8]");
    CHECK(type_of({2, dim::any()}, slid(-1, {4}, {2})) == "Tensor[(2, ?, 4), float32]");
    CHECK_THAT(refusal_of({2, 3}, slid(2, {}, {})), Contains("sliding_window, attribute `axis`"));
    CHECK_THAT(refusal_of({2, 3}, slid(1, {2, 2}, {1, 1})), Contains("attribute `window_shape`"));
    CHECK_THAT(refusal_of({2, 3}, slid(1, {0}, {1})), Contains("positive sizes"));
    CHECK_THAT(refusal_of({2, 3}, slid(1, {2}, {1, 1})), Contains("attribute `strides`"));
    CHECK_THAT(refusal_of({2, 3}, slid(1, {2}, {0})), Contains("positive strides"));
    CHECK_THAT(refusal_of({2, 3}, slid(1, {4}, {1})), Contains("at least the size of the window"));
}

TEST_CASE("signal: stft gives frequencies of frames, in two parts", "[relay][signal]") {
    const auto transformed = [](const dims& data, const dims& window, const relay::stft_attributes& a) {
        return [=](builder& b) { return relay::stft(b.variable("x", data), b.variable("w", window), a); };
    };
    const relay::stft_attributes a{.n_fft = 8, .hop_length = 3, .win_length = 6};
    CHECK(type_of(transformed({2, 20}, {6}, a)) == "Tensor[(2, 5, 5, 2), float32]");
    CHECK(type_of(transformed({20}, {6}, {.n_fft = 8, .hop_length = 3, .win_length = 6, .onesided = false})) ==
          "Tensor[(8, 5, 2), float32]");
    CHECK(type_of(transformed({2, dim::any()}, {6}, a)) == "Tensor[(2, 5, ?, 2), float32]");
    CHECK_THAT(refusal_of(transformed({2, 2, 20}, {6}, a)), Contains("stft, argument `data`"));
    CHECK_THAT(refusal_of(transformed({2, 7}, {6}, a)), Contains("no shorter than `n_fft`"));
    CHECK_THAT(refusal_of(transformed({2, 20}, {5}, a)), Contains("argument `window`"));
    CHECK_THAT(refusal_of(transformed({2, 20}, {6}, {})), Contains("attribute `n_fft`"));
    CHECK_THAT(refusal_of(transformed({2, 20}, {6}, {.n_fft = 8})), Contains("attribute `hop_length`"));
    CHECK_THAT(refusal_of(transformed({2, 20}, {6}, {.n_fft = 8, .hop_length = 1, .win_length = 9})),
               Contains("attribute `win_length`"));
}
