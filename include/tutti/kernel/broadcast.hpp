#pragma once

#include <tutti/kernel/view.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace tutti::kernel {

/// The shape that both operands are stretched to, or nothing if they do not fit: aligned at the last axis,
/// two dimensions fit if they are equal or one of them is 1.
///
/// Requires: ranks of at most `max_rank`.
/// Source:   NumPy's general broadcasting rules.
[[gnu::noinline]] constexpr std::optional<extents> broadcast_shape(std::span<const std::int64_t> a,
                                                                   std::span<const std::int64_t> b) {
    const std::size_t rank = std::max(a.size(), b.size());
    extents shape(rank, 1);
    for (std::size_t i = 1; i <= rank; ++i) {
        const std::int64_t x = i <= a.size() ? a[a.size() - i] : 1;
        const std::int64_t y = i <= b.size() ? b[b.size() - i] : 1;
        if (x != y && x != 1 && y != 1) return std::nullopt;
        shape[rank - i] = x == 1 ? y : x;
    }
    return shape;
}

/// The strides with which an operand of that shape is read as one of the result's: 0 where it is stretched.
///
/// Requires: `shape` broadcasts to `result`.
[[gnu::noinline]] constexpr extents broadcast_strides(std::span<const std::int64_t> shape,
                                                      std::span<const std::int64_t> result) {
    const extents own = row_major_strides(shape);
    extents strides(result.size(), 0);
    const std::size_t missing = result.size() - shape.size();
    for (std::size_t d = 0; d < shape.size(); ++d)
        if (shape[d] != 1) strides[missing + d] = own[d];
    return strides;
}

} // namespace tutti::kernel
