#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/eval/blocked.hpp>
#include <tutti/relay/eval/evaluator.hpp>

#include <concepts>
#include <span>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

/// Evaluates a module's `main` on inputs by position. Returns one tensor per result, with the fields of a tuple in
/// sequence.
///
/// Throws: as `evaluator` does.
/// Example: `relay::evaluate(m, inputs)`, or `relay::evaluate(m, inputs, my_kernels)`.
inline vector<tensor> evaluate(ir_module m, std::span<const tensor> inputs, const kernel_set& kernels) {
    evaluator e(std::move(m), kernels);
    const std::span<const tensor> results = e.run(inputs);
    return {results.begin(), results.end()};
}

/// Evaluates a module's `main` on inputs by name.
inline vector<tensor> evaluate(ir_module m, std::span<const named_input> inputs, const kernel_set& kernels) {
    evaluator e(std::move(m), kernels);
    const std::span<const tensor> results = e.run(inputs);
    return {results.begin(), results.end()};
}

/// Evaluates a module's `main` with `kernels::blocked()`.
template <std::same_as<void> T = void>
vector<tensor> evaluate(ir_module m, std::span<const tensor> inputs) {
    return evaluate(std::move(m), inputs, kernels::blocked<T>());
}
template <std::same_as<void> T = void>
vector<tensor> evaluate(ir_module m, std::span<const named_input> inputs) {
    return evaluate(std::move(m), inputs, kernels::blocked<T>());
}

} // namespace tutti::relay::inline TUTTI_FORM
