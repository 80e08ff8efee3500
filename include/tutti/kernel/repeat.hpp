#pragma once

#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/copy.hpp>
#include <tutti/kernel/support/shape_rules.hpp>
#include <tutti/kernel/support/strided.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/kernel/tensor.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace tutti::kernel {

/// Repeats each element `repeats` times along an axis, which may count from the end. Without an axis, flattens the data
/// first.
///
/// Throws: tutti::error if there is no such axis, if `repeats` is less than 1, or if the result is too large.
constexpr void repeat(const tensor& data, std::int64_t repeats, std::optional<std::int64_t> axis, tensor& out) {
    detail::check_data("repeat", data);
    if (repeats < 1) detail::fail("repeat", {repeats, " repeats"}, "1 or more");
    axis_split split{1, data.size(), 1};
    extents shape;
    if (axis) {
        const std::size_t at = detail::checked_axis("repeat", *axis, data.rank());
        split = split_at(data.shape(), at);
        shape = data.shape();
        shape[at] = detail::checked_product("repeat", shape[at], repeats);
    } else {
        shape.push_back(detail::checked_product("repeat", data.size(), repeats));
    }
    detail::make_result("repeat", data.type(), shape, out);
    if (out.size() == 0) return;
    const std::int64_t whole[]{split.outer * split.length, repeats, split.inner};
    placement source = detail::dense(whole);
    source.strides[0] = split.inner;
    source.strides[1] = 0;
    copy_elements(whole, data, source, out, detail::dense(whole));
}

/// Repeats the whole data along each axis as often as `reps` states. Axes and `reps` are aligned at the last axis;
/// missing axes and missing numbers count as 1.
///
/// Throws: tutti::error if a number in `reps` is less than 1, or if the result is too large.
constexpr void tile(const tensor& data, std::span<const std::int64_t> reps, tensor& out) {
    detail::check_data("tile", data);
    const std::size_t rank = std::max(data.rank(), reps.size());
    if (rank > max_rank) detail::fail("tile", {rank, " repetitions"}, {"at most ", max_rank});
    const extents shape = tiled<extents>(data.shape(), reps, [&](std::int64_t size, std::int64_t times) {
        if (times < 1) detail::fail("tile", {"repetitions of ", reps}, "1 or more for each axis");
        return detail::checked_product("tile", size, times);
    });
    if (element_count(shape) == 0) return detail::make_result("tile", data.type(), shape, out);
    const extents own = row_major_strides(data.shape());
    extents steps; // shape of the result, whose axes are split into an axis of tiles and an axis of elements
    placement source;
    const auto add = [&](std::int64_t count, std::int64_t stride) {
        if (count == 1) return;
        if (steps.size() == max_rank) detail::fail("tile", {"data ", data, " tiled along so many axes"}, "fewer axes");
        steps.push_back(count);
        source.strides.push_back(stride);
    };
    for (std::size_t d = 0; d < rank; ++d) {
        add(size_aligned(reps, d, rank), 0);
        const std::int64_t size = size_aligned(data.shape(), d, rank);
        if (size != 1) add(size, own[d + data.rank() - rank]);
    }
    detail::make_result("tile", data.type(), shape, out);
    copy_elements(steps, data, source, out, detail::dense(steps));
}

} // namespace tutti::kernel
