#pragma once

#include <tutti/kernel/allowance.hpp>
#include <tutti/kernel/blocked/depthwise.hpp>
#include <tutti/kernel/blocked/product.hpp>
#include <tutti/kernel/blocked/tile.hpp>
#include <tutti/kernel/check.hpp>
#include <tutti/kernel/conv_blocks.hpp>
#include <tutti/kernel/conv_plan.hpp>
#include <tutti/kernel/letters.hpp>
#include <tutti/kernel/tensor.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

// Convolutions of float32 as products of packed matrices: the weights are one, and what they meet at a block of pixels is gathered into
// the other.

namespace tutti::kernel::blocked {

/// What a convolution keeps from one time to the next: its weights, packed, and room for what they meet.
struct conv_memory {
    packed_operand weight;
    tensor room;
};

namespace detail {

using kernel::detail::conv_plan;

/// The weights of a group: of each block of `tile_depth` of them, tiles of `tile_rows` channels.
inline void pack_weights(const float* from, const conv_plan& p, std::int64_t group, float* to) {
    const std::int64_t places = p.weight.places();
    const std::int64_t total = p.weight.channel.size * places;
    const std::int64_t channels = p.out_channels();
    const std::array<lettered_axis, 3>& space = p.weight.space;
    for (std::int64_t k = 0; k < total; k += tile_depth) {
        const std::int64_t depth = std::min(tile_depth, total - k);
        for (std::int64_t first = 0; first < channels; first += tile_rows, to += tile_rows * depth)
            for (std::int64_t i = 0; i < depth; ++i) {
                const std::int64_t place = (k + i) % places;
                const float* at = from + p.weight.channel.at((k + i) / places) + space[2].at(place % space[2].size) +
                                  space[1].at(place / space[2].size % space[1].size) +
                                  space[0].at(place / space[2].size / space[1].size);
                for (std::int64_t r = 0; r < tile_rows; ++r)
                    to[i * tile_rows + r] =
                        first + r < channels ? at[p.weight.outer.at(group * channels + first + r)] : 0.F;
            }
    }
}

/// Requires: axes of the data and of the result are in no blocks.
class conv_product {
    // Rows of what is gathered begin an odd number of cache lines after each other, so that all of a panel finds room in the cache.
    static constexpr std::int64_t pixels = 3 * tile_columns;
    static constexpr std::int64_t row = pixels + (pixels / 16 % 2 == 0 ? 16 : 0);

public:
    conv_product(const conv_plan& p, tensor& room)
        : p_(p), gather_(p), total_(p.weight.channel.size * p.weight.places()) {
        const std::int64_t size = tile_depth * row + rounded_up(p.out_channels(), tile_rows) * pixels;
        room.reset(dtype::float32, std::span(&size, 1));
        patch_ = room.mutable_data<float>();
        sums_ = patch_ + tile_depth * row;
    }

    /// How many elements the packed weights of a group are.
    static std::int64_t packed_size(const conv_plan& p) {
        return rounded_up(p.out_channels(), tile_rows) * p.weight.channel.size * p.weight.places();
    }

    void run_group(const float* image, const float* packed, float* out, std::int64_t group) {
        const std::int64_t channels = p_.out_channels();
        const std::int64_t padded = rounded_up(channels, tile_rows);
        const std::int64_t first_channel = group * p_.weight.channel.size;
        for (std::int64_t first = 0; first < gather_.places(); first += pixels) {
            const std::int64_t count = std::min(pixels, gather_.places() - first);
            gather_.find_runs(first, count);
            // Where the result's pixels are neighbours and fill whole vectors the sums are taken where they belong.
            const bool direct = gather_.neighbours() && p_.out.channel.parts <= 1;
            float* const to = direct ? out + p_.out.channel.at(group * channels) + gather_.first_place() : sums_;
            const std::int64_t to_row = direct ? p_.out.channel.stride() : pixels;
            for (std::int64_t k = 0; k < total_; k += tile_depth) {
                const std::int64_t depth = std::min(tile_depth, total_ - k);
                gather_.gather(image, first_channel, true, k, depth, rounded_up(count, tile_columns), patch_, row);
                multiply_tiles(packed + k * padded, tile_rows * depth, patch_, tile_columns, row, depth, channels,
                               count, to, to_row, k != 0);
            }
            if (total_ == 0)
                for (std::int64_t c = 0; c < channels; ++c) std::fill_n(to + c * to_row, count, 0.F);
            if (!direct) gather_.store(sums_, pixels, out, group * channels, channels);
        }
    }

private:
    const conv_plan& p_;
    kernel::detail::pixel_gather<float, pixels> gather_;
    std::int64_t total_;
    float* patch_ = nullptr;
    float* sums_ = nullptr;
};

} // namespace detail

/// `kernel::conv` of float32.
///
/// False if the element types are others, or a group has so few output channels that vectors do not suit it; then nothing is done.
/// Throws: as `kernel::conv`.
/// Cost:   as much memory again as the weights take, in `memory`.
inline bool conv(const tensor& data, const tensor& weight, const conv_options& options, tensor& out,
                 conv_memory& memory) {
    if (!detail::all_float32(data, weight, options.out)) return false;
    const conv_options o = kernel::detail::with_layouts(options, data, weight);
    detail::conv_plan p = kernel::detail::plan_conv("conv", data, weight, o);
    const bool by_channel = detail::is_depthwise(p) && p.out_channels() < kernel::detail::tile_rows;
    if (!by_channel && p.out_channels() < kernel::detail::tile_rows) return false;
    const extents shape = place_result("conv", o.out_layout, p.out);
    if (by_channel && !detail::depthwise_channels::suits(p) && !detail::depthwise_rows::suits(p)) return false;
    kernel::detail::make_result("conv", dtype::float32, shape, out);
    spend(kernel::detail::steps_of(p));
    if (out.size() == 0) return true;
    const auto* const from = data.data<float>();
    auto* const to = out.mutable_data<float>();
    if (by_channel) {
        if (detail::depthwise_channels::suits(p))
            detail::depthwise_channels(p, memory.room).run(from, weight.data<float>(), to);
        else
            detail::depthwise_rows(p, memory.room).run(from, weight.data<float>(), to);
        return true;
    }
    const std::int64_t size = detail::conv_product::packed_size(p);
    const float* const packed = memory.weight.get(weight, p.groups * size, [&](float* packed_to) {
        for (std::int64_t g = 0; g < p.groups; ++g)
            detail::pack_weights(weight.data<float>(), p, g, packed_to + g * size);
    });
    detail::conv_product product(p, memory.room);
    for (std::int64_t n = 0; n < p.out.outer.size; ++n)
        for (std::int64_t g = 0; g < p.groups; ++g)
            product.run_group(from + p.in.outer.at(n), packed + g * size, to + p.out.outer.at(n), g);
    return true;
}

} // namespace tutti::kernel::blocked
