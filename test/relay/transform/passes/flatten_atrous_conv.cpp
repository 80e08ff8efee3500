#include <tutti/relay/transform/passes/flatten_atrous_conv.hpp>

#include "relay/programs.hpp"
#include "relay/transform/evaluate.hpp"
#include "relay/transform/fuse_programs.hpp"
#include "support/catch.hpp"

using namespace tutti;

namespace {

std::string atrous(std::string_view paddings, std::string_view crops, std::string_view conv = "") {
    return "def @main(%x: Tensor[(1, 5, 5, 4), float32], %w: Tensor[(3, 3, 4, 1), float32]) {\n"
           "  %0 = nn.space_to_batch_nd(%x, block_shape=[2, 2], paddings=" +
           std::string(paddings) +
           ");\n"
           "  %1 = nn.conv2d(%0, %w, padding=[0, 0, 0, 0], groups=4, channels=4, kernel_size=[3, 3], "
           "data_layout=\"NHWC\", "
           "kernel_layout=\"HWOI\"" +
           std::string(conv) +
           ");\n"
           "  nn.batch_to_space_nd(%1, block_shape=[2, 2], crops=" +
           std::string(crops) + ")\n}\n";
}

std::string flattened(const std::string& text) {
    const std::string all = test::bare_text(test::after(test::typed(text), relay::flatten_atrous_conv{}));
    return all.substr(all.find('\n') + 1);
}

bool is_flattened(const std::string& text) { return flattened(text).find("nd(") == std::string::npos; }

} // namespace

TEST_CASE("flatten_atrous_conv: a convolution of blocks becomes a dilated convolution", "[relay][transform]") {
    CHECK(flattened(atrous("[[2, 3], [2, 3]]", "[[0, 1], [0, 1]]")) ==
          "  nn.conv2d(%x, %w, padding=[2, 2, 2, 2], dilation=[2, 2], groups=4, channels=4, kernel_size=[3, "
          "3], "
          "data_layout=\"NHWC\", kernel_layout=\"HWOI\")\n}\n");
}

TEST_CASE("flatten_atrous_conv: keeps results", "[relay][transform]") {
    const relay::ir_module before = test::typed(atrous("[[2, 3], [2, 3]]", "[[0, 1], [0, 1]]"));
    const relay::ir_module after = test::after(before, relay::flatten_atrous_conv{});
    CHECK(test::relative_difference(test::evaluate(before, 4), test::evaluate(after, 4)) < 1e-5);
}

TEST_CASE("flatten_atrous_conv: skips programs that are not a dilated convolution of the data's size",
          "[relay][transform]") {
    CHECK(is_flattened(atrous("[[2, 3], [2, 3]]", "[[0, 1], [0, 1]]")));
    CHECK_FALSE(is_flattened(atrous("[[1, 2], [2, 3]]", "[[0, 0], [0, 1]]"))); // the result is smaller than x
    CHECK_FALSE(is_flattened(atrous("[[3, 2], [2, 3]]", "[[0, 1], [0, 1]]"))); // the result is shifted
    CHECK_FALSE(is_flattened(atrous("[[2, 3], [2, 3]]", "[[0, 1], [0, 1]]", ", dilation=[1, 2]")));
    std::string filled = atrous("[[2, 3], [2, 3]]", "[[0, 1], [0, 1]]");
    filled.replace(filled.find(");"), 1, ", pad_value=1f)");
    CHECK_FALSE(is_flattened(filled));
}

TEST_CASE("flatten_atrous_conv: padding with zeros that do not represent zero is not a convolution's padding",
          "[relay][transform]") {
    const auto quantized = [](std::string_view zero_point, std::string_view paddings, std::string_view crops) {
        return "def @main(%x: Tensor[(1, 4, 4, 1), uint8], %w: Tensor[(3, 3, 1, 1), int8], %z: int32) {\n"
               "  %0 = nn.space_to_batch_nd(%x, block_shape=[2, 2], paddings=" +
               std::string(paddings) + ");\n  %1 = qnn.conv2d(%0, %w, " + std::string(zero_point) +
               ", 0, 1f, 1f, padding=[0, 0, 0, 0], channels=1, kernel_size=[3, 3], data_layout=\"NHWC\", "
               "kernel_layout=\"HWIO\", out_dtype=\"int32\");\n  nn.batch_to_space_nd(%1, block_shape=[2, 2], crops=" +
               std::string(crops) + ")\n}\n";
    };
    const auto stays = [](const std::string& text, const relay::flatten_atrous_conv& pass) {
        return test::bare_text(test::after(test::typed(text), pass)).find("nd(") != std::string::npos;
    };
    const std::string_view padded = "[[2, 2], [2, 2]]";
    const std::string_view crops = "[[0, 0], [0, 0]]";
    CHECK_FALSE(stays(quantized("0", padded, crops), {}));
    for (const std::string_view zero_point : {"3", "%z"}) {
        CHECK(stays(quantized(zero_point, padded, crops), {}));
        CHECK_FALSE(stays(quantized(zero_point, padded, crops), {.as_reference = true}));
    }
}

TEST_CASE("flatten_atrous_conv: refuses a module without types", "[relay][transform]") {
    relay::ir_module m = relay::parse(atrous("[[2, 3], [2, 3]]", "[[0, 1], [0, 1]]"));
    CHECK(test::refusal(m, [](relay::ir_module& it) {
              with(pass_context{}, [&](auto& scope) { scope.run(relay::flatten_atrous_conv{}, it); });
          }) == "FlattenAtrousConv: a function has no types; expected InferType to have run before");
}
