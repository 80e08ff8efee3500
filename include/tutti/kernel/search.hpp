#pragma once

#include <tutti/base/vector.hpp>
#include <tutti/kernel/index.hpp>
#include <tutti/kernel/support/blocks.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/copy.hpp>
#include <tutti/kernel/support/element.hpp>
#include <tutti/kernel/support/numbers.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/kernel/tensor.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

// Kernels that find indices: insertion points in sorted rows, inverse permutations, and the coordinates of flat
// indices.

namespace tutti::kernel {

/// The insertion point among equal elements: before them, or after them.
enum class search_side : std::uint8_t { left, right };

/// Finds the index at which each value can be inserted into an ascending row so that the row stays sorted. `sorted` is
/// a single row, or contains a row for each row of values.
///
/// Throws: tutti::error if ranks, outer sizes or element types do not fit, or if the index type is `none`.
/// Cost:   log n for each value.
constexpr void searchsorted(const tensor& sorted, const tensor& values, search_side side, dtype index_type,
                            tensor& out) {
    constexpr std::string_view kernel = "searchsorted";
    detail::check_data(kernel, sorted);
    detail::check_data(kernel, values);
    bool fits = sorted.rank() != 0 && values.rank() != 0 && sorted.type() == values.type() &&
                (sorted.rank() == 1 || sorted.rank() == values.rank());
    for (std::size_t d = 0; fits && sorted.rank() != 1 && d + 1 < sorted.rank(); ++d)
        fits = sorted.shape()[d] == values.shape()[d];
    if (!fits)
        detail::fail_pair(kernel, "the sequence", sorted, "the values", values,
                          "one row, or rows of the same outer sizes, of one element type");
    if (index_type == dtype::none) detail::fail(kernel, "indices of type void", "an element type");
    detail::make_result(kernel, index_type, values.shape(), out);
    if (out.size() == 0) return;
    const std::int64_t length = sorted.shape()[sorted.rank() - 1];
    const std::int64_t row = sorted.rank() == 1 ? out.size() : values.shape()[values.rank() - 1];
    detail::with_arithmetic(values.type(), [&]<class C>(std::type_identity<C>) {
        C one[1];
        C room[detail::block_length];
        std::int64_t found[detail::block_length];
        for (std::int64_t at = 0; at < out.size(); at += detail::block_length) {
            const std::int64_t n = std::min(detail::block_length, out.size() - at);
            const C* wanted = detail::read_block(values, at, n, +room);
            for (std::int64_t i = 0; i < n; ++i) {
                const std::int64_t first = (at + i) / row * length;
                std::int64_t low = 0;
                for (std::int64_t high = length; low < high;) {
                    const std::int64_t middle = low + (high - low) / 2;
                    const C there = *detail::read_block(sorted, first + middle, 1, +one);
                    if (side == search_side::right ? there <= wanted[i] : there < wanted[i])
                        low = middle + 1;
                    else
                        high = middle;
                }
                found[i] = low;
            }
            detail::convert_block(+found, n, out, at);
        }
    });
}

/// Computes the inverse of a permutation of 0, ..., n - 1.
///
/// Throws: tutti::error if the data is not a vector of integers that contains each number below its size once.
constexpr void invert_permutation(const tensor& data, tensor& out) {
    constexpr std::string_view kernel = "invert_permutation";
    detail::check_indices(kernel, data);
    if (data.rank() != 1) detail::fail(kernel, {"data is ", data}, "a vector");
    detail::make_result(kernel, data.type(), data.shape(), out);
    vector<char> seen(static_cast<std::size_t>(data.size()), 0);
    detail::for_each_index(kernel, data, [&](std::int64_t i, std::int64_t number) {
        if (number < 0 || number >= data.size() || seen[static_cast<std::size_t>(number)] != 0)
            detail::fail(kernel, {"element ", i, " is ", number, " of data ", data},
                         "each number below the size, once");
        seen[static_cast<std::size_t>(number)] = 1;
        detail::convert_block(&i, 1, out, number);
    });
}

/// Converts row-major indices to coordinates in a tensor of shape `shape`. The result has a row for each axis of this
/// tensor. Indices beyond the tensor wrap.
///
/// Throws: tutti::error if `places` is not a vector or scalar of integers, if the shape is not a vector of integers, or
///         if a size is below 1.
constexpr void unravel_index(const tensor& places, const tensor& shape, tensor& out) {
    constexpr std::string_view kernel = "unravel_index";
    detail::check_indices(kernel, places);
    if (places.rank() > 1) detail::fail(kernel, {"indices are ", places}, "a vector or one number");
    const extents sizes = integers(kernel, "the shape", shape);
    for (const std::int64_t size : sizes)
        if (size < 1) detail::fail(kernel, {"a shape ", sizes}, "sizes of 1 or more");
    extents made;
    made.push_back(static_cast<std::int64_t>(sizes.size()));
    if (places.rank() == 1) made.push_back(places.size());
    detail::make_result(kernel, places.type(), made, out);
    detail::for_each_index(kernel, places, [&](std::int64_t i, std::int64_t place) {
        for (std::size_t d = sizes.size(); d-- != 0;) {
            const std::int64_t index = element::floor_mod{}(place, sizes[d]);
            detail::convert_block(&index, 1, out, static_cast<std::int64_t>(d) * places.size() + i);
            place = element::floor_divide{}(place, sizes[d]);
        }
    });
}

} // namespace tutti::kernel
