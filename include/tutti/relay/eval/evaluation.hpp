#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/support/allowance.hpp>
#include <tutti/relay/eval/evaluate_options.hpp>
#include <tutti/relay/eval/kernel_set.hpp>
#include <tutti/relay/eval/lowering.hpp>
#include <tutti/relay/eval/machine.hpp>
#include <tutti/relay/eval/signature.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/op/verify.hpp>

#include <memory>
#include <span>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::detail {

/// Verifies the module, infers its types, and moves it to the heap, so that its address is stable for programs.
inline std::unique_ptr<const ir_module> prepared(ir_module m) {
    relay::verify(m);
    infer_types(m);
    return std::make_unique<const ir_module>(std::move(m));
}

/// The state of an evaluator.
class evaluation {
public:
    evaluation(ir_module m, const kernel_set& kernels, const evaluate_options& options)
        : module_(prepared(std::move(m)))
        , machine_(lower(*module_, options.entry, kernels, {.forks = options.on.concurrency() > 1}), *module_,
                   options.max_depth, options.on)
        , allowance_(options.allowance != nullptr
                         ? *options.allowance
                         : kernel::allowance(
                               {"evaluation", "bytes of tensors at the same time", "max_bytes", options.max_bytes},
                               {"evaluation", "steps", "max_work", options.max_work}))
        , entry_(module_->find(options.entry))
        , signature_(options.entry, *entry_) {
        const kernel::allowance::use here(allowance_);
        machine_.prepare();
    }

    const signature& inputs() const { return signature_; }
    const type_table& types() const { return entry_->graph.types(); }
    const ir_module& module() const { return *module_; }
    const detail::machine& machine() const { return machine_; }
    kernel::allowance& allowance() { return allowance_; }

    template <class Observer>
    std::span<const tensor> run(std::span<const tensor* const> inputs, Observer& observer) {
        signature_.check(inputs, types());
        allowance_.renew_work();
        const kernel::allowance::use here(allowance_);
        return machine_.run(inputs, observer);
    }

    /// Returns pointers to the inputs of a run, in the order of the parameters. They are valid until the next call.
    std::span<const tensor* const> in_order(std::span<const tensor> inputs) {
        inputs_.clear();
        for (const tensor& t : inputs) inputs_.push_back(&t);
        return inputs_.all();
    }
    std::span<const tensor* const> in_order(std::span<const named_input> inputs) {
        signature_.sort(inputs, types(), inputs_);
        return inputs_.all();
    }

private:
    std::unique_ptr<const ir_module> module_;
    detail::machine machine_;
    kernel::allowance allowance_;
    const function* entry_;
    signature signature_;
    plain_vector<const tensor*> inputs_;
};

} // namespace tutti::relay::inline TUTTI_FORM::detail
