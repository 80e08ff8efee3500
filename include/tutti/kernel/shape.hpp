#pragma once

#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/copy.hpp>
#include <tutti/kernel/support/shape_rules.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/kernel/tensor.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

// Kernels that reshape: they share the elements and copy nothing.

namespace tutti::kernel {

/// Reshapes the data.
///
/// Throws: tutti::error if the shape has another number of elements or a negative dimension.
constexpr void reshape(const tensor& data, std::span<const std::int64_t> shape, tensor& out) {
    if (data.empty() || checked_element_count(shape) != data.size())
        detail::fail("reshape", {"data is ", data, " and the new shape is ", shape}, "as many elements");
    out.share(data, shape);
}

/// Reshapes the data to a matrix: keeps the first axis and merges all others.
///
/// Throws: tutti::error if the rank is 0.
constexpr void batch_flatten(const tensor& data, tensor& out) {
    if (data.rank() == 0) detail::fail("batch_flatten", {"data is ", data}, "a rank of at least 1");
    const std::int64_t shape[]{data.shape()[0], element_count(data.shape().subspan(1))};
    reshape(data, shape, out);
}

/// Inserts `count` axes of length 1 before axis `axis`; -1 appends them.
///
/// Throws: tutti::error if there is no such axis, or if the rank becomes too high.
constexpr void expand_dims(const tensor& data, std::int64_t axis, std::int64_t count, tensor& out) {
    if (count < 0 || data.rank() > max_rank || count > static_cast<std::int64_t>(max_rank - data.rank()))
        detail::fail("expand_dims", {count, " more axes for data ", data}, {"a rank of at most ", max_rank});
    const std::size_t at = detail::checked_axis("expand_dims", axis, data.rank() + 1);
    reshape(data, with_axes<extents>(data.shape(), at, count, 1), out);
}

/// Removes the listed axes. Without a list, removes every axis of length 1.
///
/// Throws: tutti::error if there is no such axis, or if its length is not 1.
constexpr void squeeze(const tensor& data, std::optional<std::span<const std::int64_t>> axes, tensor& out) {
    detail::check_rank("squeeze", data);
    std::array<bool, max_rank> gone{};
    if (axes) {
        for (const std::int64_t axis : *axes) {
            const std::size_t d = detail::checked_axis("squeeze", axis, data.rank());
            if (data.shape()[d] != 1)
                detail::fail("squeeze", {"axis ", axis, " of data ", data}, "an axis of length 1");
            gone[d] = true;
        }
    } else {
        for (std::size_t d = 0; d < data.rank(); ++d) gone[d] = data.shape()[d] == 1;
    }
    reshape(data, without_axes<extents>(data.shape(), gone, false), out);
}

} // namespace tutti::kernel
