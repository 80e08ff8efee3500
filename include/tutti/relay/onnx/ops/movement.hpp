#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/onnx/fields.hpp>
#include <tutti/relay/onnx/node_context.hpp>
#include <tutti/relay/onnx/ops/dynamic_shape.hpp>
#include <tutti/relay/onnx/rule.hpp>
#include <tutti/relay/onnx/sparse_constant.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/create.hpp>
#include <tutti/relay/op/depth_to_space.hpp>
#include <tutti/relay/op/dim_math.hpp>
#include <tutti/relay/op/dyn.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/pad.hpp>
#include <tutti/relay/op/repeat.hpp>
#include <tutti/relay/op/reshape.hpp>
#include <tutti/relay/op/scatter.hpp>
#include <tutti/relay/op/shape.hpp>
#include <tutti/relay/op/slice.hpp>
#include <tutti/relay/op/transpose.hpp>
#include <tutti/relay/op/tuple.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::onnx {

namespace detail {

inline std::size_t count_unknown(const dims& list) {
    std::size_t count = 0;
    for (const dim d : list) count += d.is_any();
    return count;
}

inline expr import_constant(node_context& c) {
    if (const std::optional<tensor> value = c.tensor_attribute("value")) return c.constant(*value);
    known_values k;
    if (c.has_attribute("value_int") || c.has_attribute("value_ints")) {
        if (c.has_attribute("value_int"))
            k.numbers.push_back({c.attribute("value_int").integer_value(), 0, true});
        else
            for (const std::int64_t n : c.attribute("value_ints").integer_values()) k.numbers.push_back({n, 0, true});
    } else if (c.has_attribute("value_float") || c.has_attribute("value_floats")) {
        k.type = dtype::float32;
        if (c.has_attribute("value_float"))
            k.numbers.push_back({0, c.real("value_float", 0), true});
        else
            for (const float f : c.reals("value_floats")) k.numbers.push_back({0, static_cast<double>(f), true});
    } else if (const attribute_view sparse = c.attribute("sparse_value"); sparse.exists()) {
        return sparse_constant(c.graph().graph(), c.services(), sparse.child(field::attribute::sparse_tensor));
    } else {
        c.refuse("a constant that is not a tensor of numbers", "value, sparse_value, value_int(s) or value_float(s)");
    }
    if (c.has_attribute("value_ints") || c.has_attribute("value_floats"))
        k.shape.push_back(static_cast<std::int64_t>(k.size()));
    return c.constant(tensor_of(k));
}

inline expr import_constant_of_shape(node_context& c) {
    const std::optional<tensor> given = c.tensor_attribute("value");
    if (given && given->size() != 1) c.refuse("a value of " + std::to_string(given->size()) + " elements", "one");
    const expr value = given ? c.constant(given->reshaped({})) : c.number(0, dtype::float32);
    const std::optional<dims> shape = c.known_integers(0);
    if (!all_known(shape)) return relay::dyn::full(value, c.input(0), c.element(value));
    return relay::full(value, {.shape = *shape, .dtype = c.element(value)});
}

inline expr import_shape(node_context& c) {
    const expr x = c.input(0);
    const dims shape = c.shape(x);
    const auto rank = static_cast<std::int64_t>(shape.size());
    const auto within = [&](std::int64_t i) {
        if (i < 0) i += rank;
        return i < 0 ? 0 : i > rank ? rank : i;
    };
    const std::int64_t start = within(c.integer("start", 0));
    const std::int64_t end = std::max(within(c.integer("end", rank)), start);
    known_values k;
    k.shape.push_back(end - start);
    for (std::int64_t i = start; i < end; ++i) {
        const dim d = shape[static_cast<std::size_t>(i)];
        k.numbers.push_back({d.is_any() ? 0 : d.value(), 0, !d.is_any()});
    }
    if (k.complete()) return c.constant(tensor_of(k));
    expr all = relay::shape_of(x, {.dtype = dtype::int64});
    if (start != 0 || end != rank)
        all = relay::strided_slice(all, {.begin = dims{start}, .end = dims{end}, .strides = dims{1}, .axes = dims{0}});
    c.services().note_known(all.id, std::move(k));
    return all;
}

inline expr import_size(node_context& c) {
    const dims shape = c.shape(c.input(0));
    if (const auto count = relay::element_count({shape.begin(), shape.size()}))
        return c.number(static_cast<double>(*count), dtype::int64);
    return relay::ndarray_size(c.input(0), {.dtype = dtype::int64});
}

inline expr import_reshape(node_context& c) {
    const expr x = c.input(0);
    const bool zero_is_size = c.flag("allowzero");
    std::optional<dims> shape = c.opset() < 5 ? c.integers("shape") : c.known_integers(1);
    if (!shape) {
        return relay::dyn::reshape(x, c.input(1), {.allowzero = zero_is_size});
    }
    const std::size_t unknown = count_unknown(*shape);
    bool has_rest = false;
    for (const dim d : *shape) has_rest = has_rest || (!d.is_any() && d.value() == -1);
    if (unknown == 0) {
        for (const dim d : *shape)
            if (d.value() < -1) c.refuse("a size of " + std::to_string(d.value()), "-1 or more");
        return relay::reshape(x, {.newshape = *shape, .allowzero = zero_is_size});
    }
    // a single unknown size follows from the other sizes, even if its run-time value is 0, which keeps the data's size
    if (unknown == 1 && !has_rest) {
        for (dim& d : *shape)
            if (d.is_any()) d = -1;
        return relay::reshape(x, {.newshape = *shape, .allowzero = zero_is_size});
    }
    return relay::dyn::reshape(x, c.input(1), {.allowzero = zero_is_size});
}

inline expr import_flatten(node_context& c) {
    const expr x = c.input(0);
    const dims shape = c.shape(x);
    const auto rank = static_cast<std::int64_t>(shape.size());
    std::int64_t axis = c.integer("axis", 1);
    if (axis < -rank || axis > rank)
        c.refuse("axis " + std::to_string(axis) + " of a tensor of rank " + std::to_string(rank),
                 "one from " + std::to_string(-rank) + " to " + std::to_string(rank));
    if (axis < 0) axis += rank;
    if (axis == 1 && is_static({shape.begin(), shape.size()})) return nn::batch_flatten(x);
    const auto split = static_cast<std::size_t>(axis);
    const dim rows = product({shape.begin(), split});
    const dim columns = product({shape.begin() + split, shape.size() - split});
    if (!rows.is_any())
        return relay::reshape(x, {.newshape = dims{rows, columns.is_any() ? dim(-1) : columns}, .allowzero = true});
    if (!columns.is_any()) return relay::reshape(x, {.newshape = dims{-1, columns}, .allowzero = true});
    const expr sizes = shape_list(c, x);
    const expr first = relay::prod(first_of(sizes, axis), {.keepdims = true});
    return relay::dyn::reshape(x, relay::concatenate(c.tuple({first, c.list(dims{-1})})));
}

inline expr import_transpose(node_context& c) { return relay::transpose(c.input(0), {.axes = c.integers("perm")}); }

// Returns the node's axes, which were an attribute before version 13. Returns nothing if they are omitted or an axis is
// unknown.
inline std::optional<dims> axes_of(node_context& c) {
    const std::optional<dims> axes = c.opset() < 13 ? c.integers("axes") : c.known_integers(1);
    return all_known(axes) ? axes : std::nullopt;
}

inline expr import_squeeze(node_context& c) {
    const expr x = c.input(0);
    const std::optional<dims> axes = axes_of(c);
    if (axes) return relay::squeeze(x, {.axis = *axes});
    if (!c.has(1)) return relay::squeeze(x);
    const auto rank = c.signed_rank(x);
    const std::int64_t count = c.size(c.input(1), 0);
    const expr mask = axis_mask(c, c.input(1), c.rank(x));
    return relay::dyn::reshape(x, sizes_left(c, shape_list(c, x), mask, rank - count));
}

inline expr import_unsqueeze(node_context& c) {
    const expr x = c.input(0);
    const dims shape = c.shape(x);
    const std::optional<dims> axes = axes_of(c);
    if (axes) {
        const std::size_t rank = shape.size() + axes->size();
        plain_vector<char> is_new(rank, 0);
        for (const dim a : *axes) {
            const auto at = static_cast<std::size_t>(c.axis_of(a.value(), rank));
            if (is_new[at] != 0) c.refuse("axis " + std::to_string(a.value()) + " twice", "each once");
            is_new[at] = 1;
        }
        expr made = x;
        for (std::size_t i = 0; i < rank; ++i)
            if (is_new[i] != 0) made = relay::expand_dims(made, {.axis = static_cast<std::int64_t>(i)});
        return made;
    }
    // each new size is 1 where the mask is true, else the next size of `x`; the product with a triangular matrix of
    // ones counts the preceding axes that are not in the mask
    const std::int64_t rank = static_cast<std::int64_t>(shape.size()) + c.size(c.input(1), 0);
    if (rank > 64) c.refuse("a result of rank " + std::to_string(rank), "64 at most, where the axes are not known");
    const expr mask = axis_mask(c, c.input(1), static_cast<std::size_t>(rank));
    if (shape.empty()) return relay::dyn::reshape(x, relay::cast(mask, {.dtype = dtype::int64}));
    dims before;
    for (std::int64_t i = 0; i < rank * rank; ++i) before.push_back(i % rank < i / rank ? 1 : 0);
    const expr triangle = relay::reshape(c.list(before), {.newshape = dims{rank, rank}});
    const expr old = relay::cast(relay::logical_not(mask), {.dtype = dtype::int64});
    const expr place = relay::sum(relay::multiply(triangle, old), {.axis = dims{1}});
    const expr sizes = relay::take(shape_list(c, x), place, {.axis = dim(0)});
    return relay::dyn::reshape(x, relay::where(mask, c.number(1, dtype::int64), sizes));
}

inline expr import_concat(node_context& c) {
    plain_vector<expr_id> parts;
    for (std::size_t i = 0; i < c.input_count(); ++i) parts.push_back(c.input(i).id);
    if (parts.empty()) c.refuse("has no inputs", "one or more");
    const std::int64_t axis = c.opset() < 4 ? c.integer("axis", 1) : c.integer("axis");
    return relay::concatenate(c.tuple(parts), {.axis = c.axis_of(axis, c.rank(c.input(0)))});
}

// Splits an axis into `count` parts whose sizes are computed at run time. Each part starts at the end of the previous
// part.
inline plain_vector<expr_id> split_at_run_time(node_context& c, expr x, std::int64_t axis, std::int64_t count,
                                               expr sizes) {
    const auto rank = c.rank(x);
    const auto at = [&](expr value, std::int64_t others) {
        plain_vector<expr_id> places;
        for (std::size_t k = 0; k < rank; ++k)
            places.push_back(static_cast<std::int64_t>(k) == axis ? value.id : c.list(dims{others}).id);
        return places.size() == 1 ? c.of(places[0]) : relay::concatenate(c.tuple(places));
    };
    expr begin = c.list(dims{0});
    plain_vector<expr_id> parts;
    for (std::int64_t i = 0; i < count; ++i) {
        const expr size =
            relay::strided_slice(sizes, {.begin = dims{i}, .end = dims{i + 1}, .strides = dims{1}, .axes = dims{0}});
        const expr end = relay::add(begin, size);
        parts.push_back(
            relay::dyn::strided_slice(x, at(begin, 0), at(end, (std::int64_t{1} << 60) - 1), at(c.list(dims{1}), 1))
                .id);
        begin = end;
    }
    return parts;
}

// Returns the sizes of `count` parts of an axis of unknown size. The parts are equal, except that the last ones may be
// smaller.
inline expr sizes_of_equal_parts(node_context& c, expr x, std::int64_t axis, std::int64_t count) {
    const expr size = integer_at(c, shape_list(c, x), axis);
    const expr part = relay::floor_divide(relay::add(size, int64_number(c, count - 1)), int64_number(c, count));
    const expr left = relay::subtract(size, relay::multiply(c.counted(0, count), part));
    return relay::maximum(relay::minimum(left, part), int64_number(c, 0));
}

// Splits an axis into parts of known sizes.
inline plain_vector<expr_id> split_by_sizes(node_context& c, expr x, std::int64_t axis, const dims& sizes) {
    dims places;
    std::int64_t at = 0;
    for (std::size_t i = 0; i + 1 < sizes.size(); ++i) {
        const std::int64_t size = sizes[i].value();
        if (size < 0 || __builtin_add_overflow(at, size, &at))
            c.refuse("a part of " + std::to_string(size), "0 or more");
        places.push_back(at);
    }
    const expr all = relay::split(x, {.indices_or_sections = one_or_more(places), .axis = axis});
    plain_vector<expr_id> parts;
    for (std::uint32_t i = 0; i < sizes.size(); ++i) parts.push_back(all[i].id);
    return parts;
}

inline expr import_split(node_context& c) {
    const expr x = c.input(0);
    const std::int64_t axis = c.axis_of(c.integer("axis", 0), c.rank(x));
    const std::optional<dims> sizes = c.opset() < 13 ? c.integers("split") : c.known_integers(1);
    const auto count = static_cast<std::int64_t>(c.output_count());
    if (count == 0) c.refuse("no outputs", "one or more");
    plain_vector<expr_id> parts;
    if (c.opset() >= 13 && c.has(1) && !all_known(sizes)) {
        parts = split_at_run_time(c, x, axis, count, c.cast_to(c.input(1), dtype::int64));
    } else if (!sizes && c.has_attribute("num_outputs")) {
        // The parts are equal, except that the last ones may be smaller.
        if (c.integer("num_outputs") != count)
            c.refuse("num_outputs of " + std::to_string(c.integer("num_outputs")), std::to_string(count) + ", as many");
        if (count == 1) return x;
        const dim whole = c.shape(x)[static_cast<std::size_t>(axis)];
        if (whole.is_any()) {
            parts = split_at_run_time(c, x, axis, count, sizes_of_equal_parts(c, x, axis, count));
        } else {
            const std::int64_t size = whole.value(), part = (size + count - 1) / count;
            dims parts_of;
            for (std::int64_t i = 0; i < count; ++i)
                parts_of.push_back(std::max<std::int64_t>(0, std::min(part, size - i * part)));
            parts = split_by_sizes(c, x, axis, parts_of);
        }
    } else if (!sizes) {
        if (count == 1) return x;
        const expr all = relay::split(x, {.indices_or_sections = count, .axis = axis});
        for (std::uint32_t i = 0; i < c.output_count(); ++i) parts.push_back(all[i].id);
    } else {
        if (static_cast<std::int64_t>(sizes->size()) != count)
            c.refuse(std::to_string(sizes->size()) + " sizes for " + std::to_string(count) + " outputs", "as many");
        parts = split_by_sizes(c, x, axis, *sizes);
    }
    for (std::size_t i = 0; i < parts.size(); ++i) c.output(i, c.of(parts[i]));
    return c.of(expr_id::none);
}

// Returns the sizes that an Expand requests, with `?` for unknown sizes. The list may concatenate known and unknown
// sizes. Returns nothing if all are unknown.
inline std::optional<dims> requested_sizes(node_context& c) {
    const graph& g = c.graph().graph();
    const expr_id list = c.input(1).id;
    if (!calls<op::concatenate>(g, list) || g.kind(g.arguments(list)[0]) != expr_kind::tuple)
        return c.known_integers(1);
    dims all;
    for (const expr_id part : g.operands(g.arguments(list)[0])) {
        const std::optional<known_values> known = c.known(c.of(part));
        const dims shape = c.shape(c.of(part));
        if (!known && (shape.size() != 1 || shape[0].is_any() || shape[0].value() > known_values::most))
            return std::nullopt;
        for (const dim d : known ? known->integers() : dims(static_cast<std::size_t>(shape[0].value()), dim::any()))
            all.push_back(d);
        if (all.size() > static_cast<std::size_t>(known_values::most)) return std::nullopt;
    }
    return all;
}

// Reshapes a tensor that is expanded at run time. Its type then contains all sizes that follow from its shape before
// the expansion (`own`) and from the requested shape (`asked`).
inline expr with_expanded_sizes(node_context& c, expr made, const dims& own, const dims& asked) {
    const std::size_t rank = std::max(own.size(), asked.size());
    dims sizes(rank, 0); // reshape keeps a size if the new size is 0
    bool some = false;
    for (std::size_t i = 0; i < rank; ++i) {
        const dim a = i + own.size() < rank ? dim(1) : own[i + own.size() - rank];
        const dim b = i + asked.size() < rank ? dim(1) : asked[i + asked.size() - rank];
        if (!b.is_any() && b.value() < 0) c.refuse("a size of " + std::to_string(b.value()), "0 or more");
        if (!a.is_any() && a.value() > 1)
            sizes[i] = a;
        else if (!b.is_any() && (b.value() > 1 || a.same_number(1)))
            sizes[i] = b;
        some = some || sizes[i].value() != 0;
    }
    return some ? relay::reshape(made, {.newshape = sizes}) : made;
}

// Imports Expand, which broadcasts in both directions: where the requested size is 1, the input keeps its size.
inline expr import_expand(node_context& c) {
    const expr x = c.input(0);
    const dims shape = c.shape(x);
    const std::optional<dims> wanted = requested_sizes(c);
    if (wanted && is_static({shape.begin(), shape.size()}) && all_known(wanted)) {
        const std::size_t rank = std::max(shape.size(), wanted->size());
        dims out;
        for (std::size_t i = 0; i < rank; ++i) {
            const dim a = i + shape.size() < rank ? dim(1) : shape[i + shape.size() - rank];
            const dim b = i + wanted->size() < rank ? dim(1) : (*wanted)[i + wanted->size() - rank];
            if (b.value() < 0) c.refuse("a size of " + std::to_string(b.value()), "0 or more");
            out.push_back(a.value() == 1 ? b : a);
        }
        return relay::broadcast_to(x, {.shape = out});
    }
    const expr list = c.cast_to(c.input(1), dtype::int64);
    const auto rank = static_cast<std::int64_t>(shape.size());
    const std::int64_t wanted_rank = c.size(list, 0);
    const auto padded = [&](expr sizes, std::int64_t missing) {
        if (missing <= 0) return sizes;
        return relay::concatenate(c.tuple({c.list(dims(static_cast<std::size_t>(missing), 1)), sizes}));
    };
    const expr own = padded(shape_list(c, x), wanted_rank - rank);
    const expr asked = padded(list, rank - wanted_rank);
    // the requested size, which may be 0, replaces the input's size of 1
    const expr sizes = relay::where(relay::equal(own, c.number(1, dtype::int64)), asked, own);
    const expr made = relay::dyn::broadcast_to(x, sizes);
    return wanted ? with_expanded_sizes(c, made, shape, *wanted) : made;
}

// Returns the tensor with a size of 0 along `axis`.
inline expr emptied(node_context& c, expr x, std::int64_t axis) {
    if (dims shape = c.shape(x); is_static({shape.begin(), shape.size()})) {
        shape[static_cast<std::size_t>(axis)] = 0;
        return relay::full(c.number(0, c.element(x)), {.shape = shape});
    }
    return relay::take(x, c.list(dims{}), {.axis = dim(axis)});
}

inline expr import_tile(node_context& c) {
    if (std::optional<dims> reps = c.known_integers(1); all_known(reps)) {
        expr x = c.input(0);
        for (std::size_t i = 0; i < reps->size(); ++i) {
            dim& d = (*reps)[i];
            if (d.value() < 0) c.refuse("repeats of " + std::to_string(d.value()), "0 or more");
            if (d.value() != 0 || reps->size() != c.rank(x)) continue;
            x = emptied(c, x, static_cast<std::int64_t>(i));
            d = 1;
        }
        return relay::tile(x, {.reps = *reps});
    }
    return relay::dyn::tile(c.input(0), c.input(1));
}

inline expr import_slice(node_context& c) {
    const expr x = c.input(0);
    const std::size_t rank = c.rank(x);
    std::optional<dims> begin, end, axes, steps;
    if (c.opset() < 10) {
        begin = c.integers("starts");
        end = c.integers("ends");
        axes = c.integers("axes");
    } else {
        begin = c.known_integers(1);
        end = c.known_integers(2);
        axes = c.known_integers(3);
        steps = c.known_integers(4);
    }
    const bool by_inputs = c.opset() >= 10;
    const bool known = all_known(begin) && all_known(end) && (!(by_inputs && c.has(3)) || all_known(axes)) &&
                       (!(by_inputs && c.has(4)) || all_known(steps));
    if (!axes) {
        axes = dims{};
        const std::size_t count = begin       ? begin->size()
                                  : by_inputs ? static_cast<std::size_t>(c.size(c.input(1), 0))
                                              : 0;
        for (std::size_t i = 0; i < count; ++i) axes->push_back(static_cast<std::int64_t>(i));
    }
    if (!known) {
        if (!by_inputs) c.refuse("has no starts or ends", "both");
        const bool axes_known = !c.has(3) || all_known(c.known_integers(3));
        if (!axes_known) {
            // the axes are known only at run time: for each slice, a mask selects the slice's axis
            const expr mask_axes = c.cast_to(c.input(3), dtype::int64);
            const std::int64_t count = c.size(c.input(1), 0);
            dims all;
            for (std::size_t i = 0; i < rank; ++i) all.push_back(static_cast<std::int64_t>(i));
            const expr positive = from_front(c, mask_axes, int64_number(c, c.signed_rank(x)));
            expr starts = c.list(dims(rank, 0)), ends = c.list(dims(rank, (std::int64_t{1} << 60) - 1)),
                 strides = c.list(dims(rank, 1));
            for (std::int64_t i = 0; i < count; ++i) {
                const auto element = [&](std::size_t input) {
                    return relay::take(c.cast_to(c.input(input), dtype::int64),
                                       c.number(static_cast<double>(i), dtype::int64), {.axis = dim(0)});
                };
                const expr here =
                    relay::equal(c.list(all), relay::take(positive, c.number(static_cast<double>(i), dtype::int64),
                                                          {.axis = dim(0)}));
                starts = relay::where(here, element(1), starts);
                ends = relay::where(here, element(2), ends);
                if (c.has(4)) strides = relay::where(here, element(4), strides);
            }
            return relay::dyn::strided_slice(x, starts, ends, strides);
        }
        const auto spread = [&](std::size_t input, std::int64_t otherwise) {
            plain_vector<expr_id> parts;
            for (std::size_t axis = 0; axis < rank; ++axis) {
                expr part = c.list(dims{otherwise});
                for (std::size_t i = 0; i < axes->size(); ++i)
                    if (c.has(input) && c.axis_of((*axes)[i].value(), rank) == static_cast<std::int64_t>(axis)) {
                        const auto at = static_cast<std::int64_t>(i);
                        part = relay::strided_slice(
                            c.cast_to(c.input(input), dtype::int64),
                            {.begin = dims{at}, .end = dims{at + 1}, .strides = dims{1}, .axes = dims{0}});
                    }
                parts.push_back(part.id);
            }
            return parts.size() == 1 ? c.of(parts[0]) : relay::concatenate(c.tuple(parts));
        };
        return relay::dyn::strided_slice(x, spread(1, 0), spread(2, (std::int64_t{1} << 60) - 1), spread(4, 1));
    }
    if (!steps) steps = dims(begin->size(), 1);
    if (begin->size() != end->size() || begin->size() != axes->size() || begin->size() != steps->size())
        c.refuse("lists of different lengths", "starts, ends, axes and steps for the same axes");
    expr data = x;
    dims kept_axes, kept_begin, kept_end, kept_steps;
    for (std::size_t i = 0; i < axes->size(); ++i) {
        (*axes)[i] = c.axis_of((*axes)[i].value(), rank);
        const std::int64_t step = (*steps)[i].value();
        if (step == 0) c.refuse("a step of 0", "a non-zero step");
        const dim size = c.shape(x)[static_cast<std::size_t>((*axes)[i].value())];
        const auto keep = [&](dim first, dim last) {
            kept_axes.push_back((*axes)[i]);
            kept_begin.push_back(first);
            kept_end.push_back(last);
            kept_steps.push_back((*steps)[i]);
        };
        if (size.is_any()) {
            const std::int64_t first = (*begin)[i].value(), last = (*end)[i].value();
            if ((first < 0) == (last < 0) && (step > 0 ? last <= first : first <= last)) // empty for any size
                data = emptied(c, data, (*axes)[i].value());
            else
                keep(first, last);
            continue;
        }
        // limits begin and end to the axis
        const std::int64_t n = size.value();
        const auto within = [&](dim at, std::int64_t least) {
            const std::int64_t p = at.value() < 0 ? at.value() + n : at.value(), most = step > 0 ? n : n - 1;
            return p > most ? most : p < least ? least : p;
        };
        const std::int64_t first = within((*begin)[i], 0), last = within((*end)[i], step > 0 ? 0 : -1);
        if (n == 0 || (step > 0 ? last <= first : first <= last))
            data = emptied(c, data, (*axes)[i].value());
        else
            keep(first, last == -1 ? -1 - n : last); // -1 here means before the first element
    }
    if (kept_axes.empty()) return data;
    return relay::strided_slice(data, {.begin = kept_begin, .end = kept_end, .strides = kept_steps, .axes = kept_axes});
}

inline expr import_depth_to_space(node_context& c) {
    return nn::depth_to_space(c.input(0), {.block_size = c.integer("blocksize"), .mode = c.text("mode", "DCR")});
}
inline expr import_space_to_depth(node_context& c) {
    return nn::space_to_depth(c.input(0), {.block_size = c.integer("blocksize")});
}

} // namespace detail

/// Rules for operators that create tensors, or change the shape or the order of elements.
inline constexpr import_rule movement_rules[]{
    {"Concat", detail::import_concat},
    {"Constant", detail::import_constant},
    {"ConstantOfShape", detail::import_constant_of_shape},
    {"DepthToSpace", detail::import_depth_to_space},
    {"Expand", detail::import_expand},
    {"Flatten", detail::import_flatten},
    {"Reshape", detail::import_reshape},
    {"Shape", detail::import_shape},
    {"Size", detail::import_size},
    {"Slice", detail::import_slice},
    {"SpaceToDepth", detail::import_space_to_depth},
    {"Split", detail::import_split},
    {"Squeeze", detail::import_squeeze},
    {"Tile", detail::import_tile},
    {"Transpose", detail::import_transpose},
    {"Unsqueeze", detail::import_unsqueeze},
};

} // namespace tutti::relay::inline TUTTI_FORM::onnx
