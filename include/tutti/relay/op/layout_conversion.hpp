#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/op/layout_rule.hpp>
#include <tutti/relay/op/spatial.hpp>

#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// A call whose layouts a pass converts. The conversion may change the operator, the attributes and the arguments, but
/// not the number of arguments. The fields of a tuple count as separate arguments.
struct layout_change {
    relay::graph* graph;      ///< the new graph, which contains the arguments
    const relay::graph* from; ///< the old graph
    expr_id call;             ///< the call in the old graph, with types
    const op_def* op;
    attrs_id attributes;
    vector<expr_id> arguments;
    /// The layouts of the arguments, one per field of a tuple. If a conversion changes a layout here, the pass converts
    /// the argument to the new layout before the call.
    std::span<std::optional<layout>> arrive{};

    constexpr attribute_edit edit() { return {*graph, *op, attributes}; }
    /// Returns the original shape of an argument. Requires: the argument is a tensor.
    constexpr std::span<const dim> shape(std::size_t argument) const {
        return shape_of(*from, from->arguments(call)[argument]);
    }
};

/// A function that returns the layout conversion for an operator, or null.
using layout_conversion_finder = layout_conversion (*)(const op_def&);

/// A type that represents a set of layout conversions. `find` returns the conversion for an operator, or null.
template <class Set>
concept layout_conversion_set = requires(const op_def& op) {
    { Set::find(op) } -> std::same_as<layout_conversion>;
};

namespace layout_conversions {

/// Requests the default weight layout for the data layout.
inline constexpr std::string_view by_default = "default";

/// Rejects layouts that the operator does not support.
[[noreturn, gnu::cold, gnu::noinline]] inline void refuse(const layout_change& c, std::span<const std::string> desired,
                                                          std::string expected) {
    std::string text = "[";
    for (const std::string& each : desired) text += (text.size() == 1 ? "" : ",") + each;
    throw error("ConvertLayout, " + std::string(c.op->name), "the desired layouts " + text + "]", std::move(expected));
}

/// Writes out the padding of both sides of each axis, like the builder functions.
constexpr void write_out_padding(attribute_edit& edit) {
    if (edit.has("padding")) edit.set("padding", spatial::pad(edit.numbers("padding"), edit.numbers("strides").size()));
}

/// True if the blocks of `layout_to` divide the axes of a tensor in `layout_is`. Blocks never divide an unknown size.
constexpr bool blocks_divide(std::string_view layout_is, std::string_view layout_to, std::span<const dim> shape) {
    const auto is = layout::parse(layout_is);
    const auto to = layout::parse(layout_to);
    if (!is || !to || !is->fits(shape)) return true; // invalid layouts are reported elsewhere
    for (const layout::axis& a : to->axes()) {
        if (a.block != 0 || to->block(a.letter) == 1 || !is->find(a.letter)) continue;
        const dim size = is->size(shape, a.letter);
        if (size.is_any() || size.value() % to->block(a.letter) != 0) return false;
    }
    return true;
}

/// Converts data and weight of a convolution. `weight_argument` is the index of the weight among the arguments. If
/// blocks of a layout do not divide an axis, the convolution keeps its layouts. The default weight layout is OIHW for
/// NCHW, HWIO for NHWC (HWOI for depthwise convolutions), HWOI for HWNC, and similarly for other ranks.
TUTTI_CONSTEXPR void convolution_with(layout_change& c, std::span<const std::string> desired,
                                      std::size_t weight_argument);

/// Converts a convolution whose first two arguments are data and weight.
TUTTI_CONSTEXPR void convolution(layout_change& c, std::span<const std::string> desired);

/// Like `convolution_with`, but the default weight layout is `of_nchw` for NCHW and HWIO for NHWC.
TUTTI_CONSTEXPR void convolution_of(layout_change& c, std::span<const std::string> desired, std::size_t weight_argument,
                                    const char* of_nchw);
/// Converts a transposed convolution. The default weight layout for NCHW is IOHW.
TUTTI_CONSTEXPR void transposed_convolution(layout_change& c, std::span<const std::string> desired);
/// Converts a deformable convolution, whose weight comes after the offsets.
TUTTI_CONSTEXPR void deformable_convolution(layout_change& c, std::span<const std::string> desired);

/// Converts an operator with a single layout.
TUTTI_CONSTEXPR void single(layout_change& c, std::span<const std::string> desired);

/// The conversions declared by the operators.
struct standard {
    static constexpr layout_conversion find(const op_def& op) { return op.convert; }
};

} // namespace layout_conversions

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/op/layout_conversion.ipp>
#endif
