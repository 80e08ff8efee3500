#pragma once

#include <tutti/executor.hpp>
#include <tutti/kernel/broadcast.hpp>
#include <tutti/kernel/loops.hpp>
#include <tutti/kernel/size_math.hpp>
#include <tutti/kernel/view.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

// What is done to a kernel's result block by block, while it is in the cache: a list of steps, which is data.

namespace tutti::kernel {

/// An operation on a block of float32: of one operand, with up to two parameters, or of two operands. Or of int32: these are carried as
/// float32, and so are the parameters.
struct block_operation {
    detail::unary_loop<float> one = nullptr;
    detail::binary_loop<float> two = nullptr;
    /// The same as `two` where all elements meet one of the second operand's.
    void (*by_one)(const float* a, float b, float* out, std::int64_t n) = nullptr;
};

/// How the elements of a result's shape are found in an operand that is broadcast to it: neighbouring axes that behave as one are
/// one.
class block_source {
public:
    /// How many axes may be left.
    static constexpr std::size_t most_axes = 6;

    /// An operand that is as the result.
    constexpr block_source() = default;
    /// Requires: the operand has one stride for each axis of the result: 0 where it is broadcast, else that of its own dense elements.
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

    /// Whether there are no more axes left than it can go along; else nothing may be read.
    constexpr bool fits() const { return fits_; }

    friend constexpr bool operator==(const block_source&, const block_source&) = default;

    /// Whether element i of the result meets element i of the operand.
    constexpr bool same() const { return same_; }

    /// The one element that elements `first` to `first + n` of the result meet, or null if there may be several.
    template <class T>
    constexpr const T* only(const T* operand, std::int64_t first, std::int64_t n) const {
        if (same_ || stride_[0] != 0) return nullptr;
        const place p = place_of(first);
        return n <= size_[0] - p.in_row ? operand + p.row : nullptr;
    }

    /// What elements `first` to `first + n` of the result meet: in place, or copied to `room`.
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
    /// Where an element is: in which row along the innermost axis, and where in that.
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

/// One step of an epilogue: an operation on the block, and, if it is of two, on another operand.
struct epilogue_step {
    block_operation what{};
    float parameters[2]{};
    const float* other = nullptr;
    const block_source* source = nullptr; ///< how the other is read
    bool other_first = false;             ///< whether the other is the first operand
};

/// Steps that are done to each element of a result of float32, or of int32, in their order, before anything else reads it.
///
/// A kernel that is given one may do the steps to a block of neighbouring elements as soon as these are final, in any order of the
/// blocks, each once, and then says so by `take`; what it does not, the caller does to the whole result.
class epilogue {
public:
    constexpr epilogue() = default;
    /// Refers to the steps.
    constexpr explicit epilogue(std::span<const epilogue_step> steps) : steps_(steps) {}

    constexpr std::span<const epilogue_step> steps() const { return steps_; }

    /// The kernel does all of it, or its first `n` steps.
    constexpr void take() { taken_ = steps_.size(); }
    constexpr void take(std::size_t n) { taken_ = n; }
    constexpr bool taken() const { return taken_ == steps_.size(); }
    /// What the kernel does not do.
    constexpr epilogue rest() const { return epilogue(steps_.subspan(taken_)); }

    /// Does the steps to elements `first` to `first + n` of the result, which are at `block`.
    constexpr void apply(float* block, std::int64_t first, std::int64_t n) const { compute(block, block, first, n); }

    /// The same, with what the first step is done to at `from`, which is `to` or does not overlap it.
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
    /// The one element by which a step can be done to all of a block, or null.
    static constexpr const float* only(const epilogue_step& s, std::int64_t first, std::int64_t n) {
        return s.what.by_one == nullptr || s.other_first ? nullptr : s.source->only(s.other, first, n);
    }

    std::span<const epilogue_step> steps_{};
    std::size_t taken_ = 0;
};

/// What a kernel of float32, or one whose result is int32, may use beside its operands.
struct call_means {
    epilogue* after = nullptr; ///< what is done to the result, or null
    executor_ref on{};         ///< what its loops run on

    /// The epilogue, which the kernel now does itself, or null.
    constexpr const epilogue* taken() const {
        if (after != nullptr) after->take();
        return after;
    }
};

/// The block operations of their names in `element.hpp`: what kernels of single operators compute with too.
namespace block {

template <class Op>
constexpr void apply_by_one(const float* a, float b, float* out, std::int64_t n) {
    for (std::int64_t i = 0; i < n; ++i) out[i] = Op{}(a[i], b);
}

template <class Op, int Parameters = 0>
inline constexpr block_operation one{.one = detail::apply_unary<Op, Parameters, float, float>};

template <class Op>
inline constexpr block_operation two{.two = detail::apply_binary<Op, float, float>, .by_one = apply_by_one<Op>};

} // namespace block
} // namespace tutti::kernel
