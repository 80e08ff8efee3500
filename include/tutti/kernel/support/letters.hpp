#pragma once

#include <tutti/kernel/layout.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/kernel/tensor.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

// The axes of images and of weights by their letters: NCHW, NHWC, NCHW16c, OIHW, OHWI16i64o2i.

namespace tutti::kernel {

/// An axis, stored as one or more parts: an outer part and blocks.
///
/// In the mixed radix of the parts' lengths, an index has one digit for each part. The offset of the index is the sum
/// of digit times stride over all parts.
struct lettered_axis {
    /// Maximum number of parts. Layouts with more parts in an axis are rejected.
    static constexpr std::size_t max_parts = 4;

    struct part {
        std::int64_t length = 1;
        std::int64_t stride = 0;
    };

    std::int64_t size = 1;
    std::size_t parts = 0;
    std::array<part, max_parts> part_of{}; ///< outermost first

    /// Returns the offset of index i, in elements.
    constexpr std::int64_t at(std::int64_t i) const {
        if (parts <= 1) return i * part_of[0].stride;
        std::int64_t offset = 0;
        for (std::size_t p = parts; p-- > 0;) {
            offset += i % part_of[p].length * part_of[p].stride;
            i /= part_of[p].length;
        }
        return offset;
    }

    /// Returns the stride of the axis. Requires: the axis has no blocks.
    constexpr std::int64_t stride() const { return part_of[0].stride; }

    /// Returns the stride within a block.
    constexpr std::int64_t step() const { return part_of[parts == 0 ? 0 : parts - 1].stride; }
    /// Returns the number of indices from i to the end of its block.
    constexpr std::int64_t evenly(std::int64_t i) const {
        return parts <= 1 ? std::numeric_limits<std::int64_t>::max()
                          : part_of[parts - 1].length - i % part_of[parts - 1].length;
    }

    constexpr bool has(std::int64_t i) const { return i >= 0 && i < size; }
};

/// The axes of a batch of images (N, C and spatial axes) or of a convolution's weights (O, I and spatial axes). A
/// missing spatial axis has size 1.
struct lettered_axes {
    lettered_axis outer;                ///< N or O
    lettered_axis channel;              ///< C or I
    std::array<lettered_axis, 3> space; ///< D, H and W

    /// Returns the number of pixels of an image, or of cells of a window.
    constexpr std::int64_t places() const { return space[0].size * space[1].size * space[2].size; }
};

/// The two kinds of tensors: data with letters N, C, D, H, W and weights with O, I, D, H, W.
enum class lettered : bool { data, weight };

namespace detail {

/// Throws: tutti::error if the product of the non-zero dimensions is 2^48 or more, since strides are such products.
constexpr void check_extent(std::string_view kernel, std::span<const std::int64_t> shape) {
    extents whole;
    for (const std::int64_t d : shape) whole.push_back(d == 0 ? 1 : d);
    check_size(kernel, whole);
}

constexpr lettered_axis& axis_of(lettered_axes& axes, char letter) {
    const std::size_t i = std::string_view("DHW").find(letter);
    return i < 3 ? axes.space[i] : letter == 'N' || letter == 'O' ? axes.outer : axes.channel;
}

} // namespace detail

/// Returns the number of spatial axes of a layout.
constexpr std::size_t spatial_rank(std::string_view layout) {
    std::size_t n = 0;
    for (const char c : layout) n += c == 'D' || c == 'H' || c == 'W' ? 1U : 0U;
    return n;
}

/// Returns the usual layout of one to three spatial axes: NCW, NCHW or NCDHW, or OIW, OIHW or OIDHW.
constexpr std::string_view usual_layout(lettered kind, std::size_t rank) {
    if (kind == lettered::data) return rank == 1 ? "NCW" : rank == 2 ? "NCHW" : "NCDHW";
    return rank == 1 ? "OIW" : rank == 2 ? "OIHW" : "OIDHW";
}

/// Returns `layout`, or the usual layout for the tensor's rank if `layout` is empty.
constexpr std::string_view layout_or_usual(lettered kind, std::string_view layout, const tensor& t) {
    return layout.empty() ? usual_layout(kind, t.rank() == 3 ? 1 : t.rank() == 4 ? 2 : 3) : layout;
}

/// Returns the layout if the kernels support it: one to three spatial axes, none of them in blocks.
constexpr std::optional<layout> known_layout(lettered kind, std::string_view text) {
    const auto l = layout::parse(text);
    if (!l || l->primal_rank() < 3 || l->primal_rank() > 5) return std::nullopt;
    const std::string_view letters = usual_layout(kind, l->primal_rank() - 2);
    std::array<std::size_t, 5> parts{};
    for (const layout::axis a : l->axes()) {
        const std::size_t i = letters.find(a.letter);
        if (i == std::string_view::npos || (a.block != 0 && i >= 2) || ++parts[i] > lettered_axis::max_parts)
            return std::nullopt;
    }
    return l;
}
constexpr bool is_layout(lettered kind, std::string_view text) { return known_layout(kind, text).has_value(); }

/// Returns the axes of a dense row-major tensor of the given shape and layout; errors call the tensor `what`.
///
/// Throws: tutti::error if the layout is not known (see `known_layout`), if its rank or its blocks do not fit the
///         shape, or if the product of the non-zero dimensions is 2^48 or more.
constexpr lettered_axes axes_in(std::string_view kernel, std::string_view what, lettered kind, std::string_view layout,
                                std::span<const std::int64_t> shape) {
    const auto stored = known_layout(kind, layout);
    if (!stored || !stored->fits(shape))
        detail::fail(kernel, {what, " has shape ", shape, " and layout \"", layout, "\""},
                     "a layout such as NCHW, NHWC, NCHW16c or OIHW, for a tensor of this shape");
    detail::check_extent(kernel, shape);
    lettered_axes axes;
    const extents strides = row_major_strides(shape);
    for (const bool blocks : {true, false}) // the axis itself comes last: it is the outermost part
        for (std::size_t i = shape.size(); i-- > 0;) {
            if ((stored->axes()[i].block != 0) != blocks) continue;
            lettered_axis& axis = detail::axis_of(axes, stored->axes()[i].letter);
            for (std::size_t p = axis.parts++; p > 0; --p) axis.part_of[p] = axis.part_of[p - 1];
            axis.part_of[0] = {shape[i], strides[i]};
            axis.size *= shape[i];
        }
    return axes;
}

/// Returns the shape, in a layout, of a tensor whose axes have the sizes in `axes`.
///
/// Throws: tutti::error if the layout is not known, or if a block does not divide the size of its axis.
constexpr extents shape_in(std::string_view kernel, lettered kind, std::string_view layout, lettered_axes axes) {
    const auto stored = known_layout(kind, layout);
    if (!stored)
        detail::fail(kernel, {"a result in layout \"", layout, "\""}, "a layout such as NCHW, NHWC or NCHW16c");
    const auto size_of = [&](char letter) { return detail::axis_of(axes, letter).size; };
    if (const char letter = stored->undivided(size_of))
        detail::fail(kernel, {"an axis of size ", size_of(letter), " in layout \"", layout, "\""},
                     {"a multiple of ", stored->block(letter)});
    return stored->shape<extents>(size_of);
}

/// Computes the shape of data in a layout from the sizes of its axes, and sets the strides of the axes.
///
/// Throws: as `shape_in` and `axes_in`.
constexpr extents place_result(std::string_view kernel, std::string_view layout, lettered_axes& axes) {
    const extents shape = shape_in(kernel, lettered::data, layout, axes);
    axes = axes_in(kernel, "the result", lettered::data, layout, shape);
    return shape;
}

} // namespace tutti::kernel
