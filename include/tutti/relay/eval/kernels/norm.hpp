#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/lrn.hpp>
#include <tutti/kernel/normalize.hpp>
#include <tutti/kernel/softmax.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/op/norm.hpp>

#include <array>

namespace tutti::relay::inline TUTTI_FORM::kernels {

namespace detail {

template <class Attributes>
constexpr kernel::norm_options norm_options(const Attributes& a) {
    return {.axis = a.axis, .epsilon = a.epsilon, .center = a.center, .scale = a.scale};
}

} // namespace detail

/// Normalisations. nn.fast_softmax computes the exact softmax.
template <class = void>
inline constexpr std::array norm_kernels{
    kernel_for<op::nn::batch_norm>([](const invocation& c, const batch_norm_attributes& a) {
        const kernel::channel_statistics channels{
            .gamma = c.input(1), .beta = c.input(2), .mean = c.input(3), .variance = c.input(4)};
        kernel::batch_norm(c.input(0), channels, detail::norm_options(a), c.result(0));
        c.result(1).share(c.input(3), c.input(3).shape());
        c.result(2).share(c.input(4), c.input(4).shape());
    }),
    kernel_for<op::nn::instance_norm>([](const invocation& c, const instance_norm_attributes& a) {
        kernel::instance_norm(c.input(0), c.input(1), c.input(2), detail::norm_options(a), c.result());
    }),
    kernel_for<op::nn::layer_norm>([](const invocation& c, const layer_norm_attributes& a) {
        kernel::layer_norm(c.input(0), c.input(1), c.input(2), detail::norm_options(a), c.result());
    }),
    kernel_for<op::nn::group_norm>([](const invocation& c, const group_norm_attributes& a) {
        kernel::group_norm(c.input(0), c.input(1), c.input(2), a.num_groups, detail::norm_options(a), c.result());
    }),
    kernel_for<op::nn::lrn>([](const invocation& c, const lrn_attributes& a) {
        kernel::lrn(c.input(0), {.size = a.size, .axis = a.axis, .bias = a.bias, .alpha = a.alpha, .beta = a.beta},
                    c.result());
    }),
    kernel_for<op::nn::l2_normalize>([](const invocation& c, const l2_normalize_attributes& a) {
        kernel::extents axes;
        if (a.axis.value)
            for (const dim axis : *a.axis.value) axes.push_back(axis.value());
        kernel::l2_normalize(c.input(0), axes, a.eps, c.result());
    }),
    kernel_for<op::nn::softmax>(
        [](const invocation& c, const softmax_attributes& a) { kernel::softmax(c.input(0), a.axis, c.result()); }),
    kernel_for<op::nn::fast_softmax>(
        [](const invocation& c, const softmax_attributes& a) { kernel::softmax(c.input(0), a.axis, c.result()); }),
    kernel_for<op::nn::log_softmax>(
        [](const invocation& c, const softmax_attributes& a) { kernel::log_softmax(c.input(0), a.axis, c.result()); }),
};

} // namespace tutti::relay::inline TUTTI_FORM::kernels
