#pragma once

#include <tutti/kernel/support/allowance.hpp>
#include <tutti/parallel/executor.hpp>
#include <tutti/relay/eval/blocked.hpp>
#include <tutti/relay/eval/lowering.hpp>
#include <tutti/relay/eval/machine.hpp>
#include <tutti/relay/eval/signature.hpp>
#include <tutti/relay/eval/value_parts.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/op/verify.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

namespace tutti::relay {

/// Options of an evaluator.
struct evaluate_options {
    /// The function to evaluate.
    std::string_view entry = "main";
    /// Limit on nested calls of functions, so that infinite recursion ends in an error.
    std::size_t max_depth = 250'000;
    /// Limit on the bytes of live tensors made by the evaluator, including memory that kernels keep.
    std::uint64_t max_bytes = std::uint64_t{1} << 32;
    /// Limit on the steps of a run: one for each product of a convolution or a matrix product and for each cell of a
    /// window, 16 for each element that an operator reads, 64 for each that it writes, 4,096 for each call.
    std::uint64_t max_work = std::uint64_t{1} << 40;
    /// Executor for the kernels' loops; must outlive the evaluator. Results do not depend on it, to the bit.
    executor_ref on{};
    /// Another evaluator's allowance, whose `max_bytes` then limits both together. Null: its own.
    const kernel::allowance* allowance = nullptr;
};

/// Bytes of the tensors made by an evaluator, without constants and memory that kernels keep.
struct tensor_memory {
    std::uint64_t planned =
        0; ///< values with planned places; known from the first run, or from the second if types leave sizes open
    std::uint64_t other = 0; ///< values allocated when they were made, in all runs so far
    /// The greatest size of values live at once, an operator's operands together with its results; for values without
    /// places, in the runs so far.
    std::uint64_t largest_alive = 0;
};

namespace detail {

/// Verifies the module, infers its types, and moves it to the heap, since programs refer to it.
inline std::unique_ptr<const ir_module> prepared(ir_module m) {
    relay::verify(m);
    infer_types(m);
    return std::make_unique<const ir_module>(std::move(m));
}

} // namespace detail

/// Evaluates a function of a module any number of times.
///
/// The constructor verifies the module, infers its types and lowers it once. Memory is reused after a value's last use
/// and in later runs: a run with inputs of the same shapes as the run before allocates nothing. Inputs and constants
/// are never copied.
///
/// `Kernels` computes the operators: `kernels::blocked`, `kernels::reference`, `kernels::onednn`, or your own set.
///
/// Cost: the kernels, and about 50 ns for each call of one; memory for the live values.
template <kernel_set Kernels = kernels::blocked>
class evaluator {
public:
    /// Throws: `tutti::error` if the module is malformed, or if the function takes values other than tensors and
    ///         tuples, or returns a function.
    explicit evaluator(ir_module m, const evaluate_options& options = {})
        : module_(detail::prepared(std::move(m)))
        , machine_(detail::lower(*module_, options.entry, &Kernels::find, block_steps_of<Kernels>(),
                                 result_memory_of<Kernels>(),
                                 options.on.concurrency() > 1 ? concurrent_of<Kernels>() : nullptr),
                   *module_, options.max_depth, options.on)
        , allowance_(options.allowance != nullptr
                         ? *options.allowance
                         : kernel::allowance(
                               {"evaluation", "bytes of tensors at the same time", "max_bytes", options.max_bytes},
                               {"evaluation", "steps", "max_work", options.max_work}))
        , entry_(module_->find(options.entry))
        , signature_(options.entry, *entry_) {
        const kernel::allowance::use here(allowance_);
        machine_.prepare(prepares_of<Kernels>());
    }

    /// The inputs, in order.
    std::span<const parameter> parameters() const { return signature_.parameters(); }
    /// The table of the parameters' types.
    const type_table& types() const { return entry_->graph.types(); }
    /// The module, with types.
    const ir_module& module() const { return *module_; }
    /// Throws: `tutti::error` that names the parameter if the input does not fit. Requires: the parameter exists.
    void check(std::size_t parameter, const tensor& input) const { signature_.check(parameter, input, types()); }
    /// The allowance of its tensors; use it while making inputs to count them, too.
    kernel::allowance& allowance() { return allowance_; }

    /// Returns the memory of its tensors. With an observer, values have separate memory, so that none is overwritten.
    tensor_memory memory() const {
        return {machine_.plan().bytes(), machine_.unplanned_bytes(),
                machine_.plan().largest + machine_.most_unplanned_alive()};
    }

    /// Structure of the last run's results, if the program uses data types, references or type parameters; else empty.
    /// Its tensors are the results. Valid until the next run.
    std::span<const value_part> parts() const { return machine_.parts(); }

    /// Returns the function's result for inputs by position; the fields of a tuple are consecutive. Results are valid
    /// until the next run; copies stay valid.
    ///
    /// An observer's `before_call(const op_def&, const invocation&)` and `after_call(…)`, if they exist, are called for
    /// each operator call.
    ///
    /// Throws: `tutti::error` that names the parameter if an input does not fit; that names the operator if a call has
    ///         no kernel, or the kernel refuses it; if calls are nested too deeply, or a run exceeds its memory or
    ///         steps.
    template <class Observer = no_observer>
    std::span<const tensor> run(std::span<const tensor* const> inputs, Observer&& observer = {}) {
        signature_.check(inputs, types());
        allowance_.renew_work();
        const kernel::allowance::use here(allowance_);
        return machine_.run(inputs, observer);
    }
    template <class Observer = no_observer>
    std::span<const tensor> run(std::span<const tensor> inputs, Observer&& observer = {}) {
        inputs_.clear();
        for (const tensor& t : inputs) inputs_.push_back(&t);
        return run(inputs_, observer);
    }
    /// Returns the function's result for inputs by name, in any order.
    ///
    /// Throws: `tutti::error` that names an input without a parameter, or a parameter with no input or two.
    template <class Observer = no_observer>
    std::span<const tensor> run(std::span<const named_input> inputs, Observer&& observer = {}) {
        signature_.sort(inputs, types(), inputs_);
        return run(inputs_, observer);
    }

private:
    std::unique_ptr<const ir_module> module_;
    detail::machine machine_;
    kernel::allowance allowance_;
    const function* entry_;
    detail::signature signature_;
    plain_vector<const tensor*> inputs_;
};

} // namespace tutti::relay
