#pragma once

#include <tutti/kernel/check.hpp>
#include <tutti/kernel/copy.hpp>
#include <tutti/kernel/index.hpp>
#include <tutti/kernel/shape_rules.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/kernel/view.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace tutti::kernel {

/// What an index beyond an axis means: the nearest one on it, or the one that it is after going around. The reference's third
/// mode, which promises that there is none, is `clip`.
enum class index_mode : std::uint8_t { clip, wrap };

/// The slices of the data at the indices along an axis, which the axes of the indices replace; without an axis, of the data
/// flattened.
///
/// Throws: tutti::error if the indices are no integers, there is no such axis, it has no elements to take, or the rank becomes
///         too high.
constexpr void take(const tensor& data, const tensor& indices, std::optional<std::int64_t> axis, index_mode mode,
                    tensor& out) {
    detail::check_data("take", data);
    detail::check_indices("take", indices);
    const std::int64_t flat[]{data.size()};
    const std::span<const std::int64_t> whole = axis ? data.shape() : std::span<const std::int64_t>(flat);
    const std::size_t at = detail::checked_axis("take", axis.value_or(0), whole.size());
    const axis_split split = split_at(whole, at);
    if (whole.size() - 1 + indices.rank() > max_rank || (split.length == 0 && indices.size() != 0))
        detail::fail_pair("take", "data", data, "a tensor of indices", indices,
                          "an axis with elements, and a result of rank at most 32");
    const extents shape = with_replaced_axes<extents>(whole, {at, at + 1}, indices.shape(), {0, indices.rank()});
    detail::make_result("take", data.type(), shape, out);
    if (out.size() == 0) return;
    detail::run_copier copier(split.inner, data, out);
    for (std::int64_t o = 0; o < split.outer; ++o)
        detail::for_each_index("take", indices, [&](std::int64_t i, std::int64_t index) {
            if (mode == index_mode::clip)
                index = std::clamp<std::int64_t>(index, 0, split.length - 1);
            else if ((index %= split.length) < 0)
                index += split.length;
            copier.add((o * split.length + index) * split.inner, (o * indices.size() + i) * split.inner);
        });
    copier.flush();
}

/// The elements of the data at the places of the result, but for one axis, along which an index says where: of the result's
/// shape, as the indices are. A negative index counts from the end.
///
/// Throws: tutti::error if the indices are no integers, have another shape than the data (but for the axis), or one is beyond it.
constexpr void gather(const tensor& data, std::int64_t axis, const tensor& indices, tensor& out) {
    detail::check_data("gather", data);
    detail::check_indices("gather", indices);
    const std::size_t at = detail::checked_axis("gather", axis, data.rank());
    bool fits = indices.rank() == data.rank();
    for (std::size_t d = 0; d < data.rank() && fits; ++d) fits = d == at || indices.shape()[d] == data.shape()[d];
    if (!fits)
        detail::fail_pair("gather", "data", data, "a tensor of indices", indices,
                          {"the same shape but for axis ", axis});
    detail::make_result("gather", data.type(), indices.shape(), out);
    const axis_split from = split_at(data.shape(), at);
    const std::int64_t row = indices.shape()[at] * from.inner;
    detail::run_copier copier(1, data, out);
    detail::for_each_index("gather", indices, [&](std::int64_t i, std::int64_t index) {
        if (index < -from.length || index >= from.length)
            detail::fail("gather", {"index ", index, " along axis ", axis, " of data ", data}, "one that is there");
        if (index < 0) index += from.length;
        copier.add((i / row * from.length + index) * from.inner + i % from.inner, i);
    });
    copier.flush();
}

} // namespace tutti::kernel
