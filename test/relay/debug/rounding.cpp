#include <tutti/relay/debug/rounding.hpp>

#include <tutti/relay/eval/evaluator.hpp>
#include <tutti/relay/eval/reference.hpp>
#include <tutti/relay/op/op_set.hpp>
#include <tutti/relay/op/standard_ops.hpp>
#include <tutti/relay/text/parser.hpp>

#include "support/catch.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace relay = tutti::relay;
using relay::dtype;
using relay::tensor;

namespace {
std::vector<tensor> with_noise(const std::string& text, std::uint64_t seed) {
    relay::evaluator e(relay::parse("#[version = \"0.0.5\"]\n" + text));
    tensor x(dtype::float32, {4});
    for (int i = 0; i < 4; ++i) x.mutable_data<float>()[i] = 1.5F + static_cast<float>(i);
    relay::rounding_noise noise(seed);
    const auto results = e.run(std::span<const tensor>(&x, 1), noise);
    return {results.begin(), results.end()};
}
} // namespace

TEST_CASE("rounding: operators declare whether they round; replaced ones round like their replacements",
          "[relay][debug]") {
    const relay::op_set ops{relay::standard_ops};
    for (const std::string_view name : {"atanh",
                                        "add",
                                        "fast_exp",
                                        "floor_mod",
                                        "nn.leaky_relu",
                                        "nn.conv3d",
                                        "nn.contrib_depthwise_conv2d_NCHWc",
                                        "nn.conv1d_transpose",
                                        "nn.deformable_conv2d",
                                        "nn.avg_pool1d",
                                        "nn.global_avg_pool2d",
                                        "nn.adaptive_avg_pool3d",
                                        "nn.dense",
                                        "nn.matmul",
                                        "nn.softmax",
                                        "nn.group_norm",
                                        "sum",
                                        "variance",
                                        "collapse_sum_to",
                                        "image.resize1d",
                                        "nn.upsampling3d",
                                        "image.grid_sample",
                                        "vision.roi_align",
                                        "stft",
                                        "dyn.image.resize2d",
                                        "dyn.nn.upsampling"}) {
        INFO(name);
        const relay::op_def* op = ops.find(name);
        REQUIRE(op != nullptr);
        CHECK(op->rounds);
        CHECK(relay::is_rounding(*op));
    }
    for (const std::string_view name :
         {"nn.relu", "abs", "maximum", "greater", "max", "nn.max_pool2d", "nn.adaptive_max_pool1d", "transpose",
          "dyn.reshape", "dyn.topk", "vision.roi_pool", "sliding_window"}) {
        INFO(name);
        REQUIRE(ops.find(name) != nullptr);
        CHECK_FALSE(relay::is_rounding(*ops.find(name)));
    }
    relay::op_def own = *ops.find("nn.relu"); // a custom kernel has unknown rounding
    own.evaluate = [](const relay::invocation&) { return true; };
    CHECK(relay::is_rounding(own));
}

TEST_CASE("rounding: the least precise type of a program", "[relay][debug]") {
    const auto coarsest = [](const std::string& text) {
        return relay::coarsest_spacing(relay::evaluator(relay::parse("#[version = \"0.0.5\"]\n" + text)).module());
    };
    CHECK(coarsest("def @main(%x: int32) { %x }") == 0);
    CHECK(coarsest("def @main(%x: float64) { exp(%x) }") == 0x1p-52);
    CHECK(coarsest("def @main(%x: float64) { cast(cast(%x, dtype=\"float16\"), dtype=\"float64\") }") == 0x1p-10);
}

TEST_CASE("rounding_noise: rounded results vary by units in the last place, differently each time", "[relay][debug]") {
    const std::string rounds = "def @main(%x: Tensor[(4), float32]) { add(%x, 1f) }";
    const tensor a = with_noise(rounds, 1)[0];
    const tensor b = with_noise(rounds, 2)[0];
    bool other = false;
    for (int i = 0; i < 4; ++i) {
        const float exact = 2.5F + static_cast<float>(i);
        CHECK(std::abs(a.data<float>()[i] - exact) <= 5 * exact * 0x1p-23F);
        other = other || a.data<float>()[i] != b.data<float>()[i];
    }
    CHECK(other);
    const tensor exact =
        with_noise("def @main(%x: Tensor[(4), float32]) { reshape(nn.relu(%x), newshape=[2, 2]) }", 1)[0];
    for (int i = 0; i < 4; ++i) CHECK(exact.data<float>()[i] == 1.5F + static_cast<float>(i));
}
