#pragma once

#include <tutti/kernel/blocked/common/vectors.hpp>
#include <tutti/kernel/blocked/integer/blocks.hpp>
#include <tutti/kernel/quantize.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/parallel/executor.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <type_traits>

// Blocks of quantised tensors, with one scale and one zero point for all channels or for each channel.

namespace tutti::kernel::blocked::detail {

/// A quantised tensor as `outer` times `channels` rows of `inner` elements; each row has one scale and one zero point.
class channel_rows {
public:
    /// Sets the rows. Returns false if the scale or zero point does not fit the data, or if the data is empty.
    bool set(const tensor& data, const quantization& q) {
        if (data.size() == 0 || data.rank() > max_rank) return false;
        inner_ = data.size();
        for (const tensor* t : {&q.scale, &q.zero_point})
            if ((t->size() != 1 || t->rank() > 1) && !set_axis(data.shape(), *t, q.axis)) return false;
        return is_floating(q.scale.type()) && kernel::detail::is_quantized(q.zero_point.type());
    }
    std::int64_t channels() const { return channels_; }
    /// True if rows are so short that each element of a vector has its own factors.
    bool are_short() const { return channels_ > 1 && inner_ < 16; }

    /// Returns the number of contiguous elements processed together. If rows are short, these include all channels.
    std::int64_t length() const { return are_short() ? channels_ * inner_ : inner_; }
    std::int64_t count() const { return are_short() ? outer_ : outer_ * channels_; }
    /// Returns the channel of a row, or of an element if rows are short.
    std::int64_t channel(std::int64_t i) const { return are_short() ? i / inner_ : i % channels_; }

private:
    bool set_axis(std::span<const std::int64_t> shape, const tensor& parameter, std::int64_t axis) {
        const auto rank = static_cast<std::int64_t>(shape.size());
        const std::int64_t at = axis < 0 ? axis + rank : axis;
        if (at < 0 || at >= rank || parameter.rank() != 1) return false;
        channels_ = shape[static_cast<std::size_t>(at)];
        if (parameter.shape()[0] != channels_) return false;
        outer_ = inner_ = 1;
        for (std::int64_t d = 0; d < at; ++d) outer_ *= shape[static_cast<std::size_t>(d)];
        for (std::int64_t d = at + 1; d < rank; ++d) inner_ *= shape[static_cast<std::size_t>(d)];
        return true;
    }

    std::int64_t outer_ = 1;
    std::int64_t channels_ = 1;
    std::int64_t inner_ = 1;
};

/// Factors of all channels of a tensor: a `Factor` for each channel and, for short rows, a `Factors` for each vector.
/// `Factors` has `fill(Factor)` and `set(lane, Factor)`.
template <class Factor, class Factors>
class channel_factors {
    static_assert(std::is_trivially_copyable_v<Factor> && std::is_trivially_copyable_v<Factors>);

public:
    channel_factors() = default;
    channel_factors(const channel_factors&) = delete;
    channel_factors& operator=(const channel_factors&) = delete;

    /// Sets the factors: calls `make(channel, factor)` for each channel. Returns false if `make` does. `room` stores
    /// the factors.
    template <class Make>
    bool set(const channel_rows& rows, tensor& room, Make make) {
        rows_ = rows;
        if (rows.channels() == 1) {
            one_ = &own_;
            return make(0, own_);
        }
        const std::int64_t vectors = rows.are_short() ? (rows.length() + lanes - 1) / lanes : 0;
        const auto of_vectors = vectors * static_cast<std::int64_t>(sizeof(Factors));
        const std::int64_t bytes = of_vectors + rows.channels() * static_cast<std::int64_t>(sizeof(Factor));
        room.reset(dtype::uint8, std::span(&bytes, 1));
        auto* const memory = room.mutable_data<std::uint8_t>();
        auto* const each = reinterpret_cast<Factor*>(memory + of_vectors);
        for (std::int64_t c = 0; c < rows.channels(); ++c)
            if (!make(c, *new (each + c) Factor{})) return false;
        one_ = each;
        auto* const of_vector = reinterpret_cast<Factors*>(memory);
        for (std::int64_t v = 0; v < vectors; ++v) {
            new (of_vector + v) Factors;
            for (std::int64_t i = 0; i < lanes; ++i)
                of_vector[v].set(i, each[rows.channel(std::min(v * lanes + i, rows.length() - 1))]);
        }
        if (vectors != 0) vectors_ = of_vector;
        return true;
    }

    /// Splits a tensor of `size` elements into contiguous blocks, at most `block_length` long, and calls
    /// `block(first, n, each_row)`. In turn, `each_row(run)` calls `run(at, n, factors)` for parts of the block:
    /// elements `at` to `at + n` share `factors[0]` or, if rows are short, vector i has `factors[i]`.
    template <class F>
    void each_block(executor_ref on, std::int64_t size, F block) const {
        const std::int64_t length = rows_.length();
        const std::int64_t together = std::max<std::int64_t>(1, block_length / length);
        const std::int64_t parts = (length + block_length - 1) / block_length;
        const auto blocks = static_cast<std::size_t>((rows_.count() + together - 1) / together * parts);
        for_each_index(
            size < 1 << 14 ? executor_ref{} : on, blocks,
            [&](std::size_t i) {
                const std::int64_t row = static_cast<std::int64_t>(i) / parts * together;
                const std::int64_t part = static_cast<std::int64_t>(i) % parts * block_length;
                const std::int64_t n = std::min(block_length, length - part);
                const std::int64_t rows = std::min(together, rows_.count() - row);
                block(row * length + part, rows * n, [&](auto run) {
                    Factors alike;
                    for (std::int64_t r = 0; r < rows; ++r) {
                        if (vectors_ == nullptr) alike.fill(one_[rows_.channel(row + r)]);
                        run(r * n, n, vectors_ == nullptr ? &alike : vectors_ + part / lanes);
                    }
                });
            },
            coarse_grain(on, blocks));
    }

private:
    channel_rows rows_;
    Factor own_{};
    const Factor* one_ = nullptr;
    const Factors* vectors_ = nullptr;
};

} // namespace tutti::kernel::blocked::detail
