#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/support/allowance.hpp>
#include <tutti/relay/eval/blocked.hpp>
#include <tutti/relay/eval/call_observer.hpp>
#include <tutti/relay/eval/evaluate_options.hpp>
#include <tutti/relay/eval/parameter.hpp>
#include <tutti/relay/eval/value_parts.hpp>
#include <tutti/relay/ir/ir_module.hpp>

#include <concepts>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

class evaluation; // relay/eval/evaluation.hpp

} // namespace detail

/// Evaluates a function of a module any number of times.
///
/// The constructor verifies the module, infers its types and lowers it once. Memory is reused after a value's last use
/// and in later runs. A run with inputs of the same shapes as in the run before allocates nothing. Inputs and constants
/// are never copied.
///
/// Cost: the time of the kernels, and about 50 ns for each call of a kernel. Memory for the live values.
class evaluator {
public:
    /// Makes an evaluator with a set of kernels: `kernels::blocked()`, `kernels::reference()`, `kernels::onednn()`, or
    /// your own set. The evaluator copies the kernels, so the set may be destroyed afterwards.
    ///
    /// Throws: `tutti::error` if the module is malformed, or if the function takes values other than tensors and
    ///         tuples, or returns a function.
    TUTTI_INLINE evaluator(ir_module m, const kernel_set& kernels, const evaluate_options& options = {});
    /// Makes an evaluator with `kernels::blocked()`. This is a template, so that only its uses compile these kernels.
    template <std::same_as<void> T = void>
    explicit evaluator(ir_module m, const evaluate_options& options = {})
        : evaluator(std::move(m), kernels::blocked<T>(), options) {}
    TUTTI_INLINE evaluator(evaluator&& other) noexcept;
    TUTTI_INLINE evaluator& operator=(evaluator&& other) noexcept;
    TUTTI_INLINE ~evaluator();

    /// Returns the function's parameters, in order.
    TUTTI_INLINE std::span<const parameter> parameters() const;
    /// Returns the table of the parameters' types.
    TUTTI_INLINE const type_table& types() const;
    /// Returns the module, with inferred types.
    TUTTI_INLINE const ir_module& module() const;
    /// Checks that an input fits a parameter.
    ///
    /// Requires: the parameter exists.
    /// Throws:   `tutti::error` that names the parameter if the input does not fit.
    TUTTI_INLINE void check(std::size_t parameter, const tensor& input) const;
    /// Returns the allowance for the evaluator's tensors. Use it while you create inputs, so that they count, too.
    TUTTI_INLINE kernel::allowance& allowance();

    /// Returns the bytes of the evaluator's tensors. In a run with an observer, no value is overwritten, because each
    /// value has memory of its own.
    TUTTI_INLINE tensor_memory memory() const;

    /// Returns the plan of a run as text: the steps (calls, chains of calls that run as one, branches), the buffers of
    /// the results with live ranges and offsets, and the bytes. If sizes are unknown, buffers are planned after a run.
    ///
    /// The format is for people, and may change.
    TUTTI_INLINE std::string plan() const;

    /// Returns the structure of the last run's results if the program uses data types, references or type parameters.
    /// Otherwise, the structure is empty. The tensors in the structure are the results. Valid until the next run.
    TUTTI_INLINE std::span<const value_part> parts() const;

    /// Evaluates the function on inputs by position, and returns its results. The fields of a tuple are consecutive.
    ///
    /// The results are valid until the next run. Copies of the tensors stay valid. The members
    /// `before_call(const op_def&, const invocation&)` and `after_call(…)` of an observer, if they exist, are called
    /// for each operator call.
    ///
    /// Throws: `tutti::error` that names the parameter if an input does not fit, and one that names the operator if no
    ///         kernel computes a call. Also throws if calls are nested too deeply, or if a run exceeds its limit on
    ///         memory or steps.
    template <class Observer = no_observer>
    std::span<const tensor> run(std::span<const tensor* const> inputs, Observer&& observer = {}) {
        return run_seen_by(inputs, observer);
    }
    template <class Observer = no_observer>
    std::span<const tensor> run(std::span<const tensor> inputs, Observer&& observer = {}) {
        return run_seen_by(in_order(inputs), observer);
    }
    /// Evaluates the function on inputs by name, in any order, and returns its results.
    ///
    /// Throws: `tutti::error` that names an input without a parameter, or a parameter with no input or with several.
    template <class Observer = no_observer>
    std::span<const tensor> run(std::span<const named_input> inputs, Observer&& observer = {}) {
        return run_seen_by(in_order(inputs), observer);
    }

private:
    template <class Observer>
    std::span<const tensor> run_seen_by(std::span<const tensor* const> inputs, [[maybe_unused]] Observer& observer) {
        if constexpr (detail::watches<Observer>) {
            detail::call_observer_of<Observer> seeing(observer);
            return run_observed(inputs, seeing);
        } else {
            return run_alone(inputs);
        }
    }

    TUTTI_INLINE std::span<const tensor> run_alone(std::span<const tensor* const> inputs);
    TUTTI_INLINE std::span<const tensor> run_observed(std::span<const tensor* const> inputs, call_observer& observer);
    TUTTI_INLINE std::span<const tensor* const> in_order(std::span<const tensor> inputs);
    TUTTI_INLINE std::span<const tensor* const> in_order(std::span<const named_input> inputs);

    std::unique_ptr<detail::evaluation> state_;
};

} // namespace tutti::relay::inline TUTTI_FORM

#ifndef TUTTI_COMPILED
#include <tutti/relay/eval/evaluator.ipp>
#endif
