#pragma once

#include <tutti/kernel/dtype.hpp>
#include <tutti/kernel/support/blocks.hpp>
#include <tutti/kernel/support/element.hpp>
#include <tutti/kernel/support/strided.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/kernel/tensor.hpp>

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace tutti::kernel {

namespace detail {

// There are some thirty operations and a dozen element types. For each arithmetic type, each operation is compiled as
// one loop over contiguous elements. The walk over tensors is compiled once per arithmetic type and calls the loop.

/// A loop over one operand. An operation may take up to two parameters, which are the same for all elements.
template <class C, class R = C>
using unary_loop = void (*)(const C* in, R* out, std::int64_t n, const C* parameters);

template <class C, class R = C>
using binary_loop = void (*)(const C* a, const C* b, R* out, std::int64_t n);

template <class Op, int Parameters, class C, class R>
constexpr void apply_unary(const C* in, R* out, std::int64_t n, const C* parameters) {
    if constexpr (Parameters == 0) {
        for (std::int64_t i = 0; i < n; ++i) out[i] = Op{}(in[i]);
    } else if constexpr (Parameters == 1) {
        const C p = parameters[0];
        for (std::int64_t i = 0; i < n; ++i) out[i] = Op{}(in[i], p);
    } else {
        const C p = parameters[0];
        const C q = parameters[1];
        for (std::int64_t i = 0; i < n; ++i) out[i] = Op{}(in[i], p, q);
    }
}

template <class Op, class C, class R>
constexpr void apply_binary(const C* a, const C* b, R* out, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) out[i] = Op{}(a[i], b[i]);
}

/// The loops of an operation, one for each arithmetic type; null where the operation is not defined.
template <template <class...> class Loop, class... Result>
struct loop_table {
    Loop<float, Result...> f32 = nullptr;
    Loop<double, Result...> f64 = nullptr;
    Loop<std::int64_t, Result...> i64 = nullptr;
    Loop<std::uint64_t, Result...> u64 = nullptr;

    template <class C>
    constexpr auto get() const {
        if constexpr (std::is_same_v<C, float>)
            return f32;
        else if constexpr (std::is_same_v<C, double>)
            return f64;
        else if constexpr (std::is_same_v<C, std::int64_t>)
            return i64;
        else
            return u64;
    }
};

using unary_loops = loop_table<unary_loop>;
using unary_questions = loop_table<unary_loop, bool>;
using binary_loops = loop_table<binary_loop>;
using binary_questions = loop_table<binary_loop, bool>;

template <class Op, int Parameters = 0>
inline constexpr unary_loops arithmetic_loops{
    apply_unary<Op, Parameters, float, float>, apply_unary<Op, Parameters, double, double>,
    apply_unary<Op, Parameters, std::int64_t, std::int64_t>, apply_unary<Op, Parameters, std::uint64_t, std::uint64_t>};

template <class Op>
inline constexpr unary_loops floating_loops{apply_unary<Op, 0, float, float>, apply_unary<Op, 0, double, double>};

template <class Op>
inline constexpr unary_loops integer_loops{nullptr, nullptr, apply_unary<Op, 0, std::int64_t, std::int64_t>,
                                           apply_unary<Op, 0, std::uint64_t, std::uint64_t>};

template <class Op>
inline constexpr unary_questions floating_questions{apply_unary<Op, 0, float, bool>, apply_unary<Op, 0, double, bool>};

template <class Op>
inline constexpr binary_loops pair_loops{apply_binary<Op, float, float>, apply_binary<Op, double, double>,
                                         apply_binary<Op, std::int64_t, std::int64_t>,
                                         apply_binary<Op, std::uint64_t, std::uint64_t>};

/// Returns the loops that add elements of the given type. Bool is added modulo 2, so its loops are those that subtract:
/// 1 - 1 is 0, whereas the integer 1 + 1 would convert to true.
constexpr const binary_loops& sum_loops(dtype type) {
    return type == dtype::boolean ? pair_loops<element::subtract> : pair_loops<element::add>;
}

template <class Op>
inline constexpr binary_loops integer_pair_loops{nullptr, nullptr, apply_binary<Op, std::int64_t, std::int64_t>,
                                                 apply_binary<Op, std::uint64_t, std::uint64_t>};

template <class Op>
inline constexpr binary_questions pair_questions{apply_binary<Op, float, bool>, apply_binary<Op, double, bool>,
                                                 apply_binary<Op, std::int64_t, bool>,
                                                 apply_binary<Op, std::uint64_t, bool>};

/// Computes every element of `out`, which has the shape of `in`.
template <class C, class R>
constexpr void walk_unary(unary_loop<C, R> loop, const tensor& in, const C* parameters, tensor& out) {
    C room[block_length];
    R made[block_length];
    for (std::int64_t i = 0; i < in.size(); i += block_length) {
        const std::int64_t n = std::min(block_length, in.size() - i);
        R* to = block_to_write(out, i, +made);
        loop(read_block(in, i, n, +room), to, n, parameters);
        write_block<R>(to, n, out, i);
    }
}

/// Returns n elements of an operand's row, from element `first` on, in the arithmetic type. If `step` is 0, repeats the
/// row's only element in `room`.
template <class C>
constexpr const C* row_block(const tensor& t, std::int64_t row, std::int64_t step, std::int64_t first, std::int64_t n,
                             C* room) {
    if (step != 0) return read_block(t, row + first, n, room);
    if (first == 0) { // later blocks of the row reuse the copies: they are not longer than the first block
        const C value = *read_block(t, row, 1, room);
        std::fill_n(room, n, value);
    }
    return room;
}

/// Computes every element of `out`. Each operand has a stride along each axis of `out`; along the last axis with more
/// than one element, the stride is 0 or 1.
template <class C, class R>
constexpr void walk_binary(binary_loop<C, R> loop, const tensor& a, const extents& a_strides, const tensor& b,
                           const extents& b_strides, tensor& out) {
    C left[block_length];
    C right[block_length];
    R made[block_length];
    for (strided_rows<2> rows(out.shape(), {a_strides, b_strides}); !rows.done(); rows.next())
        for (std::int64_t i = 0; i < rows.length(); i += block_length) {
            const std::int64_t n = std::min(block_length, rows.length() - i);
            R* to = block_to_write(out, rows.result() + i, +made);
            loop(row_block(a, rows.operand(0), rows.step(0), i, n, +left),
                 row_block(b, rows.operand(1), rows.step(1), i, n, +right), to, n);
            write_block(to, n, out, rows.result() + i);
        }
}

/// Calls `walk_binary` with the loop for the operands' arithmetic type. Requires: that loop is not null.
template <class... Result>
constexpr void compute(const loop_table<binary_loop, Result...>& loops, const tensor& a, const extents& a_strides,
                       const tensor& b, const extents& b_strides, tensor& out) {
    with_arithmetic(a.type(), [&]<class C>(std::type_identity<C>) {
        walk_binary(loops.template get<C>(), a, a_strides, b, b_strides, out);
    });
}

} // namespace detail
} // namespace tutti::kernel
