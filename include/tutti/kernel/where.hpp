#pragma once

#include <tutti/kernel/blocks.hpp>
#include <tutti/kernel/broadcast.hpp>
#include <tutti/kernel/check.hpp>
#include <tutti/kernel/strided.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/kernel/view.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <type_traits>

namespace tutti::kernel {

namespace detail {

/// Which of n neighbouring elements are not zero (NaN is not): in place if they are of type bool, else in `room`.
constexpr const bool* truth(const tensor& t, std::int64_t first, std::int64_t n, bool* room) {
    if (t.type() == dtype::boolean) return t.data<bool>() + first;
    with_arithmetic(t.type(), [&]<class C>(std::type_identity<C>) {
        C numbers[block_length];
        const C* from = read_block(t, first, n, +numbers);
        for (std::int64_t i = 0; i < n; ++i) room[i] = from[i] != C{0};
    });
    return room;
}

/// `out[i] = condition[i] ? x[i] : y[i]`, each operand with a step of its own.
template <class T>
constexpr void select(const bool* condition, const T* x, const T* y, const std::array<std::int64_t, 3>& step, T* out,
                      std::int64_t n) {
    const T* const from[]{y, x};
    const std::int64_t steps[]{step[2], step[1]};
    for (std::int64_t i = 0; i < n; ++i) { // looked up, because a branch on random data costs more
        const bool chosen = condition[i * step[0]];
        out[i] = from[chosen][i * steps[chosen]];
    }
}

} // namespace detail

/// The elements of `x` where the condition is not zero (NaN is not), and those of `y` elsewhere; all three are broadcast
/// together.
///
/// Throws: tutti::error if x and y are of different element types, or if the shapes do not broadcast.
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
            with_element_type(x.type(), [&]<class T>(std::type_identity<T>) {
                detail::select(chosen, x.data<T>() + rows.operand(1) + i * step[1],
                               y.data<T>() + rows.operand(2) + i * step[2], step,
                               out.mutable_data<T>() + rows.result() + i, n);
            });
        }
}

} // namespace tutti::kernel
