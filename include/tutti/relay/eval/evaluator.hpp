#pragma once

#include <tutti/executor.hpp>
#include <tutti/kernel/allowance.hpp>
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

/// What an evaluator is told once.
struct evaluate_options {
    /// The function to evaluate.
    std::string_view entry = "main";
    /// How many calls of functions may be open at once: a recursion that does not end becomes an error there.
    std::size_t max_depth = 250'000;
    /// How many bytes the tensors may take that it makes and that are there at the same time, with what kernels keep beside them.
    std::uint64_t max_bytes = std::uint64_t{1} << 32;
    /// How many steps a run may take: one for each product of a convolution or of matrices and for each cell of a window, 16 for
    /// each element that an operator reads, 64 for each that it writes, 4,096 for each call.
    std::uint64_t max_work = std::uint64_t{1} << 40;
    /// What the kernels' loops run on, which must live as long as the evaluator. The results are the same, to the bit, on any.
    executor_ref on{};
    /// Another evaluator's allowance: its `max_bytes` is then the limit of both together. Null: one of its own.
    const kernel::allowance* allowance = nullptr;
};

/// What the tensors that an evaluator makes take, without constants and what kernels keep, in bytes.
struct tensor_memory {
    std::uint64_t planned =
        0; ///< of those that have places: from the first run on, or, if types leave their sizes open, the second
    std::uint64_t other = 0; ///< of those that got memory when they were made, until now
    /// The largest set of values that are alive at once, an operator's operands with its results: of those with places, and of the others
    /// as runs have had them until now.
    std::uint64_t largest_alive = 0;
};

namespace detail {

/// The module, verified and with types, at a place of its own, since programs refer to it.
inline std::unique_ptr<const ir_module> prepared(ir_module m) {
    relay::verify(m);
    infer_types(m);
    return std::make_unique<const ir_module>(std::move(m));
}

} // namespace detail

/// Computes what a module's function computes, for any number of inputs one after the other.
///
/// The module is verified, its types are inferred, and it is made flat once. Every value's memory is used
/// again after its last use, and in the next run: a run with inputs of the same shapes as the one before
/// allocates nothing. Inputs and constants are never copied.
///
/// `Kernels` computes the operators: `kernels::blocked`, `kernels::reference`, `kernels::onednn`, or a set of one's own.
///
/// Cost: that of the kernels, and about 50 ns for each of their calls; memory for the values that are needed
/// at the same time.
template <kernel_set Kernels = kernels::blocked>
class evaluator {
public:
    /// Throws: `tutti::error` if the module is not in order, or the function takes something else than tensors and tuples, or gives
    /// a function.
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

    /// The tensors to give, in order.
    std::span<const parameter> parameters() const { return signature_.parameters(); }
    /// The table of the parameters' types.
    const type_table& types() const { return entry_->graph.types(); }
    /// The module, with types.
    const ir_module& module() const { return *module_; }
    /// Throws: `tutti::error` that names the parameter if that input does not fit it. Requires: there is such a parameter.
    void check(std::size_t parameter, const tensor& input) const { signature_.check(parameter, input, types()); }
    /// What its tensors are taken from; inputs that are made while it is in use are too.
    kernel::allowance& allowance() { return allowance_; }

    /// What its tensors take. An observer sees values in other memory, so that none of them is written over.
    tensor_memory memory() const {
        return {machine_.plan().bytes(), machine_.unplanned_bytes(),
                machine_.plan().largest + machine_.most_unplanned_alive()};
    }

    /// What the last run gave, whose tensors are its results: values of data types, tuples and references, of a program that has any
    /// of these or type parameters; else nothing. Valid until the next run.
    std::span<const value_part> parts() const { return machine_.parts(); }

    /// The function's result for these inputs, by position. Tuples' fields come one after the other. The
    /// results are valid until the next run; a copy stays what it is.
    ///
    /// An observer's `before_call(const op_def&, const invocation&)` and `after_call(…)`, if it has them, see
    /// every call of an operator.
    ///
    /// Throws: `tutti::error` that names the parameter if an input does not fit; that names the operator if
    /// there is no kernel for a call, or the kernel refuses it; if calls are too deep, or a run takes more memory or steps
    /// than it may.
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
    /// The same for inputs by name, in any order.
    ///
    /// Throws: `tutti::error` that names an input that is no parameter's, or a parameter that has none, or
    /// has two.
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
