#pragma once

#include <tutti/kernel/check.hpp>
#include <tutti/kernel/copy.hpp>
#include <tutti/kernel/create.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/kernel/view.hpp>

#include <algorithm>
#include <cstdint>
#include <string_view>

// Kernels over matrices that know their diagonals: the last two axes are those of a matrix.

namespace tutti::kernel {

/// Which part of a matrix: what is on a diagonal and to its right, or on it and to its left.
enum class triangle : std::uint8_t { upper, lower };

/// The part of each matrix on one side of diagonal k, itself included, and 0 on the other; k counts to the right from the main
/// one.
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

} // namespace tutti::kernel
