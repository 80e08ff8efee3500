// The cost of passes over ResNet-18, and the targets. InferType takes 60 us (the reference takes 2,900 us on a
// comparable machine, and 6,663 us in its tutorial). The pipeline of level 3, without bound constants, takes 1,500 us
// (the reference takes 670,000 us, of which SimplifyExpr takes 537,000 us). print_changed with quiet costs, per pass,
// at most 3 times the printing of one module.

#include <tutti/instrument/print_changed.hpp>
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
#include <tutti/relay/unit.hpp>

#include "cpu_time.hpp"

#include <cstddef>
#include <string>
#include <string_view>

#include <benchmark/benchmark.h>

namespace relay = tutti::relay;

namespace {

/// Returns the network as if it were parsed, with declared parameters and without inferred types.
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

void fingerprint(benchmark::State& state) {
    const relay::ir_module m = relay::model::resnet();
    for (auto _ : state) benchmark::DoNotOptimize(relay::fingerprint_of(m));
}

const auto level_3 = tutti::sequential(
    relay::infer_type{}, relay::simplify_inference{}, relay::eliminate_common_subexpr{}, relay::fold_constant{},
    relay::fold_scale_axis{}, relay::simplify_expr{}, relay::canonicalize_ops{}, relay::fuse_ops{});

// Measures the cost of print_changed with quiet, per pass, as a multiple of printing one module. Required and nested
// passes count as passes.
void name_what_changes(benchmark::State& state) {
    const relay::ir_module before = untyped();
    std::size_t passes = 0;
    const auto run_with = [&](auto... instrument) {
        return ns(
            1, [&] { return before; },
            [&](relay::ir_module& m) {
                tutti::pass_context ctx{tutti::opt_level<3>, tutti::instruments(instrument...)};
                tutti::with(ctx, [&](auto& scope) { scope.run(level_3, m); });
                return m.size();
            });
    };
    struct counter {
        std::size_t* passes;
        void run_after_pass(const relay::ir_module&, const tutti::pass_info&) { ++*passes; }
    };
    const auto ignore = [](std::string_view) {};
    const tutti::instrument::print_changed quiet{{.form = tutti::instrument::changed_form::quiet}, ignore};
    {
        relay::ir_module m = before;
        tutti::pass_context ctx{tutti::opt_level<3>, tutti::instruments(counter{&passes})};
        tutti::with(ctx, [&](auto& scope) { scope.run(level_3, m); });
    }
    const relay::ir_module typed = relay::model::resnet();
    for (auto _ : state) {
        const double without = run_with(), with = run_with(quiet);
        const double text = ns(1, [&] { return 0; }, [&](int) { return relay::to_text(typed); });
        state.counters["passes"] = static_cast<double>(passes);
        state.counters["us_a_pass"] = (with - without) / static_cast<double>(passes) / 1000;
        state.counters["texts_a_pass"] = (with - without) / static_cast<double>(passes) / text;
    }
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
BENCHMARK_CAPTURE(run, level_3_pipeline, level_3)->Unit(benchmark::kMicrosecond);
BENCHMARK(build)->Name("build and infer")->Unit(benchmark::kMicrosecond);
BENCHMARK(copy)->Name("copy")->Unit(benchmark::kMicrosecond);
BENCHMARK(print)->Name("print")->Unit(benchmark::kMicrosecond);
BENCHMARK(fingerprint)->Unit(benchmark::kMicrosecond);
BENCHMARK(name_what_changes)
    ->Name("print_changed, quiet, around the pipeline")
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_MAIN();
