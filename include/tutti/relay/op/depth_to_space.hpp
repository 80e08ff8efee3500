#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/dim_math.hpp>
#include <tutti/relay/op/op_def.hpp>
#include <tutti/relay/op/spatial.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Attributes of nn.depth_to_space and nn.space_to_depth: the side of a block of pixels, the layout, and the order of
/// the channels for nn.depth_to_space. Mode "DCR" orders the channels by pixel, then by channel. Modes "CRD" and
/// "CDR" order them by channel, then by pixel.
struct pixel_block_attributes {
    std::int64_t block_size = 1;
    std::string_view layout = "NCHW";
    std::string_view mode = "DCR";

    static constexpr option_list<&pixel_block_attributes::block_size, &pixel_block_attributes::layout,
                                 &pixel_block_attributes::mode>
        options{"block_size", "layout", "mode"};
};

namespace op::nn {

/// Base of operators that move blocks of pixels between channels and image.
struct pixel_moving {
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = pixel_block_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::injective;

    /// Returns the result's type. `size(n)` returns the result's spatial size for data of spatial size n, and
    /// `channels(n)` the result's number of channels for data of n channels.
    template <class Channels, class Size>
    static constexpr type_id moved(relation& r, const attributes& a, Channels channels, Size size) {
        if (!r.knows(0)) return type_id::none;
        if (a.block_size < 1 || a.block_size >= std::int64_t{1} << 24)
            r.refuse_attribute("block_size", "not a block size", "1 or more, and fewer than 2^24");
        const relay::layout l = spatial::parse_layout(r, "layout", a.layout, "NCHW");
        const dims data = r.shape(0);
        if (!l.fits(data)) r.refuse(0, "a tensor of layout " + std::string(a.layout));
        spatial::axis_sizes sizes(l, data);
        sizes.of('C') = channels(sizes('C'));
        spatial::resize_axes(sizes, 2, [&](dim n, std::size_t) { return size(n); });
        return r.tensor(spatial::shape_in(r, "layout", l, sizes), r.element(0));
    }
};

/// Rearranges channels into blocks of pixels. Drops channels that do not fill a block.
struct depth_to_space : pixel_moving, named<"nn.depth_to_space", precision_rule::follow> {
    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

/// Rearranges blocks of pixels into channels. Drops pixels that do not fill a block.
struct space_to_depth : pixel_moving, named<"nn.space_to_depth"> {
    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

} // namespace op::nn

/// Operators that move pixels between channels and image.
using depth_to_space_ops = op_list<op::nn::depth_to_space, op::nn::space_to_depth>;

namespace nn {

TUTTI_CONSTEXPR expr depth_to_space(expr data, const pixel_block_attributes& attributes);
/// Calls nn.space_to_depth without a mode, like the reference's builder function.
TUTTI_CONSTEXPR expr space_to_depth(expr data, pixel_block_attributes attributes);

} // namespace nn

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/op/depth_to_space.ipp>
#endif
