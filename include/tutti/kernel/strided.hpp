#pragma once

#include <tutti/kernel/view.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tutti::kernel {

/// A walk over a dense row-major result and N operands that are read with strides of their own: 0 along an
/// axis that is broadcast, permuted ones for a transposition.
///
/// Neighbouring axes that behave as one are joined, so that the same shape, a scalar operand and a bias are
/// one or two long rows. Allocates nothing.
template <std::size_t N>
class strided_loop {
public:
    /// Requires: each operand has one stride per axis of the shape.
    constexpr strided_loop(std::span<const std::int64_t> shape, const std::array<extents, N>& strides) {
        rows_ = element_count(shape) == 0 ? 0 : 1;
        for (std::size_t d = shape.size(); d-- > 0;) {
            if (shape[d] == 1) continue;
            if (axes_ != 0 && joins(strides, d)) {
                length_[axes_ - 1] *= shape[d];
            } else {
                length_[axes_] = shape[d];
                for (std::size_t i = 0; i < N; ++i) stride_[axes_][i] = strides[i][d];
                ++axes_;
            }
        }
        for (std::size_t a = 1; a < axes_; ++a) rows_ *= length_[a];
    }

    /// The length of a row, and how far each operand moves from one element of it to the next.
    constexpr std::int64_t row_length() const { return axes_ == 0 ? 1 : length_[0]; }
    constexpr std::int64_t step(std::size_t operand) const { return axes_ == 0 ? 0 : stride_[0][operand]; }

    /// Calls `f(result, operands)` for each row, in order: the offset of its first element in the result and
    /// in each operand.
    template <class F>
    constexpr void for_each_row(F f) const {
        std::array<std::int64_t, N> offsets{};
        std::array<std::int64_t, max_rank> index{};
        for (std::int64_t row = 0; row < rows_; ++row) {
            f(row * row_length(), offsets);
            for (std::size_t a = 1; a < axes_; ++a) {
                for (std::size_t i = 0; i < N; ++i) offsets[i] += stride_[a][i];
                if (++index[a] < length_[a]) break;
                for (std::size_t i = 0; i < N; ++i) offsets[i] -= stride_[a][i] * length_[a];
                index[a] = 0;
            }
        }
    }

private:
    /// Whether every operand goes from the last joined axis on to axis d without a seam.
    constexpr bool joins(const std::array<extents, N>& strides, std::size_t d) const {
        for (std::size_t i = 0; i < N; ++i)
            if (strides[i][d] != stride_[axes_ - 1][i] * length_[axes_ - 1]) return false;
        return true;
    }

    std::array<std::int64_t, max_rank> length_{}; // innermost first
    std::array<std::array<std::int64_t, N>, max_rank> stride_{};
    std::size_t axes_ = 0;
    std::int64_t rows_ = 0;
};

} // namespace tutti::kernel
