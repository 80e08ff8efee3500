#pragma once

#include <tutti/kernel/broadcast_to.hpp>
#include <tutti/kernel/view.hpp>
#include <tutti/relay/eval/kernel_set.hpp>
#include <tutti/relay/op/shape.hpp>

#include <array>
#include <vector>

namespace tutti::relay::kernels {

namespace detail {

/// The shape that was inferred. Requires: it is known.
constexpr kernel::extents result_shape(const invocation& c) {
    kernel::extents shape;
    for (const dim d : c.program->types().shape(c.type)) shape.push_back(d.value());
    return shape;
}

/// The same elements under the shape that was inferred.
template <class Op>
constexpr kernel_entry reshaped =
    kernel_for<Op>([](const invocation& c, const auto&) { c.result().share(c.input(0), result_shape(c)); });

} // namespace detail

/// The operators that change a tensor's shape.
inline constexpr std::array shape_kernels{
    kernel_for<op::broadcast_to>([](const invocation& c, const auto&) {
        const kernel::extents shape = detail::result_shape(c);
        c.result() = kernel::broadcast_to(c.input(0), std::vector<std::int64_t>(shape.begin(), shape.end()));
    }),
    detail::reshaped<op::expand_dims>,
    detail::reshaped<op::squeeze>,
    detail::reshaped<op::nn::batch_flatten>,
};

} // namespace tutti::relay::kernels
