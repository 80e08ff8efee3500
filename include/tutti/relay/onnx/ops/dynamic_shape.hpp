#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/onnx/node_context.hpp>
#include <tutti/relay/op/annotation.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/cast.hpp>
#include <tutti/relay/op/compare.hpp>
#include <tutti/relay/op/index.hpp>
#include <tutti/relay/op/reduce.hpp>
#include <tutti/relay/op/reshape.hpp>
#include <tutti/relay/op/slice.hpp>
#include <tutti/relay/op/tuple.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace tutti::relay::inline TUTTI_FORM::onnx {

/// True if a list is there and has no unknown elements.
inline bool all_known(const std::optional<dims>& list) { return list && is_static({list->begin(), list->size()}); }

/// Returns the sizes of a tensor's axes as int64, computed at run time if unknown.
inline expr shape_list(node_context& c, expr x) {
    const dims shape = c.shape(x);
    if (is_static({shape.begin(), shape.size()})) return c.list(shape);
    return relay::shape_of(x, {.dtype = dtype::int64});
}

/// Converts run-time axis numbers to a bool per axis of a tensor of this rank. Negative numbers count from the end.
inline expr axis_mask(node_context& c, expr axes, std::size_t rank) {
    const auto n = static_cast<std::int64_t>(rank);
    dims all;
    for (std::int64_t i = 0; i < n; ++i) all.push_back(i);
    const expr column = relay::reshape(axes, {.newshape = dims{-1, 1}});
    const expr wide = c.cast_to(column, dtype::int64);
    const expr zero = c.number(0, dtype::int64);
    const expr from_front =
        relay::where(relay::less(wide, zero), relay::add(wide, c.number(static_cast<double>(n), dtype::int64)), wide);
    return relay::any(relay::equal(from_front, c.list(all)), {.axis = dims{0}});
}

/// Returns the first numbers of a list.
inline expr first_of(expr list, std::int64_t count) {
    return relay::strided_slice(list, {.begin = dims{0}, .end = dims{count}, .strides = dims{1}, .axes = dims{0}});
}

/// Returns the sizes of the axes outside a mask, in order: `count` of them.
inline expr sizes_left(node_context& c, expr sizes, expr mask, std::int64_t count) {
    // unmasked axes come first: sort keys increase within each kind
    const std::int64_t n = c.size(mask, 0);
    dims places;
    for (std::int64_t i = 0; i < n; ++i) places.push_back(i);
    const expr weight =
        relay::multiply(relay::cast(mask, {.dtype = dtype::int64}), c.number(static_cast<double>(n), dtype::int64));
    const expr order = relay::argsort(relay::add(weight, c.list(places)), {.axis = 0, .dtype = dtype::int64});
    return first_of(relay::take(sizes, order, {.axis = dim(0)}), count);
}

} // namespace tutti::relay::inline TUTTI_FORM::onnx
