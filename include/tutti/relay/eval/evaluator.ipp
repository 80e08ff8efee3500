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

TUTTI_INLINE evaluator::evaluator(ir_module m, const kernel_set& kernels, const evaluate_options& options)
    : state_(std::make_unique<detail::evaluation>(std::move(m), kernels, options)) {}

TUTTI_INLINE evaluator::evaluator(evaluator&& other) noexcept = default;

TUTTI_INLINE evaluator& evaluator::operator=(evaluator&& other) noexcept = default;

TUTTI_INLINE evaluator::~evaluator() = default;

TUTTI_INLINE std::span<const parameter> evaluator::parameters() const { return state_->inputs().parameters(); }

TUTTI_INLINE const type_table& evaluator::types() const { return state_->types(); }

TUTTI_INLINE const ir_module& evaluator::module() const { return state_->module(); }

TUTTI_INLINE void evaluator::check(std::size_t parameter, const tensor& input) const {
    state_->inputs().check(parameter, input, types());
}

TUTTI_INLINE kernel::allowance& evaluator::allowance() { return state_->allowance(); }

TUTTI_INLINE tensor_memory evaluator::memory() const {
    const detail::machine& m = state_->machine();
    return {m.plan().bytes(), m.unplanned_bytes(), m.plan().largest + m.most_unplanned_alive()};
}

TUTTI_INLINE std::string evaluator::plan() const {
    const detail::machine& m = state_->machine();
    return detail::to_text(m.lowered(), m.plan());
}

TUTTI_INLINE std::span<const value_part> evaluator::parts() const { return state_->machine().parts(); }

TUTTI_INLINE std::span<const tensor> evaluator::run_alone(std::span<const tensor* const> inputs) {
    no_observer nobody;
    return state_->run(inputs, nobody);
}

TUTTI_INLINE std::span<const tensor> evaluator::run_observed(std::span<const tensor* const> inputs,
                                                             call_observer& observer) {
    return state_->run(inputs, observer);
}

TUTTI_INLINE std::span<const tensor* const> evaluator::in_order(std::span<const tensor> inputs) {
    return state_->in_order(inputs);
}

TUTTI_INLINE std::span<const tensor* const> evaluator::in_order(std::span<const named_input> inputs) {
    return state_->in_order(inputs);
}

} // namespace tutti::relay::inline TUTTI_FORM
