// Passes do not change the results of programs with data types, matches, references and type parameters.

#include <tutti/base/error.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/relay/eval/evaluator.hpp>
#include <tutti/relay/ir/equal.hpp>
#include <tutti/relay/model/prelude.hpp>
#include <tutti/relay/op/verify.hpp>
#include <tutti/relay/registry.hpp>
#include <tutti/relay/text/metadata.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/text/print/values.hpp>
#include <tutti/relay/text/printer.hpp>
#include <tutti/runtime/parse_pipeline.hpp>
#include <tutti/runtime/pass_context.hpp>

#include "support/catch.hpp"

#include <string>
#include <string_view>

using namespace tutti;

namespace {

constexpr std::string_view list_program =
    "def @main() {\n"
    "  let %xs = Cons(1, Cons(2, Cons(3, Nil)));\n"
    "  let %k = @length(%xs);\n"
    "  let %ys = @map(fn (%x: int32) -> int32 { %x * %k }, %xs);\n"
    "  let %unused = @rev(%ys);\n"
    "  (@foldl(fn (%a: int32, %x: int32) -> int32 { %a * 10 + %x }, 0, %ys), @foldr(Cons, %xs, %ys), %k)\n"
    "}\n";
constexpr std::string_view list_value = "(369, Cons(3, Cons(6, Cons(9, Cons(1, Cons(2, Cons(3, Nil)))))), 3)";

// A program that evaluates an expression tree with numbers, sums, products and variables.
constexpr std::string_view tree_program =
    "type Term { Number(float32), Plus(Term, Term), Times(Term, Term), Variable(int32) }\n"
    "def @value(%t: Term, %values: List[float32]) -> float32 {\n"
    "  match (%t) {\n"
    "    Number(%x) => %x,\n"
    "    Plus(%a, %b) => @value(%a, %values) + @value(%b, %values),\n"
    "    Times(Number(%x), %b) => %x * @value(%b, %values),\n"
    "    Times(%a, %b) => @value(%a, %values) * @value(%b, %values),\n"
    "    Variable(%n) => @nth(%values, %n),\n"
    "  }\n"
    "}\n"
    "def @double(%x: Term, Inline=1) -> Term { Plus(%x, %x) }\n"
    "def @main() { @value(@double(Times(Number(2f), Plus(Variable(0), Variable(1)))), Cons(3f, Cons(4f, Nil))) }\n";
constexpr std::string_view tree_value = "28f";

constexpr std::string_view reference_program =
    "def @main() {\n"
    "  let %r = ref(1);\n"
    "  let %add = fn (%n: int32) -> int32 { ref_write(%r, ref_read(%r) + %n); ref_read(%r) };\n"
    "  let %a = %add(2);\n"
    "  let %unused = %add(3);\n"
    "  let %first = (%a, %add(4)).0;\n"
    "  (%a, %first, ref_read(%r))\n"
    "}\n";
constexpr std::string_view reference_value = "(3, 3, 10)";

relay::ir_module read(std::string_view program) {
    return relay::parse(std::string(relay::prelude) + std::string(program));
}

std::string value(const relay::ir_module& m) {
    relay::evaluator run(m);
    const auto tensors = run.run(std::span<const relay::tensor>{});
    std::string out;
    relay::append_value(out, run.parts(),
                        [&](std::string& to, std::size_t n) { relay::text::append_literal(to, tensors[n]); });
    return out;
}

std::string after(std::string_view program, std::string_view pipeline) {
    static const auto passes = relay::registered_passes();
    relay::ir_module m = read(program);
    try {
        runtime::pass_context<relay::ir_module> ctx{{.opt_level = 4}};
        const auto made = runtime::parse_pipeline(pipeline, passes);
        tutti::with(ctx, [&](auto& scope) { scope.run(made, m); });
        relay::verify(m);
        const relay::ir_module again =
            relay::parse(relay::to_text(m, {.metadata = relay::write_metadata}), {.metadata = &relay::read_metadata});
        CHECK(relay::structural_equal(again, m));
        CHECK(relay::to_text(again) == relay::to_text(m));
        return value(again);
    } catch (const error& e) {
        return e.what() + ("\n" + relay::to_text(m));
    }
}

} // namespace

TEST_CASE("general values: passes keep the results of programs", "[relay][transform]") {
    for (const char* pipeline :
         {"InferType",
          "ToANormalForm",
          "InferType,ToANormalForm,InferType",
          "ToBasicBlockNormalForm,InferType",
          "ToGraphNormalForm",
          "InferType,DeadCodeElimination",
          "InferType,DeadCodeElimination{inline_once=True},InferType",
          "Inline,InferType",
          "InferType,LambdaLift,InferType",
          "InferType,EtaExpand{expand_constructor=True},InferType",
          "InferType,EtaExpand{expand_constructor=True,expand_global_var=True},InferType",
          "FoldConstant",
          "EliminateCommonSubexpr",
          "SimplifyExpr",
          "FuseOps",
          "RemoveUnusedFunctions",
          "ToMixedPrecision",
          "CanonicalizeOps,FastMath,SimplifyInference",
          "AlterOpLayout,FoldScaleAxis,CombineParallelDense",
          "ConvertLayout{nn.conv2d=[NHWC,default]}",
          "CanonicalizeOps",
          "FastMath",
          "SimplifyInference",
          "DynamicToStatic",
          "DivToMul",
          "InferType,ToANormalForm,InferType,DeadCodeElimination,Inline,InferType,LambdaLift,InferType,"
          "EtaExpand{expand_constructor=True},InferType,FuseOps,DefuseOps,FoldConstant"}) {
        INFO(pipeline);
        CHECK(after(list_program, pipeline) == list_value);
        CHECK(after(tree_program, pipeline) == tree_value);
        CHECK(after(reference_program, pipeline) == reference_value);
    }
}

TEST_CASE("general values: elements with lanes have types, kept by passes, and no values", "[relay][transform]") {
    constexpr std::string_view program =
        "#[version = \"0.0.5\"]\n"
        "def @main(%x: Tensor[(2, 3), int8x4] /* ty=Tensor[(2, 3), int8x4] */, %s: float32x8 /* ty=float32x8 */) -> "
        "(Tensor[(2, 3), int8x4], float32x8, Tensor[(3, 2), uint1x4]) {\n"
        "  %0 = add(%x, %x) /* ty=Tensor[(2, 3), int8x4] */;\n"
        "  %1 = transpose(%x, axes=None) /* ty=Tensor[(3, 2), int8x4] */;\n"
        "  %2 = nn.relu(%0) /* ty=Tensor[(2, 3), int8x4] */;\n"
        "  %3 = multiply(%s, %s) /* ty=float32x8 */;\n"
        "  %4 = cast(%1, dtype=\"uint1x4\") /* ty=Tensor[(3, 2), uint1x4] */;\n"
        "  (%2, %3, %4) /* ty=(Tensor[(2, 3), int8x4], float32x8, Tensor[(3, 2), uint1x4]) */\n"
        "}\n";
    static const auto passes = relay::registered_passes();
    for (const char* pipeline :
         {"InferType",
          "InferType,SimplifyInference,EliminateCommonSubexpr,FoldConstant,SimplifyExpr,CanonicalizeCast,InferType",
          "CanonicalizeOps,FoldScaleAxis,FastMath,DivToMul,DynamicToStatic,InferType", "FuseOps,DefuseOps,InferType",
          "ToMixedPrecision,InferType", "ToANormalForm,ToGraphNormalForm,InferType"}) {
        INFO(pipeline);
        relay::ir_module m = relay::parse(program);
        runtime::pass_context<relay::ir_module> ctx{{.opt_level = 4}};
        const auto made = runtime::parse_pipeline(pipeline, passes);
        tutti::with(ctx, [&](auto& scope) { scope.run(made, m); });
        relay::verify(m);
        CHECK(relay::to_text(m) == program);
    }
    relay::evaluator run(relay::parse("def @main() { zeros(shape=[2], dtype=\"int8x4\") }"));
    try {
        run.run(std::span<const relay::tensor>{});
        FAIL_CHECK("it ran");
    } catch (const error& e) {
        CHECK(std::string(e.what()).find("has elements with lanes: int8x4; expected int8 and one more dimension") !=
              std::string::npos);
    }
}
