#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/dim.hpp>
#include <tutti/relay/op/conv.hpp>
#include <tutti/relay/op/layout.hpp>
#include <tutti/relay/op/layout_conversion.hpp>
#include <tutti/relay/op/tuple.hpp>
#include <tutti/relay/transform/passes/alter_op_layout.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM {

/// A target of AlterOpLayout that gives the float32 images of all convolutions one layout, so that a network's data are
/// converted once. The layout is NHWC, or NCHW with blocked channels (NCHW8c).
///
/// Weights keep their layout. If blocks do not divide the input channels, as for pictures, only the output has the new
/// layout. If blocks do not divide the output channels, or the channels of a group, the call is unchanged. Grouped
/// convolutions with 1x1 windows are also unchanged: they are matrix products, and the channel shuffles after them do
/// not support other layouts. Constants concatenated with converted tensors are also converted. FoldConstant evaluates
/// these conversions.
///
/// Example: `relay::alter_op_layout_for(relay::images_in{.layout = "NHWC"})`
struct images_in {
    std::string_view layout{}; ///< must outlive the pass; if empty, nothing is altered
    /// A convolution whose data must be converted is altered only if it has at least this many multiplications per
    /// input and output element. A 3x3 depthwise convolution has fewer, so it stays unchanged between unchanged calls.
    /// Use 0 for kernels that convert data anyway.
    std::int64_t least_products = 8;

    constexpr void operator()(layout_change& c) const {
        if (layout.empty()) return;
        if (c.op == &definition<op::concatenate>) return bring_constants(c);
        if (c.op != &definition<op::nn::conv2d>) return;
        const graph& g = *c.from;
        const type_id data = g.type(g.arguments(c.call)[0]);
        if (g.types().element(data) != dtype::float32 || g.types().element(g.type(c.call)) != dtype::float32) return;
        attribute_edit edit = c.edit();
        const std::string_view in = edit.text("data_layout");
        const std::string_view out = edit.text("out_layout").empty() ? in : edit.text("out_layout");
        const auto shape_after = shape_of(g, c.call);
        const std::int64_t groups = edit.integer("groups");
        if (groups > 1 && are_products(c, edit.text("kernel_layout"))) return;
        if (!fits(out, shape_after, groups) || !worth_it(c, edit.text("kernel_layout"))) return;
        const bool both = fits(in, c.shape(0), groups);
        if (both) edit.set("data_layout", layout);
        edit.set("out_layout", both ? std::string_view{} : layout);
        layout_conversions::write_out_padding(edit);
        if (both && layouts::parse(layout)->block('C') != 1) c.op = &definition<op::nn::contrib_conv2d_nchwc>;
        c.attributes = edit.commit();
    }

private:
    using layouts = relay::layout;

    // A concatenation keeps the target's layout only if all its tensors have it, so constants are converted too.
    constexpr void bring_constants(layout_change& c) const {
        const auto to = layouts::parse(layout);
        bool some = false;
        for (const auto& l : c.arrive) some = some || l == to;
        if (!some) return;
        for (std::size_t i = 0; i < c.arrive.size(); ++i) {
            const expr_id e = c.arguments[i];
            if (c.arrive[i] == to || c.graph->kind(e) != expr_kind::constant) continue;
            if (fits(c.arrive[i]->text(), shape_of(*c.graph, e), 1)) c.arrive[i] = to;
        }
    }

    // True if a tensor in the unblocked layout `is` can be converted to the target's layout. A block must not span
    // groups of channels, unless each channel is a group.
    constexpr bool fits(std::string_view is, std::span<const dim> shape, std::int64_t groups) const {
        const auto from = layouts::parse(is);
        if (!from || from->rank() != 4 || !from->fits(shape) || !layout_conversions::blocks_divide(is, layout, shape))
            return false;
        const dim channels = from->size(shape, 'C');
        const std::int64_t block = layouts::parse(layout)->block('C');
        return groups == 1 || block == 1 || channels.same_number(groups) || channels.value() / groups % block == 0;
    }

    // True for a grouped convolution that is a matrix product per group: 1x1 windows and more than one channel.
    static constexpr bool are_products(const layout_change& c, std::string_view weight_layout) {
        const auto weights = layouts::parse(weight_layout);
        if (!weights || !weights->fits(c.shape(1))) return false;
        const auto size = [&](char letter) { return weights->size(c.shape(1), letter); };
        return size('H').same_number(1) && size('W').same_number(1) && !size('I').same_number(1);
    }

    constexpr bool worth_it(const layout_change& c, std::string_view weight_layout) const {
        if (least_products == 0 || (!c.arrive.empty() && c.arrive[0] == layouts::parse(layout))) return true;
        const auto weights = layouts::parse(weight_layout);
        if (!weights || !weights->fits(c.shape(1))) return false;
        const auto count = [](std::span<const dim> shape) {
            double n = 1;
            for (const dim d : shape) n *= d.is_any() ? 1 : static_cast<double>(d.value());
            return n;
        };
        const double for_each = count(c.shape(1)) / static_cast<double>(weights->size(c.shape(1), 'O').value());
        const double result = count(shape_of(*c.from, c.call));
        return result * for_each >= static_cast<double>(least_products) * (result + count(c.shape(0)));
    }
};

/// Targets for pipelines in text: `AlterOpLayout{target=images_in_NHWC}`.
inline constexpr named_layout_target image_layout_targets[]{
    {"images_in_NHWC", [](layout_change& c) { images_in{.layout = "NHWC"}(c); }},
    {"images_in_NCHW8c", [](layout_change& c) { images_in{.layout = "NCHW8c"}(c); }},
    {"images_in_NCHW16c", [](layout_change& c) { images_in{.layout = "NCHW16c"}(c); }},
};

} // namespace tutti::relay::inline TUTTI_FORM
