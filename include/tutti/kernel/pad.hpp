#pragma once

#include <tutti/kernel/create.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/copy.hpp>
#include <tutti/kernel/support/numbers.hpp>
#include <tutti/kernel/support/size_math.hpp>
#include <tutti/kernel/support/strided.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/kernel/tensor.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tutti::kernel {

/// The values of padding: a constant, the edge element, or the elements mirrored at the edge. `symmetric` repeats the
/// edge element; `reflect` does not.
enum class pad_mode : std::uint8_t { constant, edge, reflect, symmetric };

/// Numbers of elements to add at the beginning and at the end of each axis. Negative numbers remove elements.
struct pad_width {
    std::span<const std::int64_t> before;
    std::span<const std::int64_t> after;
};

namespace detail {

/// The indices that are copied along one axis: `length` elements, from `first` in the data to `at` in the result.
struct kept_indices {
    std::int64_t first = 0;
    std::int64_t at = 0;
    std::int64_t length = 0;
};

constexpr kept_indices kept_of(std::int64_t size, std::int64_t before, std::int64_t after) {
    const std::int64_t cut = std::min(size, std::max<std::int64_t>(-before, 0));
    const std::int64_t rest = size + std::min<std::int64_t>(after, 0) - cut;
    return {cut, std::max<std::int64_t>(before, 0), std::max<std::int64_t>(rest, 0)};
}

/// Extends the filled part of a tensor along one axis, by `before` elements at the front and to the end of the axis.
///
/// Requires: `shape` and `done` describe the filled part; the tensor has `size` elements along the axis.
constexpr void continue_axis(pad_mode mode, std::size_t axis, std::int64_t size, std::int64_t before, tensor& out,
                             extents& shape, placement& done) {
    const std::int64_t stride = done.strides[axis];
    const std::int64_t length = shape[axis];
    const auto fill = [&](std::int64_t n, std::int64_t from, std::int64_t to) {
        placement source = done;
        placement target = done;
        source.first += from * stride;
        source.strides[axis] = mode == pad_mode::edge ? 0 : -stride;
        target.first += to * stride;
        shape[axis] = n;
        copy_elements(shape, out, source, out, target);
    };
    const std::int64_t skipped = mode == pad_mode::reflect ? 1 : 0; // the edge element
    fill(before, mode == pad_mode::edge ? 0 : before - 1 + skipped, -before);
    fill(size - before - length, length - 1 - skipped, length);
    shape[axis] = size;
    done.first -= before * stride;
}

} // namespace detail

/// Adds elements around the data. Mode `constant` adds `value`, converted to the data's element type by `convert`.
///
/// Throws: tutti::error if `width` does not have two numbers for each axis, if more elements are removed than exist, if
///         a mode other than `constant` extends an axis without elements, or if an axis has too few elements to mirror.
constexpr void pad(const tensor& data, const pad_width& width, pad_mode mode, const number& value, tensor& out) {
    detail::check_data("pad", data);
    const std::size_t rank = data.rank();
    if (width.before.size() != rank || width.after.size() != rank)
        detail::fail("pad",
                     {"data is ", data, " and there are ", width.before.size(), " numbers before, ", width.after.size(),
                      " after"},
                     "one of each for each axis");
    extents shape;
    extents kept;
    placement source = detail::dense(data.shape());
    bool added = false;
    constexpr std::int64_t limit = std::int64_t{1} << 48;
    const auto refuse = [&](std::size_t d, const char* expected) {
        detail::fail("pad",
                     {width.before[d], " elements before and ", width.after[d], " after axis ", d, " of data ", data},
                     expected);
    };
    extents at;
    for (std::size_t d = 0; d < rank; ++d) {
        const std::int64_t before = width.before[d];
        const std::int64_t after = width.after[d];
        const std::int64_t size = data.shape()[d];
        if (before <= -limit || before >= limit || after <= -limit || after >= limit || size >= limit)
            refuse(d, "fewer than 2^48");
        if (size + before + after < 0) refuse(d, "at most as many cropped elements as the axis has");
        const detail::kept_indices k = detail::kept_of(size, before, after);
        if (mode != pad_mode::constant && (before > 0 || after > 0) && k.length == 0)
            refuse(d, "at least one element to repeat");
        const std::int64_t mirrored = mode == pad_mode::symmetric ? k.length : std::max<std::int64_t>(k.length - 1, 0);
        if ((mode == pad_mode::reflect || mode == pad_mode::symmetric) && (before > mirrored || after > mirrored))
            refuse(d, mode == pad_mode::reflect ? "fewer elements than the axis has"
                                                : "at most as many elements as the axis has");
        shape.push_back(size + before + after);
        kept.push_back(k.length);
        at.push_back(k.at);
        source.first += k.first * source.strides[d];
        added = added || kept[d] != shape[d];
    }
    detail::make_result("pad", data.type(), shape, out);
    if (out.size() == 0) return;
    if (mode == pad_mode::constant && added) {
        value.put(out, 0);
        detail::spread(out);
    }
    placement target = detail::dense(shape);
    for (std::size_t d = 0; d < rank; ++d) target.first += at[d] * target.strides[d];
    copy_elements(kept, data, source, out, target);
    if (mode == pad_mode::constant) return;
    for (std::size_t d = 0; d < rank; ++d) detail::continue_axis(mode, d, shape[d], at[d], out, kept, target);
}

/// Inserts `strides[d] - 1` copies of `value` between neighbours along each axis d.
///
/// Throws: tutti::error if the number of strides is not the rank, if a stride is below 1, or if the result is too
///         large.
constexpr void dilate(const tensor& data, std::span<const std::int64_t> strides, const number& value, tensor& out) {
    detail::check_data("dilate", data);
    bool good = strides.size() == data.rank();
    for (const std::int64_t s : strides) good = good && s >= 1;
    if (!good) detail::fail("dilate", {"strides ", strides, " for data ", data}, "a stride of 1 or more for each axis");
    extents shape;
    for (std::size_t d = 0; d < data.rank(); ++d)
        shape.push_back(data.shape()[d] == 0 ? 0 : plus(times(data.shape()[d] - 1, strides[d]), 1));
    full(value, data.type(), shape, out);
    if (out.size() == 0) return;
    placement apart = detail::dense(shape);
    for (std::size_t d = 0; d < data.rank(); ++d)
        apart.strides[d] = data.shape()[d] == 1 ? 0 : apart.strides[d] * strides[d];
    copy_elements(data.shape(), data, detail::dense(data.shape()), out, apart);
}

} // namespace tutti::kernel
