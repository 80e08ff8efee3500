// If passes run over the functions of a module in parallel, the results are byte-identical to those of serial
// execution. These tests also run under the thread sanitizer.

#include <tutti/instrument/remarks.hpp>
#include <tutti/instrument/statistics.hpp>
#include <tutti/parallel/thread_pool.hpp>
#include <tutti/pass/each.hpp>
#include <tutti/pass/make_pass.hpp>
#include <tutti/pass/parallel.hpp>
#include <tutti/pass/pass_context.hpp>
#include <tutti/pass/sequential.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/relay/model/layers.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/qnn.hpp>
#include <tutti/relay/op/reshape.hpp>
#include <tutti/relay/text/printer.hpp>
#include <tutti/relay/transform/function_pass.hpp>
#include <tutti/relay/transform/passes/canonicalize_ops.hpp>
#include <tutti/relay/transform/passes/convert_layout.hpp>
#include <tutti/relay/transform/passes/dead_code_elimination.hpp>
#include <tutti/relay/transform/passes/defuse_ops.hpp>
#include <tutti/relay/transform/passes/eliminate_common_subexpr.hpp>
#include <tutti/relay/transform/passes/fake_quantization_to_integer.hpp>
#include <tutti/relay/transform/passes/fold_constant.hpp>
#include <tutti/relay/transform/passes/fold_scale_axis.hpp>
#include <tutti/relay/transform/passes/fuse_ops.hpp>
#include <tutti/relay/transform/passes/infer_type.hpp>
#include <tutti/relay/transform/passes/simplify_expr.hpp>
#include <tutti/relay/transform/passes/simplify_inference.hpp>
#include <tutti/relay/transform/passes/to_a_normal_form.hpp>
#include <tutti/relay/transform/passes/to_basic_block_normal_form.hpp>
#include <tutti/relay/transform/passes/to_mixed_precision.hpp>
#include <tutti/relay/unit.hpp>
#include <tutti/runtime/any_pass.hpp>
#include <tutti/runtime/sequential.hpp>

#include "support/catch.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace relay = tutti::relay;
using tutti::kernel::tensor;

namespace {

// Returns a convolution with normalisations, scales, foldable constants, two nested reshapes and duplicate expressions.
relay::function network(int number) {
    relay::builder b;
    relay::model::layers net(b);
    const relay::expr x = b.variable("x", {1, 4, 6, 6}, relay::dtype::float32);
    relay::expr y = net.biased_conv2d(
        "c", x, {.padding = relay::dims{1, 1}, .channels = relay::dim(4), .kernel_size = relay::dims{3, 3}});
    for (int i = 0; i < number % 4; ++i) y = relay::nn::relu(net.batch_norm("n" + std::to_string(i), y, {}));
    const relay::expr scale = relay::multiply(b.constant(2.0F), b.constant(static_cast<float>(number)));
    y = relay::add(relay::multiply(y, scale), relay::multiply(y, scale));
    y = relay::reshape(relay::reshape(y, {.newshape = relay::dims{1, 144}}), {.newshape = relay::dims{4, 36}});
    relay::ir_module made = net.finish(relay::add(y, relay::exp(b.constant(1.0F))));
    return std::move(*made.find("main"));
}

std::string name_of(int number) { return "f" + std::to_string(1000 + number); }

// Returns a module of such functions. Every tenth function calls another one instead.
relay::ir_module many_functions(int count) {
    relay::ir_module m;
    for (int i = 0; i < count; ++i) {
        if (i % 10 != 9) {
            m.set(name_of(i), network(i));
            continue;
        }
        relay::builder b;
        const relay::expr callee{&b.graph(), b.graph().global(name_of(i - 5))};
        const relay::function& f = *m.find(name_of(i - 5));
        std::vector<relay::expr> params;
        for (const relay::expr_id p : f.graph.params(f.root))
            params.push_back(
                {&b.graph(), b.graph().variable(f.graph.variable_name(p),
                                                b.graph().types().import(f.graph.types(), f.graph.type(p)))});
        std::vector<relay::expr_id> arguments;
        for (const relay::expr& p : params) arguments.push_back(p.id);
        const relay::expr called{&b.graph(), b.graph().call(callee.id, arguments)};
        m.set(name_of(i), b.function(params, relay::nn::relu(called)));
    }
    return m;
}

const auto level_3 = tutti::sequential(
    relay::infer_type{}, relay::simplify_inference{}, relay::eliminate_common_subexpr{}, relay::fold_constant{},
    relay::fold_scale_axis{}, relay::simplify_expr{}, relay::canonicalize_ops{},
    relay::convert_layout{.desired_layouts = {{"nn.conv2d", {"NHWC", "default"}}, {"nn.dropout", {}}}},
    relay::fuse_ops{});

std::string transformed(auto&& ctx, const relay::ir_module& before, const auto& pipeline) {
    relay::ir_module m = before;
    tutti::with(ctx, [&](auto& scope) { scope.run(pipeline, m); });
    return relay::to_text(m);
}

} // namespace

TEST_CASE("parallel passes: the pipeline of level 3 over 200 functions gives the same text",
          "[relay][transform][parallel]") {
    const relay::ir_module before = many_functions(200);
    const std::string expected = transformed(tutti::pass_context{tutti::opt_level<3>}, before, level_3);
    CHECK(expected.find("Primitive=1") != std::string::npos);
    for (const unsigned threads : {2U, 4U}) {
        tutti::thread_pool pool{threads};
        CHECK(transformed(tutti::pass_context{tutti::opt_level<3>, tutti::on(pool)}, before, level_3) == expected);
        using context = tutti::runtime::pass_context<relay::ir_module>;
        CHECK(transformed(context{{.opt_level = 3, .executor = tutti::on(pool)}}, before,
                          tutti::runtime::sequential<relay::ir_module>({level_3})) == expected);
    }
}

TEST_CASE("parallel passes: remarks and counts come in the order of the functions", "[relay][transform][parallel]") {
    const relay::ir_module before = many_functions(40);
    const auto said = [&](auto option) {
        tutti::instrument::remarks<> remarks;
        tutti::instrument::statistics counts;
        const std::string text = transformed(
            tutti::pass_context{tutti::opt_level<3>, tutti::instruments(remarks, counts), option}, before, level_3);
        return text + remarks.render() + counts.render();
    };
    tutti::inline_executor alone;
    tutti::thread_pool pool{3};
    const std::string expected = said(tutti::on(alone));
    CHECK(expected.find("FuseOps") != std::string::npos);
    CHECK(said(tutti::on(pool)) == expected);
}

TEST_CASE("parallel passes: an error names the first function that is ill-typed", "[relay][transform][parallel]") {
    relay::ir_module before = many_functions(30);
    for (const int wrong : {19, 7, 23, 4}) {
        relay::builder b;
        const relay::expr x = b.variable("x", {2}, relay::dtype::float32),
                          y = b.variable("y", {3}, relay::dtype::float32);
        before.set(name_of(wrong), b.function({x, y}, relay::add(x, y)));
        const auto refusal = [&](auto&& ctx) {
            relay::ir_module m = before;
            std::string said;
            try {
                tutti::with(ctx, [&](auto& scope) { scope.run(relay::infer_type{}, m); });
            } catch (const tutti::error& e) {
                said = e.what();
            }
            CHECK(relay::to_text(m) == relay::to_text(before));
            return said;
        };
        tutti::thread_pool pool{3};
        const std::string expected = refusal(tutti::pass_context{});
        CHECK(expected.find("@f10") != std::string::npos);
        CHECK(refusal(tutti::pass_context{tutti::on(pool)}) == expected);
    }
}

TEST_CASE("parallel passes: FoldConstant makes as many constants as its limit allows serially",
          "[relay][transform][parallel]") {
    const relay::ir_module before = many_functions(30);
    tutti::thread_pool pool{3};
    for (const std::uint64_t bytes :
         {std::uint64_t{0}, std::uint64_t{40}, std::uint64_t{150}, std::uint64_t{1} << 28}) {
        const auto fold = tutti::sequential(relay::infer_type{}, relay::fold_constant{.max_bytes = bytes});
        const std::string expected = transformed(tutti::pass_context{tutti::opt_level<3>}, before, fold);
        CHECK(transformed(tutti::pass_context{tutti::opt_level<3>, tutti::on(pool)}, before, fold) == expected);
    }
}

TEST_CASE("parallel passes: a shared budget has the same effect as in serial execution",
          "[relay][transform][parallel]") {
    const relay::ir_module before = many_functions(30);
    const auto fused = tutti::sequential(relay::infer_type{}, relay::simplify_inference{}, relay::fuse_ops{});
    relay::ir_module m = before;
    tutti::with(tutti::pass_context{tutti::opt_level<3>}, [&](auto& scope) { scope.run(fused, m); });
    const auto defused = [&](auto&& ctx, std::uint32_t most) {
        try {
            return transformed(ctx, m, relay::defuse_ops{.max_nodes = most});
        } catch (const tutti::error& e) {
            return std::string(e.what());
        }
    };
    tutti::thread_pool pool{3};
    std::string said;
    for (const std::uint32_t most : {0U, 1U << 21}) {
        said = defused(tutti::pass_context{tutti::opt_level<3>}, most);
        CHECK(defused(tutti::pass_context{tutti::opt_level<3>, tutti::on(pool)}, most) == said);
    }
    CHECK(said.find("Primitive=1") == std::string::npos);
}

TEST_CASE("parallel passes: mixed precision, and integers for quantised numbers", "[relay][transform][parallel]") {
    relay::ir_module before = many_functions(20);
    for (int i = 0; i < 20; ++i) {
        relay::builder b;
        const relay::expr x = b.variable("x", {2, i + 1}, relay::dtype::int8);
        const relay::expr scale = b.constant(0.5F), zero = b.constant(std::int32_t{i});
        const relay::expr y = relay::nn::relu(relay::qnn::dequantize(x, {scale, zero}));
        before.set("q" + std::to_string(i),
                   b.function({x}, relay::qnn::quantize(y, {scale, zero}, {.out_dtype = relay::dtype::int8})));
    }
    const auto expect_same = [&](const auto& pipeline, std::string_view part) {
        tutti::thread_pool pool{3};
        const std::string expected = transformed(tutti::pass_context{tutti::opt_level<3>}, before, pipeline);
        CHECK(expected.find(part) != std::string::npos);
        CHECK(transformed(tutti::pass_context{tutti::opt_level<3>, tutti::on(pool)}, before, pipeline) == expected);
    };
    expect_same(tutti::sequential(relay::infer_type{}, relay::to_mixed_precision{}), "float16");
    for (const bool use_qat : {false, true})
        expect_same(tutti::sequential(relay::infer_type{}, relay::fake_quantization_to_integer{.use_qat = use_qat}),
                    "maximum(%x");
    // The error is that of the first function that cannot use integers.
    const auto hard = tutti::sequential(relay::infer_type{}, relay::fake_quantization_to_integer{.hard_fail = true});
    for (const int wrong : {17, 5}) {
        relay::builder b;
        const relay::expr x = b.variable("x", {2, wrong + 1}, relay::dtype::int8);
        const relay::expr scale = b.constant(0.5F), zero = b.constant(std::int32_t{0});
        const relay::expr y = relay::tan(relay::qnn::dequantize(x, {scale, zero}));
        before.set("q" + std::to_string(wrong),
                   b.function({x}, relay::qnn::quantize(y, {scale, zero}, {.out_dtype = relay::dtype::int8})));
        const auto refusal = [&](auto&& ctx) {
            try {
                return transformed(ctx, before, hard);
            } catch (const tutti::error& e) {
                return std::string(e.what());
            }
        };
        tutti::thread_pool pool{3};
        const std::string said = refusal(tutti::pass_context{tutti::opt_level<3>});
        CHECK(said.find("tan") != std::string::npos);
        CHECK(refusal(tutti::pass_context{tutti::opt_level<3>, tutti::on(pool)}) == said);
    }
}

TEST_CASE("parallel passes: normal forms number names through the module, and unused lets are removed",
          "[relay][transform][parallel]") {
    relay::ir_module before = many_functions(30);
    for (int i = 0; i < 10; ++i) { // functions with values that branches share, and unused values
        relay::builder b;
        const relay::expr x = b.variable("x", {2, i + 1}, relay::dtype::float32);
        const relay::expr flag = b.variable("flag", {}, relay::dtype::boolean);
        const relay::expr shared = relay::exp(x), unused = b.variable("unused"), used = b.variable("used");
        const relay::expr either = b.conditional(flag, relay::nn::relu(shared), relay::tanh(shared));
        const relay::expr body = b.let(used, relay::sigmoid(x), relay::add(used, either));
        before.set("b" + std::to_string(i), b.function({x, flag}, b.let(unused, relay::sqrt(x), body)));
    }
    const auto expect_same = [&](const auto& pipeline, std::string_view part, bool is_there) {
        const auto said = [&](auto option) {
            tutti::instrument::remarks<> remarks;
            tutti::instrument::statistics counts;
            const std::string text =
                transformed(tutti::pass_context{tutti::opt_level<3>, tutti::instruments(remarks, counts), option},
                            before, pipeline);
            CHECK((text.find(part) != std::string::npos) == is_there);
            return text + remarks.render() + counts.render();
        };
        tutti::inline_executor alone;
        const std::string expected = said(tutti::on(alone));
        for (const unsigned threads : {2U, 4U}) {
            tutti::thread_pool pool{threads};
            CHECK(said(tutti::on(pool)) == expected);
        }
    };
    expect_same(tutti::sequential(relay::infer_type{}, relay::to_a_normal_form{}), "%x_100", true);
    expect_same(tutti::sequential(relay::infer_type{}, relay::to_basic_block_normal_form{}), "%x_9", true);
    expect_same(tutti::sequential(relay::infer_type{}, relay::dead_code_elimination{}), "%unused", false);
    expect_same(tutti::sequential(relay::infer_type{}, relay::dead_code_elimination{.inline_once = true}), "%used",
                false);
    // Without types, the pass throws, and the module is unchanged.
    relay::ir_module m = before;
    tutti::thread_pool pool{3};
    tutti::pass_context ctx{tutti::opt_level<3>, tutti::on(pool)};
    CHECK_THROWS_AS(tutti::with(ctx, [&](auto& scope) { scope.run(relay::dead_code_elimination{}, m); }), tutti::error);
    CHECK(relay::to_text(m) == relay::to_text(before));
}

TEST_CASE("parallel passes: each and lifted passes over functions", "[relay][transform][parallel]") {
    const relay::ir_module before = many_functions(30);
    const auto rename = tutti::make_pass<"Rename">([](relay::function f, auto& ctx) {
        ctx.count("seen");
        f.graph.constant(tensor::scalar(1.0F)); // an unused constant
        return f;
    });
    const auto both =
        tutti::sequential(relay::infer_type{}, tutti::each<relay::function>(rename), relay::function_pass(rename));
    const auto counted = [&](auto&&... option) {
        tutti::instrument::statistics counts;
        const std::string text = transformed(tutti::pass_context{tutti::instruments(counts), option...}, before, both);
        return text + counts.render();
    };
    tutti::thread_pool pool{3};
    CHECK(counted(tutti::on(pool)) == counted());
}
