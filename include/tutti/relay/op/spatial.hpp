#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/support/shape_rules.hpp>
#include <tutti/relay/ir/dim.hpp>
#include <tutti/relay/op/dim_math.hpp>
#include <tutti/relay/op/layout.hpp>
#include <tutti/relay/op/relation.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

/// Sliding windows over spatial axes, for convolution and pooling.
namespace spatial {

/// Returns `line`, `image` or `volume` for one, two or three spatial axes.
constexpr std::string_view of_rank(std::size_t rank, std::string_view line, std::string_view image,
                                   std::string_view volume) {
    return rank == 1 ? line : rank == 2 ? image : volume;
}
/// Returns the letters of the spatial axes.
constexpr std::string_view axes(std::size_t rank) { return of_rank(rank, "W", "HW", "DHW"); }
/// Returns the default data layout for this number of spatial axes.
constexpr std::string_view data_layout(std::size_t rank) { return of_rank(rank, "NCW", "NCHW", "NCDHW"); }
/// Returns the default weight layout for this number of spatial axes.
constexpr std::string_view weight_layout(std::size_t rank) { return of_rank(rank, "OIW", "OIHW", "OIDHW"); }

/// Parses the layout in an attribute. Throws: `tutti::error` unless the layout has each axis of `primal`, such as
/// "NCHW", exactly once.
TUTTI_CONSTEXPR layout parse_layout(const relation& r, std::string_view attribute, std::string_view text,
                                    std::string_view primal);

/// The padding before and after one spatial axis. The attribute `padding` has one number for all axes, one per axis, or
/// two per axis: first the padding before each axis, then the padding after each axis.
struct padding_of {
    std::int64_t before = 0;
    std::int64_t after = 0;

    constexpr std::int64_t total() const { return before + after; }
};
TUTTI_CONSTEXPR padding_of padding(const relation& r, const dims& given, std::size_t axis, std::size_t rank);

/// Returns the number of window positions along an axis: see `kernel::window_places`.
TUTTI_CONSTEXPR dim places(const relation& r, dim size, std::int64_t padding, dim window, std::int64_t dilation,
                           std::int64_t stride, bool ceil = false);

/// The sizes of a tensor's axes by letter.
class axis_sizes {
public:
    constexpr axis_sizes() = default;
    /// Takes the sizes from a shape. Requires: the shape fits the layout.
    constexpr axis_sizes(const layout& l, const dims& shape) {
        for (const layout::axis a : l.axes())
            if (a.block == 0) of(a.letter) = l.size(shape, a.letter);
    }

    constexpr dim& of(char letter) { return sizes_[letter - 'A']; }
    constexpr dim operator()(char letter) const { return sizes_[letter - 'A']; }

private:
    dim sizes_[26]{};
};

/// Returns the shape, in a layout, of a tensor with these sizes.
///
/// Throws: `tutti::error` that names the attribute if a block size does not divide its axis.
TUTTI_CONSTEXPR dims shape_in(const relation& r, std::string_view attribute, const layout& l,
                              const axis_sizes& size_of);

/// Replaces each spatial size: the i-th size n becomes `size(n, i)`.
template <class Size>
constexpr void resize_axes(axis_sizes& sizes, std::size_t rank, Size size) {
    for (std::size_t i = 0; i < rank; ++i) {
        dim& n = sizes.of(axes(rank)[i]);
        n = size(n, i);
    }
}

/// Checks that an attribute has one number per spatial axis.
TUTTI_CONSTEXPR void check_rank(const relation& r, std::string_view attribute, const dims& given, std::size_t rank);

/// Writes out a padding that is given as one number for all axes or one per axis: first the padding before each axis,
/// then the padding after each axis. The reference's builder functions do the same.
constexpr dims pad(const dims& given, std::size_t rank) {
    if (given.size() != 1 && given.size() != rank) return given;
    dims all;
    for (std::size_t i = 0; i < 2 * rank; ++i) all.push_back(given[given.size() == 1 ? 0 : i % rank]);
    return all;
}
/// Writes out the padding of an image: top, left, bottom, right.
constexpr dims pad_2d(const dims& given) { return pad(given, 2); }

} // namespace spatial

} // namespace tutti::relay::inline TUTTI_FORM

#ifndef TUTTI_COMPILED
#include <tutti/relay/op/spatial.ipp>
#endif
