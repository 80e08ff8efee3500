#pragma once

#include <tutti/kernel/create.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/copy.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/kernel/tensor.hpp>

#include <algorithm>
#include <cstdint>
#include <string_view>

// Kernels that select or replace diagonals of matrices. The last two axes form the matrices.

namespace tutti::kernel {

/// The part of a matrix on one side of a diagonal, including the diagonal: to the right of it, or to the left.
enum class triangle : std::uint8_t { upper, lower };

/// Keeps the part of each matrix on one side of diagonal k, including the diagonal, and sets all other elements to 0. k
/// counts to the right from the main diagonal.
///
/// Throws: tutti::error if the data has fewer than two axes.
constexpr void trilu(const tensor& data, std::int64_t k, triangle part, tensor& out) {
    detail::check_data("trilu", data);
    if (data.rank() < 2) detail::fail("trilu", {"data is ", data}, "matrices");
    full(std::int64_t{0}, data.type(), data.shape(), out);
    if (out.size() == 0) return;
    const std::int64_t rows = data.shape()[data.rank() - 2];
    const std::int64_t columns = data.shape()[data.rank() - 1];
    const std::int64_t diagonal = std::clamp(k, -rows, columns);
    const detail::row_copier copy(data, out);
    for (std::int64_t row = 0; row < data.size() / columns; ++row) {
        const std::int64_t at = std::clamp<std::int64_t>(row % rows + diagonal, -1, columns);
        const std::int64_t begin = part == triangle::upper ? std::max<std::int64_t>(at, 0) : 0;
        const std::int64_t end = part == triangle::upper ? columns : std::min(at + 1, columns);
        if (begin < end) copy(row * columns + begin, 1, row * columns + begin, 1, end - begin);
    }
}

/// The diagonals to replace: `first` to `last`, counted to the right from the main diagonal. A diagonal shorter than
/// its row of `diagonals` is stored at the end of the row if right-aligned, else at the beginning.
/// `right_aligned_above` also applies to the main diagonal.
struct diagonal_band {
    std::int64_t first = 0;
    std::int64_t last = 0;
    bool right_aligned_above = true;
    bool right_aligned_below = false;
};

/// Replaces diagonals of each matrix with the rows of `diagonals`, the last diagonal first. For a single diagonal,
/// `diagonals` has no axis of rows.
///
/// Throws: tutti::error if the matrices lack a diagonal, or if shapes or element types do not fit.
constexpr void matrix_set_diag(const tensor& data, const tensor& diagonals, const diagonal_band& band, tensor& out) {
    constexpr std::string_view kernel = "matrix_set_diag";
    detail::check_data(kernel, data);
    if (data.rank() < 2) detail::fail(kernel, {"data is ", data}, "matrices");
    const std::size_t outer = data.rank() - 2;
    const std::int64_t rows = data.shape()[outer];
    const std::int64_t columns = data.shape()[outer + 1];
    const std::int64_t low = band.first;
    const std::int64_t high = band.last;
    if (low > high || low <= -rows || high >= columns)
        detail::fail(kernel, {"diagonals ", low, " to ", high, " of data ", data},
                     "a range of diagonals that the matrices have");
    const std::int64_t longest =
        std::min(rows + std::min<std::int64_t>(high, 0), columns - std::max<std::int64_t>(low, 0));
    extents wanted(data.shape().first(outer));
    if (low != high) wanted.push_back(high - low + 1);
    wanted.push_back(longest);
    if (diagonals.type() != data.type() || !same_shape(diagonals.shape(), wanted))
        detail::fail(kernel, {"the diagonals are ", diagonals, " for data ", data},
                     {"the data's element type and the shape ", wanted});
    detail::make_result(kernel, data.type(), data.shape(), out);
    if (out.size() == 0) return;
    copy_elements(data.shape(), data, detail::dense(data.shape()), out, detail::dense(data.shape()));
    const detail::row_copier copy(diagonals, out);
    for (std::int64_t matrix = 0; matrix < data.size() / (rows * columns); ++matrix)
        for (std::int64_t k = low; k <= high; ++k) {
            const std::int64_t length =
                std::min(rows + std::min<std::int64_t>(k, 0), columns - std::max<std::int64_t>(k, 0));
            const bool right = low != high && (k >= 0 ? band.right_aligned_above : band.right_aligned_below);
            const std::int64_t from = (matrix * (high - low + 1) + high - k) * longest + (right ? longest - length : 0);
            const std::int64_t to = matrix * rows * columns + (k < 0 ? -k * columns : k);
            copy(from, 1, to, columns + 1, length);
        }
}

} // namespace tutti::kernel
