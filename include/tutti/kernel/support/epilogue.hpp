#pragma once

#include <tutti/kernel/support/broadcast.hpp>
#include <tutti/kernel/support/element.hpp>
#include <tutti/kernel/support/loops.hpp>
#include <tutti/kernel/support/size_math.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/parallel/executor.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

// Epilogues: lists of elementwise steps that a kernel applies to each block of its result while the block is in cache.

namespace tutti::kernel {

/// The function that a block operation computes. A library can substitute its own implementation.
enum class block_function : std::uint8_t {
    other,
    abs,
    add,
    clip,
    divide,
    exp,
    leaky_relu,
    maximum,
    minimum,
    multiply,
    relu,
    sigmoid,
    sqrt,
    subtract,
    tanh,
};

/// An elementwise operation on blocks of float32: unary with up to two parameters, or binary. Operations on int32
/// receive the bits of their elements and parameters in float32 objects.
struct block_operation {
    detail::unary_loop<float> one = nullptr;
    detail::binary_loop<float> two = nullptr;
    /// The operation `two` with a single element as the second operand; may be null.
    void (*by_one)(const float* a, float b, float* out, std::int64_t n) = nullptr;
    block_function function = block_function::other;
};

/// Maps elements of the result to elements of a broadcast operand. Merges neighbouring axes where possible.
class block_source {
public:
    /// Maximum number of axes after merging.
    static constexpr std::size_t most_axes = 6;

    /// Describes an operand of the same shape as the result.
    constexpr block_source() = default;
    /// Requires: `strides` contains the operand's stride along each axis of the result: 0 for a broadcast axis, else
    /// the dense stride.
    constexpr block_source(std::span<const std::int64_t> result, const extents& strides) {
        for (std::size_t d = result.size(); d-- > 0;) {
            if (result[d] == 1) continue;
            if (axes_ != 0 && strides[d] == stride_[axes_ - 1] * size_[axes_ - 1]) {
                size_[axes_ - 1] *= result[d];
                continue;
            }
            fits_ = axes_ < most_axes;
            if (!fits_) return;
            size_[axes_] = result[d];
            stride_[axes_] = strides[d];
            ++axes_;
        }
        same_ = axes_ == 0 || (axes_ == 1 && stride_[0] == 1);
    }

    /// True if there are at most `most_axes` merged axes. If false, `only` and `read` must not be called.
    constexpr bool fits() const { return fits_; }

    friend constexpr bool operator==(const block_source&, const block_source&) = default;

    /// True if element i of the result uses element i of the operand.
    constexpr bool same() const { return same_; }

    /// Returns the only element of the operand that elements `first` to `first + n` of the result use, or null if they
    /// may use several.
    template <class T>
    constexpr const T* only(const T* operand, std::int64_t first, std::int64_t n) const {
        if (same_ || stride_[0] != 0) return nullptr;
        const place p = place_of(first);
        return n <= size_[0] - p.in_row ? operand + p.row : nullptr;
    }

    /// Returns the operand's elements that elements `first` to `first + n` of the result use: in place or in `room`.
    template <class T>
    constexpr const T* read(const T* operand, std::int64_t first, std::int64_t n, T* room) const {
        if (same_) return operand + first;
        const std::int64_t length = size_[0];
        const std::int64_t step = stride_[0];
        for (std::int64_t done = 0; done < n;) {
            const place p = place_of(first + done);
            const T* from = operand + p.row + p.in_row * step;
            const std::int64_t count = std::min(length - p.in_row, n - done);
            if (step == 0)
                std::fill_n(room + done, count, *from);
            else if (count == n)
                return from;
            else
                std::copy_n(from, count, room + done);
            done += count;
        }
        return room;
    }

private:
    /// The position of an element: the offset of its row along the innermost axis, and its index in the row.
    struct place {
        std::int64_t row;
        std::int64_t in_row;
    };

    constexpr place place_of(std::int64_t element) const {
        std::int64_t rest = quotient(element, size_[0]);
        place p{0, element - rest * size_[0]};
        for (std::size_t a = 1; a + 1 < axes_; ++a) {
            const std::int64_t next = quotient(rest, size_[a]);
            p.row += (rest - next * size_[a]) * stride_[a];
            rest = next;
        }
        if (axes_ > 1) p.row += rest * stride_[axes_ - 1];
        return p;
    }

    std::int64_t size_[most_axes]{}; // innermost first
    std::int64_t stride_[most_axes]{};
    std::size_t axes_ = 0;
    bool same_ = true;
    bool fits_ = true;
};

/// One step of an epilogue: an operation on the block and, for binary operations, another operand.
struct epilogue_step {
    block_operation what{};
    float parameters[2]{};
    const float* other = nullptr;
    const block_source* source = nullptr; ///< locates elements of `other`
    bool other_first = false;             ///< true if `other` is the first operand
};

/// Steps to apply, in order, to each element of a float32 or int32 result before the result is used.
///
/// A kernel may apply the steps to each block of contiguous elements as soon as the block is final. It may visit the
/// blocks in any order, but each block only once. Such a kernel calls `take`. The caller applies the remaining steps to
/// the whole result.
class epilogue {
public:
    constexpr epilogue() = default;
    /// Refers to the steps, which must outlive the epilogue.
    constexpr explicit epilogue(std::span<const epilogue_step> steps) : steps_(steps) {}

    constexpr std::span<const epilogue_step> steps() const { return steps_; }

    /// Records that the kernel applies all steps, or only the first `n` steps.
    constexpr void take() { taken_ = steps_.size(); }
    constexpr void take(std::size_t n) { taken_ = n; }
    constexpr bool taken() const { return taken_ == steps_.size(); }
    /// Returns the steps that the kernel does not apply.
    constexpr epilogue rest() const { return epilogue(steps_.subspan(taken_)); }

    /// Applies the steps in place to elements `first` to `first + n` of the result; `block` points to the first.
    constexpr void apply(float* block, std::int64_t first, std::int64_t n) const { compute(block, block, first, n); }

    /// Applies the steps as `apply` does, but reads the elements at `from` and writes the results to `to`.
    ///
    /// Requires: `from` and `to` are the same or do not overlap.
    constexpr void compute(const float* from, float* to, std::int64_t first, std::int64_t n) const {
        alignas(64) float room[detail::block_length];
        for (std::int64_t i = 0; i < n; i += detail::block_length) {
            const std::int64_t count = std::min(detail::block_length, n - i);
            const float* now = from + i;
            for (const epilogue_step& s : steps_) {
                if (s.what.one != nullptr) {
                    s.what.one(now, to + i, count, s.parameters);
                } else if (const float* by = only(s, first + i, count); by != nullptr) {
                    s.what.by_one(now, *by, to + i, count);
                } else {
                    const float* other = s.source->read(s.other, first + i, count, room);
                    s.what.two(s.other_first ? other : now, s.other_first ? now : other, to + i, count);
                }
                now = to + i;
            }
        }
    }

private:
    /// Returns the only element of the other operand that a step uses for a whole block, or null if `by_one` does not
    /// apply.
    static constexpr const float* only(const epilogue_step& s, std::int64_t first, std::int64_t n) {
        return s.what.by_one == nullptr || s.other_first ? nullptr : s.source->only(s.other, first, n);
    }

    std::span<const epilogue_step> steps_{};
    std::size_t taken_ = 0;
};

/// Optional arguments of a kernel whose result is float32 or int32.
struct call_means {
    epilogue* after = nullptr; ///< epilogue of the result, or null
    executor_ref on{};         ///< executor of the loops

    /// Takes all steps of the epilogue and returns the epilogue, or null if there is none.
    constexpr const epilogue* taken() const {
        if (after != nullptr) after->take();
        return after;
    }
};

/// The operations of `element.hpp` as block operations. Kernels of single operators use them, too.
namespace block {

template <class Op>
constexpr void apply_by_one(const float* a, float b, float* out, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) out[i] = Op{}(a[i], b);
}

template <class Op>
inline constexpr block_function function_of = block_function::other;
template <>
inline constexpr block_function function_of<element::abs> = block_function::abs;
template <>
inline constexpr block_function function_of<element::add> = block_function::add;
template <>
inline constexpr block_function function_of<element::divide> = block_function::divide;
template <>
inline constexpr block_function function_of<element::leaky_relu> = block_function::leaky_relu;
template <>
inline constexpr block_function function_of<element::multiply> = block_function::multiply;
template <>
inline constexpr block_function function_of<element::sqrt> = block_function::sqrt;
template <>
inline constexpr block_function function_of<element::subtract> = block_function::subtract;

template <class Op, int Parameters = 0>
inline constexpr block_operation one{.one = detail::apply_unary<Op, Parameters, float, float>,
                                     .function = function_of<Op>};

template <class Op>
inline constexpr block_operation two{
    .two = detail::apply_binary<Op, float, float>, .by_one = apply_by_one<Op>, .function = function_of<Op>};

} // namespace block
} // namespace tutti::kernel
