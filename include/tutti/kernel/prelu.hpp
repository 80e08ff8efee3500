#pragma once

#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/element.hpp>
#include <tutti/kernel/support/loops.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/kernel/tensor.hpp>

#include <cstddef>
#include <cstdint>

namespace tutti::kernel {

/// Computes `alpha[i] * x` for negative x, where i is the index of x along `axis`. Keeps all other elements, including
/// NaN. `axis` may count from the end.
///
/// Throws: tutti::error if there is no such axis, if `alpha` and the axis differ in length, or if the element types
///         differ.
constexpr void prelu(const tensor& data, const tensor& alpha, std::int64_t axis, tensor& out) {
    detail::check_rank("prelu", data);
    const std::size_t at = detail::checked_axis("prelu", axis, data.rank());
    const std::int64_t length = data.shape()[at];
    if (alpha.rank() != 1 || alpha.shape()[0] != length || alpha.type() != data.type())
        detail::fail_pair("prelu", "data", data, "alpha", alpha,
                          {"slopes of shape (", length, ",), like axis ", axis, " of data, and of its element type"});
    detail::check_arithmetic("prelu", data);
    detail::make_result("prelu", data.type(), data.shape(), out);
    extents strides(data.rank(), 0);
    strides[at] = 1;
    detail::compute(detail::pair_loops<element::leaky_relu>, data, row_major_strides(data.shape()), alpha, strides,
                    out);
}

} // namespace tutti::kernel
