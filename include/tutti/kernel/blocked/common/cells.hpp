#pragma once

#include <tutti/kernel/blocked/common/tile.hpp>
#include <tutti/kernel/blocked/common/vectors.hpp>
#include <tutti/kernel/conv_plan.hpp>
#include <tutti/kernel/support/letters.hpp>
#include <tutti/kernel/support/size_math.hpp>
#include <tutti/kernel/support/window.hpp>

#include <algorithm>
#include <cstdint>

// A channel of an image, copied so that each cell of a window reads contiguous elements along a row of the result.

namespace tutti::kernel::blocked::detail {

using kernel::detail::conv_plan;

/// Rows of a channel with padding, each split into phases by the stride s of the window: columns 0, s, 2s, …, then
/// 1, s + 1, …, and so on. Cell (i, j) of any window is `place(i, j)` elements after cell (0, 0) of the same window.
///
/// Vectors run along each row of the result. If `may_be_tight` is true and it takes fewer vectors, they run across all
/// rows as if these were a single row, including the padding between them. The rows are then tight: only as long as the
/// windows need.
class image_cells {
public:
    static constexpr std::int64_t most_columns = 64; // maximum number of columns of a window
    static constexpr std::int64_t most_stride = 4;

    /// Prepares cells for `rows` rows of the result of a convolution over one or two axes. Requires: `suits(p)`.
    image_cells(const conv_plan& p, std::int64_t rows, bool may_be_tight = true)
        : in_(p.in.space.data())
        , high_(p.window[1])
        , wide_(p.window[2])
        , rows_((rows - 1) * high_.stride + high_.reach()) {
        tight_ = may_be_tight && is_tight(p);
        const std::int64_t along = tight_ ? p.out.space[2].size : rounded_up(p.out.space[2].size, lanes);
        width_ = along + (wide_.size - 1) * wide_.dilation / wide_.stride;
        size_ = rows_ * row() + (tight_ ? lanes + wide_.reach() : 0); // vectors read past the last row
        made_row_ = tight_ ? width_ : along;
        next_vectors_ = tight_ ? lanes : high_.stride * row();
        // Copies of many channels must not map to the same few cache lines.
        if (size_ % 1024 < 16 || size_ % 1024 > 1008) size_ += 32;
        const std::int64_t columns = (p.out.space[2].size - 1) * wide_.stride + wide_.reach();
        const auto cells_until = [&](std::int64_t end) {
            return end > 0 ? (end + wide_.stride - 1) / wide_.stride : 0;
        };
        for (std::int64_t phase = 0; phase < wide_.stride; ++phase) {
            const std::int64_t begins = phase - wide_.before;
            const std::int64_t end = std::min(cells_until(columns - phase), cells_until(wide_.extent - begins));
            inside_[phase] = {std::min(cells_until(-begins), width_), end};
            inside_[phase].end = std::max(inside_[phase].begin, end);
        }
    }

    /// True for a convolution over one or two axes whose windows and strides are within the limits.
    static bool suits(const conv_plan& p) {
        constexpr std::int64_t most = 1 << 16;
        const auto small = [](const window& w) { return w.stride <= most_stride && w.reach() <= 1024; };
        return p.in.space[0].size == 1 && p.out.space[0].size == 1 && p.weight.space[0].size == 1 &&
               p.window[0].before == 0 && p.out.space[1].size <= most && p.out.space[2].size <= most &&
               small(p.window[1]) && small(p.window[2]) && p.window[2].size <= most_columns;
    }

    /// Returns the number of elements in the vectors for `rows` rows of the result, including unused elements.
    static std::int64_t in_vectors(const conv_plan& p, std::int64_t rows) {
        return is_tight(p) ? rounded_up(rows * row_as_one(p), lanes) : rows * rounded_up(p.out.space[2].size, lanes);
    }

    /// Returns the same number for these cells; `vectors` returns the number of vectors.
    std::int64_t in_vectors(std::int64_t rows) const { return rounded_up(rows * made_row_, lanes); }
    std::int64_t vectors(std::int64_t rows) const { return in_vectors(rows) / lanes; }
    /// Returns the distance between rows of the result when vectors are stored one after another.
    std::int64_t made_row() const { return made_row_; }
    /// Stores in `cells` the offsets of the cells of `Count` vectors, from `vector` on.
    template <std::size_t Count>
    void find_cells(std::int64_t vector, std::int64_t (&cells)[Count]) const {
        find_vectors(vector, next_vectors_, cells);
    }
    /// Stores in `made` the offsets of the same vectors in a result whose rows are `distance` apart. If rows are tight,
    /// `distance` must be `made_row()`.
    template <std::size_t Count>
    void find_made(std::int64_t vector, std::int64_t distance, std::int64_t (&made)[Count]) const {
        find_vectors(vector, tight_ ? lanes : distance, made);
    }

    /// Returns the size of the copy in elements.
    std::int64_t size() const { return size_; }
    /// Returns the stride between rows of the copy.
    std::int64_t row() const { return wide_.stride * width_; }

    std::int64_t place(std::int64_t i, std::int64_t j) const {
        const std::int64_t at = j * wide_.dilation;
        return i * high_.dilation * row() + at % wide_.stride * width_ + at / wide_.stride;
    }

    /// Copies the cells for the rows of the result from `first` on. Leaves cells outside the image unchanged: they are
    /// the same for all channels.
    void copy(const float* channel, std::int64_t first, float* to) const {
        const std::int64_t step = in_[2].stride();
        each_row(first, to, [&](std::int64_t h, float* row) {
            if (h < 0 || h >= high_.extent) return;
            const float* from = channel + h * in_[1].stride();
            for (std::int64_t phase = 0; phase < wide_.stride; ++phase, row += width_)
                copy_strided(from + (phase - wide_.before) * step, step * wide_.stride, row, inside_[phase].begin,
                             inside_[phase].end);
        });
    }

    /// Fills the rows that are outside the image with `outside`, in a copy for the rows of the result from `first` on.
    void fill_rows(std::int64_t first, float outside, float* to) const {
        each_row(first, to, [&](std::int64_t h, float* cells) {
            if (h < 0 || h >= high_.extent) std::fill_n(cells, row(), outside);
        });
    }

private:
    static std::int64_t row_as_one(const conv_plan& p) { return p.out.space[2].size + p.window[2].reach() - 1; }
    static bool is_tight(const conv_plan& p) {
        const std::int64_t rows = p.out.space[1].size;
        return p.window[1].stride == 1 && p.window[2].stride == 1 &&
               rounded_up(rows * row_as_one(p), lanes) < rows * rounded_up(p.out.space[2].size, lanes);
    }

    template <std::size_t Count>
    void find_vectors(std::int64_t vector, std::int64_t distance, std::int64_t (&places)[Count]) const {
        const std::int64_t in_row = tight_ ? 1 : made_row_ / lanes; // vectors per row
        const std::int64_t y = in_row == 1 ? vector : quotient(vector, in_row);
        std::int64_t x = vector - y * in_row;
        std::int64_t at = y * distance;
        for (std::int64_t& p : places) {
            p = at + x * lanes;
            if (++x < in_row) continue;
            x = 0;
            at += distance;
        }
    }

    /// Calls `f(h, cells)` for each row h of the image from which the rows of the result from `first` on are computed.
    template <class F>
    [[gnu::always_inline]] void each_row(std::int64_t first, float* to, F f) const {
        for (std::int64_t y = 0, h = first * high_.stride - high_.before; y < rows_; ++y, ++h, to += row()) f(h, to);
    }

    /// The cells of a phase that are inside the image: cell x is column `x * stride + phase - before`.
    struct range {
        std::int64_t begin = 0;
        std::int64_t end = 0;
    };

    const lettered_axis* in_;
    window high_;
    window wide_;
    std::int64_t rows_;
    bool tight_ = false;
    std::int64_t width_ = 0; // width of a phase
    std::int64_t made_row_ = 0;
    std::int64_t next_vectors_ = 0; // stride of the cells between rows of vectors or, if tight, between vectors
    std::int64_t size_ = 0;
    range inside_[most_stride];
};

} // namespace tutti::kernel::blocked::detail
