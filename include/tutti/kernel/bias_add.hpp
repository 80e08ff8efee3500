#pragma once

#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/element.hpp>
#include <tutti/kernel/support/loops.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/kernel/tensor.hpp>

#include <cstddef>
#include <cstdint>

namespace tutti::kernel {

/// Adds `bias[i]` to every element with index i along `axis`, like `add`. A negative axis counts from the end.
///
/// Throws: tutti::error if there is no such axis, if the bias does not have the length of the axis, or if the element
///         types differ.
constexpr void bias_add(const tensor& data, const tensor& bias, std::int64_t axis, tensor& out) {
    detail::check_rank("bias_add", data);
    const std::size_t at = detail::checked_axis("bias_add", axis, data.rank());
    const std::int64_t length = data.shape()[at];
    if (bias.rank() != 1 || bias.shape()[0] != length || bias.type() != data.type())
        detail::fail_pair("bias_add", "data", data, "bias", bias,
                          {"a bias of shape (", length, ",), like axis ", axis, " of data, and of its element type"});
    detail::check_numbers("bias_add", data);
    detail::make_result("bias_add", data.type(), data.shape(), out);
    extents strides(data.rank(), 0);
    strides[at] = 1;
    detail::compute(detail::sum_loops(data.type()), data, row_major_strides(data.shape()), bias, strides, out);
}

} // namespace tutti::kernel
