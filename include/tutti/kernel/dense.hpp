#pragma once

#include <tutti/kernel/cast.hpp>
#include <tutti/kernel/check.hpp>
#include <tutti/kernel/product.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/kernel/view.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tutti::kernel {

/// `out[…, n] = sum over k of data[…, k] * weight[n, k]`: a matrix product with the weights transposed.
///
/// Sums are taken in `sum_type<T, Out>`: float32 in float32, in 16 parts; integers wrap.
///
/// Requires: data [..., k], weight [n, k], out [..., n]; `out` overlaps no operand.
template <class T, class Out = T>
constexpr void dense(view<const T> data, view<const T> weight, view<Out> out) {
    const std::int64_t units = weight.shape[0];
    const std::int64_t depth = weight.shape[1];
    const std::int64_t rows = element_count(data.shape.first(data.rank() - 1));
    // Weights outside, so that four of their rows stay in the cache while all of the data passes.
    for (std::int64_t n = 0; n < units; n += detail::tile_rows) {
        const std::int64_t count = std::min(detail::tile_rows, units - n);
        std::array<const T*, detail::tile_rows> row{}; // the last tile repeats its last row
        for (std::int64_t r = 0; r < detail::tile_rows; ++r)
            row[static_cast<std::size_t>(r)] = weight.data + (n + std::min(r, count - 1)) * depth;
        for (std::int64_t m = 0; m < rows; ++m) {
            const auto sums = detail::dot<sum_type<T, Out>>(data.data + m * depth, row, depth);
            for (std::int64_t r = 0; r < count; ++r)
                out.data[m * units + n + r] = convert<Out>(sums[static_cast<std::size_t>(r)]);
        }
    }
}

/// The same over tensors. The result's element type is `out`, or the data's if that is `none`.
///
/// Throws: tutti::error, naming both, if shapes or element types do not fit; see `with_product_type` for
/// those that do.
constexpr tensor dense(const tensor& data, const tensor& weight, dtype out = dtype::none) {
    if (data.rank() == 0 || data.rank() > max_rank || weight.rank() != 2 ||
        data.shape().back() != weight.shape()[1])
        detail::fail_pair("dense", "data", data, "weight", weight,
                          "data of shape (..., k) and weight of shape (n, k)");
    extents shape(data.shape());
    shape[shape.size() - 1] = weight.shape()[0];
    return detail::with_product_type("dense", data, weight, out, [&]<class T, class Out>() {
        tensor result = detail::make_result("dense", dtype_of<Out>, shape);
        dense<T, Out>(view_of<T>(data), view_of<T>(weight), mutable_view_of<Out>(result));
        return result;
    });
}

} // namespace tutti::kernel
