#pragma once

#include <tutti/kernel/support/shape_rules.hpp>
#include <tutti/kernel/support/view.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace tutti::kernel {

/// Returns the shape that both operands broadcast to, or nothing if they do not broadcast. See `append_broadcast`.
///
/// Requires: ranks of at most `max_rank`.
constexpr std::optional<extents> broadcast_shape(std::span<const std::int64_t> a, std::span<const std::int64_t> b) {
    extents shape;
    return append_broadcast(shape, a, b) ? std::optional(shape) : std::nullopt;
}

/// Returns the strides for reading an operand of the given shape along the result's axes: 0 along broadcast axes.
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
