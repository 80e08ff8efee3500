#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/eval/evaluator.hpp>

#include <span>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

/// Evaluates a module's `main` on these inputs. Returns one tensor per result, with the fields of a tuple in sequence.
///
/// Throws: like `evaluator`.
/// Example: `relay::evaluate(m, inputs)`, or `relay::evaluate<my_kernels>(m, inputs)`.
template <kernel_set Kernels = kernels::blocked>
vector<tensor> evaluate(ir_module m, std::span<const tensor> inputs) {
    evaluator<Kernels> e(std::move(m));
    const std::span<const tensor> results = e.run(inputs);
    return {results.begin(), results.end()};
}

/// Evaluates a module's `main` on inputs by name.
template <kernel_set Kernels = kernels::blocked>
vector<tensor> evaluate(ir_module m, std::span<const named_input> inputs) {
    evaluator<Kernels> e(std::move(m));
    const std::span<const tensor> results = e.run(inputs);
    return {results.begin(), results.end()};
}

} // namespace tutti::relay::inline TUTTI_FORM
