#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/loss.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/op/loss.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>

namespace tutti::relay::inline TUTTI_FORM::kernels {

/// Losses.
template <class = void>
inline constexpr std::array loss_kernels{
    kernel_row{&definition<op::nn::cross_entropy>,
               [](const invocation& c) {
                   kernel::cross_entropy(c.input(0), c.input(1), kernel::prediction_kind::probabilities, c.result());
                   return true;
               }},
    kernel_row{&definition<op::nn::cross_entropy_with_logits>,
               [](const invocation& c) {
                   kernel::cross_entropy(c.input(0), c.input(1), kernel::prediction_kind::logits, c.result());
                   return true;
               }},
    kernel_for<op::nn::nll_loss>([](const invocation& c, const nll_loss_attributes& a) {
        const auto reduction = a.reduction == "none"  ? kernel::loss_reduction::none
                               : a.reduction == "sum" ? kernel::loss_reduction::sum
                                                      : kernel::loss_reduction::mean;
        kernel::nll_loss(c.input(0), c.input(1), c.input(2), reduction, a.ignore_index.value, c.result());
    }),
};

} // namespace tutti::relay::inline TUTTI_FORM::kernels
