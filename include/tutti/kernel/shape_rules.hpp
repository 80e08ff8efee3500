#pragma once

#include <tutti/kernel/size_math.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

// How the shapes of results follow from those of operands: written once, for numbers, as kernels have them, and for sizes that need not
// be known (size_math.hpp says what such a type needs). A list of sizes is anything with `size()` and `[]`; a `Shape` is made by
// `push_back`. What does not fit is found here and said by who asks, in the words of a kernel or of an operator.

namespace tutti::kernel {

/// The type of the sizes in a list.
template <class List>
using size_in = std::remove_cvref_t<decltype(std::declval<const List&>()[0])>;

/// How many places a window of that size covers, from its first to its last.
template <class N>
constexpr N window_reach(N size, std::int64_t dilation) {
    return plus(times(minus(size, 1), dilation), 1);
}

/// At how many places a window fits that may be moved by `room` and is by `stride` at a time; with `ceil_mode`, one that begins inside
/// may hang over the end by less than a stride.
///
/// Requires: it fits at one place at least.
/// Source:   Dumoulin and Visin, "A guide to convolution arithmetic for deep learning", relations 8 and 14.
template <class N>
constexpr N window_places(N room, std::int64_t stride, bool ceil_mode) {
    return plus(quotient(plus(room, ceil_mode ? stride - 1 : 0), stride), 1);
}

/// How many places the windows cover together that are put `stride` apart: what a transposed convolution gives, before padding is cut off.
///
/// Source: relation 14 there.
template <class N>
constexpr N windows_reach(N count, std::int64_t stride, N reach) {
    return plus(times(minus(count, 1), stride), reach);
}

/// The size along axis d of `rank` axes the last of which are the shape's: 1 in front of these. Requires: the shape has no more.
template <class List>
constexpr size_in<List> size_aligned(const List& shape, std::size_t d, std::size_t rank) {
    const std::size_t missing = rank - shape.size();
    return d < missing ? size_in<List>(1) : shape[d - missing];
}

/// Appends the shape of two that are broadcast together: aligned at the last axis, a 1 is stretched. A size that is not known takes the number
/// beside it, as in the reference. False if they do not fit.
///
/// Source: NumPy's general broadcasting rules.
template <class Shape, class A, class B>
constexpr bool append_broadcast(Shape& out, const A& a, const B& b) {
    const std::size_t rank = std::max(a.size(), b.size());
    for (std::size_t d = 0; d < rank; ++d) {
        const auto x = size_aligned(a, d, rank);
        const auto y = size_aligned(b, d, rank);
        const bool in_a = d + a.size() >= rank;
        const bool in_b = d + b.size() >= rank;
        if (!in_a || (in_b && is_number(x, 1)))
            out.push_back(y);
        else if (!in_b || is_number(y, 1) || (is_known(x) && may_equal(x, y)))
            out.push_back(x);
        else if (!is_known(x))
            out.push_back(y);
        else
            return false;
    }
    return true;
}

/// Whether what has one shape can be stretched to another: along each axis, aligned at the last, it is as long, or 1.
template <class From, class To>
constexpr bool stretches(const From& from, const To& to) {
    bool fits = from.size() <= to.size();
    for (std::size_t i = 0; fits && i < from.size(); ++i)
        fits = is_number(from[i], 1) || may_equal(from[i], to[to.size() - from.size() + i]);
    return fits;
}

/// The shape with `count` axes of that size put in before axis `at`.
template <class Shape, class List>
constexpr Shape with_axes(const List& shape, std::size_t at, std::int64_t count, size_in<List> size) {
    Shape out;
    for (std::size_t d = 0; d < at; ++d) out.push_back(shape[d]);
    for (std::int64_t i = 0; i < count; ++i) out.push_back(size);
    for (std::size_t d = at; d < shape.size(); ++d) out.push_back(shape[d]);
    return out;
}

/// The shape without the axes that are marked; with `keep` they stay, with one element each.
template <class Shape, class List, class Marks>
constexpr Shape without_axes(const List& shape, const Marks& gone, bool keep) {
    Shape out;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        if (!gone[d])
            out.push_back(shape[d]);
        else if (keep)
            out.push_back(1);
    }
    return out;
}

/// Some of a tensor's axes: from one up to another.
struct axis_interval {
    std::size_t begin = 0;
    std::size_t end = 0;
};

/// The shape, some of whose axes are replaced by some of another's.
template <class Shape, class A, class B>
constexpr Shape with_replaced_axes(const A& shape, axis_interval replaced, const B& other, axis_interval taken) {
    Shape out;
    for (std::size_t d = 0; d < replaced.begin; ++d) out.push_back(shape[d]);
    for (std::size_t d = taken.begin; d < taken.end; ++d) out.push_back(other[d]);
    for (std::size_t d = replaced.end; d < shape.size(); ++d) out.push_back(shape[d]);
    return out;
}

/// The shape of data that is repeated along each axis, both aligned at the last; `repeated(size, times)` says how large that is.
template <class Shape, class List, class Counts, class Repeated>
constexpr Shape tiled(const List& shape, const Counts& counts, Repeated repeated) {
    const std::size_t rank = std::max(shape.size(), counts.size());
    Shape out;
    for (std::size_t d = 0; d < rank; ++d)
        out.push_back(repeated(size_aligned(shape, d, rank), size_aligned(counts, d, rank)));
    return out;
}

/// The shape once blocks of the axes after the first, which become larger by `padding(i)` before, are moved to the first. Gives the
/// axis that is not of whole blocks, whose size is then what it is with padding; or 0.
template <class Shape, class List, class Padding>
constexpr std::size_t move_blocks_to_batch(Shape& shape, const List& block, Padding padding) {
    for (std::size_t i = 0; i < block.size(); ++i) {
        shape[0] = times(shape[0], block[i]);
        auto& size = shape[i + 1];
        size = plus(size, padding(i));
        if (is_negative(size) || !may_divide(block[i], size)) return i + 1;
        size = quotient(size, block[i]);
    }
    return 0;
}

/// The way back: each of the axes becomes smaller by `cropped(i)` after. What is left of the first axis is left out, as in the
/// reference. Gives the axis of which more is cut off than there is; or 0.
template <class Shape, class List, class Cropped>
constexpr std::size_t move_blocks_from_batch(Shape& shape, const List& block, Cropped cropped) {
    for (std::size_t i = 0; i < block.size(); ++i) {
        shape[0] = quotient(shape[0], block[i]);
        auto& size = shape[i + 1];
        size = minus(times(size, block[i]), cropped(i));
        if (is_negative(size)) return i + 1;
    }
    return 0;
}

/// A size times a scale, rounded to the nearest. Requires: the scale is a number from 0 to 1e9.
constexpr std::int64_t scaled_size(std::int64_t size, double scale) {
    const double scaled = static_cast<double>(size) * scale + 0.5;
    return scaled < static_cast<double>(largest_size) ? static_cast<std::int64_t>(scaled) : largest_size;
}

/// What the end of a slice is: a place, or a size (-1: all that remain), with steps of 1.
enum class slice_end : std::uint8_t { place, size };

/// The indices along an axis that a slice takes, from `begin` on, before `end`; `length` is negative if that lies the other way.
struct index_slice {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::int64_t step = 1;
    std::int64_t length = 0;
};

/// The slice of an axis of that size. Negative places count from the end; places beyond the axis mean its end. What is not said is a
/// step of 1, from one end to the other; backward, as in the reference, without the first element.
///
/// Requires: the step is not 0.
constexpr index_slice slice_of(std::int64_t size, std::optional<std::int64_t> begin, std::optional<std::int64_t> end,
                               std::optional<std::int64_t> step, slice_end mode) {
    const bool sized = mode == slice_end::size;
    index_slice s{.step = sized ? 1 : limited(step.value_or(1))};
    const auto place = [&](std::int64_t given) {
        given = limited(given);
        if (given < 0) given += size;
        return s.step < 0 ? std::clamp<std::int64_t>(given, -1, std::max<std::int64_t>(size - 1, -1))
                          : std::clamp<std::int64_t>(given, 0, std::max<std::int64_t>(size, 0));
    };
    s.begin = place(begin.value_or(s.step < 0 ? largest_size : 0));
    if (sized && end) end = *end < 0 ? std::nullopt : std::optional(s.begin + limited(*end));
    s.end = place(end.value_or(s.step < 0 ? 0 : largest_size));
    const std::int64_t distance = s.step < 0 ? s.begin - s.end : s.end - s.begin;
    const std::int64_t stride = s.step < 0 ? -s.step : s.step;
    s.length = distance < 0 ? -1 : distance / stride + (distance % stride != 0 ? 1 : 0);
    return s;
}

} // namespace tutti::kernel
