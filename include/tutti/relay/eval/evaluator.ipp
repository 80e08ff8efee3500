#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/eval/evaluation.hpp>
#include <tutti/relay/eval/evaluator.hpp>
#include <tutti/relay/eval/program_text.hpp>

#include <memory>
#include <span>
#include <string>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

TUTTI_INLINE any_evaluator::any_evaluator(ir_module m, const kernel_functions& kernels, const evaluate_options& options)
    : state_(std::make_unique<detail::evaluation>(std::move(m), kernels, options)) {}

TUTTI_INLINE any_evaluator::any_evaluator(any_evaluator&& other) noexcept = default;

TUTTI_INLINE any_evaluator& any_evaluator::operator=(any_evaluator&& other) noexcept = default;

TUTTI_INLINE any_evaluator::~any_evaluator() = default;

TUTTI_INLINE std::span<const parameter> any_evaluator::parameters() const { return state_->inputs().parameters(); }

TUTTI_INLINE const type_table& any_evaluator::types() const { return state_->types(); }

TUTTI_INLINE const ir_module& any_evaluator::module() const { return state_->module(); }

TUTTI_INLINE void any_evaluator::check(std::size_t parameter, const tensor& input) const {
    state_->inputs().check(parameter, input, types());
}

TUTTI_INLINE kernel::allowance& any_evaluator::allowance() { return state_->allowance(); }

TUTTI_INLINE tensor_memory any_evaluator::memory() const {
    const detail::machine& m = state_->machine();
    return {m.plan().bytes(), m.unplanned_bytes(), m.plan().largest + m.most_unplanned_alive()};
}

TUTTI_INLINE std::string any_evaluator::plan() const {
    const detail::machine& m = state_->machine();
    return detail::to_text(m.lowered(), m.plan());
}

TUTTI_INLINE std::span<const value_part> any_evaluator::parts() const { return state_->machine().parts(); }

TUTTI_INLINE std::span<const tensor> any_evaluator::run_alone(std::span<const tensor* const> inputs) {
    no_observer nobody;
    return state_->run(inputs, nobody);
}

TUTTI_INLINE std::span<const tensor> any_evaluator::run_observed(std::span<const tensor* const> inputs,
                                                                 call_observer& observer) {
    return state_->run(inputs, observer);
}

TUTTI_INLINE std::span<const tensor* const> any_evaluator::in_order(std::span<const tensor> inputs) {
    return state_->in_order(inputs);
}

TUTTI_INLINE std::span<const tensor* const> any_evaluator::in_order(std::span<const named_input> inputs) {
    return state_->in_order(inputs);
}

} // namespace tutti::relay::inline TUTTI_FORM
