#include <tutti/relay/op/norm.hpp>

#include "../programs.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::test;
using Catch::Matchers::Contains;
using relay::dims;

namespace {

relay::expr normalised(relay::builder& b, const dims& data, const relay::batch_norm_attributes& a = {}) {
    return relay::nn::batch_norm(b.variable("x", data), b.variable("gamma"), b.variable("beta"), b.variable("mean"),
                                 b.variable("var"), a);
}

} // namespace

TEST_CASE("batch_norm: gives unannotated statistics the type of the axis, and a tuple", "[relay][norm]") {
    relay::builder b;
    CHECK(inferred(b, normalised(b, {2, 3, 4})) ==
          "(Tensor[(2, 3, 4), float32], Tensor[(3), float32], Tensor[(3), float32])");
    CHECK(inferred(b, normalised(b, {2, 3, 4}, {.axis = -1})[2]) == "Tensor[(4), float32]");
}

TEST_CASE("batch_norm: its statistics have the size of the data's axis, as far as that is known", "[relay][norm]") {
    const auto of = [](const dims& data) {
        relay::builder b;
        const auto given = b.variable("s", {relay::dim::any()});
        return inferred(b, relay::nn::batch_norm(b.variable("x", data), given, given, given, given)[1]);
    };
    CHECK(of({2, 3, 4}) == "Tensor[(3), float32]");
    CHECK(of({2, relay::dim::any(), 4}) == "Tensor[(?), float32]");
}

TEST_CASE("batch_norm: a statistic of another size is refused by its name", "[relay][norm]") {
    relay::builder b;
    const auto good = b.variable("good", {3});
    const auto bad = b.variable("bad", {4});
    CHECK(inference_refusal(b, relay::nn::batch_norm(b.variable("x", {2, 3}), good, good, bad, good)) ==
          "@main: nn.batch_norm, argument `moving_mean`: Tensor[(4), float32] does not fit `data`, "
          "Tensor[(2, 3), float32] and "
          "`gamma`, Tensor[(3), float32] and `beta`, Tensor[(3), float32] and `moving_var`, Tensor[(3), "
          "float32]; "
          "expected Tensor[(3), float32]");
    CHECK_THAT(inference_refusal(b, normalised(b, {2}, {})), Contains("attribute `axis`: 1 is not an axis"));
}

TEST_CASE("batch_norm: batch_norm waits for a statistic of unknown type", "[relay][norm]") {
    relay::builder b;
    const auto w = b.variable("w");
    const auto mean = b.tuple({w})[0]; // its type is unknown until `use` determines that of %w
    const auto x = b.variable("x", {2, 3});
    const auto stat = b.variable("stat", {3});
    const auto y = relay::nn::batch_norm(x, stat, stat, mean, stat);
    const auto use = relay::nn::batch_norm(x, stat, w, stat, stat);
    CHECK(inferred(b, b.tuple({y, use})[0]) == "(Tensor[(2, 3), float32], Tensor[(3), float32], Tensor[(3), float32])");
}

TEST_CASE("softmax: has its argument's type", "[relay][norm]") {
    relay::builder b;
    CHECK(inferred(b, relay::nn::softmax(b.variable("x", {2, 3}), {.axis = 0})) == "Tensor[(2, 3), float32]");
}

TEST_CASE("norm: instance_norm tells its channels, l2_normalize minds its axes", "[relay][norm]") {
    relay::builder b;
    const auto gamma = b.variable("g");
    const auto y = relay::nn::instance_norm(b.variable("x", {1, 5, 6, 4}), gamma, b.variable("b"), {.axis = 3});
    CHECK(inferred(b, b.tuple({y, gamma})) == "(Tensor[(1, 5, 6, 4), float32], Tensor[(4), float32])");
    relay::builder c;
    CHECK_THAT(inference_refusal(c, relay::nn::l2_normalize(c.variable("x", {2, 3}), {.eps = 0.1, .axis = {2}})),
               Contains("nn.l2_normalize, attribute `axis`: 2 is not an axis"));
    relay::builder d;
    CHECK(inferred(d, relay::nn::log_softmax(relay::nn::fast_softmax(d.variable("x", {2, 3})), {.axis = 0})) ==
          "Tensor[(2, 3), float32]");
}

TEST_CASE("norm: layer_norm and group_norm tell their channels and mind their attributes", "[relay][norm]") {
    relay::builder b;
    const auto gamma = b.variable("g");
    CHECK(inferred(b, b.tuple({relay::nn::layer_norm(b.variable("x", {1, 5, 4}), gamma, b.variable("b")), gamma})) ==
          "(Tensor[(1, 5, 4), float32], Tensor[(4), float32])");
    const auto grouped = [](const dims& x, const relay::group_norm_attributes& a, bool refused) {
        relay::builder c;
        const auto y = relay::nn::group_norm(c.variable("x", x), c.variable("g"), c.variable("b"), a);
        return refused ? inference_refusal(c, y) : inferred(c, y);
    };
    CHECK(grouped({2, 6, 5}, {.num_groups = 3}, false) == "Tensor[(2, 6, 5), float32]");
    CHECK(grouped({2, relay::dim::any()}, {.num_groups = 3}, false) == "Tensor[(2, ?), float32]");
    CHECK_THAT(grouped({2, 6, 5}, {.num_groups = 4}, true), Contains("a number of channels that the groups divide"));
    CHECK_THAT(grouped({2, 6, 5}, {}, true), Contains("nn.group_norm, attribute `num_groups`: fewer than one group"));
    CHECK_THAT(grouped({2, 6}, {.num_groups = 2, .axis = 2}, true), Contains("attribute `axis`: 2 is not an axis"));
}

TEST_CASE("norm: lrn minds its axis and its size", "[relay][norm]") {
    relay::builder b;
    CHECK(inferred(b, relay::nn::lrn(b.variable("x", {1, 5, 4, 4}))) == "Tensor[(1, 5, 4, 4), float32]");
    relay::builder c;
    CHECK_THAT(inference_refusal(c, relay::nn::lrn(c.variable("x", {5}))), Contains("nn.lrn, attribute `axis`"));
    relay::builder d;
    CHECK_THAT(inference_refusal(d, relay::nn::lrn(d.variable("x", {1, 5}), {.size = 0})),
               Contains("nn.lrn, attribute `size`: no neighbours"));
}
