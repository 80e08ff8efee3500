#include <tutti/instrument/remarks.hpp>

#include <tutti/instrument/statistics.hpp>
#include <tutti/pass/pass_context.hpp>
#include <tutti/pass/sequential.hpp>
#include <tutti/relay/model/resnet.hpp>
#include <tutti/relay/registry.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/transform/passes/convert_layout.hpp>
#include <tutti/runtime/parse_pipeline.hpp>
#include <tutti/runtime/pass_context.hpp>

#include "support/catch.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace tutti;

namespace {

const runtime::registry<relay::ir_module>& passes() {
    static const auto all = relay::registered_passes();
    return all;
}

void run(std::string_view pipeline, relay::ir_module& m, auto&... instruments) {
    const auto p = runtime::parse_pipeline(pipeline, passes());
    runtime::pass_context<relay::ir_module> ctx{{.opt_level = 4, .instruments = {instruments...}}};
    with(ctx, [&](auto& scope) { scope.run(p, m); });
}

// Runs InferType and then a pass over a program. Returns the remarks of the pass without its name.
std::string said(std::string_view pass, std::string_view program) {
    const std::string_view name = pass.substr(0, pass.find('{'));
    instrument::remarks all{{.passes = {std::string(name)}}};
    relay::ir_module m = relay::parse(program);
    run("InferType", m);
    run(pass, m, all);
    std::string text;
    for (const auto& each : all.list())
        (((text += to_string(each.kind)) += ": ") += each.where + ": ") += each.text + "\n";
    return text;
}

const std::string conv_parameters = "%x: Tensor[(1, 4, 8, 8), float32], %w: Tensor[(4, 4, 3, 3), float32]";
const std::string conv = "nn.conv2d(%x, %w, padding=[1, 1, 1, 1], channels=4, kernel_size=[3, 3])";
// Returns a program whose parameters are on line 1.
std::string function(std::string_view parameters, std::string_view lines) {
    return "def @main(" + std::string(parameters) + ") {\n" + std::string(lines) + "\n}\n";
}

} // namespace

TEST_CASE("remarks of FuseOps: fused operators, and reasons against fusion", "[relay][transform][remarks]") {
    const auto fused = [](std::string_view lines, std::string_view pass = "FuseOps") {
        return said(pass, function("%x: Tensor[(2, 4), float32]", lines));
    };
    CHECK(fused("  %0 = exp(%x);\n  %1 = tanh(%0);\n  nn.softmax(%1)") ==
          "applied: main:3:8: tanh: one function with 1 before it\n");
    CHECK(fused("  %0 = exp(%x);\n  %1 = tanh(%0);\n  (%0, %1)") ==
          "missed: main:2:8: exp: not joined: the result is used outside\n");
    CHECK(fused("  %0 = argsort(%x, axis=1, dtype=\"int32\");\n  negative(%0)") ==
          "missed: main:2:8: argsort: not joined: it is computed alone\n");
    CHECK(fused("  %0 = sum(%x, axis=[1]);\n  tanh(%0)") ==
          "missed: main:2:8: sum: not joined: nothing after a reduction joins it\n");
    CHECK(fused("  %0 = exp(%x);\n  %1 = tanh(%0);\n  negative(%1)", "FuseOps{max_depth=2}") ==
          "applied: main:3:8: tanh: one function with 1 before it\n"
          "missed: main:3:8: tanh: not joined: the function would have more nodes than max_depth, 2\n");
    CHECK(fused("  %0 = exp(%x);\n  tanh(%0)", "FuseOps{fuse_opt_level=0}") ==
          "missed: main: fuse_opt_level 0 leaves each operator alone\n");
    CHECK(said("FuseOps", function(conv_parameters, "  %0 = " + conv + ";\n  %1 = nn.relu(%0);\n  %2 = " +
                                                        "nn.conv2d(%1, %w, padding=[1, 1, 1, 1], channels=4, "
                                                        "kernel_size=[3, 3]);\n  add(%2, %1)")) ==
          "applied: main:3:8: nn.relu: one function with 1 before it\n"
          "missed: main:3:8: nn.relu: not joined: not everything between it and add at main:5:3 is elementwise\n"
          "applied: main:5:3: add: one function with 1 before it\n");
}

TEST_CASE("remarks of FoldConstant", "[relay][transform][remarks]") {
    CHECK(said("FoldConstant", function("%x: float32, %y: float32",
                                        "  %0 = add(1f, 2f);\n  %1 = multiply(%x, %0);\n  %2 = add(%1, %y);\n"
                                        "  add(%2, 1f)")) ==
          "applied: main:2:8: add: folded\n"
          "missed: main:3:8: multiply: not constant, because of the parameter %x\n");
    CHECK(said("FoldConstant{max_bytes=100}", "def @main() {\n  full(1f, shape=[100])\n}") ==
          "missed: main:2:3: full: max_bytes or max_work is not enough for the result\n");
    CHECK(said("FoldConstant", "def @main() {\n  qnn.quantize(1f, 0.5f, 0, out_dtype=\"int8\")\n}") ==
          "missed: main:2:3: qnn.quantize: is folded with fold_qnn only\n");
}

TEST_CASE("remarks of FoldScaleAxis", "[relay][transform][remarks]") {
    const auto forward = [](std::string_view lines) {
        return said("ForwardFoldScaleAxis", function(conv_parameters + ", %s: Tensor[(4, 1, 1), float32]", lines));
    };
    const std::string behind = "nn.conv2d(%0, %w, padding=[1, 1, 1, 1], channels=4, kernel_size=[3, 3])";
    CHECK(forward("  %0 = multiply(%x, %s);\n  " + behind) ==
          "applied: main:3:3: nn.conv2d: its weight takes a scale\n");
    CHECK(forward("  %0 = multiply(%x, %s);\n  %1 = " + behind + ";\n  (%0, %1)") ==
          "missed: main:2:8: multiply: not all of its users can take a scale\n");
    CHECK(forward("  %0 = multiply(%x, %x);\n  " + behind) ==
          "missed: main:2:8: multiply: no factor is one number per channel\n");
    CHECK(forward("  %9 = multiply(%x, %s);\n  %0 = nn.relu(%9);\n  " + behind) ==
          "missed: main:2:8: multiply: an activation follows it, and the factor is not a constant without negative "
          "elements\n");

    const auto backward = [](std::string_view lines) {
        return said("BackwardFoldScaleAxis", function(conv_parameters + ", %s: Tensor[(4, 1, 1), float32]", lines));
    };
    const std::string first = "  %0 = " + conv + ";\n";
    CHECK(backward(first + "  multiply(%0, %s)") ==
          "applied: main:3:3: multiply: the factor goes into the weight before it\n");
    CHECK(backward(first + "  %1 = multiply(%0, %s);\n  (%0, %1)") ==
          "missed: main:3:8: multiply: its input is used elsewhere too: nn.conv2d at main:2:8\n");
    CHECK(backward(first + "  multiply(%0, %x)") ==
          "missed: main:3:3: multiply: the factor is not one number per channel\n");
    CHECK(backward(first + "  %1 = nn.relu(%0);\n  multiply(%1, %s)") ==
          "missed: main:4:3: multiply: an activation precedes it, and the factor is not a constant without negative "
          "elements\n");
    CHECK(backward("  %0 = nn.relu(%x);\n  multiply(%0, %s)") == "");
}

TEST_CASE("remarks of CombineParallel passes", "[relay][transform][remarks]") {
    const auto convs = [](int count, std::string_view pass = "CombineParallelConv2D") {
        std::string lines;
        for (int i = 0; i < count; ++i) lines += "  %" + std::to_string(i) + " = " + conv + ";\n";
        lines += "  (%0";
        for (int i = 1; i < count; ++i) lines += ", %" + std::to_string(i);
        return said(pass, function(conv_parameters, lines + ")"));
    };
    CHECK(convs(3) == "applied: main:2:8: nn.conv2d: made one of 3\n");
    CHECK(convs(2) == "missed: main:2:8: nn.conv2d: 2 of this kind with the same data, min_num_branches is 3\n");
    CHECK(convs(1) == "");
    CHECK(
        said("CombineParallelDense{to_batch=False}",
             function("%x: Tensor[(2, 4), float32], %w: Tensor[(3, 4), float32]",
                      "  %0 = nn.dense(%x, %w, units=3);\n  %1 = nn.dense(%x, %w, units=None, out_dtype=\"float64\");\n"
                      "  %2 = nn.dense(%x, %w, units=3);\n  (%0, %1, %2)")) ==
        "missed: main:2:8: nn.dense: 2 of this kind with the same data, min_num_branches is 3; others differ in attributes "
        "or shapes\n"
        "missed: main:3:8: nn.dense: 1 of this kind with the same data, min_num_branches is 3; others differ in attributes "
        "or shapes\n");
}

TEST_CASE("remarks of SimplifyExpr: a match with an inner value that has other users", "[relay][transform][remarks]") {
    const std::string twice = "  %0 = reshape(%x, newshape=[8]);\n  %1 = reshape(%0, newshape=[4, 2]);\n";
    CHECK(said("SimplifyExpr", function("%x: Tensor[(2, 4), float32]", twice + "  %1")) ==
          "applied: main:3:8: reshape: two_reshapes\n");
    CHECK(said("SimplifyExpr", function("%x: Tensor[(2, 4), float32]", twice + "  (%0, %1)")) ==
          "missed: main:3:8: reshape: two_reshapes: reshape is used elsewhere too\n");
}

TEST_CASE("remarks of FoldExplicitPadding", "[relay][transform][remarks]") {
    const auto pad = [](std::string_view value, std::string_view mode) {
        return said("FoldExplicitPadding",
                    function(conv_parameters, "  %0 = nn.pad(%x, " + std::string(value) +
                                                  ", pad_width=[[0, 0], [0, 0], [1, 1], [1, 1]], pad_mode=\"" +
                                                  std::string(mode) + "\");\n  " +
                                                  "nn.conv2d(%0, %w, channels=4, kernel_size=[3, 3])"));
    };
    CHECK(pad("0f", "constant") == "applied: main:3:3: nn.conv2d: explicit_padding\n");
    CHECK(pad("1f", "constant") ==
          "missed: main:3:3: nn.conv2d: explicit_padding: the padding value differs from that of its own padding\n");
    CHECK(pad("0f", "edge") == "missed: main:3:3: nn.conv2d: explicit_padding: the padding mode is not constant\n");
}

TEST_CASE("remarks of EliminateCommonSubexpr", "[relay][transform][remarks]") {
    CHECK(
        said("EliminateCommonSubexpr",
             function(
                 "%x: Tensor[(2, 4), float32]",
                 "  %0 = sum(%x, axis=[1]);\n  %1 = sum(%x, axis=[1]);\n  %2 = sum(%x, axis=[0]);\n  (%0, %1, %2)")) ==
        "applied: main:3:8: sum: is computed once, at main:2:8\n"
        "missed: main:4:8: sum: has other attributes than the one at main:2:8\n");
}

TEST_CASE("remarks of ConvertLayout", "[relay][transform][remarks]") {
    const auto converted = [](std::vector<std::string> to, std::string_view lines) {
        instrument::remarks all{{.passes = {"ConvertLayout"}}};
        relay::ir_module m = relay::parse(function(conv_parameters, lines));
        with(pass_context{opt_level<3>, instruments(all)}, [&](auto& scope) {
            scope.run(sequential(relay::convert_layout{.desired_layouts = {{"nn.conv2d", std::move(to)}}}), m);
        });
        return all.render();
    };
    CHECK(
        converted({"NHWC", "default"}, "  %0 = " + conv + ";\n  %1 = nn.relu(%0);\n  nn.batch_flatten(%1)") ==
        "ConvertLayout: applied: main:2:8: nn.conv2d: NCHW becomes NHWC\n"
        "ConvertLayout: applied: main:3:8: nn.relu: NCHW becomes NHWC, as its arguments do\n"
        "ConvertLayout: missed: main:4:3: nn.batch_flatten: keeps its layout: there is no layout rule for this operator\n");
    CHECK(
        converted({"NCHW16c", "OIHW16i16o"}, "  " + conv) ==
        "ConvertLayout: missed: main:2:3: nn.conv2d: keeps its layout: its channels or its padding do not allow the other "
        "one\n");
    CHECK(converted({"NHWC", "default"},
                    "  %0 = nn.max_pool2d(%x, pool_size=[2, 2], padding=[0, 0, 0, 0]);\n  nn.relu(%0)") ==
          "ConvertLayout: missed: main:2:8: nn.max_pool2d: keeps its layout: no layout is desired for this operator\n"
          "ConvertLayout: missed: nn.conv2d: there is no call of this operator\n");
}

TEST_CASE("remarks of DynamicToStatic, ToMixedPrecision and CanonicalizeCast", "[relay][transform][remarks]") {
    CHECK(said("DynamicToStatic",
               function("%x: Tensor[(2, 4), float32], %s: Tensor[(1), int64]",
                        "  %0 = shape_of(%x, dtype=\"int64\");\n  %1 = dyn.reshape(%x, %0, newshape=[]);\n"
                        "  %2 = dyn.reshape(%x, %s, newshape=[]);\n  (%1, %2)")) ==
          "applied: main:3:8: dyn.reshape: made static\n"
          "missed: main:4:8: dyn.reshape: its argument newshape is not constant\n");
    CHECK(said("ToMixedPrecision", function("%x: Tensor[(2, 4), float32], %w: Tensor[(3, 4), float32]",
                                            "  %0 = nn.dense(%x, %w, units=3);\n  %1 = nn.relu(%0);\n  sum(%1)")) ==
          "applied: main:2:8: nn.dense: computed in float16\n"
          "applied: main:3:8: nn.relu: computed in float16\n"
          "missed: main:4:3: sum: is always computed in float32\n");
    CHECK(said("CanonicalizeCast",
               function("%x: Tensor[(2), int8], %y: Tensor[(2), float32]",
                        "  %0 = cast(%x, dtype=\"int32\");\n  %1 = abs(%0);\n  %2 = negative(%0);\n"
                        "  %3 = cast(%y, dtype=\"int32\");\n  %4 = add(%1, %3);\n  %5 = add(%2, %3);\n"
                        "  (%4, %5)")) == "applied: main:4:8: negative: cast of its own\n"
                                          "missed: main:7:8: add: shares a cast that does not widen\n");
}

TEST_CASE("remarks of FakeQuantizationToInteger", "[relay][transform][remarks]") {
    const auto quantized = [](std::string_view options, std::string_view call) {
        return said(
            "FakeQuantizationToInteger" + std::string(options),
            function("%x: Tensor[(2), int8]", "  %0 = qnn.dequantize(%x, 0.5f, 3);\n  %1 = " + std::string(call) +
                                                  ";\n  %2 = nn.relu(%1);\n"
                                                  "  qnn.quantize(%2, 0.5f, 3, out_dtype=\"int8\")"));
    };
    CHECK(quantized("", "abs(%0)") == "applied: main:5:3: qnn.quantize: computed in integers\n");
    CHECK(quantized("", "sin(%0)") == "missed: main:3:8: sin: there is no integer operator for it\n");
    CHECK(quantized("", "add(%0, 1000f)") == "missed: main:3:8: add: a constant is out of the other's range\n");
}

TEST_CASE("remarks of FlattenAtrousConv and SplitArgs", "[relay][transform][remarks]") {
    const auto atrous = [](std::string_view strides) {
        return said("FlattenAtrousConv",
                    function("%x: Tensor[(1, 4, 4, 3), float32], %w: Tensor[(3, 3, 3, 3), float32]",
                             "  %0 = nn.space_to_batch_nd(%x, block_shape=[2, 2], paddings=[[2, 2], [2, 2]]);\n"
                             "  %1 = nn.conv2d(%0, %w, strides=[1, " +
                                 std::string(strides) +
                                 "], channels=3, kernel_size=[3, 3], data_layout=\"NHWC\", kernel_layout=\"HWIO\");\n"
                                 "  nn.batch_to_space_nd(%1, block_shape=[2, 2], crops=[[0, 0], [0, 0]])"));
    };
    CHECK(atrous("1") == "applied: main:3:8: nn.conv2d: dilated\n");
    CHECK(atrous("2") ==
          "missed: main:4:3: nn.batch_to_space_nd: the layout, the blocks or the padding are not those of a "
          "dilated convolution\n");
    CHECK(said("SplitArgs{max_function_args=3}",
               function("%x: Tensor[(2), float32], %t: (Tensor[(2), float32], Tensor[(2), float32])",
                        "  %0 = (%x, %x, %x);\n  %1 = concatenate(%0);\n  %2 = concatenate(%t);\n  (%1, %2)")) ==
          "applied: main:3:8: concatenate: cut\n"
          "missed: main:4:8: concatenate: the tuple is not written out\n");
}

TEST_CASE("remarks of passes over lets and functions", "[relay][transform][remarks]") {
    const std::string lets = function("%x: float32", "  let %y = exp(%x);\n  let %z = tanh(%x);\n  %y");
    CHECK(said("DeadCodeElimination", lets) == "applied: main:3:7: %z: left out\n");
    CHECK(said("ToGraphNormalForm", lets) == "applied: main:3:7: %z: its value moves to its use\n"
                                             "applied: main:2:7: %y: its value moves to its use\n");
    CHECK(said("ToANormalForm", function("%x: float32", "  %0 = exp(%x);\n  tanh(%0)")) ==
          "applied: main: variables bound: 2\n");
    CHECK(said("DefuseOps", function("%x: float32", "  %0 = fn (%y: float32) {\n    exp(%y)\n  };\n  %0(%x)")) ==
          "applied: main:5:3: call: dissolved\n");
    CHECK(said("DefuseOps",
               function("%x: float32", "  let %f = fn (%y: float32, Primitive=1) {\n    exp(%y)\n  };\n  %f(%x)")) ==
          "missed: main:2:7: %f: a primitive function bound to a variable stays\n");
    const std::string calls = "def @main(%x: float32) {\n  %0 = @f(%x);\n  @g(%0)\n}\n"
                              "def @f(%x: float32, Inline=1) -> float32 {\n  exp(%x)\n}\n"
                              "def @g(%x: float32, Inline=1) -> float32 {\n  @g(%x)\n}\n"
                              "def @h(%x: float32) -> float32 {\n  exp(%x)\n}\n";
    CHECK(said("Inline", calls) == "applied: main:2:8: @f: inlined\nmissed: g: not inlined: is recursive\n");
    CHECK(said("RemoveUnusedFunctions", calls) == "applied: h: removed\n");
    CHECK(said("EtaExpand{expand_global_var=True}", calls) == "applied: g:9:3: @g: expanded\n"
                                                              "applied: main:3:3: @g: expanded\n"
                                                              "applied: main:2:8: @f: expanded\n");
    CHECK(said("LambdaLift", function("%x: float32", "  %0 = fn (%y: float32) {\n    exp(%y)\n  };\n  %0(%x)"))
              .starts_with("applied: main:2:8: function: becomes @lifted_name"));
    CHECK(said("LambdaLift",
               function("%x: float32", "  %0 = fn (%y: float32, Primitive=1) {\n    exp(%y)\n  };\n  %0(%x)")) ==
          "missed: main:2:8: function: a primitive function and its contents stay\n");
    CHECK(said("EtaExpand{expand_global_var=True}",
               "type Box {\n  In(float32),\n}\ndef @main() -> fn (float32) -> Box {\n  In\n}\n"
               "def @apply() {\n  (In, 1f)\n}\n") ==
          "missed: apply:8:4: constructor: is used as a value, and expand_constructor is false\n"
          "missed: main:5:3: constructor: is used as a value, and expand_constructor is false\n");
}

TEST_CASE("remarks of passes with rules: the rule, and the operator of a call", "[relay][transform][remarks]") {
    const auto unary = [](std::string_view pass, std::string_view line) {
        return said(pass, function("%x: Tensor[(2, 4), float32]", line));
    };
    CHECK(unary("FastMath", "  exp(%x)") == "applied: main:2:3: exp: rewritten\n");
    CHECK(unary("DivToMul", "  divide(%x, 2f)") == "applied: main:2:3: divide: rewritten\n");
    CHECK(unary("CanonicalizeOps", "  nn.dense(%x, %x, units=2)") == "");
    CHECK(unary("SimplifyInference", "  nn.l2_normalize(%x, eps=0.1f, axis=[1])") ==
          "applied: main:2:3: nn.l2_normalize: rewritten\n");
}

TEST_CASE("statistics: applied rewrites of passes, by name", "[relay][transform][remarks]") {
    relay::ir_module m = relay::model::resnet();
    instrument::statistics counted;
    run("SimplifyInference,EliminateCommonSubexpr,CanonicalizeOps,SimplifyExpr,FoldScaleAxis,FuseOps", m, counted);
    CHECK(counted.render() == "19  SimplifyInference      nn.batch_norm\n"
                              " 1  CanonicalizeOps        nn.bias_add\n"
                              "19  SimplifyExpr           divide_by_root\n"
                              "19  SimplifyExpr           neutral_operand\n"
                              " 9  BackwardFoldScaleAxis  folded\n"
                              "47  FuseOps                fused\n");
}

TEST_CASE("remarks: none are emitted without a listener", "[relay][transform][remarks]") {
    struct only_before {
        int passes = 0;
        void run_before_pass(const relay::ir_module&, const pass_info&) { ++passes; }
    };
    only_before beside;
    relay::ir_module m = relay::model::resnet();
    run("SimplifyInference,FoldConstant,CanonicalizeOps,SimplifyExpr,FoldScaleAxis,FuseOps", m, beside);
    CHECK(beside.passes > 6);
}
