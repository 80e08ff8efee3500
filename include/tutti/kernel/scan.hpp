#pragma once

#include <tutti/kernel/cast.hpp>
#include <tutti/kernel/dtype.hpp>
#include <tutti/kernel/support/blocks.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/copy.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/kernel/tensor.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>

namespace tutti::kernel {

/// The operation of a scan.
enum class scan_operation : std::uint8_t { sum, product };

/// Bounds of a scan: each result includes its own element, or excludes it.
enum class scan_bounds : std::uint8_t { inclusive, exclusive };

namespace detail {

/// Combines two elements; integers wrap.
template <class C>
constexpr C accumulated(scan_operation operation, C a, C b) {
    if constexpr (std::integral<C>) {
        const auto x = static_cast<std::uint64_t>(a);
        const auto y = static_cast<std::uint64_t>(b);
        return static_cast<C>(operation == scan_operation::sum ? x + y : x * y);
    } else {
        return operation == scan_operation::sum ? a + b : a * b;
    }
}

/// Scans n contiguous elements: all into the first running sum if `one_sum`, else element i into running sum i.
template <class C>
constexpr void scan_block(const tensor& data, std::int64_t first, std::int64_t n, C* sums, bool one_sum,
                          scan_operation operation, scan_bounds bounds, tensor& out) {
    C room[block_length];
    C result[block_length];
    const C* from = read_block(data, first, n, +room);
    for (std::int64_t i = 0; i < n; ++i) {
        C& sum = sums[one_sum ? 0 : i];
        const C with = accumulated(operation, sum, from[i]);
        result[i] = bounds == scan_bounds::inclusive ? with : sum;
        sum = with;
    }
    convert_block(&result[0], n, out, first);
}

/// Scans along the axis of a split. If elements along the axis are not contiguous, scans a block of columns at a time.
template <class C>
constexpr void scan_rows(const tensor& data, const axis_split& split, scan_operation operation, scan_bounds bounds,
                         tensor& out) {
    const C neutral = operation == scan_operation::sum ? C{0} : C{1};
    C sums[block_length];
    for (std::int64_t o = 0; o < split.outer; ++o) {
        const std::int64_t begin = o * split.length * split.inner;
        if (split.inner == 1) {
            sums[0] = neutral;
            for (std::int64_t at = 0; at < split.length; at += block_length)
                scan_block(data, begin + at, std::min(block_length, split.length - at), +sums, true, operation, bounds,
                           out);
            continue;
        }
        for (std::int64_t j = 0; j < split.inner; j += block_length) {
            const std::int64_t width = std::min(block_length, split.inner - j);
            for (std::int64_t i = 0; i < width; ++i) sums[i] = neutral;
            for (std::int64_t l = 0; l < split.length; ++l)
                scan_block(data, begin + l * split.inner + j, width, +sums, false, operation, bounds, out);
        }
    }
}

} // namespace detail

/// Computes running sums or products along an axis. Without an axis, flattens the data first. Converts the data to
/// `type` and computes in this type; integers wrap.
///
/// Throws: tutti::error if there is no such axis, or if the type is `none`.
constexpr void scan(const tensor& data, std::optional<std::int64_t> axis, scan_operation operation, scan_bounds bounds,
                    dtype type, tensor& out) {
    detail::check_data("scan", data);
    if (type == dtype::none) detail::fail("scan", "elements of type void", "an element type");
    const std::int64_t flat[]{data.size()};
    const std::span<const std::int64_t> shape = axis ? data.shape() : std::span<const std::int64_t>(flat);
    const axis_split split = split_at(shape, detail::checked_axis("scan", axis.value_or(0), shape.size()));
    detail::make_result("scan", type, shape, out);
    if (out.size() == 0) return;
    tensor converted;
    if (data.type() != type) cast(data, type, converted);
    const tensor& from = data.type() == type ? data : converted;
    detail::with_arithmetic(
        type, [&]<class C>(std::type_identity<C>) { detail::scan_rows<C>(from, split, operation, bounds, out); });
}

} // namespace tutti::kernel
