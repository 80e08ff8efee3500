#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/eval/evaluator.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/testing/noise.hpp>

#include <cstdint>
#include <span>

namespace tutti::relay::inline TUTTI_FORM::testing {

using tensors = vector<kernel::tensor>;

/// Evaluates a module's `main` on these inputs.
///
/// Throws: `tutti::error` if the module cannot be evaluated.
inline tensors evaluated(const ir_module& m, std::span<const kernel::tensor> inputs) {
    evaluator e(m);
    const auto results = e.run(inputs);
    return {results.begin(), results.end()};
}

/// Evaluates a module's `main` with noise, `times` times.
inline vector<tensors> evaluated_with_noise(const ir_module& m, std::span<const kernel::tensor> inputs, int times,
                                            std::uint64_t seed) {
    noise::current().random.seed(seed);
    evaluator e(m, noisy_kernels());
    vector<tensors> all;
    for (; times != 0; --times) {
        const auto results = e.run(inputs);
        all.emplace_back(results.begin(), results.end());
    }
    return all;
}

} // namespace tutti::relay::inline TUTTI_FORM::testing
