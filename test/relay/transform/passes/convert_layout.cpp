#include <tutti/relay/transform/passes/convert_layout.hpp>

#include <tutti/base/form.hpp>
#include <tutti/instrument/remarks.hpp>
#include <tutti/relay/op/conv.hpp>
#include <tutti/relay/op/standard_ops.hpp>

#include "relay/programs.hpp"
#include "relay/transform/evaluate.hpp"
#include "relay/transform/fuse_programs.hpp"
#include "support/catch.hpp"

#include <optional>

using namespace tutti;

namespace {

const relay::convert_layout to_nhwc{.desired_layouts = {{"nn.conv2d", {"NHWC", "default"}}}};

std::string converted(std::string_view program, const auto& pass) {
    const std::string text = test::bare_text(test::after(test::typed(program), pass));
    return text.substr(text.find('\n') + 1);
}

constexpr std::string_view network = R"(
def @main(%x: Tensor[(1, 3, 8, 8), float32], %w: Tensor[(4, 3, 3, 3), float32], %b: Tensor[(4, 1, 1), float32], %v: Tensor[(4, 4, 1, 1), float32]) {
  %0 = nn.conv2d(%x, %w, padding=[1, 1, 1, 1]);
  %1 = add(%0, %b);
  %2 = nn.relu(%1);
  %3 = split(%2, indices_or_sections=2, axis=1);
  %4 = %3.0;
  %5 = %3.1;
  %6 = sigmoid(%5);
  %7 = (%6, %4);
  %8 = concatenate(%7, axis=1);
  %9 = nn.conv2d(%8, %v, padding=[0, 0, 0, 0]);
  %10 = mean(%9, axis=[2, 3], keepdims=True);
  multiply(%9, %10)
}
)";

// Custom operators: a built-in operator with a new name, an operator without a layout rule, and one with a rule.
struct blur : relay::op::nn::conv2d {
    static constexpr std::string_view name = "my.blur";
};
struct opaque_gate {
    static constexpr std::string_view name = "my.opaque_gate";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = relay::no_attributes;
    static constexpr relay::fusion_pattern pattern = relay::fusion_pattern::elementwise;
    static constexpr relay::type_id infer(relay::relation& r, const attributes&) { return r.argument(0); }
};
struct gate : opaque_gate {
    static constexpr std::string_view name = "my.gate";
    static constexpr bool layout(relay::layout_query& q) { return q.all_in(q.first()); }
};

struct no_rule_for_relu {
    static constexpr auto find = [](relay::op_def op, bool strict = true) -> relay::layout_rule {
        return strict && op.name == "nn.relu" ? nullptr : relay::layout_rules::standard::find(op);
    };
};

} // namespace

TEST_CASE("convert_layout: propagates a layout, and converts back at the end", "[relay][transform]") {
    CHECK(converted(network, to_nhwc) == R"(  %0 = layout_transform(%x, src_layout="NCHW", dst_layout="NHWC");
  %1 = layout_transform(%w, src_layout="OIHW", dst_layout="HWIO");
  %2 = expand_dims(%b, axis=0);
  %3 = nn.conv2d(%0, %1, padding=[1, 1, 1, 1], data_layout="NHWC", kernel_layout="HWIO");
  %4 = layout_transform(%2, src_layout="NCHW", dst_layout="NHWC");
  %5 = add(%3, %4);
  %6 = nn.relu(%5);
  %7 = split(%6, indices_or_sections=2, axis=3);
  %8 = %7.1;
  %9 = sigmoid(%8);
  %10 = %7.0;
  %11 = (%9, %10);
  %12 = concatenate(%11, axis=3);
  %13 = layout_transform(%v, src_layout="OIHW", dst_layout="HWIO");
  %14 = nn.conv2d(%12, %13, padding=[0, 0, 0, 0], data_layout="NHWC", kernel_layout="HWIO");
  %15 = mean(%14, axis=[1, 2], keepdims=True);
  %16 = multiply(%14, %15);
  layout_transform(%16, src_layout="NHWC", dst_layout="NCHW")
}
)");
}

TEST_CASE("convert_layout: converts back once for operators that need the old layout", "[relay][transform]") {
    CHECK(converted(R"(
def @main(%x: Tensor[(1, 3, 4, 4), float32], %w: Tensor[(4, 3, 1, 1), float32]) {
  %0 = nn.conv2d(%x, %w, padding=[0, 0, 0, 0]);
  %1 = (%0, %0);
  %2 = reshape(%0, newshape=[-1]);
  let %y = %2;
  (%1, %0, %y)
}
)",
                    to_nhwc) == R"(  %0 = layout_transform(%x, src_layout="NCHW", dst_layout="NHWC");
  %1 = layout_transform(%w, src_layout="OIHW", dst_layout="HWIO");
  %2 = nn.conv2d(%0, %1, padding=[0, 0, 0, 0], data_layout="NHWC", kernel_layout="HWIO");
  %3 = layout_transform(%2, src_layout="NHWC", dst_layout="NCHW");
  let %y: Tensor[(64), float32] = reshape(%3, newshape=[-1]);
  %4 = (%3, %3);
  (%4, %3, %y)
}
)");
}

TEST_CASE("convert_layout: without desired layouts nothing is converted", "[relay][transform]") {
    CHECK(converted(network, relay::convert_layout{}).find("layout_transform") == std::string::npos);
    const relay::convert_layout other{.desired_layouts = {{"nn.dense", {"NC"}}}};
    CHECK(converted(network, other).find("layout_transform") == std::string::npos);
}

TEST_CASE("convert_layout: accepts user-defined conversions and rules", "[relay][transform]") {
    struct channels_last {
        static TUTTI_CONSTEXPR void convert(relay::layout_change& c, std::span<const std::string>) {
            const std::string layouts[]{"NHWC", "HWIO"};
            relay::layout_conversions::convolution(c, layouts);
        }
        static constexpr relay::layout_conversion find(const relay::op_def& op, std::string_view name = "nn.conv2d") {
            return op.name == name ? &convert : nullptr;
        }
    };
    const relay::basic_convert_layout<no_rule_for_relu, channels_last> pass{{{"nn.conv2d", {}}}};
    CHECK(converted(R"(
def @main(%x: Tensor[(1, 3, 4, 4), float32], %w: Tensor[(4, 3, 1, 1), float32]) {
  %0 = nn.conv2d(%x, %w, padding=[0, 0, 0, 0]);
  nn.relu(%0)
}
)",
                    pass) == R"(  %0 = layout_transform(%x, src_layout="NCHW", dst_layout="NHWC");
  %1 = layout_transform(%w, src_layout="OIHW", dst_layout="HWIO");
  %2 = nn.conv2d(%0, %1, padding=[0, 0, 0, 0], data_layout="NHWC", kernel_layout="HWIO");
  %3 = layout_transform(%2, src_layout="NHWC", dst_layout="NCHW");
  nn.relu(%3)
}
)");
}

TEST_CASE("convert_layout: custom operators have layout rules", "[relay][transform]") {
    const relay::op_set operators = relay::op_set{relay::standard_ops}.with<blur, gate, opaque_gate>();
    relay::ir_module m = relay::parse(R"(
def @main(%x: Tensor[(1, 3, 4, 4), float32], %w: Tensor[(4, 3, 1, 1), float32]) {
  %0 = my.gate(my.blur(%x, %w, padding=[0, 0, 0, 0]));
  (my.gate(%0), my.opaque_gate(%0))
}
)",
                                      {.operators = operators});
    relay::infer_types(m);
    const relay::convert_layout pass{.desired_layouts = {{"my.blur", {"NHWC", "default"}}}};
    const std::string text = test::bare_text(test::after(std::move(m), pass));
    CHECK(text.substr(text.find('\n') + 1) == R"(  %0 = layout_transform(%x, src_layout="NCHW", dst_layout="NHWC");
  %1 = layout_transform(%w, src_layout="OIHW", dst_layout="HWIO");
  %2 = my.blur(%0, %1, padding=[0, 0, 0, 0], data_layout="NHWC", kernel_layout="HWIO");
  %3 = my.gate(%2);
  %4 = my.gate(%3);
  %5 = layout_transform(%3, src_layout="NHWC", dst_layout="NCHW");
  %6 = layout_transform(%4, src_layout="NHWC", dst_layout="NCHW");
  %7 = my.opaque_gate(%5);
  (%6, %7)
}
)");
}

TEST_CASE("convert_layout: refuses unsupported conversions, and leaves the module unchanged", "[relay][transform]") {
    relay::ir_module m = test::typed(network);
    const auto run = [](const auto& pass) {
        return [&pass](relay::ir_module& it) {
            pass_context ctx{};
            with(ctx, [&](auto& scope) { scope.run(pass, it); });
        };
    };
    const relay::convert_layout wrong{.desired_layouts = {{"nn.conv2d", {"NHWC"}}}};
    CHECK(test::refusal(m, run(wrong)).starts_with("ConvertLayout, nn.conv2d: the desired layouts [NHWC]"));
    relay::ir_module untyped = relay::parse(network);
    CHECK(test::refusal(untyped, run(to_nhwc)) ==
          "ConvertLayout: a function has no types; expected InferType to have run before");
}

// The program is from the reference's test of a split after a blocked convolution.
TEST_CASE("convert_layout: a convolution of images with blocks of channels becomes another operator",
          "[relay][transform]") {
    const relay::convert_layout blocks{.desired_layouts = {{"nn.conv2d", {"NCHW4c", "OIHW4o"}}}};
    const auto program = [](std::string_view in, std::string_view out) {
        return "def @main(%x: Tensor[(1, " + std::string(in) + ", 6, 6), float32], %w: Tensor[(" + std::string(out) +
               ", " + std::string(in) +
               ", 3, 3), float32]) {\n  %0 = nn.conv2d(%x, %w, padding=[1, 1, 1, 1]);\n  %1 = "
               "nn.relu(%0);\n  %2 = split(%1, indices_or_sections=[4], axis=1);\n  %3 = %2.0;\n  %4 = "
               "%2.1;\n  add(%3, %4)\n}\n";
    };
    CHECK(converted(program("16", "8"), blocks) ==
          R"(  %0 = layout_transform(%x, src_layout="NCHW", dst_layout="NCHW4c");
  %1 = layout_transform(%w, src_layout="OIHW", dst_layout="OIHW4o");
  %2 = nn.contrib_conv2d_NCHWc(%0, %1, padding=[1, 1, 1, 1], data_layout="NCHW4c", kernel_layout="OIHW4o");
  %3 = nn.relu(%2);
  %4 = split(%3, indices_or_sections=[1], axis=1);
  %5 = %4.0;
  %6 = %4.1;
  %7 = add(%5, %6);
  layout_transform(%7, src_layout="NCHW4c", dst_layout="NCHW")
}
)");
    const relay::ir_module m = test::typed(program("16", "8"));
    CHECK(test::relative_difference(test::evaluate(m, 3), test::evaluate(test::after(m, blocks), 3)) < 1e-5);
    const relay::convert_layout last{.desired_layouts = {{"nn.conv2d", {"NHWC4c", "OIHW4o"}}}};
    CHECK(converted(program("16", "8"), last).find("nn.conv2d(") != std::string::npos);
}

TEST_CASE("convert_layout: skips operators that the blocks do not divide", "[relay][transform]") {
    constexpr std::string_view program = R"(
def @main(%x: Tensor[(1, 6, 6, 6), float32], %w: Tensor[(8, 6, 3, 3), float32]) {
  nn.conv2d(%x, %w, padding=[1, 1, 1, 1])
}
)";
    for (const auto& [data, weight] :
         {std::pair{"NCHW4c", "OIHW4o"}, std::pair{"NHWC4c", "OIHW4o"}, std::pair{"NCHW3c", "OIHW"},
          std::pair{"NCHW2c", "OIHW3o"}, std::pair{"NCHW2c", "OIHW4i"}}) {
        INFO(data << ' ' << weight);
        const relay::convert_layout pass{.desired_layouts = {{"nn.conv2d", {data, weight}}}};
        CHECK(converted(program, pass) == "  nn.conv2d(%x, %w, padding=[1, 1, 1, 1])\n}\n");
    }
}

TEST_CASE("convert_layout: only known sizes are divided into blocks", "[relay][transform]") {
    const relay::convert_layout blocks{.desired_layouts = {{"nn.conv2d", {"NCHW4c", "OIHW4o"}}}};
    // The factor %s has one or eight rows.
    CHECK(converted(R"(
def @main(%x: Tensor[(1, 8, 4, 4), float32], %w: Tensor[(8, 8, 1, 1), float32], %s: Tensor[(?, 1, 1), float32]) {
  %0 = nn.conv2d(%x, %w, padding=[0, 0, 0, 0]);
  multiply(%0, %s)
}
)",
                    blocks) == R"(  %0 = layout_transform(%x, src_layout="NCHW", dst_layout="NCHW4c");
  %1 = layout_transform(%w, src_layout="OIHW", dst_layout="OIHW4o");
  %2 = nn.contrib_conv2d_NCHWc(%0, %1, padding=[0, 0, 0, 0], data_layout="NCHW4c", kernel_layout="OIHW4o");
  %3 = layout_transform(%2, src_layout="NCHW4c", dst_layout="NCHW");
  multiply(%3, %s)
}
)");
    // The number of channels is unknown, and need not be a multiple of four.
    CHECK(converted(R"(
def @main(%x: Tensor[(1, ?, 4, 4), float32], %w: Tensor[(8, ?, 1, 1), float32]) {
  nn.conv2d(%x, %w, padding=[0, 0, 0, 0])
}
)",
                    blocks) == "  nn.conv2d(%x, %w, padding=[0, 0, 0, 0])\n}\n");
    // Without blocks, any size works.
    CHECK(converted(R"(
def @main(%x: Tensor[(?, 8, 4, 4), float32], %w: Tensor[(8, 8, 1, 1), float32], %s: Tensor[(?, 1, 1), float32]) {
  %0 = nn.conv2d(%x, %w, padding=[0, 0, 0, 0]);
  multiply(%0, %s)
}
)",
                    to_nhwc)
              .find("data_layout=\"NHWC\"") != std::string::npos);
}

TEST_CASE("convert_layout: a variance of one block of channels", "[relay][transform]") {
    constexpr std::string_view program = R"(
def @main(%x: Tensor[(1, 2, 4, 4, 16), float32], %w: Tensor[(16, 32, 1, 1), float32]) {
  %0 = nn.conv2d(%x, %w, padding=[0, 0, 0, 0], data_layout="NCHW16c");
  variance(%0, %0, axis=[1, 4], exclude=True)
}
)";
    CHECK(converted(program, to_nhwc) == R"(  %0 = layout_transform(%x, src_layout="NCHW16c", dst_layout="NHWC");
  %1 = layout_transform(%w, src_layout="OIHW", dst_layout="HWIO");
  %2 = nn.conv2d(%0, %1, padding=[0, 0, 0, 0], data_layout="NHWC", kernel_layout="HWIO");
  %3 = variance(%2, %2, axis=[3], exclude=True);
  layout_transform(%3, src_layout="C", dst_layout="C16c")
}
)");
    const relay::ir_module m = test::typed(program);
    CHECK(test::relative_difference(test::evaluate(m, 3), test::evaluate(test::after(m, to_nhwc), 3)) < 1e-5);
}

TEST_CASE("convert_layout: a reduction that keeps all axes also keeps the axes of blocks", "[relay][transform]") {
    const relay::ir_module m = test::typed(R"(
def @main(%x: Tensor[(1, 4, 2, 3), float32], %w: Tensor[(4, 4, 1, 1), float32]) {
  %0 = nn.conv2d(%x, %w, padding=[0, 0, 0, 0]);
  sum(%0, axis=[0, 1, 2, -1], exclude=True)
}
)");
    const relay::ir_module blocks =
        test::after(m, relay::convert_layout{.desired_layouts = {{"nn.conv2d", {"NCHW4c", "OIHW4o"}}}});
    CHECK(test::bare_text(blocks).find("NCHW4c") != std::string::npos);
    CHECK(test::relative_difference(test::evaluate(m, 3), test::evaluate(blocks, 3)) < 1e-5);
}

TEST_CASE("convert_layout: reports operators without calls to convert", "[relay][transform]") {
    relay::ir_module m = test::typed(network);
    const relay::convert_layout pass{
        .desired_layouts = {{"nn.conv3x", {"NHWC"}}, {"nn.conv2d", {"NHWC", "default"}}, {"nn.relu", {"NHWC"}}}};
    instrument::remarks said{{.kinds = {remark_kind::missed}}};
    pass_context ctx{instruments(said)};
    with(ctx, [&](auto& scope) { scope.run(pass, m); });
    CHECK(
        said.render() ==
        "ConvertLayout: missed: main:5:8: nn.relu: there is no conversion for this operator: it takes the layout that it is "
        "given\n"
        "ConvertLayout: missed: nn.conv3x: there is no call of this operator\n");
}

// Tests operators that follow a convolution, along each axis of its result in turn, including the axes of blocks.
TEST_CASE("convert_layout: keeps results with any later operator, from and to blocked layouts", "[relay][transform]") {
    constexpr std::string_view followed[]{
        "mean(%0, axis=[#], exclude=True)",
        "variance(%0, %0, axis=[#])",
        "variance(%0, %0, axis=[#], keepdims=True, exclude=True)",
        "cast(argmax(%0, axis=[#], exclude=True), dtype=\"float32\")",
        "nn.relu(%0 - max(%0, axis=[#], keepdims=True))",
        "nn.softmax(%0, axis=#)",
        "nn.l2_normalize(%0, eps=1e-05f, axis=[#])",
        "concatenate((%0, %y), axis=#)",
        "split(%0, indices_or_sections=[1], axis=#).0",
        "strided_slice(%0, begin=[1], end=[3], strides=[1], axes=[#])",
        "nn.relu(nn.pad(%0, 0f, pad_width=[@]))",
        "add(squeeze(sum(%0, axis=[#], keepdims=True), axis=[#]), 1f)",
    };
    const auto program = [](std::string_view layout, std::string_view shape, std::size_t rank, std::string text,
                            std::size_t axis) {
        std::string widths;
        for (std::size_t d = 0; d < rank; ++d)
            widths += std::string(d == 0 ? "" : ", ") + (d == axis ? "[1, 3]" : "[0, 0]");
        for (std::size_t at; (at = text.find('#')) != std::string::npos;) text.replace(at, 1, std::to_string(axis));
        if (const std::size_t at = text.find('@'); at != std::string::npos) text.replace(at, 1, widths);
        if (const std::size_t at = text.find("%0 - "); at != std::string::npos)
            text = "subtract(%0, " + text.substr(at + 5);
        return "def @main(%x: Tensor[" + std::string(shape) + ", float32], %y: Tensor[" + std::string(shape) +
               ", float32], %w: Tensor[(4, 4, 1, 1), float32]) {\n  %0 = nn.conv2d(%x, %w, padding=[0, 0, 0, 0], "
               "data_layout=\"" +
               std::string(layout) + "\");\n  " + text + "\n}\n";
    };
    struct start {
        const char* layout;
        const char* shape;
        std::size_t rank;
    };
    std::size_t tried = 0;
    for (const start& from : {start{"NCHW", "(2, 4, 3, 3)", 4}, start{"NCHW4c", "(2, 1, 3, 3, 4)", 5},
                              start{"NHWC2c", "(2, 3, 3, 2, 2)", 5}})
        for (const char* to : {"NCHW", "NHWC", "NCHW4c", "NCHW2c"})
            for (const std::string_view each : followed)
                for (std::size_t axis = 0; axis < from.rank; ++axis) {
                    const std::string text = program(from.layout, from.shape, from.rank, std::string(each), axis);
                    INFO(from.layout << " to " << to << ":\n" << text);
                    std::optional<relay::ir_module> before;
                    try {
                        before = test::typed(text);
                    } catch (const error&) { // the sliced axis does not exist
                        continue;
                    }
                    ++tried;
                    const relay::convert_layout pass{.desired_layouts = {{"nn.conv2d", {to, "OIHW"}}}};
                    const relay::ir_module after = test::after(*before, pass);
                    CHECK(test::relative_difference(test::evaluate(*before, 3), test::evaluate(after, 3)) < 1e-5);
                }
    CHECK(tried > 500);
}

TEST_CASE("convert_layout: does not request blocks from an argument with different sizes", "[relay][transform]") {
    const relay::convert_layout blocks{.desired_layouts = {{"nn.conv2d", {"NCHW4c", "OIHW4o"}}}};
    const std::string text = converted(R"(
def @main(%x: Tensor[(1, 4, 3, 3), float32], %w: Tensor[(8, 4, 1, 1), float32], %l: Tensor[(1, 1, 1, 1), int32]) {
  %0 = nn.conv2d(%x, %w, padding=[0, 0, 0, 0]);
  cast_like(%0, %l)
}
)",
                                       blocks);
    CHECK(text.find("nn.contrib_conv2d_NCHWc(") != std::string::npos);
    CHECK(text.find(", %l)") != std::string::npos);
}

TEST_CASE("convert_layout: keeps results", "[relay][transform]") {
    const relay::ir_module before = test::typed(R"(
def @main(%x: Tensor[(2, 3, 8, 8), float32], %w: Tensor[(4, 3, 3, 3), float32], %b: Tensor[(4, 1, 1), float32], %v: Tensor[(5, 4, 3, 3), float32]) {
  %0 = nn.conv2d(%x, %w, padding=[1, 1, 1, 1]);
  %1 = add(%0, %b);
  %2 = nn.relu(%1);
  %3 = nn.max_pool2d(%2, pool_size=[2, 2], strides=[2, 2], padding=[0, 0, 0, 0]);
  %4 = nn.conv2d(%3, %v, padding=[0, 0, 0, 0]);
  multiply(%4, %4)
}
)");
    const relay::convert_layout passes[]{
        to_nhwc, {.desired_layouts = {{"nn.conv2d", {"NHWC", "OHWI"}}, {"nn.max_pool2d", {"NCHW"}}}}};
    for (const auto& pass : passes)
        CHECK(test::relative_difference(test::evaluate(before, 3), test::evaluate(test::after(before, pass), 3)) <
              1e-5);
}
