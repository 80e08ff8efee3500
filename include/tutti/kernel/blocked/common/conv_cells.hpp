#pragma once

#include <tutti/kernel/blocked/common/cells.hpp>
#include <tutti/kernel/blocked/common/conv_division.hpp>
#include <tutti/kernel/blocked/common/tile.hpp>
#include <tutti/kernel/blocked/common/vectors.hpp>
#include <tutti/kernel/blocked/integer/product_terms.hpp>
#include <tutti/kernel/conv_plan.hpp>
#include <tutti/kernel/support/epilogue.hpp>
#include <tutti/kernel/support/letters.hpp>
#include <tutti/kernel/tensor.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

// Convolutions along one or two axes as products without a gathered operand. The operand is read from copies of the
// image's rows, which all cells of a window share.

namespace tutti::kernel::blocked::detail {

/// Returns the number of weights per output channel that are multiplied at a time: those of whole input channels, if an
/// input channel's weights fit in `tile_depth`.
constexpr std::int64_t depth_of(const conv_plan& p) {
    const std::int64_t places = p.weight.places();
    return places == 0 || places > tile_depth ? tile_depth : tile_depth / places * places;
}

/// Returns the number of elements of a group's packed weights.
constexpr std::int64_t packed_size(const conv_plan& p) {
    return rounded_up(p.out_channels(), tile_rows) * p.weight.channel.size * p.weight.places();
}

/// Requires: `suits(p)`.
class conv_cells {
public:
    conv_cells(const conv_plan& p, tensor& room, const call_means& means, const product_terms& terms)
        : p_(p)
        , terms_(terms)
        , after_(means.taken())
        , band_(band_of(p))
        , direct_(p.out.space[2].size % lanes == 0 &&
                  computed_rows(p.out_channels() % tile_rows) == p.out_channels() % tile_rows)
        , image_(p, band_)
        , division_(p, (p.out.space[1].size + band_ - 1) / band_, means.on) {
        const std::int64_t places = p.weight.places();
        const std::int64_t depth = std::min(depth_of(p), p.weight.channel.size * places);
        for (std::int64_t k = 0; k < depth; ++k)
            at_[k] =
                static_cast<std::int32_t>(k / places * image_.size() + image_.place(k % places / p.weight.space[2].size,
                                                                                    k % p.weight.space[2].size));
        images_ = depth / places * image_.size();
        sums_row_ = image_.in_vectors(band_);
        room_ = images_ + (direct_ ? 0 : division_.most_channels() * sums_row_);
        const std::int64_t size = division_.lanes() * room_;
        room.reset(dtype::float32, std::span(&size, 1));
        cells_ = room.mutable_data<float>();
        for (std::int64_t lane = 0; lane < division_.lanes(); ++lane)
            std::fill_n(cells_ + lane * room_, images_, terms.outside);
    }

    /// True if the image is in rows, and unused lanes of vectors cost less than gathering.
    static bool suits(const conv_plan& p) {
        const lettered_axis& rows = p.out.space[1];
        const lettered_axis& columns = p.out.space[2];
        const std::int64_t places = p.weight.places();
        if (!image_cells::suits(p) || places < 2 || places > tile_depth || p.weight.channel.size == 0) return false;
        if (p.out.channel.parts > 1 || p.in.channel.parts > 1) return false;
        if (columns.size > 1 && columns.stride() != 1) return false;
        if (rows.size > 1 && rows.stride() != columns.size) return false;
        if (image_cells(p, band_of(p)).size() > 1 << 20) return false;
        const std::int64_t gathered = rounded_up(rows.size * columns.size, lanes);
        const std::int64_t computed = image_cells::in_vectors(p, rows.size);
        return (computed - gathered) * p.out_channels() <= 24 * gathered;
    }

    void run(const float* data, const float* packed, float* out) {
        division_.each([&](const conv_division::part& part) { run_band(part, data, packed, out); });
    }

private:
    /// Returns the number of rows of the result computed at a time: about thirty vectors.
    static std::int64_t band_of(const conv_plan& p) {
        const std::int64_t row = image_cells::in_vectors(p, 28) / 28;
        const std::int64_t most = std::clamp<std::int64_t>(28 * lanes / row, 2, 28);
        const std::int64_t bands = (p.out.space[1].size + most - 1) / most;
        return (p.out.space[1].size + bands - 1) / bands;
    }

    /// Computes some rows of an image for some channels of a group.
    void run_band(const conv_division::part& part, const float* data, const float* all_packed, float* out) const {
        const float* const image = data + p_.in.outer.at(part.image);
        const float* const packed = all_packed + part.group * packed_size(p_);
        float* const cells = cells_ + part.lane * room_;
        const std::int64_t first = part.block * band_;
        const std::int64_t rows = std::min(band_, p_.out.space[1].size - first);
        const std::int64_t columns = p_.out.space[2].size;
        const std::int64_t channel = part.group * p_.out_channels() + part.first;
        const std::int64_t padded = rounded_up(p_.out_channels(), tile_rows);
        const std::int64_t begins = p_.out.outer.at(part.image) + p_.out.channel.at(channel) + first * columns;
        const std::int64_t total = p_.weight.channel.size * p_.weight.places();
        for (std::int64_t k = 0; k < total; k += depth_of(p_)) {
            const std::int64_t depth = std::min(depth_of(p_), total - k);
            for (std::int64_t c = 0; c < depth / p_.weight.places(); ++c) {
                float* const to = cells + c * image_.size();
                if (k == 0) image_.fill_rows(first, terms_.outside, to);
                image_.copy(image + p_.in.channel.at(part.group * p_.weight.channel.size + k / p_.weight.places() + c),
                            first, to);
            }
            const float* const weights = packed + k * padded + part.first * depth;
            const sums_place sums{direct_ ? out + begins : cells + images_,
                                  direct_ ? p_.out.channel.stride() : sums_row_, k != 0};
            const bool last = k + depth == total;
            multiply(weights, cells, {part.channels, rows, depth}, sums, last ? out + begins : nullptr);
        }
        for (std::int64_t c = 0; c < part.channels; ++c) {
            const std::int64_t at = begins + c * p_.out.channel.stride();
            const float* const sums = cells + images_ + c * sums_row_;
            for (std::int64_t y = 0; y < (direct_ ? 0 : rows); ++y)
                copy_some(sums + y * image_.made_row(), out + at + y * columns, columns);
            terms_.finish_channel(out + at, channel + c, rows * columns);
            if (after_ != nullptr) after_->apply(out + at, at, rows * columns);
        }
    }

    /// Computes the sums of `size.rows` channels for the vectors of `size.columns` rows. Each row of `to` holds the
    /// sums of a channel. If `next` is not null, prefetches the memory there, where the sums will be stored. The
    /// hardware does not prefetch it, because the channels are too far apart.
    void multiply(const float* packed, const float* cells, const product_size& size, const sums_place& to,
                  const float* next) const {
        const auto [channels, rows, depth] = size;
        const std::int64_t vectors = image_.vectors(rows);
        for (std::int64_t v = 0; v < vectors; v += 2) {
            const bool two = v + 1 < vectors;
            std::int64_t from[2];
            image_.find_cells(v, from);
            for (std::int64_t c = 0; c < channels; c += tile_rows) {
                if (next != nullptr) fetch(next, rows * p_.out.space[2].size * v / vectors, c, channels);
                const auto multiply_tile = tile_for<placed_tile>(terms_.how, channels - c, two);
                multiply_tile(packed + c * depth, {cells + from[0], at_, from[1] - from[0]}, depth,
                              {to.to + c * to.row + v * lanes, to.row, to.add});
            }
        }
    }

    /// Prefetches the memory in which two vectors of each of a tile's channels will be stored.
    void fetch(const float* out, std::int64_t at, std::int64_t channel, std::int64_t channels) const {
        for (std::int64_t c = channel; c < std::min(channel + tile_rows, channels); ++c)
            for (std::int64_t i = 0; i < tile_columns; i += cache_line)
                __builtin_prefetch(out + c * p_.out.channel.stride() + at + i, 1);
    }

    const conv_plan& p_;
    const product_terms& terms_;
    const epilogue* after_;
    std::int64_t band_;
    bool direct_; // true if sums accumulate in place
    image_cells image_;
    conv_division division_;
    std::int64_t sums_row_ = 0;   // stride between the sums of two channels, unless in place
    std::int64_t images_ = 0;     // size of the copied channels
    std::int64_t room_ = 0;       // elements of scratch memory per lane
    std::int32_t at_[tile_depth]; // offset of each weight's cells
    float* cells_ = nullptr;
};

} // namespace tutti::kernel::blocked::detail
