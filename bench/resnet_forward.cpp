// ResNet-18 on one image with one thread. Measures the speed of each convolution and product and of the whole network,
// and the memory. The targets are 150 ms with the reference kernels, 50 ms with oneDNN, and 16 MiB without the weights,
// with GCC -O3 -march=native on a machine with AVX-512.

#include <tutti/kernel/support/check.hpp>
#include <tutti/relay/eval/evaluator.hpp>
#include <tutti/relay/eval/reference.hpp>
#include <tutti/relay/model/resnet.hpp>
#include <tutti/relay/op/invocation.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <random>
#include <span>
#include <string>
#include <vector>

#ifdef TUTTI_BENCH_ONEDNN
#include <tutti/relay/eval/onednn.hpp>

#include <omp.h>
#endif

#include "cpu_time.hpp"

namespace relay = tutti::relay;
namespace kernel = tutti::kernel;
using relay::tensor;

namespace {

/// Records the best time of each call, and the peak memory of all calls.
class observer {
public:
    struct layer {
        std::string text;
        double operations = 0; // multiplications and additions; 0 for other operators
        double ns = 1e300;
    };

    void begin() { next_ = 0; }

    void before_call(const relay::op_def&, const relay::invocation&) { start_ = now_ns(); }

    void after_call(const relay::op_def& op, const relay::invocation& call) {
        const double took = now_ns() - start_;
        if (next_ == layers_.size()) layers_.push_back(described(op, call));
        layers_[next_].ns = std::min(layers_[next_].ns, took);
        ++next_;
        most_ = std::max(most_, bytes_in_use());
    }

    const std::vector<layer>& layers() const { return layers_; }
    double most_bytes() const { return most_; }

private:
    static layer described(const relay::op_def& op, const relay::invocation& call) {
        layer made{.text = std::string(op.name)};
        if (op.name != "nn.conv2d" && op.name != "nn.dense") return made;
        const tensor& weight = call.input(1);
        made.text += " " + kernel::text(call.input(0).shape()) + " * " + kernel::text(weight.shape());
        made.operations = 2.0 * static_cast<double>(call.result().size()) * static_cast<double>(weight.size()) /
                          static_cast<double>(weight.shape()[0]);
        return made;
    }

    std::vector<layer> layers_;
    std::size_t next_ = 0;
    double start_ = 0;
    double most_ = 0;
};

struct measured {
    std::vector<observer::layer> layers;
    double ns = 1e300;
    double bytes = 0; // used after preparation, without the weights
};

/// Returns parameters that keep the values of every layer bounded.
std::vector<tensor> parameters(const relay::type_table& types, std::span<const relay::parameter> wanted) {
    std::mt19937 random(1);
    std::vector<tensor> made;
    for (const relay::parameter& p : wanted) {
        kernel::extents shape;
        for (const relay::dim d : types.shape(p.type)) shape.push_back(d.value());
        tensor& t = made.emplace_back();
        t.reset(relay::dtype::float32, shape);
        std::uniform_real_distribution<float> values(p.name.ends_with("_var") ? 0.5F : -1.F, 1.F);
        for (float& x : t.mutable_elements<float>()) x = values(random);
    }
    return made;
}

measured measure(const relay::kernel_set& kernels) {
    const double before = bytes_in_use();
    relay::evaluator network(relay::model::resnet(), kernels);
    const std::vector<tensor> inputs = parameters(network.types(), network.parameters());
    double weights = 0;
    for (const tensor& t : inputs) weights += static_cast<double>(t.size()) * 4;
    observer seen;
    measured m;
    for (int run = 0; run < 12; ++run) {
        seen.begin();
        const double start = now_ns();
        network.run(inputs, seen);
        m.ns = std::min(m.ns, now_ns() - start);
    }
    m.layers = seen.layers();
    m.bytes = seen.most_bytes() - before - weights;
    return m;
}

void print(const std::vector<const measured*>& columns) {
    std::vector<double> rest(columns.size(), 0.0);
    for (std::size_t i = 0; i < columns[0]->layers.size(); ++i) {
        const observer::layer& first = columns[0]->layers[i];
        for (std::size_t c = 0; c < columns.size(); ++c)
            if (first.operations == 0) rest[c] += columns[c]->layers[i].ns;
        if (first.operations == 0) continue;
        std::printf("%-56s", first.text.c_str());
        for (const measured* m : columns)
            std::printf("  %7.2f ms %6.1f GFLOP/s", m->layers[i].ns / 1e6, first.operations / m->layers[i].ns);
        std::printf("\n");
    }
    std::printf("%-56s", "all other operators");
    for (const double ns : rest) std::printf("  %7.2f ms               ", ns / 1e6);
    std::printf("\n%-56s", "the network");
    for (const measured* m : columns) std::printf("  %7.2f ms               ", m->ns / 1e6);
    std::printf("\n%-56s", "memory beside the weights");
    for (const measured* m : columns) std::printf("  %7.2f MiB              ", m->bytes / (1 << 20));
    std::printf("\n");
}

} // namespace

int main() {
    std::printf("%-56s  %-25s", "", "reference");
#ifdef TUTTI_BENCH_ONEDNN
    omp_set_num_threads(1);
    std::printf("  %-25s", "oneDNN");
#endif
    std::printf("\n");
    const measured reference = measure(relay::kernels::reference());
    std::vector<const measured*> columns{&reference};
#ifdef TUTTI_BENCH_ONEDNN
    const measured onednn = measure(relay::kernels::onednn());
    columns.push_back(&onednn);
#endif
    print(columns);
}
