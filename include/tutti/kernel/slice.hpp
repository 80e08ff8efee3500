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
#include <string_view>

namespace tutti::kernel {

/// The result of a slice that ends before it begins: an error, or an empty tensor.
enum class backward_slice : std::uint8_t { refused, empty };

/// Begin, end and step of a slice along each axis in `axes` or, without `axes`, along the first axes.
///
/// Negative indices count from the end. Indices beyond an axis are clamped. A slice without begin, end and step keeps
/// its axis. Without an end, a slice with a negative step excludes the first element, as in the reference.
struct strided_slice_options {
    std::span<const std::int64_t> begin;
    std::span<const std::int64_t> end;
    std::span<const std::int64_t> strides;
    std::optional<std::span<const std::int64_t>> axes;
    slice_end mode = slice_end::place;
    backward_slice backward = backward_slice::refused;
};

namespace detail {

/// The shape and placement of a part of a tensor.
struct cut {
    extents shape;
    placement at;

    constexpr explicit cut(std::span<const std::int64_t> whole) : shape(whole), at(dense(whole)) {}

    /// Keeps `length` indices of an axis, from `first` on, `step` apart.
    constexpr void keep(std::size_t axis, std::int64_t first, std::int64_t length, std::int64_t step) {
        shape[axis] = length;
        if (length == 0) return; // no element is copied
        at.first += first * at.strides[axis];
        at.strides[axis] *= length == 1 ? 1 : step;
    }
};

constexpr void cut_axis(std::string_view kernel, const strided_slice_options& o, std::size_t i, std::size_t axis,
                        cut& c) {
    const auto given = [&](std::span<const std::int64_t> list) {
        return i < list.size() ? std::optional(list[i]) : std::nullopt;
    };
    if (o.mode == slice_end::place && given(o.strides) == 0) fail(kernel, "a step of 0", "a non-zero step");
    const index_slice s = slice_of(c.shape[axis], given(o.begin), given(o.end), given(o.strides), o.mode);
    if (s.length < 0 && o.backward == backward_slice::refused)
        fail(kernel, {"a slice from ", s.begin, " to ", s.end, " in steps of ", s.step},
             "an end not before the begin, in the direction of the step");
    c.keep(axis, s.begin, std::max<std::int64_t>(s.length, 0), s.step);
}

/// Returns the slice of the data. Throws: tutti::error if the lists do not fit, or if a slice ends before it begins and
/// `backward` refuses such slices.
constexpr cut cut_of(std::string_view kernel, const tensor& data, const strided_slice_options& o) {
    check_data(kernel, data);
    const std::size_t count = std::max({o.begin.size(), o.end.size(), o.strides.size()});
    if (o.axes ? o.axes->size() != count : count > data.rank())
        fail(kernel, {"indices for ", count, " axes of data ", data}, "one for each sliced axis");
    cut c(data.shape());
    for (std::size_t i = 0; i < count; ++i)
        cut_axis(kernel, o, i, o.axes ? checked_axis(kernel, (*o.axes)[i], data.rank()) : i, c);
    return c;
}

constexpr void copy_cut(std::string_view kernel, const tensor& data, const cut& c, tensor& out) {
    make_result(kernel, data.type(), c.shape, out);
    copy_elements(c.shape, data, c.at, out, dense(c.shape));
}

} // namespace detail

/// Takes every n-th element of a range along each axis.
///
/// Throws: tutti::error if the lists do not fit the data, if a step is 0, or if a slice ends before it begins and
///         `backward` refuses such slices.
constexpr void strided_slice(const tensor& data, const strided_slice_options& options, tensor& out) {
    detail::copy_cut("strided_slice", data, detail::cut_of("strided_slice", data, options), out);
}

/// Copies the data and replaces the elements of a slice with `values`.
///
/// Throws: as `strided_slice`, and if `values` does not have the shape of the slice and the data's element type.
constexpr void strided_set(const tensor& data, const tensor& values, const strided_slice_options& options,
                           tensor& out) {
    const detail::cut c = detail::cut_of("strided_set", data, options);
    if (values.type() != data.type() || !same_shape(values.shape(), c.shape))
        detail::fail_pair("strided_set", "data", data, "values", values, {"values of the slice's shape, ", c.shape});
    detail::make_result("strided_set", data.type(), data.shape(), out);
    copy_elements(data.shape(), data, detail::dense(data.shape()), out, detail::dense(data.shape()));
    copy_elements(c.shape, values, detail::dense(c.shape), out, c.at);
}

/// Shortens the data to the sizes of `like` along the listed axes. Without a list, shortens all axes that both tensors
/// have.
///
/// Throws: tutti::error if data or `like` lacks a listed axis, or if `like` is longer along an axis.
constexpr void slice_like(const tensor& data, const tensor& like, std::optional<std::span<const std::int64_t>> axes,
                          tensor& out) {
    detail::check_data("slice_like", data);
    detail::cut c(data.shape());
    const std::size_t count = axes ? axes->size() : std::min(data.rank(), like.rank());
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t axis = axes ? detail::checked_axis("slice_like", (*axes)[i], data.rank()) : i;
        if (axis >= like.rank() || like.shape()[axis] > c.shape[axis])
            detail::fail_pair("slice_like", "data", data, "the other", like,
                              "the other no larger along the sliced axes");
        c.keep(axis, 0, like.shape()[axis], 1);
    }
    detail::copy_cut("slice_like", data, c, out);
}

/// Takes the elements with indices [begin, end) along an axis: one part of a split. The axis may count from the end.
///
/// Throws: tutti::error if there is no such axis, or unless 0 <= begin <= end <= the length of the axis.
constexpr void slice_axis(const tensor& data, std::int64_t axis, std::int64_t begin, std::int64_t end, tensor& out) {
    detail::check_data("slice_axis", data);
    const std::size_t at = detail::checked_axis("slice_axis", axis, data.rank());
    if (begin < 0 || end < begin || end > data.shape()[at])
        detail::fail("slice_axis", {"indices ", begin, " to ", end, " along axis ", axis, " of data ", data},
                     "rising indices within the axis");
    detail::cut c(data.shape());
    c.keep(at, begin, end - begin, 1);
    detail::copy_cut("slice_axis", data, c, out);
}

} // namespace tutti::kernel
