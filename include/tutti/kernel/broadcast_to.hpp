#pragma once

#include <tutti/kernel/broadcast.hpp>
#include <tutti/kernel/check.hpp>
#include <tutti/kernel/strided.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/kernel/view.hpp>

#include <cstdint>
#include <span>
#include <type_traits>

namespace tutti::kernel {

/// The data stretched to that shape: aligned at the last axis, a dimension of 1 is repeated.
///
/// Throws: tutti::error if the data's shape does not broadcast to it.
constexpr tensor broadcast_to(const tensor& t, std::span<const std::int64_t> shape) {
    detail::check_rank("broadcast_to", t);
    const auto stretched = broadcast_shape(t.shape(), shape);
    if (!stretched || !std::ranges::equal(*stretched, shape))
        detail::fail("broadcast_to", "data is " + text(t) + " and the new shape is " + text(shape),
                     "a shape that the data broadcasts to");
    return detail::with_any_type("broadcast_to", t, [&]<class T>(std::type_identity<T>) {
        tensor out = detail::make_result("broadcast_to", t.type(), shape);
        const strided_loop<1> loop(shape, {broadcast_strides(t.shape(), shape)});
        const auto from = t.elements<T>();
        const auto into = out.mutable_elements<T>();
        const std::int64_t n = loop.row_length();
        loop.for_each_row([&](std::int64_t at, const auto& start) {
            for (std::int64_t i = 0; i < n; ++i)
                into[static_cast<std::size_t>(at + i)] =
                    from[static_cast<std::size_t>(start[0] + i * loop.step(0))];
        });
        return out;
    });
}

} // namespace tutti::kernel
