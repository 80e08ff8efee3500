#pragma once

#include <tutti/kernel/support/size_math.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

// Rules that derive the shapes of results from the shapes of operands. Sizes are numbers, as in kernels, or may be
// unknown; size_math.hpp states the requirements. A list of sizes is anything with `size()` and `[]`; a `Shape` also
// supports `push_back`. The rules only detect shapes that do not fit. The kernels and operators that call them report
// the error.

namespace tutti::kernel {

/// The size type of a list.
template <class List>
using size_in = std::remove_cvref_t<decltype(std::declval<const List&>()[0])>;

/// Returns the extent of a window in elements, from its first to its last cell.
template <class N>
constexpr N window_reach(N size, std::int64_t dilation) {
    return plus(times(minus(size, 1), dilation), 1);
}

/// Returns the number of positions of a window that may move by `room` in steps of `stride`. With `ceil_mode`, the
/// window at the last position may exceed the end by less than a stride.
///
/// Requires: the window fits at least once.
/// Source:   Dumoulin and Visin, "A guide to convolution arithmetic for deep learning", relations 8 and 14.
template <class N>
constexpr N window_places(N room, std::int64_t stride, bool ceil_mode) {
    return plus(quotient(plus(room, ceil_mode ? stride - 1 : 0), stride), 1);
}

/// Returns the extent of `count` windows that are `stride` apart, each of extent `reach`. It is the size of the result
/// of a transposed convolution before padding is removed.
///
/// Source: Dumoulin and Visin, as above, relation 14.
template <class N>
constexpr N windows_reach(N count, std::int64_t stride, N reach) {
    return plus(times(minus(count, 1), stride), reach);
}

/// Extends a shape to `rank` axes by leading axes of size 1, and returns the size along axis d. Requires: the shape has
/// at most `rank` axes.
template <class List>
constexpr size_in<List> size_aligned(const List& shape, std::size_t d, std::size_t rank) {
    const std::size_t missing = rank - shape.size();
    return d < missing ? size_in<List>(1) : shape[d - missing];
}

/// Appends the shape that two shapes broadcast to. The shapes are aligned at the last axis; a size of 1 is stretched.
/// If one of two sizes is unknown and the other is not 1, the known size wins, as in the reference. Returns false if
/// the shapes do not fit.
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

/// True if `from` broadcasts to `to`: aligned at the last axis, each size of `from` is 1 or equals the size in `to`.
template <class From, class To>
constexpr bool stretches(const From& from, const To& to) {
    bool fits = from.size() <= to.size();
    for (std::size_t i = 0; fits && i < from.size(); ++i)
        fits = is_number(from[i], 1) || may_equal(from[i], to[to.size() - from.size() + i]);
    return fits;
}

/// Returns the shape with `count` new axes, each of size `size`, before axis `at`.
template <class Shape, class List>
constexpr Shape with_axes(const List& shape, std::size_t at, std::int64_t count, size_in<List> size) {
    Shape out;
    for (std::size_t d = 0; d < at; ++d) out.push_back(shape[d]);
    for (std::int64_t i = 0; i < count; ++i) out.push_back(size);
    for (std::size_t d = at; d < shape.size(); ++d) out.push_back(shape[d]);
    return out;
}

/// Returns the shape without the marked axes. With `keep`, sets their sizes to 1 instead.
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

/// The axes [begin, end) of a tensor.
struct axis_interval {
    std::size_t begin = 0;
    std::size_t end = 0;
};

/// Returns the shape that results if the axes `taken` of `other` replace the axes `replaced` of `shape`.
template <class Shape, class A, class B>
constexpr Shape with_replaced_axes(const A& shape, axis_interval replaced, const B& other, axis_interval taken) {
    Shape out;
    for (std::size_t d = 0; d < replaced.begin; ++d) out.push_back(shape[d]);
    for (std::size_t d = taken.begin; d < taken.end; ++d) out.push_back(other[d]);
    for (std::size_t d = replaced.end; d < shape.size(); ++d) out.push_back(shape[d]);
    return out;
}

/// Returns the shape of data that is repeated along each axis. Shape and counts are aligned at the last axis. Calls
/// `repeated(size, count)` to compute each size.
template <class Shape, class List, class Counts, class Repeated>
constexpr Shape tiled(const List& shape, const Counts& counts, Repeated repeated) {
    const std::size_t rank = std::max(shape.size(), counts.size());
    Shape out;
    for (std::size_t d = 0; d < rank; ++d)
        out.push_back(repeated(size_aligned(shape, d, rank), size_aligned(counts, d, rank)));
    return out;
}

/// Extends axis `i + 1` by `padding(i)` for each i, then moves the blocks of these axes into the first axis.
///
/// Returns the first axis whose padded size is negative or not a multiple of its block, and leaves this size in the
/// shape. Returns 0 if there is no such axis.
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

/// Moves blocks back from the first axis, then shortens axis `i + 1` by `cropped(i)` for each i: the inverse of
/// `move_blocks_to_batch`.
///
/// Rounds the quotient for the first axis down, as the reference does. Returns the first axis whose size would become
/// negative; 0 if there is none.
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

/// Returns a size times a scale, rounded to the nearest integer. Requires: the scale is from 0 to 1e9.
constexpr std::int64_t scaled_size(std::int64_t size, double scale) {
    const double scaled = static_cast<double>(size) * scale + 0.5;
    return scaled < static_cast<double>(largest_size) ? static_cast<std::int64_t>(scaled) : largest_size;
}

/// Meaning of the end of a slice: an index, or the size of the slice. A negative size stands for the remainder of the
/// axis. With sizes, all steps are 1.
enum class slice_end : std::uint8_t { place, size };

/// The indices of a slice along an axis: from `begin` on, up to but excluding `end`. `length` is negative if `end`
/// comes before `begin` in the direction of `step`.
struct index_slice {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::int64_t step = 1;
    std::int64_t length = 0;
};

/// Returns the slice of an axis of the given size. Negative indices count from the end. Indices beyond the axis are
/// clamped.
///
/// A slice without begin, end and step keeps the whole axis. Without an end, a slice with a negative step excludes the
/// first element, as in the reference.
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
