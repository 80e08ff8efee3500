#pragma once

#include <tutti/kernel/support/blocks.hpp>
#include <tutti/kernel/support/broadcast.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/strided.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/kernel/tensor.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <type_traits>

namespace tutti::kernel {

namespace detail {

/// Returns the truth values of n contiguous elements: in place if they are bool, else in `room`. NaN is true.
constexpr const bool* truth(const tensor& t, std::int64_t first, std::int64_t n, bool* room) {
    if (t.type() == dtype::boolean) return t.data<bool>() + first;
    with_arithmetic(t.type(), [&]<class C>(std::type_identity<C>) {
        C numbers[block_length];
        const C* from = read_block(t, first, n, +numbers);
        for (std::int64_t i = 0; i < n; ++i) room[i] = from[i] != C{0};
    });
    return room;
}

/// Computes `out[i] = condition[i] ? x[i] : y[i]` for elements of `Size` bytes. `step` holds the strides of the
/// operands.
template <std::int64_t Size>
void select_bytes(const bool* condition, const char* x, const char* y, const std::array<std::int64_t, 3>& step,
                  char* out, std::int64_t n) {
    const char* const from[]{y, x};
    const std::int64_t steps[]{step[2] * Size, step[1] * Size};
    for (std::int64_t i = 0; i < n; ++i) { // a lookup is faster than a branch on random data
        const bool chosen = condition[i * step[0]];
        std::memcpy(out + i * Size, from[chosen] + i * steps[chosen], Size);
    }
}

/// Selects n elements from `x` and `y`, from the given offsets on, and stores them in `out`.
constexpr void select(const bool* condition, const tensor& x, std::int64_t at_x, const tensor& y, std::int64_t at_y,
                      const std::array<std::int64_t, 3>& step, tensor& out, std::int64_t at_out, std::int64_t n) {
    if (__builtin_is_constant_evaluated())
        return with_element_type(x.type(), [&]<class T>(std::type_identity<T>) {
            for (std::int64_t i = 0; i < n; ++i)
                out.mutable_data<T>()[at_out + i] =
                    condition[i * step[0]] ? x.data<T>()[at_x + i * step[1]] : y.data<T>()[at_y + i * step[2]];
        });
    const auto size = static_cast<std::int64_t>(bytes(x.type()));
    const auto run = size == 1   ? select_bytes<1>
                     : size == 2 ? select_bytes<2>
                     : size == 4 ? select_bytes<4>
                                 : select_bytes<8>;
    run(condition, static_cast<const char*>(x.memory()) + at_x * size,
        static_cast<const char*>(y.memory()) + at_y * size, step,
        static_cast<char*>(out.mutable_memory()) + at_out * size, n);
}

} // namespace detail

/// Takes the elements of `x` where the condition is true (not zero, or NaN), and of `y` elsewhere. All three tensors
/// are broadcast together.
///
/// Throws: tutti::error if x and y differ in element type, or if the shapes do not broadcast.
constexpr void where(const tensor& condition, const tensor& x, const tensor& y, tensor& out) {
    for (const tensor* t : {&condition, &x, &y}) {
        detail::check_any("where", *t);
        detail::check_rank("where", *t);
    }
    if (x.type() != y.type()) detail::fail_pair("where", "x", x, "y", y, "the same element type");
    const std::optional<extents> values = broadcast_shape(x.shape(), y.shape());
    if (!values) detail::fail_pair("where", "x", x, "y", y, "shapes that broadcast");
    const std::optional<extents> shape = broadcast_shape(condition.shape(), *values);
    if (!shape) detail::fail_pair("where", "condition", condition, "x", x, "shapes that broadcast");
    detail::make_result("where", x.type(), *shape, out);
    bool room[detail::block_length];
    strided_rows<3> rows(*shape, {broadcast_strides(condition.shape(), *shape), broadcast_strides(x.shape(), *shape),
                                  broadcast_strides(y.shape(), *shape)});
    const std::array<std::int64_t, 3> step{rows.step(0), rows.step(1), rows.step(2)};
    for (; !rows.done(); rows.next())
        for (std::int64_t i = 0; i < rows.length(); i += detail::block_length) {
            const std::int64_t n = std::min(detail::block_length, rows.length() - i);
            const bool* chosen = detail::truth(condition, rows.operand(0) + i * step[0], step[0] == 0 ? 1 : n, +room);
            detail::select(chosen, x, rows.operand(1) + i * step[1], y, rows.operand(2) + i * step[2], step, out,
                           rows.result() + i, n);
        }
}

} // namespace tutti::kernel
