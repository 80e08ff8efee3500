#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/blocked/float/elementwise.hpp>
#include <tutti/kernel/blocked/integer/elementwise.hpp>
#include <tutti/kernel/support/element.hpp>
#include <tutti/kernel/support/epilogue.hpp>
#include <tutti/relay/eval/block_step.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/op/attributes.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/dense.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace tutti::relay::inline TUTTI_FORM::kernels {

namespace detail {

/// Stores the bounds of an int32 clip in a step. Clears the operation if no step can clip to these bounds.
inline void set_integer_range(double least, double greatest, block_step& step) {
    if (!kernel::blocked::clip_parameters(least, greatest, step.parameters)) step.what = {};
}
inline void read_clip(const graph& g, attrs_id id, block_step& step) {
    const auto a = get_attributes<clip_attributes>(g, id);
    if (step.type == dtype::int32) return set_integer_range(a.a_min, a.a_max, step);
    if (std::isnan(a.a_min) || std::isnan(a.a_max)) return void(step.what = {}); // the kernel sets all elements to NaN
    step.parameters[0] = static_cast<float>(a.a_min);
    step.parameters[1] = static_cast<float>(a.a_max);
}
inline void read_relu(const graph&, attrs_id, block_step& step) {
    if (step.type == dtype::int32) set_integer_range(0, std::numeric_limits<double>::infinity(), step);
}
constexpr void read_slope(const graph& g, attrs_id id, block_step& step) {
    step.parameters[0] = static_cast<float>(get_attributes<leaky_relu_attributes>(g, id).alpha);
}
template <class Attributes>
constexpr void read_axis(const graph& g, attrs_id id, block_step& step) {
    step.along_axis = true;
    step.axis = get_attributes<Attributes>(g, id).axis;
}

template <class Op>
inline constexpr kernel::block_operation one = kernel::block::one<Op>;
template <class Op>
inline constexpr kernel::block_operation two = kernel::block::two<Op>;
template <class Op>
inline constexpr kernel::block_operation of_int32 = kernel::blocked::integer_block<Op>;

} // namespace detail

/// Elementwise operators as operations on blocks of float32 or int32. Results equal those of the `blocked` kernels.
inline constexpr std::array block_steps{
    block_step_entry{&definition<op::abs>, detail::one<kernel::element::abs>},
    block_step_entry{&definition<op::add>, detail::two<kernel::element::add>, nullptr,
                     detail::of_int32<kernel::blocked::integer_sum>},
    block_step_entry{&definition<op::ceil>, detail::one<kernel::element::ceil>},
    block_step_entry{&definition<op::clip>,
                     {.one = kernel::blocked::clip_loop, .function = kernel::block_function::clip},
                     detail::read_clip,
                     kernel::blocked::integer_clip_block},
    block_step_entry{&definition<op::divide>, detail::two<kernel::element::divide>},
    block_step_entry{&definition<op::erf>, {.one = kernel::blocked::erf_loop}},
    block_step_entry{&definition<op::exp>, {.one = kernel::blocked::exp_loop, .function = kernel::block_function::exp}},
    block_step_entry{&definition<op::fast_erf>, {.one = kernel::blocked::erf_loop}},
    block_step_entry{&definition<op::fast_exp>,
                     {.one = kernel::blocked::exp_loop, .function = kernel::block_function::exp}},
    block_step_entry{&definition<op::fast_tanh>,
                     {.one = kernel::blocked::tanh_loop, .function = kernel::block_function::tanh}},
    block_step_entry{&definition<op::floor>, detail::one<kernel::element::floor>},
    block_step_entry{&definition<op::log>, {.one = kernel::blocked::log_loop}},
    block_step_entry{&definition<op::maximum>, kernel::blocked::maximum_block, nullptr,
                     detail::of_int32<kernel::blocked::greater_integer>},
    block_step_entry{&definition<op::minimum>, kernel::blocked::minimum_block, nullptr,
                     detail::of_int32<kernel::blocked::lesser_integer>},
    block_step_entry{&definition<op::multiply>, detail::two<kernel::element::multiply>, nullptr,
                     detail::of_int32<kernel::blocked::integer_product>},
    block_step_entry{&definition<op::negative>, detail::one<kernel::element::negative>},
    block_step_entry{&definition<op::nn::bias_add>, detail::two<kernel::element::add>,
                     detail::read_axis<bias_add_attributes>, detail::of_int32<kernel::blocked::integer_sum>},
    block_step_entry{&definition<op::nn::leaky_relu>, kernel::block::one<kernel::element::leaky_relu, 1>,
                     detail::read_slope},
    block_step_entry{&definition<op::nn::prelu>, detail::two<kernel::element::leaky_relu>,
                     detail::read_axis<prelu_attributes>},
    block_step_entry{&definition<op::nn::relu>,
                     {.one = kernel::blocked::relu_loop, .function = kernel::block_function::relu},
                     detail::read_relu,
                     kernel::blocked::integer_clip_block},
    block_step_entry{&definition<op::power>, detail::two<kernel::element::power>},
    block_step_entry{&definition<op::round>, detail::one<kernel::element::round>},
    block_step_entry{&definition<op::rsqrt>, detail::one<kernel::element::rsqrt>},
    block_step_entry{&definition<op::sigmoid>,
                     {.one = kernel::blocked::sigmoid_loop, .function = kernel::block_function::sigmoid}},
    block_step_entry{&definition<op::sqrt>, detail::one<kernel::element::sqrt>},
    block_step_entry{&definition<op::subtract>, detail::two<kernel::element::subtract>, nullptr,
                     detail::of_int32<kernel::blocked::integer_difference>},
    block_step_entry{&definition<op::tanh>,
                     {.one = kernel::blocked::tanh_loop, .function = kernel::block_function::tanh}},
};

/// `block_steps` as rows of a kernel set. The kernels of these operators are in other rows.
inline constexpr auto block_step_rows = [] {
    std::array<kernel_row, block_steps.size()> rows{};
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = {.op = block_steps[i].op, .on_blocks = &block_steps[i]};
    return rows;
}();

} // namespace tutti::relay::inline TUTTI_FORM::kernels
