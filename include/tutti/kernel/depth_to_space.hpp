#pragma once

#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/copy.hpp>
#include <tutti/kernel/support/letters.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/kernel/tensor.hpp>

#include <cstdint>
#include <string_view>

namespace tutti::kernel {

/// The part of the channel index that selects a pixel of a block: the outer part ("DCR") or the inner part ("CRD").
enum class block_order : bool { outer, inner };

namespace detail {

/// Moves pixels of `block` × `block` blocks between channels and space. Both images have the same layout.
struct pixel_blocks {
    std::int64_t block;
    block_order order = block_order::outer;

    /// Copies all pixels from one image to the other. A pixel of `deep` holds a block of pixels of `wide`.
    ///
    /// Requires: `deep` has the axes of the tensor with more channels, `wide` of the one with more pixels.
    constexpr void copy(std::string_view layout, const lettered_axes& deep, const lettered_axes& wide,
                        const tensor& from, tensor& to, bool to_wide) const {
        const std::int64_t channels = wide.channel.size;
        const std::int64_t step = deep.channel.stride() * (order == block_order::outer ? channels : 1);
        extents shape;
        placement in_deep;
        placement in_wide;
        const auto axis = [&](std::int64_t size, std::int64_t of_deep, std::int64_t of_wide) {
            shape.push_back(size);
            in_deep.strides.push_back(of_deep);
            in_wide.strides.push_back(of_wide);
        };
        const auto pixels = [&](std::size_t i, std::int64_t apart) {
            const lettered_axis& d = deep.space[i];
            const lettered_axis& w = wide.space[i];
            axis(d.size, d.stride(), w.stride() * block);
            axis(block, step * apart, w.stride());
        };
        for (const char letter : layout) {
            if (letter == 'N')
                axis(deep.outer.size, deep.outer.stride(), wide.outer.stride());
            else if (letter == 'C')
                axis(channels, deep.channel.stride() * (order == block_order::outer ? 1 : block * block),
                     wide.channel.stride());
            else
                pixels(letter == 'H' ? 1 : 2, letter == 'H' ? block : 1);
        }
        copy_elements(shape, from, to_wide ? in_deep : in_wide, to, to_wide ? in_wide : in_deep);
    }
};

/// Returns the axes of images in a layout of the letters N, C, H and W.
constexpr lettered_axes image_axes(std::string_view kernel, const tensor& data, std::int64_t block,
                                   std::string_view layout) {
    check_data(kernel, data);
    if (layout.size() != 4) fail(kernel, {"the layout \"", layout, "\""}, "a layout such as NCHW or NHWC");
    if (block < 1 || block >= std::int64_t{1} << 24)
        fail(kernel, {"blocks of ", block, " by ", block}, "1 or more, and fewer than 2^24");
    return axes_in(kernel, "data", lettered::data, layout, data.shape());
}

} // namespace detail

/// Turns each group of `block` * `block` channels into a block of pixels. Drops the remaining channels, as the
/// reference's type relation does.
///
/// Throws: tutti::error if the data does not fit the layout (N, C, H and W), or if the block is not positive.
constexpr void depth_to_space(const tensor& data, std::int64_t block, block_order order, std::string_view layout,
                              tensor& out) {
    const lettered_axes deep = detail::image_axes("depth_to_space", data, block, layout);
    lettered_axes wide = deep;
    wide.channel.size = deep.channel.size / (block * block);
    for (const std::size_t i : {std::size_t{1}, std::size_t{2}})
        wide.space[i].size = detail::checked_product("depth_to_space", deep.space[i].size, block);
    const extents shape = place_result("depth_to_space", layout, wide);
    detail::make_result("depth_to_space", data.type(), shape, out);
    if (out.size() == 0) return;
    detail::pixel_blocks{block, order}.copy(layout, deep, wide, data, out, true);
}

/// Turns the pixels of each block into channels: the inverse of `depth_to_space`, with the pixel as the outer part of
/// the channel index. Drops pixels that do not fill a block.
///
/// Throws: as `depth_to_space`.
constexpr void space_to_depth(const tensor& data, std::int64_t block, std::string_view layout, tensor& out) {
    const lettered_axes wide = detail::image_axes("space_to_depth", data, block, layout);
    lettered_axes deep = wide;
    deep.channel.size = detail::checked_product("space_to_depth", wide.channel.size, block * block);
    for (const std::size_t i : {std::size_t{1}, std::size_t{2}}) deep.space[i].size = wide.space[i].size / block;
    const extents shape = place_result("space_to_depth", layout, deep);
    detail::make_result("space_to_depth", data.type(), shape, out);
    if (out.size() == 0) return;
    detail::pixel_blocks{block}.copy(layout, deep, wide, data, out, false);
}

} // namespace tutti::kernel
