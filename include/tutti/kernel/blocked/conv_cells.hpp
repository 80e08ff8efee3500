#pragma once

#include <tutti/executor.hpp>
#include <tutti/kernel/blocked/cells.hpp>
#include <tutti/kernel/blocked/tile.hpp>
#include <tutti/kernel/blocked/vectors.hpp>
#include <tutti/kernel/conv_plan.hpp>
#include <tutti/kernel/epilogue.hpp>
#include <tutti/kernel/letters.hpp>
#include <tutti/kernel/tensor.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

// Convolutions of float32 along one or two axes as products whose second operand is nowhere: its rows are read from copies of the
// image's, which all cells of a window share.

namespace tutti::kernel::blocked::detail {

/// How many of a channel's weights are multiplied at a time: those of whole input channels, if these are not too many.
constexpr std::int64_t depth_of(const conv_plan& p) {
    const std::int64_t places = p.weight.places();
    return places == 0 || places > tile_depth ? tile_depth : tile_depth / places * places;
}

/// How many elements the packed weights of a group are.
constexpr std::int64_t packed_size(const conv_plan& p) {
    return rounded_up(p.out_channels(), tile_rows) * p.weight.channel.size * p.weight.places();
}

/// Requires: `suits(p)`.
class conv_cells {
public:
    conv_cells(const conv_plan& p, tensor& room, const call_means& means)
        : p_(p), after_(means.taken()), on_(means.on), band_(band_of(p)), image_(p, band_) {
        const std::int64_t places = p.weight.places();
        for (std::int64_t k = 0; k < depth_of(p); ++k)
            at_[k] =
                static_cast<std::int32_t>(k / places * image_.size() + image_.place(k % places / p.weight.space[2].size,
                                                                                    k % p.weight.space[2].size));
        bands_ = (p.out.space[1].size + band_ - 1) / band_;
        const auto at_once = static_cast<std::int64_t>(on_.concurrency());
        const std::int64_t blocks = p.out.outer.size * p.groups * bands_;
        // Few bands are shared by several lanes, each with some of the channels: at least 96 where there are as many.
        parts_ = at_once == 1 ? 1
                              : std::clamp<std::int64_t>(4 * at_once / blocks, 1,
                                                         std::max<std::int64_t>(1, p.out_channels() / 96));
        part_ = rounded_up((p.out_channels() + parts_ - 1) / parts_, tile_rows);
        room_ = depth_of(p) / places * image_.size();
        const std::int64_t size =
            static_cast<std::int64_t>(tutti::lanes(on_, static_cast<std::size_t>(blocks * parts_))) * room_;
        room.reset(dtype::float32, std::span(&size, 1));
        cells_ = room.mutable_data<float>();
        std::fill_n(cells_, size, 0.F);
    }

    /// Whether it is for images in rows, and vectors along these leave little unused for what gathering would take.
    static bool suits(const conv_plan& p) {
        const lettered_axis& rows = p.out.space[1];
        const lettered_axis& columns = p.out.space[2];
        const std::int64_t places = p.weight.places();
        if (!image_cells::suits(p) || places < 2 || places > tile_depth || p.weight.channel.size == 0) return false;
        if (p.out.channel.parts > 1 || p.in.channel.parts > 1) return false;
        if (columns.size > 1 && columns.stride() != 1) return false;
        if (rows.size > 1 && rows.stride() != columns.size) return false;
        const std::int64_t wide = rounded_up(columns.size, lanes);
        if (image_cells(p, band_of(p)).size() > 1 << 20) return false;
        const std::int64_t gathered = rounded_up(rows.size * columns.size, lanes);
        return (rows.size * wide - gathered) * p.out_channels() <= 24 * gathered;
    }

    void run(const float* data, const float* packed, float* out) {
        const std::int64_t all = p_.out.outer.size * p_.groups * bands_ * parts_;
        for_each_index(on_, static_cast<std::size_t>(all), [&](std::size_t i, std::size_t lane) {
            const std::int64_t part = static_cast<std::int64_t>(i) % parts_;
            const std::int64_t block = static_cast<std::int64_t>(i) / parts_;
            const std::int64_t image = block / bands_ / p_.groups;
            const std::int64_t group = block / bands_ % p_.groups;
            run_band(data + p_.in.outer.at(image), packed + group * packed_size(p_), out, image, group,
                     block % bands_ * band_, part * part_, cells_ + static_cast<std::int64_t>(lane) * room_);
        });
    }

private:
    /// How many rows of the result are computed at a time: some thirty vectors.
    static std::int64_t band_of(const conv_plan& p) {
        const std::int64_t vectors = rounded_up(p.out.space[2].size, lanes) / lanes;
        const std::int64_t most = std::clamp<std::int64_t>(28 / vectors, 2, 28);
        const std::int64_t bands = (p.out.space[1].size + most - 1) / most;
        return (p.out.space[1].size + bands - 1) / bands;
    }

    /// Some rows of an image and part of a group's channels.
    void run_band(const float* image, const float* packed, float* out, std::int64_t n, std::int64_t group,
                  std::int64_t first, std::int64_t from_channel, float* cells) const {
        const std::int64_t channels = std::min(part_, p_.out_channels() - from_channel);
        if (channels <= 0) return;
        const std::int64_t rows = std::min(band_, p_.out.space[1].size - first);
        const std::int64_t columns = p_.out.space[2].size;
        const std::int64_t channel = group * p_.out_channels() + from_channel;
        const std::int64_t padded = rounded_up(p_.out_channels(), tile_rows);
        const std::int64_t begins = p_.out.outer.at(n) + p_.out.channel.at(channel) + first * columns;
        const std::int64_t total = p_.weight.channel.size * p_.weight.places();
        for (std::int64_t k = 0; k < total; k += depth_of(p_)) {
            const std::int64_t depth = std::min(depth_of(p_), total - k);
            for (std::int64_t c = 0; c < depth / p_.weight.places(); ++c) {
                float* const to = cells + c * image_.size();
                if (k == 0) image_.clear_rows(first, to);
                image_.copy(image + p_.in.channel.at(group * p_.weight.channel.size + k / p_.weight.places() + c),
                            first, to);
            }
            multiply(packed + k * padded + from_channel * depth, cells, depth, channels, rows, out + begins, k != 0);
        }
        if (after_ == nullptr) return;
        for (std::int64_t c = 0; c < channels; ++c) {
            const std::int64_t at = begins + c * p_.out.channel.stride();
            after_->apply(out + at, at, rows * columns);
        }
    }

    /// One vector of places of the result.
    struct place {
        std::int64_t from;  // in the cells
        std::int64_t to;    // in a channel of the result
        std::int64_t count; // of its elements that are in the row
    };

    place place_of(std::int64_t vector, std::int64_t in_row) const {
        const std::int64_t y = vector / in_row;
        const std::int64_t x = vector % in_row * lanes;
        const std::int64_t columns = p_.out.space[2].size;
        return {y * p_.window[1].stride * image_.row() + x, y * columns + x, std::min(lanes, columns - x)};
    }

    void multiply(const float* packed, const float* cells, std::int64_t depth, std::int64_t channels, std::int64_t rows,
                  float* out, bool add) const {
        alignas(64) float whole[tile_rows * tile_columns];
        const std::int64_t in_row = rounded_up(p_.out.space[2].size, lanes) / lanes;
        const std::int64_t out_row = p_.out.channel.stride();
        for (std::int64_t v = 0; v < rows * in_row; v += 2) {
            const bool two = v + 1 < rows * in_row;
            const place left = place_of(v, in_row);
            const place right = two ? place_of(v + 1, in_row) : left;
            for (std::int64_t i = 0; i < channels; i += tile_rows) {
                const std::int64_t high = std::min(tile_rows, channels - i);
                const place_function multiply_some = places_for(high, two);
                const float* tile = packed + i * depth;
                float* const to = out + i * out_row;
                const bool exact = high == tile_rows || high == 4 || high == 1;
                if (exact && left.count == lanes && right.count == lanes) {
                    multiply_some(tile, cells + left.from, at_, right.from - left.from, depth, to + left.to,
                                  to + right.to, out_row, add);
                    continue;
                }
                multiply_some(tile, cells + left.from, at_, right.from - left.from, depth, whole, whole + lanes,
                              tile_columns, false);
                for (std::int64_t r = 0; r < high; ++r) {
                    put(whole + r * tile_columns, left, to + r * out_row, add);
                    if (two) put(whole + r * tile_columns + lanes, right, to + r * out_row, add);
                }
            }
        }
    }

    static void put(const float* sums, const place& at, float* to, bool add) {
        for (std::int64_t x = 0; x < at.count; ++x) to[at.to + x] = add ? sums[x] + to[at.to + x] : sums[x];
    }

    const conv_plan& p_;
    const epilogue* after_;
    executor_ref on_;
    std::int64_t band_;
    image_cells image_;
    std::int64_t bands_ = 0;
    std::int64_t parts_ = 1;      // of a group's channels
    std::int64_t part_ = 0;       // channels in each
    std::int64_t room_ = 0;       // of a lane
    std::int32_t at_[tile_depth]; // where each weight's cells begin
    float* cells_ = nullptr;
};

} // namespace tutti::kernel::blocked::detail
