#pragma once

#include <tutti/base/error.hpp>
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

namespace tutti::relay {

/// A call to be converted by a pass over layouts. The new call may have another operator, other attributes, and other
/// arguments, but the same number of them. The fields of a tuple count as separate arguments.
struct layout_change {
    relay::graph* graph;      ///< the new graph, with the arguments
    const relay::graph* from; ///< the old graph
    expr_id call;             ///< the call in the old graph, with types
    const op_def* op;
    attrs_id attributes;
    vector<expr_id> arguments;
    /// The layouts of the arguments, one per field of a tuple. If a conversion changes one, the argument is converted
    /// to it first.
    std::span<std::optional<layout>> arrive{};

    constexpr attribute_edit edit() { return {*graph, *op, attributes}; }
    /// Returns the original shape of an argument. Requires: the argument is a tensor.
    constexpr std::span<const dim> shape(std::size_t argument) const {
        return shape_of(*from, from->arguments(call)[argument]);
    }
};

/// A set of layout conversions, as a type: `find` returns the one for an operator, or null.
template <class Set>
concept layout_conversion_set = requires(const op_def& op) {
    { Set::find(op) } -> std::same_as<layout_conversion>;
};

namespace layout_conversions {

/// Selects the weight layout that goes with the data layout.
inline constexpr std::string_view by_default = "default";

/// Rejects layouts that the operator does not support.
[[noreturn, gnu::cold, gnu::noinline]] inline void refuse(const layout_change& c, std::span<const std::string> desired,
                                                          std::string expected) {
    std::string text = "[";
    for (const std::string& each : desired) text += (text.size() == 1 ? "" : ",") + each;
    throw error("ConvertLayout, " + std::string(c.op->name), "the desired layouts " + text + "]", std::move(expected));
}

/// Writes out the padding of both sides, like the builder functions.
constexpr void write_out_padding(attribute_edit& edit) {
    if (edit.has("padding")) edit.set("padding", spatial::pad(edit.numbers("padding"), edit.numbers("strides").size()));
}

/// True if the blocks of `layout_to` divide the axes of a tensor in `layout_is`. Blocks never divide an unknown size.
constexpr bool blocks_divide(std::string_view layout_is, std::string_view layout_to, std::span<const dim> shape) {
    const auto is = layout::parse(layout_is);
    const auto to = layout::parse(layout_to);
    if (!is || !to || !is->fits(shape)) return true; // reported elsewhere
    for (const layout::axis& a : to->axes()) {
        if (a.block != 0 || to->block(a.letter) == 1 || !is->find(a.letter)) continue;
        const dim size = is->size(shape, a.letter);
        if (size.is_any() || size.value() % to->block(a.letter) != 0) return false;
    }
    return true;
}

/// Converts data and weight of a convolution; `weight_arg` is the argument index of the weight. A tensor whose channels
/// are not divisible by the blocks keeps its layout. The default weight layout is OIHW for NCHW, HWIO for NHWC (HWOI
/// for depthwise convolutions), HWOI for HWNC, and similarly for other ranks.
constexpr void convolution_with(layout_change& c, std::span<const std::string> desired, std::size_t weight_argument) {
    if (desired.size() != 2) refuse(c, desired, "one for the data and one for the weight");
    attribute_edit edit = c.edit();
    std::string weight = desired[1];
    const auto channels_alone = [&] { // depthwise
        const auto data_layout = layout::parse(edit.text("data_layout"));
        const auto weight_layout = layout::parse(edit.text("kernel_layout"));
        const std::int64_t groups = edit.integer("groups");
        return data_layout && weight_layout && data_layout->fits(c.shape(0)) && weight_layout->fits(c.shape(1)) &&
               data_layout->find('C') && weight_layout->find('O') &&
               data_layout->size(c.shape(0), 'C').same_number(groups) &&
               weight_layout->size(c.shape(1), 'O').same_number(groups);
    };
    if (weight == by_default) {
        struct pair {
            std::string_view data, weight;
        };
        constexpr pair defaults[]{{"NCHW", "OIHW"}, {"NHWC", "HWIO"},   {"HWNC", "HWOI"},  {"NCW", "OIW"},
                                  {"NWC", "WIO"},   {"NCDHW", "OIDHW"}, {"NDHWC", "DHWIO"}};
        for (const pair& each : defaults)
            if (each.data == desired[0]) weight = each.weight;
        if (weight == by_default) refuse(c, desired, "NCHW, NHWC or HWNC for the data, or a layout for the weight");
        if (weight == "HWIO" && channels_alone()) weight = "HWOI";
    }
    if (!layout::parse(desired[0]) || !layout::parse(weight)) refuse(c, desired, "layouts such as NCHW and OIHW");
    const bool out_follows = edit.text("out_layout").empty();
    const std::string_view out_to = out_follows ? desired[0] : edit.text("out_layout");
    if (!blocks_divide(edit.text("data_layout"), desired[0], c.shape(0)) ||
        !blocks_divide(edit.text("kernel_layout"), weight, c.shape(weight_argument)) ||
        !blocks_divide(edit.text(out_follows ? "data_layout" : "out_layout"), out_to, shape_of(*c.from, c.call)))
        return;
    edit.set("data_layout", std::string_view(desired[0]));
    edit.set("kernel_layout", std::string_view(weight));
    write_out_padding(edit);
    c.attributes = edit.commit();
}

/// Converts data and weight, in this order.
constexpr void convolution(layout_change& c, std::span<const std::string> desired) { convolution_with(c, desired, 1); }

/// Converts data and weight; the default weight layout is `of_nchw` for NCHW, and HWIO for NHWC.
constexpr void convolution_of(layout_change& c, std::span<const std::string> desired, std::size_t weight_argument,
                              const char* of_nchw) {
    const bool first = desired.size() == 2 && desired[0] == "NCHW";
    if (desired.size() != 2 || desired[1] != by_default || (!first && desired[0] != "NHWC"))
        return convolution_with(c, desired, weight_argument);
    const std::string both[]{desired[0], first ? of_nchw : "HWIO"};
    convolution_with(c, {both, 2}, weight_argument);
}
/// Converts a transposed convolution, for which NCHW swaps the weight's channels.
constexpr void transposed_convolution(layout_change& c, std::span<const std::string> desired) {
    convolution_of(c, desired, 1, "IOHW");
}
/// Converts a deformable convolution, whose weight comes after the offsets.
constexpr void deformable_convolution(layout_change& c, std::span<const std::string> desired) {
    convolution_of(c, desired, 2, "OIHW");
}

/// Converts an operator with a single layout.
constexpr void single(layout_change& c, std::span<const std::string> desired) {
    if (desired.size() != 1 || !layout::parse(desired[0])) refuse(c, desired, "one such as NCHW");
    attribute_edit edit = c.edit();
    edit.set("layout", std::string_view(desired[0]));
    if (edit.has("out_layout")) edit.set("out_layout", std::string_view(desired[0]));
    write_out_padding(edit);
    c.attributes = edit.commit();
}

/// The conversions declared by the operators.
struct standard {
    static constexpr layout_conversion find(const op_def& op) { return op.convert; }
};

} // namespace layout_conversions

} // namespace tutti::relay
