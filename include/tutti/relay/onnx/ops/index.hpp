#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/onnx/node_context.hpp>
#include <tutti/relay/onnx/ops/dynamic_shape.hpp>
#include <tutti/relay/onnx/rule.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/compare.hpp>
#include <tutti/relay/op/create.hpp>
#include <tutti/relay/op/dyn.hpp>
#include <tutti/relay/op/gather.hpp>
#include <tutti/relay/op/index.hpp>
#include <tutti/relay/op/reshape.hpp>
#include <tutti/relay/op/scan.hpp>
#include <tutti/relay/op/scatter.hpp>
#include <tutti/relay/op/search.hpp>
#include <tutti/relay/op/sequence.hpp>
#include <tutti/relay/op/shape.hpp>
#include <tutti/relay/op/slice.hpp>
#include <tutti/relay/op/transpose.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::onnx {

/// Makes the indices into an axis of `data` nonnegative. `size` is the size of the axis, or `?`. Known indices are
/// returned unchanged if none is negative.
inline expr indices_from_front(node_context& c, expr indices, dim size, expr data, std::int64_t axis) {
    if (const std::optional<known_values> k = c.known(indices); k && k->complete()) {
        bool below = false;
        for (const known_number& n : k->numbers) below = below || n.integer < 0;
        if (!below) return indices;
    }
    const dtype type = c.element(indices);
    if (type >= dtype::uint8 && type <= dtype::uint64) return indices;
    const expr count = !size.is_any()
                           ? c.number(static_cast<double>(size.value()), type)
                           : c.cast_to(relay::take(relay::shape_of(data, {.dtype = dtype::int64}),
                                                   c.number(static_cast<double>(axis), dtype::int64), {.axis = dim(0)}),
                                       type);
    return from_front(c, indices, count);
}

namespace detail {

inline expr import_gather(node_context& c) {
    const expr x = c.input(0);
    const std::int64_t axis = c.axis_of(c.integer("axis", 0), c.rank(x));
    const expr indices = indices_from_front(c, c.input(1), c.shape(x)[static_cast<std::size_t>(axis)], x, axis);
    return relay::take(x, indices, {.axis = dim(axis), .mode = "fast"}); // "fast": an index out of range is an error
}

inline expr import_one_hot(node_context& c) {
    const expr values = c.input(2);
    const auto value = [&](std::int64_t i) {
        return relay::take(values, c.number(static_cast<double>(i), dtype::int64), {.axis = dim(0)});
    };
    const dtype type = c.element(values);
    expr indices = c.input(0);
    if (kernel::is_floating(c.element(indices))) indices = relay::cast(indices, {.dtype = dtype::int64});
    const dtype index = c.element(indices);
    const std::int64_t axis = c.integer("axis", -1);
    expr depth = c.input(1);
    if (c.rank(depth) != 0) depth = relay::reshape(depth, {.newshape = dims{}});
    const std::optional<double> known = c.known_number_of(1);
    const expr size = known ? c.number(*known, index) : c.cast_to(depth, index);
    const expr places = from_front(c, indices, size);
    if (known && !(*known >= 1 && *known < 1e15)) c.refuse("a depth of " + std::to_string(*known), "1 or more");
    if (known)
        return relay::one_hot(places, value(1), value(0),
                              {.depth = static_cast<std::int64_t>(*known), .axis = axis, .dtype = type});
    return relay::dyn::one_hot(places, value(1), value(0), c.cast_to(depth, dtype::int64),
                               {.axis = axis, .dtype = type});
}

inline expr import_top_k(node_context& c) {
    const expr x = c.input(0);
    topk_attributes a{.axis = c.axis_of(c.integer("axis", -1), c.rank(x)),
                      .is_ascend = !c.flag("largest", true),
                      .dtype = dtype::int64};
    std::optional<dims> k;
    if (c.opset() < 10)
        k = dims{c.integer("k")};
    else
        k = c.known_integers(1);
    expr both = x;
    if (k && k->size() == 1 && !(*k)[0].is_any()) {
        a.k = std::optional<dim>((*k)[0]);
        both = relay::topk(x, a);
    } else {
        both = relay::dyn::topk(x, relay::reshape(c.input(1), {.newshape = dims{1}}), a);
    }
    c.output(1, both[1]);
    return both[0];
}

// Returns, for each element of a matrix, the number of columns by which it lies to the right of the diagonal.
inline expr right_of_diagonal(node_context& c, std::int64_t rows, std::int64_t columns) {
    if (rows > (1 << 24) || columns > (1 << 24))
        c.refuse("a matrix of that size", "fewer than 16,777,216 rows and columns");
    const expr row = relay::reshape(c.counted(0, rows), {.newshape = dims{rows, 1}, .allowzero = true});
    return relay::subtract(c.counted(0, columns), row);
}

inline expr import_trilu(node_context& c) {
    const expr x = c.input(0);
    const std::size_t rank = c.rank(x);
    if (rank < 2) c.refuse("a tensor of rank " + std::to_string(rank), "matrices");
    expr k = c.has(1) ? c.input(1) : c.number(0, dtype::int64);
    if (c.rank(k) != 0) k = relay::reshape(k, {.newshape = dims{}});
    const expr right = right_of_diagonal(c, c.size(x, rank - 2), c.size(x, rank - 1));
    const expr kept = c.flag("upper", true) ? relay::greater_equal(right, k) : relay::less_equal(right, k);
    return relay::where(kept, x, c.number(0, c.element(x)));
}

inline expr import_eye_like(node_context& c) {
    const expr x = c.input(0);
    if (c.rank(x) != 2) c.refuse("a tensor of rank " + std::to_string(c.rank(x)), "a matrix");
    const dtype type = c.has_attribute("dtype") ? c.type_of_number(c.integer("dtype")) : c.element(x);
    const expr right = right_of_diagonal(c, c.size(x, 0), c.size(x, 1));
    return relay::cast(relay::equal(right, c.number(static_cast<double>(c.integer("k", 0)), dtype::int64)),
                       {.dtype = type});
}

inline expr import_gather_elements(node_context& c) {
    const expr x = c.input(0);
    const std::int64_t axis = c.axis_of(c.integer("axis", 0), c.rank(x));
    const dims shape = c.shape(x), wanted = c.shape(c.input(1));
    const auto at = static_cast<std::size_t>(axis);
    // Along axes other than `axis`, there may be fewer indices than data. Data past the indices is ignored.
    dims axes, ends;
    bool unknown = false;
    for (std::size_t i = 0; i < shape.size() && i < wanted.size(); ++i) {
        if (i == at) continue;
        unknown = unknown || shape[i].is_any() || wanted[i].is_any();
        const bool fewer = !shape[i].is_any() && !wanted[i].is_any() && wanted[i].value() < shape[i].value();
        if (!fewer || wanted[i].value() == 0) continue;
        axes.push_back(static_cast<std::int64_t>(i));
        ends.push_back(wanted[i]);
    }
    expr data = x;
    if (unknown && shape.size() == wanted.size()) { // at run time, there may be fewer indices than data
        dims here(shape.size(), 0);
        here[at] = 1;
        const expr is_axis = c.cast_to(c.list(here), dtype::boolean);
        const expr end = relay::where(is_axis, shape_list(c, x), shape_list(c, c.input(1)));
        data = relay::dyn::strided_slice(x, c.list(dims(shape.size(), 0)), end, c.list(dims(shape.size(), 1)));
    } else if (!axes.empty()) {
        data = relay::strided_slice(
            x, {.begin = dims(axes.size(), 0), .end = ends, .strides = dims(axes.size(), 1), .axes = axes});
    }
    return relay::gather(data, c.input(1), {.axis = dim(axis)}); // negative indices count from the end
}

// Makes negative indices nonnegative. The last axis of `places` holds one index for each axis of `x` from `first` on.
inline expr places_from_front(node_context& c, expr places, expr x, std::int64_t first) {
    const dims shape = c.shape(x);
    const std::int64_t count = c.size(places, c.rank(places) - 1), rank = c.signed_rank(x);
    if (count < 0 || first < 0 || count > rank - first)
        c.refuse("indices of " + std::to_string(count) + " components after axis " + std::to_string(first),
                 "at most the number of axes");
    const expr all = c.cast_to(shape_list(c, x), c.element(places));
    const expr sizes = relay::strided_slice(
        all, {.begin = dims{first}, .end = dims{first + count}, .strides = dims{1}, .axes = dims{0}});
    return from_front(c, places, sizes);
}

// Moves the coordinates of each position from the last axis to the first, where Relay's operators expect them.
inline expr numbers_first(node_context& c, expr places) {
    dims order{c.signed_rank(places) - 1};
    for (std::int64_t i = 0; i + 1 < c.signed_rank(places); ++i) order.push_back(i);
    return relay::transpose(places, {.axes = order});
}

inline expr import_gather_nd(node_context& c) {
    const expr x = c.input(0), indices = c.input(1);
    if (c.rank(indices) == 0) c.refuse("indices of rank 0", "rank 1 or more");
    const std::int64_t batch = c.integer("batch_dims", 0);
    const std::int64_t count = c.size(indices, c.rank(indices) - 1);
    return relay::gather_nd(x, numbers_first(c, places_from_front(c, indices, x, batch)),
                            {.batch_dims = batch, .index_rank = dim(count)});
}

// Combines `x` with updates by scatter_nd. An update is written at its own coordinates, but its index replaces the
// coordinate along `axis`.
inline expr scattered(node_context& c, expr x, expr indices, std::int64_t axis, std::string_view how) {
    const dims shape = c.shape(indices);
    plain_vector<expr_id> places;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (static_cast<std::int64_t>(i) == axis) {
            const expr wide = c.cast_to(indices, dtype::int64);
            places.push_back(from_front(c, wide, int64_number(c, c.size(x, i))).id);
            continue;
        }
        dims along(shape.size(), 1);
        along[i] = c.extent(indices, i);
        const expr own = relay::reshape(c.counted(0, along[i].value()), {.newshape = along});
        places.push_back(relay::broadcast_to(own, {.shape = shape}).id);
    }
    return relay::scatter_nd(x, relay::stack(c.tuple(places), {.axis = 0}), c.input(2), how);
}

inline expr import_scatter(node_context& c) {
    const expr x = c.input(0);
    const std::int64_t axis = c.axis_of(c.integer("axis", 0), c.rank(x));
    const expr indices = c.input(1); // negative indices count from the end
    const std::string_view how = c.text("reduction", "none");
    if (how == "add") return relay::scatter_add(x, indices, c.input(2), {.axis = axis});
    if (how == "mul" || how == "max" || how == "min") return scattered(c, x, indices, axis, how);
    if (how != "none") c.refuse("reduction `" + std::string(how) + "`", "none, add, mul, max or min");
    return relay::scatter(x, indices, c.input(2), {.axis = axis});
}

inline expr import_scatter_nd(node_context& c) {
    const expr x = c.input(0), indices = c.input(1);
    const std::string_view how = c.text("reduction", "none");
    if (how != "none" && how != "add" && how != "mul" && how != "max" && how != "min")
        c.refuse("reduction `" + std::string(how) + "`", "none, add, mul, max or min");
    if (c.rank(indices) == 0) c.refuse("indices of rank 0", "rank 1 or more");
    const expr places = numbers_first(c, places_from_front(c, indices, x, 0));
    return relay::scatter_nd(x, places, c.input(2), how == "none" ? "update" : how);
}

// Imports a cumulative operator along a known axis.
template <expr (*Make)(expr, const scan_attributes&)>
expr accumulated(node_context& c, expr x, std::int64_t axis) {
    const bool backwards = c.flag("reverse");
    const expr data = backwards ? relay::reverse(x, {.axis = dim(axis)}) : x;
    const expr made = Make(data, {.axis = axis, .exclusive = c.flag("exclusive")});
    return backwards ? relay::reverse(made, {.axis = dim(axis)}) : made;
}
template <expr (*Make)(expr, const scan_attributes&)>
expr import_accumulation(node_context& c) {
    const expr x = c.input(0);
    const std::int64_t rank = c.signed_rank(x);
    if (const std::optional<dims> axes = c.known_integers(1); axes && is_static({axes->begin(), axes->size()})) {
        if (axes->size() != 1) c.refuse(std::to_string(axes->size()) + " axes", "one");
        return accumulated<Make>(c, x, c.axis_of((*axes)[0].value(), c.rank(x)));
    }
    // The axis is known only at run time: computes the results along every axis and selects one.
    if (rank == 0) c.refuse("a tensor of rank 0", "one with an axis");
    const expr given = relay::reshape(c.cast_to(c.input(1), dtype::int64), {.newshape = dims{}});
    expr chosen = accumulated<Make>(c, x, rank - 1);
    for (std::int64_t axis = rank - 2; axis >= 0; --axis) {
        const expr is_it = relay::logical_or(relay::equal(given, int64_number(c, axis)),
                                             relay::equal(given, int64_number(c, axis - rank)));
        chosen = c.of(c.graph().graph().conditional(is_it.id, accumulated<Make>(c, x, axis).id, chosen.id));
    }
    return chosen;
}

inline expr import_reverse_sequence(node_context& c) {
    return relay::reverse_sequence(c.input(0), c.input(1),
                                   {.seq_axis = c.integer("time_axis", 0), .batch_axis = c.integer("batch_axis", 1)});
}

inline expr import_range(node_context& c) {
    const auto number = [&](std::size_t i) {
        return c.rank(c.input(i)) == 0 ? c.input(i) : relay::reshape(c.input(i), {.newshape = dims{}});
    };
    return relay::arange(number(0), number(1), number(2), {.dtype = c.element(c.input(0))});
}

// Returns the position of each row of a matrix in the lexicographic order of the distinct rows. Equal rows have equal
// positions.
inline expr numbers_of_rows(node_context& c, expr rows) {
    constexpr std::int64_t most_columns = 1024;
    const std::int64_t count = c.size(rows, 0);
    const std::int64_t columns = c.size(rows, 1);
    if (columns < 1 || columns > most_columns)
        c.refuse("slices of " + std::to_string(columns) + " elements", "1 to 1,024");
    std::optional<expr> numbers;
    for (std::int64_t i = 0; i < columns; ++i) {
        const expr at = c.number(static_cast<double>(i), dtype::int64);
        const expr column = relay::unique(relay::take(rows, at, {.axis = dim(1)}))[2];
        const expr wide = relay::cast(column, {.dtype = dtype::int64});
        const expr scale = c.number(static_cast<double>(count), dtype::int64);
        numbers = !numbers ? wide
                           : relay::cast(relay::unique(relay::add(relay::multiply(*numbers, scale), wide))[2],
                                         {.dtype = dtype::int64});
    }
    return *numbers;
}

inline expr import_unique(node_context& c) {
    const expr x = c.input(0);
    const bool sorted = c.flag("sorted", true);
    const bool flat = !c.has_attribute("axis") || c.rank(x) == 1;
    expr data = flat ? relay::reshape(x, {.newshape = dims{-1}}) : x;
    std::int64_t axis = 0;
    if (!flat) {
        axis = c.axis_of(c.integer("axis"), c.rank(x));
        dims order{axis};
        for (std::int64_t i = 0; i < c.signed_rank(x); ++i)
            if (i != axis) order.push_back(i);
        const expr first = relay::transpose(x, {.axes = order});
        data = numbers_of_rows(c, relay::nn::batch_flatten(first));
    }
    const expr all = relay::unique(data, {.sorted = sorted, .return_counts = true});
    const expr none = c.list(dims{0});
    const expr one = c.list(dims{1});
    const auto found = [&](std::uint32_t i) { return relay::dyn::strided_slice(all[i], none, all[3], one); };
    const auto places = [&](expr e) { return relay::cast(e, {.dtype = dtype::int64}); };
    c.output(1, places(found(1)));
    c.output(2, places(all[2]));
    c.output(3, places(found(4)));
    return flat ? found(0) : relay::take(x, found(1), {.axis = dim(axis)});
}

} // namespace detail

/// Rules for operators that select elements.
inline constexpr import_rule index_rules[]{
    {"CumProd", detail::import_accumulation<relay::cumprod>},
    {"CumSum", detail::import_accumulation<relay::cumsum>},
    {"EyeLike", detail::import_eye_like},
    {"Gather", detail::import_gather},
    {"GatherElements", detail::import_gather_elements},
    {"GatherND", detail::import_gather_nd},
    {"OneHot", detail::import_one_hot},
    {"Range", detail::import_range},
    {"ReverseSequence", detail::import_reverse_sequence},
    {"Scatter", detail::import_scatter},
    {"ScatterElements", detail::import_scatter},
    {"ScatterND", detail::import_scatter_nd},
    {"TopK", detail::import_top_k},
    {"Trilu", detail::import_trilu},
    {"Unique", detail::import_unique},
};

} // namespace tutti::relay::inline TUTTI_FORM::onnx
