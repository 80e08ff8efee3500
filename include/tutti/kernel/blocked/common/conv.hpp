#pragma once

#include <tutti/kernel/blocked/common/any_tile.hpp>
#include <tutti/kernel/blocked/common/conv_cells.hpp>
#include <tutti/kernel/blocked/common/conv_division.hpp>
#include <tutti/kernel/blocked/common/depthwise.hpp>
#include <tutti/kernel/blocked/common/pixel_gather.hpp>
#include <tutti/kernel/blocked/common/product.hpp>
#include <tutti/kernel/blocked/common/tile.hpp>
#include <tutti/kernel/blocked/integer/product_terms.hpp>
#include <tutti/kernel/conv_plan.hpp>
#include <tutti/kernel/support/allowance.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/epilogue.hpp>
#include <tutti/kernel/support/lasting.hpp>
#include <tutti/kernel/support/letters.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/parallel/executor.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

// Convolutions as products of packed matrices: one holds the weights, the other the operands of a block of pixels. The
// operands are gathered, or read in place (conv_cells.hpp).

namespace tutti::kernel::blocked {

/// Memory that a convolution reuses: packed weights, and scratch memory for operands and sums.
struct conv_memory {
    packed_operand weight;
    tensor room;
};

namespace detail {

/// Packs the weights of a group. Each block of `depth_of(p)` weights consists of tiles of `tile_rows` channels.
inline void pack_weights(const float* from, const conv_plan& p, std::int64_t group, float* to) {
    const std::int64_t places = p.weight.places();
    const std::int64_t total = p.weight.channel.size * places;
    const std::int64_t channels = p.out_channels();
    const std::array<lettered_axis, 3>& space = p.weight.space;
    const std::int64_t block = depth_of(p);
    for (std::int64_t k = 0; k < total; k += block) {
        const std::int64_t depth = std::min(block, total - k);
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

/// A convolution with gathered operands. Requires: the spatial axes of data and result are not in blocks.
class conv_product {
    // Maximum number of pixels of a block if `tile_depth` weights are summed at a time.
    static constexpr std::int64_t pixels = std::max<std::int64_t>(64, 3 * tile_columns);

public:
    conv_product(const conv_plan& p, tensor& room, const epilogue* after, executor_ref on, const product_terms& terms)
        : p_(p)
        , terms_(terms)
        , after_(after)
        , total_(p.weight.channel.size * p.weight.places())
        , direct_(stores_neighbours(p))
        , block_(pixels_of_block(p))
        , row_(rounded_up(block_, std::max(cache_line, tile_columns)))
        , division_(p, (p.out.places() + block_ - 1) / block_, on) {
        if (row_ / cache_line % 2 == 0) row_ += cache_line;
        patch_ = std::min(depth_of(p), total_) * row_;
        room_ = patch_ + (direct_ ? 0 : division_.most_channels() * block_);
        const std::int64_t size = division_.lanes() * room_;
        room.reset(dtype::float32, std::span(&size, 1));
        patches_ = room.mutable_data<float>();
    }

    /// True if sums are stored contiguously, so that an epilogue can be applied to them.
    static bool takes_epilogue(const conv_plan& p) {
        const lettered_axis& channel = p.out.channel;
        return stores_neighbours(p) || (channel.parts != 0 && channel.part_of[channel.parts - 1].stride == 1);
    }

    void run(const float* data, const float* packed, float* out) {
        division_.each([&](const conv_division::part& part) { run_block(part, data, packed, out); });
    }

private:
    using pixel_gather = kernel::blocked::detail::pixel_gather<float, pixels>;

    /// True if the result's pixels are contiguous, so that sums accumulate in place.
    static bool stores_neighbours(const conv_plan& p) {
        return pixel_gather(p).neighbours() && p.out.channel.parts <= 1;
    }

    /// Returns the number of pixels of a block: as many as fit the second-level cache with their operands. Blocks
    /// are of equal size, since a small remainder would cost as much as a full block.
    static std::int64_t pixels_of_block(const conv_plan& p) {
        const std::int64_t deep = std::clamp<std::int64_t>(p.weight.channel.size, tile_depth / 16, tile_depth);
        const bool wide = pixel_gather(p).is_pointwise() && stores_neighbours(p);
        const std::int64_t most = wide ? pixels * tile_depth / deep : pixels;
        const std::int64_t blocks = (p.out.places() + most - 1) / most;
        return rounded_up((p.out.places() + blocks - 1) / blocks, lanes);
    }

    /// Computes the sums of some pixels of an image for some channels of a group.
    void run_block(const conv_division::part& part, const float* data, const float* all_packed, float* out) const {
        const std::int64_t channels = part.channels;
        const std::int64_t channel = part.group * p_.out_channels() + part.first;
        const float* const image = data + p_.in.outer.at(part.image);
        const float* const packed = all_packed + part.group * packed_size(p_);
        const std::int64_t to_image = p_.out.outer.at(part.image);
        const std::int64_t first = part.block * block_;
        float* const patch = patches_ + part.lane * room_;
        const std::int64_t padded = rounded_up(p_.out_channels(), tile_rows);
        float* const sums = patch + patch_;
        pixel_gather gather(p_, terms_.outside);
        const std::int64_t count = std::min(block_, gather.places() - first);
        gather.find_runs(first, count);
        float* const to = direct_ ? out + to_image + p_.out.channel.at(channel) + gather.first_place() : sums;
        const std::int64_t to_row = direct_ ? p_.out.channel.stride() : block_;
        const bool pointwise = gather.is_pointwise();
        const std::int64_t deep = depth_of(p_);
        for (std::int64_t k = 0; k < total_; k += deep) {
            const std::int64_t depth = std::min(deep, total_ - k);
            const std::int64_t from = part.group * p_.weight.channel.size;
            if (pointwise)
                copy_pixels(image + p_.in.channel.at(from + k) + first, p_.in.channel.stride(), depth, count, patch);
            else
                gather.gather(image, {from, true, k, depth}, {patch, row_, rounded_up(count, tile_columns)});
            multiply_tiles(terms_.how, {packed + k * padded + part.first * depth, tile_rows * depth},
                           {patch, tile_columns, row_}, {channels, count, depth}, {to, to_row, k != 0});
        }
        if (total_ == 0)
            for (std::int64_t c = 0; c < channels; ++c) std::fill_n(to + c * to_row, count, 0.F);
        for (std::int64_t c = 0; c < channels; ++c) terms_.finish_channel(to + c * to_row, channel + c, count);
        if (!direct_) gather.store(sums, block_, out + to_image, channel, channels);
        if (after_ == nullptr) return;
        if (direct_) {
            for (std::int64_t c = 0; c < channels; ++c) after_->apply(to + c * to_row, to + c * to_row - out, count);
            return;
        }
        // Applies the epilogue to contiguous channels of each pixel.
        const lettered_axis& axis = p_.out.channel;
        const std::int64_t together = axis.parts <= 1 ? p_.out.channel.size : axis.part_of[axis.parts - 1].length;
        for (std::int64_t c = 0; c < channels;) {
            const std::int64_t n = std::min(channels - c, together - (channel + c) % together);
            const std::int64_t at = to_image + axis.at(channel + c);
            gather.each_pixel([&](std::int64_t place) { after_->apply(out + at + place, at + place, n); });
            c += n;
        }
    }

    /// Copies `count` contiguous pixels of each channel; channels are `step` apart. Pads the copies with zeros to a
    /// multiple of `tile_columns`.
    void copy_pixels(const float* from, std::int64_t step, std::int64_t channels, std::int64_t count, float* to) const {
        constexpr std::int64_t ahead = 8; // prefetch distance: channels are too far apart for the hardware prefetcher
        const std::int64_t whole = count / lanes * lanes;
        for (std::int64_t c = 0; c < channels; ++c, from += step, to += row_) {
            if (c + ahead < channels)
                for (std::int64_t i = 0; i < count; i += cache_line) __builtin_prefetch(from + ahead * step + i);
            for (std::int64_t i = 0; i < whole; i += lanes) store(load(from + i), to + i);
            if (whole == count) continue;
            for (std::int64_t i = whole; i < count; ++i) to[i] = from[i];
            std::fill(to + count, to + rounded_up(count, tile_columns), 0.F);
        }
    }

    const conv_plan& p_;
    const product_terms& terms_;
    const epilogue* after_;
    std::int64_t total_;
    bool direct_;
    std::int64_t block_; // pixels in each block
    std::int64_t row_;   // row stride of a patch: an odd number of cache lines, so that a panel fits the cache
    conv_division division_;
    std::int64_t patch_ = 0;
    std::int64_t room_ = 0; // elements of scratch memory per lane
    float* patches_ = nullptr;
};

/// Computes a convolution with packed weights. Takes the epilogue from `means` if this convolution can apply it.
inline void convolve(const conv_plan& p, const packed_factors& of, float* to, tensor& room, const call_means& means,
                     const product_terms& terms = {}) {
    const auto [from, packed] = of;
    if (conv_cells::suits(p)) return conv_cells(p, room, means, terms).run(from, packed, to);
    const epilogue* const after = conv_product::takes_epilogue(p) ? means.taken() : nullptr;
    conv_product(p, room, after, means.on, terms).run(from, packed, to);
}

} // namespace detail

/// Packs weights in the order in which `conv` reads them, for data with the type and shape of `data`, whose elements
/// are not read. Returns an empty tensor if `conv` reads the weights unpacked, or does not support the convolution.
///
/// Throws: as `kernel::conv`.
inline tensor packed_conv(const tensor& data, const tensor& weight, const conv_options& options) {
    tensor packed;
    if (!detail::all_float32(data, weight, options.out)) return packed;
    const conv_options o = kernel::detail::with_layouts(options, data, weight);
    const detail::conv_plan p = kernel::detail::plan_conv("conv", data, weight, o);
    if (p.out_channels() < detail::any_tile_rows) return packed;
    const std::int64_t size = detail::packed_size(p);
    const std::int64_t all = p.groups * size;
    reset_lasting(packed, dtype::float32, std::span(&all, 1));
    for (std::int64_t g = 0; g < p.groups; ++g)
        detail::pack_weights(weight.data<float>(), p, g, packed.mutable_data<float>() + g * size);
    return packed;
}

/// Computes `kernel::conv` of float32. Uses `means.packed`; if that is null, packs weights into `memory`.
///
/// Does nothing and returns false for other element types, or if a group has too few output channels for vectors.
/// Throws: as `kernel::conv`.
/// Cost:   memory for another copy of the weights, in `memory`.
inline bool conv(const tensor& data, const tensor& weight, const conv_options& options, tensor& out,
                 conv_memory& memory, const product_means& means = {}) {
    if (!detail::all_float32(data, weight, options.out)) return false;
    const conv_options o = kernel::detail::with_layouts(options, data, weight);
    detail::conv_plan p = kernel::detail::plan_conv("conv", data, weight, o);
    const bool by_channel = detail::is_depthwise(p) && p.out_channels() < detail::any_tile_rows;
    if (!by_channel && p.out_channels() < detail::any_tile_rows) return false;
    const extents shape = place_result("conv", o.out_layout, p.out);
    if (by_channel && !detail::depthwise_channels::suits(p) && !detail::depthwise_rows<>::suits(p)) return false;
    spend(kernel::detail::steps_of(p));
    kernel::detail::make_result("conv", dtype::float32, shape, out);
    if (out.size() == 0) return true;
    const auto* const from = data.data<float>();
    auto* const to = out.mutable_data<float>();
    if (by_channel) {
        if (detail::depthwise_channels::suits(p))
            detail::depthwise_channels(p, memory.room, means).run(from, weight.data<float>(), to);
        else
            detail::depthwise_rows<>(p, memory.room, means).run(from, weight.data<float>(), to);
        return true;
    }
    const std::int64_t size = detail::packed_size(p);
    const auto pack = [&](float* packed_to) {
        for (std::int64_t g = 0; g < p.groups; ++g)
            detail::pack_weights(weight.data<float>(), p, g, packed_to + g * size);
    };
    const float* const packed =
        means.packed != nullptr ? means.packed->data<float>() : memory.weight.get(weight, p.groups * size, pack);
    detail::convolve(p, {from, packed}, to, memory.room, means);
    return true;
}

} // namespace tutti::kernel::blocked
