#pragma once

#include <tutti/base/vector.hpp>
#include <tutti/kernel/dtype.hpp>
#include <tutti/kernel/index.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/convert.hpp>
#include <tutti/kernel/support/copy.hpp>
#include <tutti/kernel/support/numbers.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/kernel/tensor.hpp>

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

namespace tutti::kernel {

/// Order of sorted elements.
enum class sort_order : std::uint8_t { ascending, descending };

/// The sort key of an element of a row: an integer that compares like the element, and the element's index in the row.
struct sort_key {
    std::uint64_t value = 0;
    std::int64_t index = 0;

    friend constexpr bool operator<(const sort_key& a, const sort_key& b) {
        return a.value != b.value ? a.value < b.value : a.index < b.index;
    }
};

namespace detail {

/// Maps an element to an integer that compares like the element. NaN maps to the greatest integer; 0 and -0 map to the
/// same integer.
template <class T>
constexpr std::uint64_t key_of(T x) {
    constexpr std::uint64_t top = std::uint64_t{1} << 63;
    if constexpr (std::is_same_v<T, std::uint64_t>) {
        return x;
    } else if constexpr (std::integral<T>) {
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(x)) ^ top;
    } else {
        const auto wide = convert<double>(x);
        if (wide != wide) return ~std::uint64_t{0};
        const auto bits = std::bit_cast<std::uint64_t>(wide + 0.0); // -0 becomes 0
        return (bits & top) != 0 ? ~bits : bits | top;
    }
}

/// Computes the sort keys of the elements `first`, `first + step`, … of a tensor.
constexpr void read_keys(const tensor& t, std::int64_t first, std::int64_t step, sort_order order,
                         std::span<sort_key> keys) {
    const std::uint64_t flip = order == sort_order::descending ? ~std::uint64_t{0} : 0;
    with_arithmetic(t.type(), [&]<class C>(std::type_identity<C>) {
        C room[block_length];
        const auto n = static_cast<std::int64_t>(keys.size());
        const C* from = room;
        for (std::int64_t i = 0; i < n; ++i) {
            const std::int64_t at = step == 1 ? i % block_length : 0;
            if (at == 0) from = read_block(t, first + i * step, step == 1 ? std::min(block_length, n - i) : 1, +room);
            keys[static_cast<std::size_t>(i)] = {key_of(from[at]) ^ flip, i};
        }
    });
}

/// Stores the indices of the sort keys in the elements `first`, `first + step`, … of a tensor.
constexpr void write_indices(std::span<const sort_key> keys, std::int64_t first, std::int64_t step, tensor& t) {
    for (const sort_key& key : keys) {
        convert_block(&key.index, 1, t, first);
        first += step;
    }
}

} // namespace detail

/// Sorts the elements along an axis. Stores the first k elements in `values`, and their indices along the axis in
/// `indices`. If k is less than 1, stores all elements.
///
/// Equal elements are ordered by index; NaN is greater than every number. `values` or `indices` may be null; `room` is
/// memory to reuse.
///
/// Throws: tutti::error if there is no such axis, if the axis has fewer than k elements, or if the index type is
///         `none`.
/// Cost:   n log n along the axis.
constexpr void topk(const tensor& data, std::int64_t k, std::int64_t axis, sort_order order, dtype index_type,
                    tensor* values, tensor* indices, vector<sort_key>& room) {
    constexpr std::string_view kernel = "topk";
    detail::check_data(kernel, data);
    const std::size_t at = detail::checked_axis(kernel, axis, data.rank());
    const axis_split split = split_at(data.shape(), at);
    const std::int64_t count = k < 1 ? split.length : k;
    if (count > split.length)
        detail::fail(kernel, {k, " elements along axis ", axis, " of data ", data}, "at most as many as the axis has");
    if (indices != nullptr && index_type == dtype::none)
        detail::fail(kernel, "indices of type void", "an element type");
    extents shape(data.shape());
    shape[at] = count;
    if (values != nullptr) detail::make_result(kernel, data.type(), shape, *values);
    if (indices != nullptr) detail::make_result(kernel, index_type, shape, *indices);
    if (element_count(shape) == 0) return;
    room.resize(static_cast<std::size_t>(split.length));
    const std::span<sort_key> sorted(room.data(), static_cast<std::size_t>(count));
    for (std::int64_t row = 0; row < split.outer * split.inner; ++row) {
        const std::int64_t from = row / split.inner * split.length * split.inner + row % split.inner;
        const std::int64_t to = row / split.inner * count * split.inner + row % split.inner;
        detail::read_keys(data, from, split.inner, order, room);
        std::partial_sort(room.begin(), room.begin() + count, room.end());
        if (values != nullptr) {
            detail::run_copier copier(1, data, *values);
            for (std::size_t i = 0; i < sorted.size(); ++i)
                copier.add(from + sorted[i].index * split.inner, to + static_cast<std::int64_t>(i) * split.inner);
            copier.flush();
        }
        if (indices != nullptr) detail::write_indices(sorted, to, split.inner, *indices);
    }
}

} // namespace tutti::kernel
