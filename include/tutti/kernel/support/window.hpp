#pragma once

#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/shape_rules.hpp>
#include <tutti/kernel/support/size_math.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

// Windows that slide over spatial axes, for convolution and pooling.

namespace tutti::kernel {

/// One number for each spatial axis, outermost first: for an image, rows and columns. Entries beyond the number of axes
/// are ignored.
using spatial = std::array<std::int64_t, 3>;

/// A window of `size` cells, `dilation` apart, that slides by `stride` along an axis of `extent` cells with padding
/// `before` and `after`.
struct window {
    std::int64_t extent = 1;
    std::int64_t size = 1;
    std::int64_t stride = 1;
    std::int64_t dilation = 1;
    std::int64_t before = 0;
    std::int64_t after = 0;

    /// Returns the extent of the window along the axis, from its first to its last cell.
    constexpr std::int64_t reach() const { return window_reach(size, dilation); }

    /// Returns the number of positions of the window. With `ceil_mode`, the window at the last position may exceed the
    /// end by less than a stride.
    constexpr std::int64_t count(bool ceil_mode = false) const {
        return window_places(extent + before + after - reach(), stride, ceil_mode);
    }

    /// Returns the index along the axis of a cell of the window at position `place`. The index of a cell in the padding
    /// is outside the axis.
    constexpr std::int64_t at(std::int64_t place, std::int64_t cell) const {
        return place * stride - before + cell * dilation;
    }

    friend constexpr bool operator==(const window&, const window&) = default;
};

/// The windows along D, H and W. A missing axis has a window with one position.
using windows = std::array<window, 3>;

/// The cells of a window at position i that are inside the axis.
struct window_part {
    std::int64_t skipped; ///< Number of cells in the padding before the axis.
    std::int64_t begin;   ///< Index, along the axis, of the first cell inside.
    std::int64_t count;

    constexpr window_part(const window& w, std::int64_t i) {
        const std::int64_t start = i * w.stride - w.before;
        skipped = start < 0 ? (w.dilation - 1 - start) / w.dilation : 0;
        begin = start + skipped * w.dilation;
        const std::int64_t fit = begin < w.extent ? (w.extent - 1 - begin) / w.dilation + 1 : 0;
        count = std::max<std::int64_t>(0, std::min(w.size - skipped, fit));
    }
};

namespace detail {

/// The range [begin, end) of the numbers i below `count` for which `w + i * stride` is an index of an axis with `size`
/// elements.
struct places_inside {
    std::int64_t begin;
    std::int64_t end;

    constexpr places_inside(std::int64_t w, std::int64_t stride, std::int64_t size, std::int64_t count)
        : begin(std::min(count, w < 0 ? quotient(stride - 1 - w, stride) : 0))
        , end(std::max(begin, w < size ? std::min(count, quotient(size - 1 - w, stride) + 1) : 0)) {}
};

/// Checks the windows along the innermost `rank` axes.
///
/// Throws: tutti::error if a member is out of range, or if a window does not fit into its padded axis.
[[gnu::noinline]] constexpr void check_windows(std::string_view kernel, const windows& all, std::size_t rank) {
    constexpr std::int64_t limit = std::int64_t{1} << 31;
    constexpr std::array<std::string_view, 3> names{"depth", "height", "width"};
    for (std::size_t i = 3 - rank; i < 3; ++i) {
        const window& w = all[i];
        const auto number = [&](std::string_view what, std::int64_t value, std::int64_t least) {
            if (value < least || value >= limit)
                fail(kernel, {names[i], ": a ", what, " of ", value}, {"from ", least, " to 2^31 - 1"});
        };
        number("window", w.size, 1);
        number("stride", w.stride, 1);
        number("dilation", w.dilation, 1);
        number("padding", w.before, 0);
        number("padding", w.after, 0);
        if (w.reach() > w.extent + w.before + w.after)
            fail(kernel, {names[i], ": a window that spans ", w.reach(), " cells"},
                 {"at most ", w.extent + w.before + w.after, ", the size of the padded image"});
    }
}

} // namespace detail
} // namespace tutti::kernel
