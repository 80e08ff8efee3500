#pragma once

#include <tutti/relay/op/dim_math.hpp>
#include <tutti/relay/op/op_def.hpp>
#include <tutti/relay/op/spatial.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tutti::relay {

/// Attributes of nn.depth_to_space and nn.space_to_depth: the sides of a block of pixels, and, for the former, whether a channel's
/// number is that of the pixel, then the channel's own ("DCR"), or the other way round ("CRD" or "CDR").
struct pixel_block_attributes {
    std::int64_t block_size = 1;
    std::string_view layout = "NCHW";
    std::string_view mode = "DCR";

    static constexpr members<&pixel_block_attributes::block_size, &pixel_block_attributes::layout,
                             &pixel_block_attributes::mode>
        options{"block_size", "layout", "mode"};
};

namespace op::nn {

/// What the operators share that move the pixels of blocks from channels to the image and back.
struct pixel_moving {
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = pixel_block_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::injective;

    /// The result's type, where `size(n)` is that of a spatial axis and `channels(n)` how many channels there are.
    template <class Channels, class Size>
    static constexpr type_id moved(relation& r, const attributes& a, Channels channels, Size size) {
        if (!r.knows(0)) return type_id::none;
        if (a.block_size < 1 || a.block_size >= std::int64_t{1} << 24)
            r.refuse_attribute("block_size", "no size of a block", "1 or more, and fewer than 2^24");
        const relay::layout l = spatial::parse_layout(r, "layout", a.layout, "NCHW");
        const dims data = r.shape(0);
        if (!l.fits(data)) r.refuse(0, "a tensor of layout " + std::string(a.layout));
        spatial::axis_sizes sizes(l, data);
        sizes.of('C') = channels(sizes('C'));
        spatial::resize_axes(sizes, 2, [&](dim n, std::size_t) { return size(n); });
        return r.tensor(spatial::shape_in(r, "layout", l, sizes), r.element(0));
    }
};

/// Channels put side by side as the pixels of blocks. Channels that make no whole block are left out.
struct depth_to_space : pixel_moving, named<"nn.depth_to_space", precision_rule::follow> {
    static constexpr type_id infer(relation& r, const attributes& a) {
        return moved(
            r, a, [&](dim n) { return quotient(n, a.block_size * a.block_size); },
            [&](dim n) { return times(n, a.block_size); });
    }
};

/// The pixels of blocks put one behind the other as channels. Pixels that make no whole block are left out.
struct space_to_depth : pixel_moving, named<"nn.space_to_depth"> {
    static constexpr type_id infer(relation& r, const attributes& a) {
        return moved(
            r, a, [&](dim n) { return times(n, a.block_size * a.block_size); },
            [&](dim n) { return quotient(n, a.block_size); });
    }
};

} // namespace op::nn

/// The operators that move pixels between channels and image.
using depth_to_space_ops = op_list<op::nn::depth_to_space, op::nn::space_to_depth>;

namespace nn {

constexpr expr depth_to_space(expr data, const pixel_block_attributes& attributes) {
    return call_op<op::nn::depth_to_space>(attributes, data);
}
/// A call of nn.space_to_depth; without a mode, which it has not, as the builder function of the field writes it.
constexpr expr space_to_depth(expr data, pixel_block_attributes attributes) {
    attributes.mode = "";
    return call_op<op::nn::space_to_depth>(attributes, data);
}

} // namespace nn

} // namespace tutti::relay
