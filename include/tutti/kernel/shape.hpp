#pragma once

#include <tutti/kernel/check.hpp>
#include <tutti/kernel/image.hpp>
#include <tutti/kernel/strided.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/kernel/view.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// Kernels that move elements and compute nothing. Those that only change the shape share the elements.

namespace tutti::kernel {

namespace detail {

/// The number of elements of that shape; nothing if a dimension is negative or the number does not fit.
constexpr std::optional<std::int64_t> checked_count(std::span<const std::int64_t> shape) {
    std::int64_t n = 1;
    for (const std::int64_t d : shape) {
        if (d < 0 || (d > 0 && n > std::numeric_limits<std::int64_t>::max() / d)) return std::nullopt;
        n *= d;
    }
    return n;
}

} // namespace detail

/// The same elements, shared, under another shape.
///
/// Throws: tutti::error if that has another number of elements or a negative dimension.
constexpr tensor reshape(const tensor& t, std::vector<std::int64_t> shape) {
    if (t.empty() || detail::checked_count(shape) != t.size())
        detail::fail("reshape", "data is " + text(t) + " and the new shape is " + text(shape),
                     "as many elements");
    return t.reshaped(std::move(shape));
}

/// The same elements, shared, as a matrix: the first axis stays, all others become one.
///
/// Throws: tutti::error if there is no first axis.
constexpr tensor batch_flatten(const tensor& t) {
    if (t.rank() == 0) detail::fail("batch_flatten", "data is " + text(t), "a rank of at least 1");
    return t.reshaped({t.shape()[0], element_count(t.shape().subspan(1))});
}

/// The same elements, shared, with `count` axes of length 1 put in before axis `axis`, -1 being after the
/// last.
///
/// Throws: tutti::error if there is no such place.
constexpr tensor expand_dims(const tensor& t, std::int64_t axis, std::int64_t count = 1) {
    if (count < 0 || t.rank() > max_rank || count > static_cast<std::int64_t>(max_rank - t.rank()))
        detail::fail("expand_dims", std::to_string(count) + " more axes for data " + text(t),
                     "a rank of at most " + std::to_string(max_rank));
    const std::size_t at = detail::checked_axis("expand_dims", axis, t.rank() + 1);
    std::vector<std::int64_t> shape(t.shape().begin(), t.shape().end());
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(at), static_cast<std::size_t>(count), 1);
    return t.reshaped(std::move(shape));
}

/// The same elements, shared, without the axes named, or without every axis of length 1 if none is named.
///
/// Throws: tutti::error if there is no such axis, or if its length is not 1.
constexpr tensor squeeze(const tensor& t, std::span<const std::int64_t> axes = {}) {
    detail::check_rank("squeeze", t);
    std::array<bool, max_rank> gone{};
    for (std::size_t d = 0; d < t.rank(); ++d) gone[d] = axes.empty() && t.shape()[d] == 1;
    for (const std::int64_t axis : axes) {
        const std::size_t d = detail::checked_axis("squeeze", axis, t.rank());
        if (t.shape()[d] != 1)
            detail::fail("squeeze", "axis " + std::to_string(axis) + " of data " + text(t),
                         "an axis of length 1");
        gone[d] = true;
    }
    std::vector<std::int64_t> shape;
    for (std::size_t d = 0; d < t.rank(); ++d)
        if (!gone[d]) shape.push_back(t.shape()[d]);
    return t.reshaped(std::move(shape));
}

/// Axis d of the result is axis `axes[d]` of the data.
///
/// Requires: `axes` is a permutation of the data's axes; `out` has the shape that follows and does not
/// overlap the data.
template <class T>
constexpr void transpose(view<const T> data, std::span<const std::size_t> axes, view<T> out) {
    const extents own = row_major_strides(data.shape);
    extents strides;
    for (const std::size_t axis : axes) strides.push_back(own[axis]);
    copy_strided(data, strides, out);
}

/// The same over tensors; axes may count from the end, and none at all reverses their order.
///
/// Throws: tutti::error if `axes` is not a permutation of the data's axes.
constexpr tensor transpose(const tensor& t, std::span<const std::int64_t> axes = {}) {
    detail::check_rank("transpose", t);
    std::array<std::size_t, max_rank> order{};
    std::array<bool, max_rank> seen{};
    extents shape;
    bool permutation = axes.empty() || axes.size() == t.rank();
    for (std::size_t d = 0; d < t.rank() && permutation; ++d) {
        order[d] = axes.empty() ? t.rank() - 1 - d : detail::checked_axis("transpose", axes[d], t.rank());
        permutation = !std::exchange(seen[order[d]], true);
        shape.push_back(t.shape()[order[d]]);
    }
    if (!permutation)
        detail::fail("transpose", "axes " + text(axes) + " of data " + text(t), "each axis of the data once");
    return detail::with_any_type("transpose", t, [&]<class T>(std::type_identity<T>) {
        tensor out = detail::make_result("transpose", t.type(), shape);
        transpose(view_of<T>(t), std::span<const std::size_t>(order.data(), t.rank()),
                  mutable_view_of<T>(out));
        return out;
    });
}

/// A batch of images in another layout; in the same one it shares the elements.
///
/// Throws: tutti::error if the data is not of rank 4.
constexpr tensor layout_transform(const tensor& t, image_layout from, image_layout to) {
    detail::check_image("layout_transform", t);
    if (from == to) return t;
    constexpr std::array<std::int64_t, 4> to_nhwc{0, 2, 3, 1};
    constexpr std::array<std::int64_t, 4> to_nchw{0, 3, 1, 2};
    return transpose(t, to == image_layout::nhwc ? to_nhwc : to_nchw);
}

/// Copies `part` into `out`, as its slice along `axis` that begins at index `first`. Concatenation is this
/// for each part.
///
/// Requires: both have the same shape but for the axis, where the part fits; they do not overlap.
template <class T>
constexpr void copy_slice(view<const T> part, std::size_t axis, std::int64_t first, view<T> out) {
    const axis_split from = split_at(part.shape, axis);
    const axis_split to = split_at(out.shape, axis);
    const std::int64_t row = from.length * from.inner;
    for (std::int64_t o = 0; o < from.outer; ++o)
        std::copy_n(part.data + o * row, row, out.data + (o * to.length + first) * to.inner);
}

/// The tensors one after another along an axis, which may count from the end.
///
/// Throws: tutti::error if there is none, if there is no such axis, or if shapes (but for the axis) or
/// element types differ.
constexpr tensor concatenate(std::span<const tensor> parts, std::int64_t axis) {
    if (parts.empty()) detail::fail("concatenate", "no tensors", "at least one");
    const tensor& first = parts.front();
    const std::size_t at = detail::checked_axis("concatenate", axis, first.rank());
    detail::check_rank("concatenate", first);
    extents shape(first.shape());
    for (const tensor& part : parts.subspan(1)) {
        bool fits = part.type() == first.type() && part.rank() == first.rank();
        for (std::size_t d = 0; d < first.rank() && fits; ++d) fits = d == at || part.shape()[d] == shape[d];
        if (!fits)
            detail::fail_pair("concatenate", "one tensor", first, "another", part,
                              "the same element type and, but for axis " + std::to_string(axis) +
                                  ", the same shape");
        shape[at] += part.shape()[at];
    }
    return detail::with_any_type("concatenate", first, [&]<class T>(std::type_identity<T>) {
        tensor out = detail::make_result("concatenate", first.type(), shape);
        std::int64_t index = 0;
        for (const tensor& part : parts) {
            copy_slice(view_of<T>(part), at, index, mutable_view_of<T>(out));
            index += part.shape()[at];
        }
        return out;
    });
}

} // namespace tutti::kernel
