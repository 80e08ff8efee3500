// Runs a network from an ONNX file on one image or text: `bench_network_forward MODEL THREADS [INPUTS.npz]`. For each
// available kernel set, prints its name and the best time of a run in ms. This is processor time with one thread, and
// wall-clock time with more. A second line, `memory`, has the bytes of the tensors without the weights, and the peak of
// the bytes that are live at once. bench/engines.py compares these with another engine.

#include <tutti/file/mapped_file.hpp>
#include <tutti/file/npz_reader.hpp>
#include <tutti/parallel/executor.hpp>
#include <tutti/parallel/thread_pool.hpp>
#include <tutti/pass.hpp>
#include <tutti/relay/eval/blocked.hpp>
#include <tutti/relay/eval/evaluator.hpp>
#include <tutti/relay/eval/synthetic.hpp>
#include <tutti/relay/onnx/import.hpp>
#include <tutti/relay/params/params_file.hpp>
#include <tutti/relay/passes.hpp>
#include <tutti/relay/transform/layout/images_in.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#ifdef TUTTI_BENCH_ONEDNN
#include <tutti/relay/eval/onednn.hpp>

#include <omp.h>
#endif

#include "cpu_time.hpp"

namespace relay = tutti::relay;
using relay::tensor;

namespace {

double wall_ns() {
    timespec t{};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

#ifdef TUTTI_BENCH_ONEDNN
/// An executor that uses the threads of OpenMP. oneDNN uses the same threads.
struct openmp_executor {
    static unsigned concurrency() { return static_cast<unsigned>(omp_get_max_threads()); }
    static void bulk(std::size_t count, tutti::bulk_function f) {
#pragma omp parallel for schedule(dynamic)
        for (std::size_t i = 0; i < count; ++i) f(i);
    }
};
#endif

/// A network and its inputs. If there are no arrays, the inputs are synthetic.
struct subject {
    const char* path;
    std::optional<tutti::file::npz_reader> given;
};

/// Returns the network, optimised as by an inference engine. Quantised parts become integer operators, training
/// operators are removed, and constants are folded. Images are converted to the layout `images`, unless it is empty.
relay::ir_module network(const subject& s, std::string_view images) {
    relay::onnx::import_options options;
    if (s.given)
        for (const tutti::file::npz_entry& e : s.given->entries()) {
            const tensor value = s.given->read(e);
            relay::dims shape;
            for (const std::int64_t size : value.shape()) shape.push_back(relay::dim(size));
            options.inputs.push_back({e.name, {shape}});
        }
    relay::ir_module m = relay::onnx::import_model(relay::onnx::open_model(s.path), options);
    tutti::pass_context ctx{tutti::opt_level<3>};
    tutti::with(ctx, [&](auto& scope) {
        scope.run(tutti::sequential(relay::infer_type{}, relay::fake_quantization_to_integer{.conv2d = true},
                                    relay::simplify_inference{}, relay::fold_constant{}, relay::fold_scale_axis{},
                                    relay::fold_constant{}, relay::simplify_expr{}, relay::fold_constant{}),
                  m);
        if (!images.empty())
            // The conversion may cancel out transposes in the model.
            scope.run(tutti::sequential(relay::canonicalize_ops{}, relay::alter_op_layout_for(relay::images_in{images}),
                                        relay::simplify_expr{}, relay::fold_constant{}),
                      m);
    });
    return m;
}

void measure(const char* name, const relay::kernel_set& kernels, const relay::ir_module& m, const subject& s,
             tutti::executor_ref on) {
    const auto now = [&] { return on.concurrency() == 1 ? now_ns() : wall_ns(); };
    relay::evaluator evaluate(m, kernels, {.on = on});
    std::vector<tensor> inputs;
    for (const relay::parameter& p : evaluate.parameters()) {
        const tutti::file::npz_entry* const array = s.given ? relay::find_array(*s.given, p.name) : nullptr;
        inputs.push_back(array ? relay::read_array(*s.given, *array, evaluate.types(), p.type)
                               : relay::synthetic_input(p.name, evaluate.types(), p.type, 1));
    }
    double least = 1e300;
    const double begin = wall_ns();
    for (int run = 0; run < 4 || (run < 200 && wall_ns() - begin < 1.5e9); ++run) {
        const double start = now();
        evaluate.run(inputs);
        least = std::min(least, now() - start);
    }
    std::printf("%s %.3f\n", name, least / 1e6);
    const relay::tensor_memory memory = evaluate.memory();
    std::printf("memory %s %llu %llu\n", name, static_cast<unsigned long long>(memory.planned + memory.other),
                static_cast<unsigned long long>(memory.largest_alive));
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 3 || argc > 4) return std::fputs("bench_network_forward MODEL THREADS [INPUTS.npz]\n", stderr), 2;
    subject s{argv[1], std::nullopt};
    if (argc == 4) s.given.emplace(std::make_shared<const tutti::file::mapped_file>(argv[3]));
    const auto threads = static_cast<unsigned>(std::atoi(argv[2]));
    tutti::thread_pool pool(threads);
    const relay::ir_module m = network(s, {});
    relay::evaluator inputs(m);
    for (const relay::parameter& p : inputs.parameters()) { // for running another engine with the same inputs
        std::printf("input %s %s ", std::string(p.name).c_str(),
                    std::string(tutti::kernel::name(inputs.types().element(p.type))).c_str());
        for (const relay::dim d : inputs.types().shape(p.type)) std::printf("%lld,", static_cast<long long>(d.value()));
        std::printf("\n");
    }
    measure("blocked", relay::kernels::blocked(), m, s, pool);
#ifdef TUTTI_BENCH_ONEDNN
    omp_set_num_threads(static_cast<int>(threads));
    openmp_executor together;
    measure("onednn", relay::kernels::onednn(), network(s, relay::kernels::onednn_image_layout()), s, together);
#endif
}
