// What passes over ResNet-18 cost. Targets: InferType in at most 60 us (the reference: 2,900 us on such a machine, 6,663 us in its
// tutorial); the pipeline of level 3 in at most 1,500 us, no constants bound (the reference: 670,000 us, of which SimplifyExpr 537,000).

#include <tutti/pass/pass_context.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/relay/model/resnet.hpp>
#include <tutti/relay/text/printer.hpp>
#include <tutti/relay/transform/passes/canonicalize_ops.hpp>
#include <tutti/relay/transform/passes/eliminate_common_subexpr.hpp>
#include <tutti/relay/transform/passes/fold_constant.hpp>
#include <tutti/relay/transform/passes/fold_scale_axis.hpp>
#include <tutti/relay/transform/passes/fuse_ops.hpp>
#include <tutti/relay/transform/passes/infer_type.hpp>
#include <tutti/relay/transform/passes/simplify_expr.hpp>
#include <tutti/relay/transform/passes/simplify_inference.hpp>

#include <string>

#include <benchmark/benchmark.h>

namespace relay = tutti::relay;

namespace {

/// The network without inferred types, its parameters declared: as a program that was read.
relay::ir_module untyped() {
    relay::ir_module m = relay::model::resnet();
    for (auto& [name, f] : m)
        for (std::uint32_t i = 0; i < f.graph.size(); ++i) f.graph.set_type(relay::expr_id{i}, relay::type_id::none);
    return m;
}

template <class Pass>
void run(benchmark::State& state, Pass pass) {
    const relay::ir_module before = untyped();
    tutti::pass_context ctx{tutti::opt_level<3>};
    for (auto _ : state) {
        state.PauseTiming();
        relay::ir_module m = before;
        state.ResumeTiming();
        tutti::with(ctx, [&](auto& scope) { scope.run(pass, m); });
        benchmark::DoNotOptimize(m);
    }
}

void infer_again(benchmark::State& state) {
    relay::ir_module m = relay::model::resnet();
    tutti::pass_context ctx{tutti::opt_level<3>};
    for (auto _ : state) {
        tutti::with(ctx, [&](auto& scope) { scope.run(relay::infer_type{}, m); });
        benchmark::DoNotOptimize(m);
    }
}

void copy(benchmark::State& state) {
    const relay::ir_module m = relay::model::resnet();
    for (auto _ : state) {
        relay::ir_module other = m;
        benchmark::DoNotOptimize(other);
    }
}

void print(benchmark::State& state) {
    const relay::ir_module m = relay::model::resnet();
    for (auto _ : state) benchmark::DoNotOptimize(relay::to_text(m));
}

void build(benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(relay::model::resnet());
}

} // namespace

BENCHMARK_CAPTURE(run, InferType, relay::infer_type{})->Unit(benchmark::kMicrosecond);
BENCHMARK(infer_again)->Name("InferType, types known already")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(run, FoldConstant, relay::fold_constant{})->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(run, InferType_FoldScaleAxis, tutti::sequential(relay::infer_type{}, relay::fold_scale_axis{}))
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(run, level_3_pipeline,
                  tutti::sequential(relay::infer_type{}, relay::simplify_inference{}, relay::eliminate_common_subexpr{},
                                    relay::fold_constant{}, relay::fold_scale_axis{}, relay::simplify_expr{},
                                    relay::canonicalize_ops{}, relay::fuse_ops{}))
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(build)->Name("build and infer")->Unit(benchmark::kMicrosecond);
BENCHMARK(copy)->Name("copy")->Unit(benchmark::kMicrosecond);
BENCHMARK(print)->Name("print")->Unit(benchmark::kMicrosecond);
BENCHMARK_MAIN();
