#pragma once

#include <tutti/kernel/dtype.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/copy.hpp>
#include <tutti/kernel/support/numbers.hpp>
#include <tutti/kernel/tensor.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace tutti::kernel {

/// Sets `out` to a tensor of type `type` and shape `shape`. All elements are `value`, converted like `convert`.
///
/// Throws: tutti::error if the type is `none`, if a size is negative, or if the tensor would be too large.
constexpr void full(const number& value, dtype type, std::span<const std::int64_t> shape, tensor& out) {
    if (type == dtype::none) detail::fail("full", "elements of type void", "an element type");
    detail::check_sizes("full", shape);
    detail::make_result("full", type, shape, out);
    if (out.size() == 0) return;
    value.put(out, 0);
    detail::spread(out);
}

/// Sets `out` to a vector of the sizes of a shape. Rank 0, which has no sizes, yields a single 0, as in the reference.
///
/// Throws: tutti::error if the type is `none`.
constexpr void list_of(std::span<const std::int64_t> sizes, dtype type, tensor& out) {
    if (type == dtype::none) detail::fail("shape_of", "elements of type void", "an element type");
    if (sizes.empty()) return full(std::int64_t{0}, type, {}, out);
    const std::int64_t shape[]{static_cast<std::int64_t>(sizes.size())};
    detail::make_result("shape_of", type, shape, out);
    for (std::size_t d = 0; d < sizes.size(); ++d) number(sizes[d]).put(out, static_cast<std::int64_t>(d));
}

/// Sets `out` to a vector of the sizes of a tensor. Throws: tutti::error if the type is `none` or the tensor is empty.
constexpr void shape_of(const tensor& data, dtype type, tensor& out) {
    detail::check_data("shape_of", data);
    list_of(data.shape(), type, out);
}

} // namespace tutti::kernel
