#include "evaluations.hpp"

#include <tutti/relay/eval/evaluator.hpp>

#include "noise.hpp"

namespace tutti::test {

tensors evaluated(const relay::ir_module& m, std::span<const kernel::tensor> inputs) {
    relay::evaluator<> e(m);
    const auto results = e.run(inputs);
    return {results.begin(), results.end()};
}

std::vector<tensors> evaluated_with_noise(const relay::ir_module& m, std::span<const kernel::tensor> inputs, int times,
                                          std::uint64_t seed) {
    noise::current().random.seed(seed);
    relay::evaluator<noisy_kernels> e(m);
    std::vector<tensors> all;
    for (; times != 0; --times) {
        const auto results = e.run(inputs);
        all.emplace_back(results.begin(), results.end());
    }
    return all;
}

} // namespace tutti::test
