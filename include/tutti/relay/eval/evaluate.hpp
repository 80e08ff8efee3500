#pragma once

#include <tutti/relay/eval/evaluator.hpp>
#include <tutti/vector.hpp>

#include <span>
#include <utility>

namespace tutti::relay {

/// What a module's `main` computes for these inputs, one tensor for each result, a tuple's fields one after
/// the other.
///
/// Throws: as `evaluator`.
/// Example: `relay::evaluate(m, inputs)`, or `relay::evaluate<my_kernels>(m, inputs)`.
template <kernel_set Kernels = kernels::blocked>
vector<tensor> evaluate(ir_module m, std::span<const tensor> inputs) {
    evaluator<Kernels> e(std::move(m));
    const std::span<const tensor> results = e.run(inputs);
    return {results.begin(), results.end()};
}

/// The same for inputs by name.
template <kernel_set Kernels = kernels::blocked>
vector<tensor> evaluate(ir_module m, std::span<const named_input> inputs) {
    evaluator<Kernels> e(std::move(m));
    const std::span<const tensor> results = e.run(inputs);
    return {results.begin(), results.end()};
}

} // namespace tutti::relay
