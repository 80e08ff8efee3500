#pragma once

#include <tutti/kernel/support/broadcast.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/copy.hpp>
#include <tutti/kernel/support/shape_rules.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/kernel/tensor.hpp>

#include <cstdint>
#include <span>

namespace tutti::kernel {

/// Broadcasts data to a shape: aligns both shapes at the last axis and repeats dimensions of 1.
///
/// Throws: tutti::error if the data's shape does not broadcast to `shape`.
constexpr void broadcast_to(const tensor& data, std::span<const std::int64_t> shape, tensor& out) {
    detail::check_data("broadcast_to", data);
    if (shape.size() > max_rank || !stretches(data.shape(), shape))
        detail::fail("broadcast_to", {"data is ", data, " and the new shape is ", shape},
                     "a shape that the data broadcasts to");
    detail::check_sizes("broadcast_to", shape);
    detail::make_result("broadcast_to", data.type(), shape, out);
    copy_elements(shape, data, {0, broadcast_strides(data.shape(), shape)}, out, detail::dense(shape));
}

} // namespace tutti::kernel
