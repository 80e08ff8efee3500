#pragma once

#include <tutti/kernel/blocked/common/vectors.hpp>
#include <tutti/kernel/blocked/integer/blocks.hpp>
#include <tutti/kernel/blocked/integer/integers.hpp>
#include <tutti/kernel/dtype.hpp>
#include <tutti/kernel/support/broadcast.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/convert.hpp>
#include <tutti/kernel/support/epilogue.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/parallel/executor.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <type_traits>

// Arithmetic on integers of at most 32 bits in vectors of their own width. Results equal the reference's and wrap.

namespace tutti::kernel::blocked {

namespace detail {

/// A loop over `n` elements of one type, with two operands.
using pair_loop = void (*)(const void* a, const void* b, void* out, std::int64_t n);

template <class Op, class T>
[[gnu::noinline]] inline void combine(const void* a, const void* b, void* out, std::int64_t n) {
    each_integers<T>(n, out, [](const auto& x, const auto& y) { return Op::of(x, y); }, a, b);
}

/// A loop that clamps elements to [least, greatest].
using range_loop = void (*)(const void* in, void* out, std::int64_t n, std::int32_t least, std::int32_t greatest);

template <class T>
[[gnu::noinline]] inline void bring_into(const void* in, void* out, std::int64_t n, std::int32_t least,
                                         std::int32_t greatest) {
    each_integers<T>(
        n, out,
        [low = static_cast<T>(least), high = static_cast<T>(greatest)]<class V>(const V& x) {
            const V lower = V{} + low;
            const V upper = V{} + high;
            const V raised = x > lower ? x : lower;
            return raised < upper ? raised : upper;
        },
        in);
}

/// Returns the loop of an operation for an element type. Sums, differences and products are the same for signed and
/// unsigned elements.
template <class Op>
inline pair_loop pair_loop_for(dtype type) {
    pair_loop found = nullptr;
    with_small_type(type, [&]<class T>(std::type_identity<T>) {
        found = combine<Op, std::conditional_t<Op::by_sign, T, std::make_unsigned_t<T>>>;
    });
    return found;
}

inline range_loop range_loop_for(dtype type) {
    range_loop found = nullptr;
    with_small_type(type, [&]<class T>(std::type_identity<T>) { found = bring_into<T>; });
    return found;
}

/// True if the loops support an element type.
constexpr bool is_small_integer(dtype type) { return is_integer(type) && bytes(type) <= 4 && type != dtype::uint32; }

/// The bounds of `clip` as integers, clamped to the range of the element type.
struct clip_range {
    std::int32_t least = 0;
    std::int32_t greatest = 0;

    /// Sets the bounds. Returns false if a result may be outside the type.
    constexpr bool set(double low, double high, dtype type) {
        const integer_range range = values_of(type);
        const auto from = convert<std::int64_t>(low);
        const auto to = convert<std::int64_t>(high);
        if (from > range.greatest || to < range.least) return false;
        least = static_cast<std::int32_t>(std::max(from, range.least));
        greatest = static_cast<std::int32_t>(std::min(to, range.greatest));
        return true;
    }
};

inline constexpr std::int64_t bytes_of_block = 2048;

/// Reads an operand in blocks, as elements of type T.
template <class T>
class operand_blocks {
public:
    operand_blocks(const void* memory, const block_source& source)
        : memory_(static_cast<const T*>(memory)), source_(source) {}

    const T* read(std::int64_t first, std::int64_t n) {
        const T* const one = source_.only(memory_, first, n);
        if (one == nullptr) {
            filled_ = nullptr;
            return source_.read(memory_, first, n, +room_);
        }
        if (one != filled_) std::fill_n(+room_, bytes_of_block / sizeof(T), *one);
        filled_ = one;
        return room_;
    }

private:
    static constexpr std::size_t size = bytes_of_block / sizeof(T);

    const T* memory_;
    const block_source& source_;
    const T* filled_ = nullptr; // the value that fills `room_`
    alignas(64) T room_[size];
};

/// Divides `size` elements into parts and calls `f(first, n)` for each part, on the executor if there are many parts.
template <class F>
inline void each_part(executor_ref on, std::int64_t size, F f) {
    constexpr std::int64_t most = 16 * 1024; // maximum length of a part
    const auto parts = static_cast<std::size_t>((size + most - 1) / most);
    for_each_index(
        on, parts,
        [&](std::size_t i) {
            const std::int64_t first = static_cast<std::int64_t>(i) * most;
            f(first, std::min(most, size - first));
        },
        coarse_grain(on, parts));
}

/// An operand, and the mapping from elements of the result to elements of the operand.
struct block_operand {
    const tensor& elements;
    block_source source;
};

/// Applies an operation to all elements of the result. Requires: `out` is allocated.
template <class T>
inline void combine_blocks(pair_loop loop, const block_operand& a, const block_operand& b, tensor& out,
                           executor_ref on) {
    constexpr auto at_once = bytes_of_block / static_cast<std::int64_t>(sizeof(T));
    T* const to = static_cast<T*>(out.mutable_memory());
    each_part(on, out.size(), [&](std::int64_t first, std::int64_t n) {
        operand_blocks<T> left(a.elements.memory(), a.source);
        operand_blocks<T> right(b.elements.memory(), b.source);
        for (std::int64_t i = first; i < first + n; i += at_once) {
            const std::int64_t count = std::min(at_once, first + n - i);
            loop(left.read(i, count), right.read(i, count), to + i, count);
        }
    });
}

/// Combines operands of one type into a result of shape `shape`. False if an operand has too many axes.
inline bool combine_tensors(std::string_view kernel, pair_loop loop, const block_operand (&of)[2], const extents& shape,
                            tensor& out, executor_ref on) {
    if (!of[0].source.fits() || !of[1].source.fits()) return false;
    const dtype type = of[0].elements.type();
    kernel::detail::make_result(kernel, type, shape, out);
    const auto run = bytes(type) == 1   ? combine_blocks<std::uint8_t>
                     : bytes(type) == 2 ? combine_blocks<std::uint16_t>
                                        : combine_blocks<std::uint32_t>;
    run(loop, of[0], of[1], out, on);
    return true;
}

inline bool combine_broadcast(std::string_view kernel, pair_loop (*loop_for)(dtype), const tensor& a, const tensor& b,
                              tensor& out, executor_ref on) {
    if (!is_small_integer(a.type()) || b.type() != a.type() || a.rank() > max_rank || b.rank() > max_rank) return false;
    const std::optional<extents> shape = broadcast_shape(a.shape(), b.shape());
    if (!shape) return false;
    return combine_tensors(
        kernel, loop_for(a.type()),
        {{a, {*shape, broadcast_strides(a.shape(), *shape)}}, {b, {*shape, broadcast_strides(b.shape(), *shape)}}},
        *shape, out, on);
}

inline bool bring_tensor_into(std::string_view kernel, const tensor& data, const clip_range& range, tensor& out,
                              executor_ref on) {
    const auto size = static_cast<std::int64_t>(bytes(data.type()));
    kernel::detail::make_result(kernel, data.type(), data.shape(), out);
    const auto* const from = static_cast<const std::uint8_t*>(data.memory());
    auto* const to = static_cast<std::uint8_t*>(out.mutable_memory());
    const range_loop loop = range_loop_for(data.type());
    each_part(on, out.size(), [&](std::int64_t first, std::int64_t n) {
        loop(from + first * size, to + first * size, n, range.least, range.greatest);
    });
    return true;
}

} // namespace detail

// Operations on vectors, or on single elements. `by_sign` is true if results differ between signed and unsigned
// elements; otherwise signed elements are computed as unsigned ones, which wrap.

struct integer_sum {
    static constexpr bool by_sign = false;
    template <class V>
    [[gnu::always_inline]] static V of(const V& a, const V& b) {
        return a + b;
    }
};
struct integer_difference {
    static constexpr bool by_sign = false;
    template <class V>
    [[gnu::always_inline]] static V of(const V& a, const V& b) {
        return a - b;
    }
};
struct integer_product {
    static constexpr bool by_sign = false;
    template <class V>
    [[gnu::always_inline]] static V of(const V& a, const V& b) {
        return a * b;
    }
};
struct greater_integer {
    static constexpr bool by_sign = true;
    template <class V>
    [[gnu::always_inline]] static V of(const V& a, const V& b) {
        return a > b ? a : b;
    }
};
struct lesser_integer {
    static constexpr bool by_sign = true;
    template <class V>
    [[gnu::always_inline]] static V of(const V& a, const V& b) {
        return a < b ? a : b;
    }
};

namespace detail {

template <class Op>
using word_of = std::conditional_t<Op::by_sign, std::int32_t, std::uint32_t>;

template <class Op>
inline void combine_words(const float* a, const float* b, float* out, std::int64_t n) {
    combine<Op, word_of<Op>>(a, b, out, n);
}
template <class Op>
[[gnu::noinline]] inline void combine_words_by_one(const float* a, float b, float* out, std::int64_t n) {
    word_of<Op> other = 0;
    __builtin_memcpy(&other, &b, sizeof other);
    each_integers<word_of<Op>>(n, out, [other]<class V>(const V& x) { return Op::of(x, V{} + other); }, a);
}

inline void bring_words_into(const float* in, float* out, std::int64_t n, const float* parameters) {
    clip_range range;
    __builtin_memcpy(&range.least, parameters, sizeof range.least);
    __builtin_memcpy(&range.greatest, parameters + 1, sizeof range.greatest);
    bring_into<std::int32_t>(in, out, n, range.least, range.greatest);
}

} // namespace detail

/// An operation as a block operation on int32.
template <class Op>
inline constexpr block_operation integer_block{.two = detail::combine_words<Op>,
                                               .by_one = detail::combine_words_by_one<Op>};

/// `clip` as a block operation on int32, with the parameters of `clip_parameters`.
inline constexpr block_operation integer_clip_block{.one = detail::bring_words_into};

/// Stores both bounds as parameters: the bits of int32 in elements of type float32. Returns false if a result may be
/// outside int32.
inline bool clip_parameters(double low, double high, float* parameters) {
    detail::clip_range range;
    if (!range.set(low, high, dtype::int32)) return false;
    detail::carry(static_cast<std::uint32_t>(range.least), parameters);
    detail::carry(static_cast<std::uint32_t>(range.greatest), parameters + 1);
    return true;
}

/// Applies `Op` with broadcasting, like `kernel::add`, to integers of at most 32 bits except uint32.
///
/// Does nothing and returns false for other element types, shapes that do not broadcast, and operands broadcast along
/// too many separate axes.
template <class Op>
inline bool combine_integers(std::string_view kernel, const tensor& lhs, const tensor& rhs, tensor& out,
                             executor_ref on = {}) {
    return detail::combine_broadcast(kernel, detail::pair_loop_for<Op>, lhs, rhs, out, on);
}

/// Computes `kernel::bias_add` for the element types of `combine_integers`. Does nothing and returns false for other
/// operands.
inline bool bias_add_integers(const tensor& data, const tensor& bias, std::int64_t axis, tensor& out,
                              executor_ref on = {}) {
    const auto rank = static_cast<std::int64_t>(data.rank());
    const std::int64_t at = axis < 0 ? axis + rank : axis;
    if (!detail::is_small_integer(data.type()) || bias.type() != data.type() || data.rank() > max_rank || at < 0 ||
        at >= rank || bias.rank() != 1 || bias.size() != data.shape()[static_cast<std::size_t>(at)])
        return false;
    extents strides(data.rank(), 0);
    strides[static_cast<std::size_t>(at)] = 1;
    const extents shape(data.shape());
    return detail::combine_tensors("bias_add", detail::pair_loop_for<integer_sum>(data.type()),
                                   {{data, {shape, row_major_strides(shape)}}, {bias, {shape, strides}}}, shape, out,
                                   on);
}

/// Computes `kernel::clip` for the element types of `combine_integers`. Does nothing and returns false for other types,
/// and if a bound excludes all values of the type.
inline bool clip_integers(const tensor& data, double low, double high, tensor& out, executor_ref on = {}) {
    detail::clip_range range;
    return detail::is_small_integer(data.type()) && range.set(low, high, data.type()) &&
           detail::bring_tensor_into("clip", data, range, out, on);
}

/// Computes `kernel::relu` for the element types of `combine_integers`. Does nothing and returns false for other types.
inline bool relu_integers(const tensor& data, tensor& out, executor_ref on = {}) {
    detail::clip_range range;
    return detail::is_small_integer(data.type()) &&
           range.set(0, std::numeric_limits<double>::infinity(), data.type()) &&
           detail::bring_tensor_into("relu", data, range, out, on);
}

} // namespace tutti::kernel::blocked
