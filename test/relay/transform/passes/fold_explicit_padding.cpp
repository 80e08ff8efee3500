#include <tutti/relay/transform/passes/fold_explicit_padding.hpp>

#include <tutti/pass/pass_context.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/relay/op/conv.hpp>
#include <tutti/relay/op/dense.hpp>
#include <tutti/relay/op/pad.hpp>
#include <tutti/relay/op/pool.hpp>

#include "relay/programs.hpp"
#include "relay/transform/fuse_programs.hpp"
#include "support/catch.hpp"

#include <limits>

using namespace tutti;

namespace {

template <class Pass>
void run(const Pass& pass, relay::ir_module& m) {
    pass_context ctx{opt_level<3>};
    with(ctx, [&](auto& scope) { scope.run(pass, m); });
}

// Runs the pass over a call on a padded image. Returns the printed program.
std::string folded(std::string_view padding, std::string_view call,
                   std::string_view image = "Tensor[(1, 3, 8, 8), float32]") {
    relay::ir_module m = test::typed("def @main(%x: " + std::string(image) +
                                     ", %w: Tensor[(4, 3, 3, 3), float32], %v: float32) {\n  %0 = nn.pad(%x, " +
                                     std::string(padding) + ");\n  " + std::string(call) + "\n}");
    run(relay::fold_explicit_padding{}, m);
    const std::string text = test::bare_text(m);
    run(relay::fold_explicit_padding{}, m);
    if (test::bare_text(m) != text) return "not idempotent";
    const std::size_t body = text.find("{\n") + 2;
    return text.substr(body, text.rfind("\n}") - body);
}

constexpr std::string_view spatial_one = "0f, pad_width=[[0, 0], [0, 0], [1, 2], [3, 4]]";
constexpr std::string_view convolution = "nn.conv2d(%0, %w, padding=[0, 1, 0, 0])";

} // namespace

TEST_CASE("fold_explicit_padding: a convolution takes over zero padding along its spatial axes", "[relay][transform]") {
    CHECK(folded(spatial_one, convolution) == "  nn.conv2d(%x, %w, padding=[1, 4, 2, 4])");
    CHECK(folded(spatial_one, "nn.conv2d(%0, %w, padding=[1])") == "  nn.conv2d(%x, %w, padding=[2, 4, 3, 5])");
    CHECK(folded(spatial_one, "nn.conv2d(%0, %w, padding=[1, 2])") == "  nn.conv2d(%x, %w, padding=[2, 5, 3, 6])");
    CHECK(folded("0f, pad_width=[[0, 0], [1, 2], [3, 4], [0, 0]]",
                 "nn.conv2d(%0, %w, padding=[0, 0, 0, 0], data_layout=\"NHWC\")",
                 "Tensor[(1, 8, 8, 3), float32]") == "  nn.conv2d(%x, %w, padding=[1, 3, 2, 4], data_layout=\"NHWC\")");
}

TEST_CASE("fold_explicit_padding: keeps other values, modes and axes", "[relay][transform]") {
    for (const std::string_view padding :
         {"1f, pad_width=[[0, 0], [0, 0], [1, 1], [1, 1]]",
          "0f, pad_width=[[0, 0], [0, 0], [1, 1], [1, 1]], pad_mode=\"edge\"",
          "0f, pad_width=[[1, 0], [0, 0], [1, 1], [1, 1]]", "%v, pad_width=[[0, 0], [0, 0], [1, 1], [1, 1]]"}) {
        INFO(padding);
        CHECK(folded(padding, convolution) ==
              "  %0 = nn.pad(%x, " + std::string(padding) + ");\n  " + std::string(convolution));
    }
}

TEST_CASE("fold_explicit_padding: folds consecutive paddings", "[relay][transform]") {
    CHECK(
        folded(
            spatial_one,
            "%1 = nn.pad(%0, 0f, pad_width=[[0, 0], [0, 0], [1, 0], [0, 0]]);\n  nn.conv2d(%1, %w, padding=[0, 0, 0, 0])") ==
        "  nn.conv2d(%x, %w, padding=[2, 3, 2, 4])");
    CHECK(
        folded(
            "1f, pad_width=[[0, 0], [0, 0], [1, 1], [1, 1]]",
            "%1 = nn.pad(%0, 0f, pad_width=[[0, 0], [0, 0], [1, 0], [0, 0]]);\n  nn.conv2d(%1, %w, padding=[0, 0, 0, 0])") ==
        "  %0 = nn.pad(%x, 1f, pad_width=[[0, 0], [0, 0], [1, 1], [1, 1]]);\n  nn.conv2d(%0, %w, padding=[1, 0, 0, 0])");
}

TEST_CASE("fold_explicit_padding: an average with folded padding counts it, so its own padding must count too",
          "[relay][transform]") {
    CHECK(folded(spatial_one, "nn.avg_pool2d(%0, pool_size=[2, 2], padding=[0, 0, 0, 0])") ==
          "  nn.avg_pool2d(%x, pool_size=[2, 2], padding=[1, 3, 2, 4], count_include_pad=True)");
    CHECK(folded(spatial_one, "nn.avg_pool2d(%0, pool_size=[2, 2], padding=[1, 0, 0, 0], count_include_pad=True)") ==
          "  nn.avg_pool2d(%x, pool_size=[2, 2], padding=[2, 3, 2, 4], count_include_pad=True)");
    const std::string own = "nn.avg_pool2d(%0, pool_size=[2, 2], padding=[1, 0, 0, 0])";
    CHECK(folded(spatial_one, own) == "  %0 = nn.pad(%x, " + std::string(spatial_one) + ");\n  " + own);
}

TEST_CASE("fold_explicit_padding: maxima take over the least value of the type only", "[relay][transform]") {
    const std::string pool = "nn.max_pool2d(%0, pool_size=[2, 2], padding=[0, 0, 0, 0])";
    CHECK(folded(spatial_one, pool).find("nn.pad") != std::string::npos);
    const auto least = [&](relay::tensor value, const relay::fold_explicit_padding& pass = {}) {
        relay::builder b;
        const auto x = b.variable("x", {1, 3, 8, 8}, value.type());
        const auto padded = relay::nn::pad(x, b.constant(std::move(value)),
                                           {.pad_width = std::vector<relay::dims>{{0, 0}, {0, 0}, {1, 0}, {0, 1}}});
        relay::ir_module m(test::closed(b, relay::nn::max_pool2d(padded, {.pool_size = relay::dims{2, 2}})));
        relay::infer_types(m);
        run(pass, m);
        return test::bare_text(m).find("nn.pad") == std::string::npos;
    };
    constexpr float infinite = std::numeric_limits<float>::infinity();
    CHECK(least(relay::tensor::scalar(-infinite)));
    CHECK(least(relay::tensor::scalar(-std::numeric_limits<double>::infinity())));
    CHECK(least(relay::tensor::scalar(kernel::float16(-infinite))));
    CHECK(least(relay::tensor::scalar(std::int8_t{-128})));
    CHECK(least(relay::tensor::scalar(std::uint8_t{0})));
    CHECK_FALSE(least(relay::tensor::scalar(std::int8_t{-127})));
    // The maximum of a window with only padding, or with padding and minus infinity, is the padding value. It would
    // become minus infinity, so a finite value is not folded.
    CHECK_FALSE(least(relay::tensor::scalar(std::numeric_limits<float>::lowest())));
    const relay::fold_explicit_padding by_reference{.as_reference = true};
    CHECK(least(relay::tensor::scalar(std::numeric_limits<float>::lowest()), by_reference));
    CHECK(least(relay::tensor::scalar(std::numeric_limits<double>::lowest()), by_reference));
    CHECK(least(relay::tensor::scalar(kernel::float16(-65504.0F)), by_reference));
    CHECK(least(relay::tensor::scalar(std::int8_t{-128}), by_reference));
    CHECK_FALSE(least(relay::tensor::scalar(-infinite), by_reference));
}

TEST_CASE("fold_explicit_padding: skips an average with a window beyond the end, which would count other cells",
          "[relay][transform]") {
    const auto stays = [](std::string_view attributes, const relay::fold_explicit_padding& pass) {
        relay::ir_module m = test::typed(
            "def @main(%x: Tensor[(1, 1, 4, 4), float32]) {\n  %0 = nn.pad(%x, 0f, pad_width=[[0, 0], [0, 0], [1, 0], "
            "[1, 0]]);\n  nn.avg_pool2d(%0, padding=[0, 0, 0, 0], " +
            std::string(attributes) + ")\n}");
        run(pass, m);
        return test::bare_text(m).find("nn.pad") != std::string::npos;
    };
    for (const std::string_view hanging :
         {"pool_size=[2, 2], strides=[2, 2], ceil_mode=True", "pool_size=[1, 2], strides=[1, 2], ceil_mode=True",
          "pool_size=[2, 2], strides=[2, 2], dilation=[3, 3], ceil_mode=True"}) {
        INFO(hanging);
        CHECK(stays(hanging, {}));
        CHECK_FALSE(stays(hanging, {.as_reference = true}));
    }
    CHECK_FALSE(stays("pool_size=[3, 3], strides=[2, 2], ceil_mode=True", {})); // no window overhangs
    CHECK_FALSE(stays("pool_size=[2, 2], strides=[2, 2], ceil_mode=True, count_include_pad=True", {}));
    CHECK_FALSE(stays("pool_size=[2, 2], strides=[2, 2]", {}));
}

TEST_CASE("fold_explicit_padding: skips axes in an order other than D, H, W", "[relay][transform]") {
    const std::string pool = "nn.avg_pool2d(%0, pool_size=[2, 3], padding=[0, 0, 0, 0], layout=\"NCWH\")";
    CHECK(folded("0f, pad_width=[[0, 0], [0, 0], [1, 0], [0, 2]]", pool).find("nn.pad") != std::string::npos);
}

TEST_CASE("fold_explicit_padding: keeps a padding with other users", "[relay][transform]") {
    constexpr std::string_view one = "0f, pad_width=[[0, 0], [0, 0], [1, 1], [1, 1]]";
    for (const std::string shared :
         {"%1 = nn.conv2d(%0, %w, padding=[0, 0, 0, 0]);\n  (%1, %0)",
          "%1 = nn.conv2d(%0, %w, padding=[0, 0, 0, 0]);\n  %2 = nn.conv2d(%0, %w, padding=[1, 1, 1, 1]);\n  (%1, %2)"})
        CHECK(folded(one, shared) == "  %0 = nn.pad(%x, " + std::string(one) + ");\n  " + shared);
}

TEST_CASE("fold_explicit_padding: a quantised convolution takes over its zero point", "[relay][transform]") {
    const auto pads = [](std::string_view value) {
        relay::ir_module m = test::typed(
            "def @main(%x: Tensor[(1, 3, 8, 8), int8], %w: Tensor[(4, 3, 3, 3), int8]) {\n  %0 = nn.pad(%x, " +
            std::string(value) +
            ");\n  qnn.conv2d(%0, %w, 10, 1, 1f, 1f, "
            "padding=[0, 0, 0, 0], channels=4, kernel_size=[3, 3], out_dtype=\"int32\")\n}");
        run(relay::fold_explicit_padding{}, m);
        return test::bare_text(m).find("nn.pad") != std::string::npos;
    };
    const std::string width = ", pad_width=[[0, 0], [0, 0], [1, 1], [1, 1]]";
    CHECK(!pads("10" + width));
    CHECK(pads("0" + width));
    CHECK(pads("10f" + width));
    CHECK(pads("10" + width + ", pad_mode=\"edge\""));
}

TEST_CASE("fold_explicit_padding: refuses a module without types", "[relay][transform]") {
    relay::ir_module m = relay::parse(test::residual_block);
    CHECK(test::refusal(m, [](relay::ir_module& it) { run(relay::fold_explicit_padding{}, it); }) ==
          "FoldExplicitPadding: a function has no types; expected InferType to have run before");
}
