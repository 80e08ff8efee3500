#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/onnx/node_context.hpp>
#include <tutti/relay/op/annotation.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/cast.hpp>
#include <tutti/relay/op/compare.hpp>
#include <tutti/relay/op/create.hpp>
#include <tutti/relay/op/index.hpp>
#include <tutti/relay/op/reduce.hpp>
#include <tutti/relay/op/reshape.hpp>
#include <tutti/relay/op/slice.hpp>
#include <tutti/relay/op/tuple.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace tutti::relay::inline TUTTI_FORM::onnx {

/// True if the list exists and all its elements are known.
inline bool all_known(const std::optional<dims>& list) { return list && is_static({list->begin(), list->size()}); }

/// Returns the sizes of a tensor's axes as an int64 list. Unknown sizes are computed at run time.
inline expr shape_list(node_context& c, expr x) {
    const dims shape = c.shape(x);
    if (is_static({shape.begin(), shape.size()})) return c.list(shape);
    return relay::shape_of(x, {.dtype = dtype::int64});
}

/// Returns an int64 constant of rank 0.
inline expr int64_number(node_context& c, std::int64_t n) { return c.number(static_cast<double>(n), dtype::int64); }

/// Returns element `i` of a list of integers as an int64 of rank 0.
inline expr integer_at(node_context& c, expr list, std::int64_t i) {
    return c.cast_to(relay::take(list, int64_number(c, i), {.axis = dim(0)}), dtype::int64);
}

/// Returns the int64 numbers from 0 to `end` - 1. Requires: `end` is an int64 of rank 0.
inline expr numbers_below(node_context& c, expr end) {
    return relay::arange(int64_number(c, 0), end, int64_number(c, 1), {.dtype = dtype::int64});
}

/// Makes the indices into an axis of this size nonnegative. Negative indices count from the end of the axis.
inline expr from_front(node_context& c, expr indices, expr size) {
    return relay::where(relay::less(indices, c.number(0, c.element(indices))), relay::add(indices, size), indices);
}

/// Converts axis numbers that are known only at run time to a mask with one bool for each axis of a tensor of this
/// rank. Negative axis numbers count from the end.
inline expr axis_mask(node_context& c, expr axes, std::size_t rank) {
    const auto n = static_cast<std::int64_t>(rank);
    dims all;
    for (std::int64_t i = 0; i < n; ++i) all.push_back(i);
    const expr column = relay::reshape(axes, {.newshape = dims{-1, 1}});
    const expr wide = c.cast_to(column, dtype::int64);
    return relay::any(relay::equal(from_front(c, wide, int64_number(c, n)), c.list(all)), {.axis = dims{0}});
}

/// Returns the first `count` elements of a list.
inline expr first_of(expr list, std::int64_t count) {
    return relay::strided_slice(list, {.begin = dims{0}, .end = dims{count}, .strides = dims{1}, .axes = dims{0}});
}

/// Extends a list of numbers for some axes to all axes. `some` contains the numbers for `axes` from index `first` on.
/// `otherwise` has one number for each axis, which the remaining axes use.
inline expr for_all_axes(node_context& c, expr some, const dims& axes, expr otherwise, std::int64_t first = 0) {
    const std::int64_t rank = c.size(otherwise, 0);
    plain_vector<expr_id> parts;
    for (std::int64_t i = 0; i < rank; ++i) {
        std::optional<std::int64_t> given;
        for (std::size_t a = 0; a < axes.size(); ++a)
            if (c.axis_of(axes[a].value(), static_cast<std::size_t>(rank)) == i) given = static_cast<std::int64_t>(a);
        const std::int64_t at = given ? first + *given : i;
        parts.push_back(
            relay::strided_slice(given ? some : otherwise,
                                 {.begin = dims{at}, .end = dims{at + 1}, .strides = dims{1}, .axes = dims{0}})
                .id);
    }
    return relay::concatenate(c.tuple(parts), {.axis = 0});
}

/// Returns the sizes of the `count` axes that are not in the mask, in order.
inline expr sizes_left(node_context& c, expr sizes, expr mask, std::int64_t count) {
    // sorts the axes that are not in the mask first; the second summand of the keys keeps their order
    const std::int64_t n = c.size(mask, 0);
    dims places;
    for (std::int64_t i = 0; i < n; ++i) places.push_back(i);
    const expr weight =
        relay::multiply(relay::cast(mask, {.dtype = dtype::int64}), c.number(static_cast<double>(n), dtype::int64));
    const expr order = relay::argsort(relay::add(weight, c.list(places)), {.axis = 0, .dtype = dtype::int64});
    return first_of(relay::take(sizes, order, {.axis = dim(0)}), count);
}

} // namespace tutti::relay::inline TUTTI_FORM::onnx
