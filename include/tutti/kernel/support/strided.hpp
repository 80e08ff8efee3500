#pragma once

#include <tutti/kernel/support/view.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tutti::kernel {

/// Iterates over the rows of a dense row-major result and of N operands. Operands have their own strides: 0 along
/// broadcast axes, permuted strides for a transposition.
///
/// Merges neighbouring axes where possible, so that equal shapes, a scalar operand or a bias give one or two long rows.
/// Allocates nothing.
///
/// Example: `for (strided_rows<1> rows(shape, {strides}); !rows.done(); rows.next())`
template <std::size_t N>
class strided_rows {
public:
    /// Requires: `strides` contains, for each operand, one stride per axis of the shape.
    [[gnu::noinline]] constexpr strided_rows(std::span<const std::int64_t> shape, const std::array<extents, N>& strides)
        : left_(element_count(shape) == 0 ? 0 : 1) {
        if (left_ == 0) return;
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
        for (std::size_t a = 1; a < axes_; ++a) left_ *= length_[a];
    }

    /// Returns the length of a row.
    constexpr std::int64_t length() const { return axes_ == 0 ? 1 : length_[0]; }
    /// Returns the stride of an operand along a row.
    constexpr std::int64_t step(std::size_t operand) const { return axes_ == 0 ? 0 : stride_[0][operand]; }

    constexpr bool done() const { return left_ == 0; }

    /// Returns the offset of the row's first element in the result (`result`) or in an operand (`operand`).
    constexpr std::int64_t result() const { return result_; }
    constexpr std::int64_t operand(std::size_t i) const { return offsets_[i]; }

    [[gnu::noinline]] constexpr void next() {
        --left_;
        result_ += length();
        for (std::size_t a = 1; a < axes_; ++a) {
            for (std::size_t i = 0; i < N; ++i) offsets_[i] += stride_[a][i];
            if (++index_[a] < length_[a]) break;
            for (std::size_t i = 0; i < N; ++i) offsets_[i] -= stride_[a][i] * length_[a];
            index_[a] = 0;
        }
    }

private:
    /// True if axis d can be merged into the last axis in `length_` for every operand.
    constexpr bool joins(const std::array<extents, N>& strides, std::size_t d) const {
        for (std::size_t i = 0; i < N; ++i)
            if (strides[i][d] != stride_[axes_ - 1][i] * length_[axes_ - 1]) return false;
        return true;
    }

    std::array<std::int64_t, max_rank> length_{}; // innermost first
    std::array<std::array<std::int64_t, N>, max_rank> stride_{};
    std::size_t axes_ = 0;
    std::int64_t left_ = 0;
    std::int64_t result_ = 0;
    std::array<std::int64_t, N> offsets_{};
    std::array<std::int64_t, max_rank> index_{};
};

/// The placement of elements in a tensor: the offset of the first element, and the stride along each axis.
struct placement {
    std::int64_t first = 0;
    extents strides;
};

} // namespace tutti::kernel
