#pragma once

#include <tutti/kernel/broadcast.hpp>
#include <tutti/kernel/check.hpp>
#include <tutti/kernel/strided.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/kernel/view.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>

namespace tutti::kernel {

/// The data stretched to that shape: aligned at the last axis, a dimension of 1 is repeated.
///
/// Throws: tutti::error if the data's shape does not broadcast to it.
constexpr tensor broadcast_to(const tensor& t, std::span<const std::int64_t> shape) {
    detail::check_rank("broadcast_to", t);
    const std::optional<extents> stretched =
        shape.size() > max_rank ? std::nullopt : broadcast_shape(t.shape(), shape);
    if (!stretched || !std::ranges::equal(*stretched, shape))
        detail::fail("broadcast_to", "data is " + text(t) + " and the new shape is " + text(shape),
                     "a shape that the data broadcasts to");
    return detail::with_any_type("broadcast_to", t, [&]<class T>(std::type_identity<T>) {
        tensor out = detail::make_result("broadcast_to", t.type(), shape);
        copy_strided(view_of<T>(t), broadcast_strides(t.shape(), shape), mutable_view_of<T>(out));
        return out;
    });
}

} // namespace tutti::kernel
