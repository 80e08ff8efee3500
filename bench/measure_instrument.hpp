#pragma once

/// Measures the overhead of an instrument over a unit with Google Benchmark. Reports the nanoseconds and, if the system
/// can count them, the instructions per pass. Compares them with no instrument and with a counting instrument, in
/// static and run-time contexts.
///
/// ```
/// #include "measure_instrument.hpp"
/// int main(int argc, char** argv) {
///     tutti::bench::measure_instrument<query>("narrator", [] { return narrator{}; });
///     return tutti::bench::run_benchmarks(argc, argv);
/// }
/// ```
///
/// Each run enters a context, runs a hundred passes of distinct types that do nothing, and leaves the context. This
/// header needs Google Benchmark, and is installed in `share/tutti/bench`.

#include <tutti/instrument/perf_counters.hpp>
#include <tutti/pass.hpp>
#include <tutti/runtime/pass_context.hpp>
#include <tutti/runtime/sequential.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <benchmark/benchmark.h>

namespace tutti::bench {

/// The number of passes in a run.
inline constexpr std::size_t passes_in_a_run = 100;
/// The number of runs before the instrument is replaced, since some instruments accumulate data.
inline constexpr std::size_t runs_of_an_instrument = 64;

/// Does nothing. Each pass has its own such function, which is opaque to the compiler.
template <std::size_t I, class Unit>
[[gnu::noinline]] void do_nothing(Unit& unit) {
    asm volatile("" : : "r"(&unit), "i"(I) : "memory");
}

/// A pass that does nothing. The compiler cannot see this.
template <class Unit, std::size_t I>
struct trivial_pass {
    static constexpr pass_info info{.name = "Trivial"};
    void operator()(Unit& unit) const { do_nothing<I>(unit); }
};

/// An instrument that counts beginnings and ends of passes, for comparison.
struct counting_instrument {
    long befores = 0;
    long afters = 0;
    void run_before_pass(const auto&, const pass_info&) { ++befores; }
    void run_after_pass(const auto&, const pass_info&) { ++afters; }
};

namespace detail {

template <class Unit, std::size_t... I>
constexpr auto static_pipeline(std::index_sequence<I...>) {
    return sequential(trivial_pass<Unit, I>{}...);
}
template <class Unit, std::size_t... I>
auto erased_pipeline(std::index_sequence<I...>) {
    return runtime::sequential<Unit>{{trivial_pass<Unit, I>{}...}};
}

} // namespace detail

/// Runs a static pipeline `runs` times in a static context with these instruments.
template <class Unit, class... I>
[[gnu::noinline]] void run_static(Unit& unit, std::size_t runs, I&... instrument) {
    constexpr auto pipeline = detail::static_pipeline<Unit>(std::make_index_sequence<passes_in_a_run>{});
    const auto run = [&](auto& ctx) {
        for (std::size_t i = 0; i < runs; ++i) with(ctx, [&](auto& scope) { scope.run(pipeline, unit); });
    };
    if constexpr (sizeof...(I) == 0) {
        pass_context ctx{};
        run(ctx);
    } else {
        pass_context ctx{instruments(instrument...)};
        run(ctx);
    }
}

/// Runs a type-erased pipeline `runs` times in a run-time context with these instruments.
template <class Unit, class... I>
[[gnu::noinline]] void run_erased(Unit& unit, std::size_t runs, I&... instrument) {
    static const auto pipeline = detail::erased_pipeline<Unit>(std::make_index_sequence<passes_in_a_run>{});
    runtime::pass_context<Unit> ctx{{.instruments = {instrument...}}};
    for (std::size_t i = 0; i < runs; ++i) with(ctx, [&](auto& scope) { scope.run(pipeline, unit); });
}

namespace detail {

// Measures `run(n)`, which is called with several runs at a time.
template <class Run>
void measure(benchmark::State& state, Run&& run) {
    const instrument::kernel_counters counters;
    const std::int64_t before = counters.read(instrument::perf_event::instructions);
    while (state.KeepRunningBatch(runs_of_an_instrument)) run(runs_of_an_instrument);
    const std::int64_t after = counters.read(instrument::perf_event::instructions);
    const double passes = static_cast<double>(state.iterations()) * passes_in_a_run;
    state.counters["a pass"] = benchmark::Counter(passes, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
    if (before >= 0 && after >= 0)
        state.counters["instructions a pass"] = static_cast<double>(after - before) / passes;
    else
        state.SetLabel("the kernel does not count instructions: " +
                       counters.missing(instrument::perf_event::instructions));
}

template <class Make, class MakeUnit>
void measure_with(const std::string& name, Make make, MakeUnit make_unit) {
    benchmark::RegisterBenchmark(("static, " + name).c_str(), [=](benchmark::State& state) {
        auto unit = make_unit();
        measure(state, [&](std::size_t runs) {
            auto it = make();
            run_static(unit, runs, it);
        });
    });
    benchmark::RegisterBenchmark(("erased, " + name).c_str(), [=](benchmark::State& state) {
        auto unit = make_unit();
        measure(state, [&](std::size_t runs) {
            auto it = make();
            run_erased(unit, runs, it);
        });
    });
}

} // namespace detail

/// Registers benchmarks of the instrument that `make()` returns, over the unit that `make_unit()` returns.
///
/// Requires: The instrument skips no pass. `make` can be called repeatedly.
template <class Unit, class Make, class MakeUnit = Unit (*)()>
void measure_instrument(std::string_view name, Make make, MakeUnit make_unit = [] { return Unit{}; }) {
    static const bool once = [&] {
        benchmark::RegisterBenchmark("static, no instrument", [=](benchmark::State& state) {
            auto unit = make_unit();
            detail::measure(state, [&](std::size_t runs) { run_static(unit, runs); });
        });
        benchmark::RegisterBenchmark("erased, no instrument", [=](benchmark::State& state) {
            auto unit = make_unit();
            detail::measure(state, [&](std::size_t runs) { run_erased(unit, runs); });
        });
        detail::measure_with("1 counting", [] { return counting_instrument{}; }, make_unit);
        return true;
    }();
    static_cast<void>(once);
    detail::measure_with(std::string{name}, std::move(make), std::move(make_unit));
}

/// Runs the registered benchmarks with Google Benchmark's options, such as `--benchmark_filter=erased`.
inline int run_benchmarks(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}

} // namespace tutti::bench
