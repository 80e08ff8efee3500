#pragma once

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

namespace tutti::relay {

/// Sliding windows over spatial axes, for convolution and pooling.
namespace spatial {

/// Returns the argument for this number of spatial axes, one to three.
constexpr std::string_view of_rank(std::size_t rank, std::string_view line, std::string_view image,
                                   std::string_view volume) {
    return rank == 1 ? line : rank == 2 ? image : volume;
}
/// Letters of the spatial axes.
constexpr std::string_view axes(std::size_t rank) { return of_rank(rank, "W", "HW", "DHW"); }
/// Default data layout for this number of spatial axes.
constexpr std::string_view data_layout(std::size_t rank) { return of_rank(rank, "NCW", "NCHW", "NCDHW"); }
/// Default weight layout for this number of spatial axes.
constexpr std::string_view weight_layout(std::size_t rank) { return of_rank(rank, "OIW", "OIHW", "OIDHW"); }

/// Parses the layout in an attribute. Throws: `tutti::error` unless it has each axis of `primal`, such as "NCHW", once.
constexpr layout parse_layout(const relation& r, std::string_view attribute, std::string_view text,
                              std::string_view primal) {
    const auto l = layout::parse(text);
    bool good = l && l->primal_rank() == primal.size();
    for (const char letter : primal) good = good && l->find(letter);
    if (!good)
        r.refuse_attribute(attribute, "\"" + std::string(text) + "\" is not a layout of these axes",
                           "the letters of \"" + std::string(primal) + "\" in some order");
    return *l;
}

/// The padding before and after axis `i` of the window, from one number for all, one per axis, or two per axis (all
/// befores first).
struct padding_of {
    std::int64_t before = 0;
    std::int64_t after = 0;

    constexpr std::int64_t total() const { return before + after; }
};
constexpr padding_of padding(const relation& r, const dims& given, std::size_t axis, std::size_t rank) {
    if (given.size() == 1) return {given[0].value(), given[0].value()};
    if (given.size() == rank) return {given[axis].value(), given[axis].value()};
    if (given.size() == 2 * rank) return {given[axis].value(), given[rank + axis].value()};
    std::string counts;
    append_number(counts, static_cast<std::int64_t>(given.size()));
    r.refuse_attribute("padding", counts + " numbers", "1, one per axis, or two per axis");
}

/// Returns the number of window positions along an axis: see `kernel::window_places`.
constexpr dim places(const relation& r, dim size, std::int64_t padding, dim window, std::int64_t dilation,
                     std::int64_t stride, bool ceil = false) {
    if (stride < 1) r.refuse_attribute("strides", "a stride below 1", "positive strides");
    if (dilation < 1) r.refuse_attribute("dilation", "a dilation below 1", "positive dilations");
    const dim room = minus(plus(size, padding), kernel::window_reach(window, dilation));
    if (kernel::is_negative(room)) r.refuse(0, "at least the size of the window along each axis");
    return kernel::window_places(room, stride, ceil);
}

/// The sizes of a tensor's axes by letter.
class axis_sizes {
public:
    constexpr axis_sizes() = default;
    /// The sizes of a tensor in this layout, which its shape must fit.
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
[[gnu::noinline]] constexpr dims shape_in(const relation& r, std::string_view attribute, const layout& l,
                                          const axis_sizes& size_of) {
    if (const char letter = l.undivided<const axis_sizes&>(size_of)) {
        std::string problem = "blocks of ";
        append_number(problem, l.block(letter));
        problem += " along an axis of size ";
        append_dim(problem, size_of(letter));
        r.refuse_attribute(attribute, std::move(problem), "blocks that divide it");
    }
    return l.shape<dims, const axis_sizes&>(size_of);
}

/// Changes the spatial sizes: `size(n, i)` replaces the i-th, which was n.
template <class Size>
constexpr void resize_axes(axis_sizes& sizes, std::size_t rank, Size size) {
    for (std::size_t i = 0; i < rank; ++i) {
        dim& n = sizes.of(axes(rank)[i]);
        n = size(n, i);
    }
}

/// Checks that an attribute has one number per spatial axis.
constexpr void check_rank(const relation& r, std::string_view attribute, const dims& given, std::size_t rank) {
    if (given.size() == rank) return;
    std::string count;
    append_number(count, static_cast<std::int64_t>(given.size()));
    std::string expected;
    append_number(expected, static_cast<std::int64_t>(rank));
    r.refuse_attribute(attribute, count + " numbers", expected);
}

/// Expands one number or one per axis to the padding before each axis, then after each, like the reference's builder
/// functions.
constexpr dims pad(const dims& given, std::size_t rank) {
    if (given.size() != 1 && given.size() != rank) return given;
    dims all;
    for (std::size_t i = 0; i < 2 * rank; ++i) all.push_back(given[given.size() == 1 ? 0 : i % rank]);
    return all;
}
/// Expands the padding of an image: top, left, bottom, right.
constexpr dims pad_2d(const dims& given) { return pad(given, 2); }

} // namespace spatial

} // namespace tutti::relay
