#pragma once

#include <tutti/kernel/check.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/kernel/view.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

// The axes of images and of weights, found by their letters: NCHW, NHWC, NCHW16c, OIHW, OHWI16i64o2i. A
// capital is an axis, a number with a small letter a block of it.

namespace tutti::kernel {

/// An axis, and where its places are: place i, written in digits of the parts' lengths, times the parts'
/// strides.
struct lettered_axis {
    /// An axis in more blocks is refused.
    static constexpr std::size_t max_parts = 4;

    struct part {
        std::int64_t length = 1;
        std::int64_t stride = 0;
    };

    std::int64_t size = 1;
    std::size_t parts = 0;
    std::array<part, max_parts> part_of{}; ///< outermost first

    /// The offset of place i, in elements.
    constexpr std::int64_t at(std::int64_t i) const {
        if (parts <= 1) return i * part_of[0].stride;
        std::int64_t offset = 0;
        for (std::size_t p = parts; p-- > 0;) {
            offset += i % part_of[p].length * part_of[p].stride;
            i /= part_of[p].length;
        }
        return offset;
    }

    /// How far apart the places are. Requires: there are no blocks.
    constexpr std::int64_t stride() const { return part_of[0].stride; }
};

/// The axes of a batch of images (N, C and the spatial ones) or of a convolution's weights (O, I and these).
/// A spatial axis that is not there has one place.
struct lettered_axes {
    lettered_axis outer;                ///< N or O
    lettered_axis channel;              ///< C or I
    std::array<lettered_axis, 3> space; ///< D, H and W

    /// The number of pixels, or of places in a window.
    constexpr std::int64_t places() const { return space[0].size * space[1].size * space[2].size; }
};

/// The two kinds of tensors: data of letters N, C, D, H, W and weights of O, I, D, H, W.
enum class lettered : bool { data, weight };

namespace detail {

/// The axes of a layout as they are stored.
struct stored_axes {
    struct axis {
        std::size_t letter = 0; // 0 for N or O, 1 for C or I, 2 to 4 for D, H, W
        std::int64_t block = 0; // 0 for the axis itself
    };

    std::array<axis, 16> axes{};
    std::size_t count = 0;
    bool good = false; // whether the text is a layout of that kind

    constexpr stored_axes(lettered kind, std::string_view text) {
        const std::string_view letters = kind == lettered::data ? "NCDHW" : "OIDHW";
        std::array<int, 5> whole{};
        std::array<std::size_t, 5> parts{};
        std::int64_t number = 0;
        for (const char c : text) {
            if (c >= '0' && c <= '9') {
                number = number * 10 + (c - '0');
                if (number > 1'000'000) return;
                continue;
            }
            const bool small = c >= 'a' && c <= 'z';
            const std::size_t letter = letters.find(small ? static_cast<char>(c - 'a' + 'A') : c);
            if (letter == std::string_view::npos || small != (number != 0) || count == axes.size()) return;
            if (++parts[letter] > lettered_axis::max_parts || (small && letter >= 2)) return;
            whole[letter] += small ? 0 : 1;
            axes[count++] = {letter, number};
            number = 0;
        }
        good = number == 0 && whole[0] == 1 && whole[1] == 1 && whole[4] == 1 && whole[3] <= 1 && whole[2] <= whole[3];
    }
};

/// Throws: tutti::error if the dimensions that are not zero multiply to 2^48 or more: strides are such products.
constexpr void check_extent(std::string_view kernel, std::span<const std::int64_t> shape) {
    extents whole;
    for (const std::int64_t d : shape) whole.push_back(d == 0 ? 1 : d);
    check_size(kernel, whole);
}

constexpr lettered_axis& axis_of(lettered_axes& axes, std::size_t letter) {
    return letter == 0 ? axes.outer : letter == 1 ? axes.channel : axes.space[letter - 2];
}

} // namespace detail

/// The number of spatial axes of a layout.
constexpr std::size_t spatial_rank(std::string_view layout) {
    std::size_t n = 0;
    for (const char c : layout) n += c == 'D' || c == 'H' || c == 'W' ? 1U : 0U;
    return n;
}

/// Whether kernels know the layout: one to three spatial axes, in no blocks.
constexpr bool is_layout(lettered kind, std::string_view layout) { return detail::stored_axes(kind, layout).good; }

/// NCW, NCHW or NCDHW, and OIW, OIHW or OIDHW: the usual layout of that many spatial axes, one to three.
constexpr std::string_view usual_layout(lettered kind, std::size_t rank) {
    if (kind == lettered::data) return rank == 1 ? "NCW" : rank == 2 ? "NCHW" : "NCDHW";
    return rank == 1 ? "OIW" : rank == 2 ? "OIHW" : "OIDHW";
}

/// The axes of a dense row-major tensor of that shape in that layout; `what` is what an error calls it.
///
/// Throws: tutti::error if it is no layout (see `is_layout`), of another rank, or of blocks that the shape
/// has not, and if the dimensions that are not zero multiply to 2^48 or more.
constexpr lettered_axes axes_in(std::string_view kernel, std::string_view what, lettered kind, std::string_view layout,
                                std::span<const std::int64_t> shape) {
    const detail::stored_axes stored(kind, layout);
    bool good = stored.good && stored.count == shape.size();
    for (std::size_t i = 0; good && i < stored.count; ++i)
        good = stored.axes[i].block == 0 || stored.axes[i].block == shape[i];
    if (!good)
        detail::fail(kernel, {what, " has shape ", shape, " and layout \"", layout, "\""},
                     "a layout such as NCHW, NHWC, NCHW16c or OIHW, for a tensor of this shape");
    detail::check_extent(kernel, shape);
    lettered_axes axes;
    const extents strides = row_major_strides(shape);
    for (const bool blocks : {true, false}) // the axis itself is the outermost part of it
        for (std::size_t i = stored.count; i-- > 0;) {
            if ((stored.axes[i].block != 0) != blocks) continue;
            lettered_axis& axis = detail::axis_of(axes, stored.axes[i].letter);
            for (std::size_t p = axis.parts++; p > 0; --p) axis.part_of[p] = axis.part_of[p - 1];
            axis.part_of[0] = {shape[i], strides[i]};
            axis.size *= shape[i];
        }
    return axes;
}

/// The shape in a layout of a tensor whose axes have the sizes that `axes` says.
///
/// Throws: tutti::error if it is no layout, or if a block does not divide the size of its axis.
constexpr extents shape_in(std::string_view kernel, lettered kind, std::string_view layout, lettered_axes axes) {
    const detail::stored_axes stored(kind, layout);
    if (!stored.good)
        detail::fail(kernel, {"a result in layout \"", layout, "\""}, "a layout such as NCHW, NHWC or NCHW16c");
    extents shape;
    for (std::size_t i = 0; i < stored.count; ++i) {
        std::int64_t size = stored.axes[i].block;
        if (size == 0) {
            std::int64_t blocks = 1;
            for (std::size_t j = 0; j < stored.count; ++j)
                if (stored.axes[j].letter == stored.axes[i].letter && stored.axes[j].block != 0)
                    blocks *= stored.axes[j].block;
            size = detail::axis_of(axes, stored.axes[i].letter).size;
            if (size % blocks != 0)
                detail::fail(kernel, {"an axis of size ", size, " in layout \"", layout, "\""},
                             {"a multiple of ", blocks});
            size /= blocks;
        }
        shape.push_back(size);
    }
    return shape;
}

} // namespace tutti::kernel
