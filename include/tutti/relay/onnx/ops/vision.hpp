#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/onnx/node_context.hpp>
#include <tutti/relay/onnx/ops/dynamic_shape.hpp>
#include <tutti/relay/onnx/rule.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/cast.hpp>
#include <tutti/relay/op/compare.hpp>
#include <tutti/relay/op/create.hpp>
#include <tutti/relay/op/detection.hpp>
#include <tutti/relay/op/dyn.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/index.hpp>
#include <tutti/relay/op/reduce.hpp>
#include <tutti/relay/op/region.hpp>
#include <tutti/relay/op/reshape.hpp>
#include <tutti/relay/op/shape.hpp>
#include <tutti/relay/op/slice.hpp>
#include <tutti/relay/op/tuple.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::onnx {

/// Returns the positions of the true elements of a mask as int64, in order.
inline expr places_where(node_context& c, expr mask) {
    const dtype type = dtype::int64;
    const expr zero = c.number(0, type);
    const expr count = c.cast_to(relay::reshape(shape_list(c, mask), {.newshape = dims{}}), type);
    const expr all = relay::arange(zero, count, c.number(1, type), {.dtype = type});
    // sorts true elements first, and keeps the order within the true and within the false elements
    const expr order = relay::argsort(relay::where(mask, all, relay::add(all, count)), {.axis = 0, .dtype = type});
    const expr there = relay::sum(relay::cast(mask, {.dtype = type}), {.keepdims = true});
    return relay::dyn::strided_slice(order, c.list(dims{0}), there, c.list(dims{1}));
}

namespace detail {

inline expr import_compress(node_context& c) {
    expr x = c.input(0);
    const bool whole = !c.has_attribute("axis");
    if (whole) x = relay::reshape(x, {.newshape = dims{-1}});
    const std::int64_t axis = whole ? 0 : c.axis_of(c.integer("axis"), c.rank(x));
    return relay::take(x, places_where(c, c.cast_to(c.input(1), dtype::boolean)), {.axis = dim(axis)});
}

inline expr import_non_zero(node_context& c) {
    const expr x = c.input(0);
    const std::size_t rank = c.rank(x);
    const expr mask = relay::not_equal(relay::reshape(x, {.newshape = dims{-1}}), c.number(0, c.element(x)));
    expr place = places_where(c, mask);
    if (rank == 0) return relay::reshape(place, {.newshape = dims{1, -1}});
    plain_vector<expr_id> rows(rank);
    for (std::size_t i = rank; i-- > 0;) { // the last axis varies fastest
        const expr size = c.number(static_cast<double>(c.size(x, i)), dtype::int64);
        rows[i] = relay::expand_dims(relay::floor_mod(place, size), {.axis = 0}).id;
        place = relay::floor_divide(place, size);
    }
    return relay::concatenate(c.tuple(rows));
}

/// Converts boxes from centres and sizes to corners.
inline expr corners_of(node_context& c, expr boxes) {
    const auto columns = [&](std::int64_t first) {
        return relay::strided_slice(
            boxes, {.begin = dims{first}, .end = dims{first + 2}, .strides = dims{1}, .axes = dims{2}});
    };
    const expr centre = columns(0);
    const expr half = relay::multiply(columns(2), c.number(0.5, c.element(boxes)));
    return relay::concatenate(c.tuple({relay::subtract(centre, half), relay::add(centre, half)}), {.axis = 2});
}

/// Replaces scores by positive scores in the same order, or by -1 if they are not above a threshold. The suppression
/// operator drops scores of -1 or less and ignores scores of 0 or less.
inline expr positive_scores(node_context& c, expr scores, std::optional<expr> threshold) {
    const expr order =
        relay::argsort(scores, {.axis = -1, .is_ascend = false, .dtype = dtype::int64}); // the best score comes first
    const expr rank = relay::argsort(order, {.axis = -1, .dtype = dtype::int64});
    const expr positive =
        relay::divide(c.number(1, dtype::float32),
                      relay::add(relay::cast(rank, {.dtype = dtype::float32}), c.number(1, dtype::float32)));
    if (!threshold) return positive;
    return relay::where(relay::greater(scores, *threshold), positive, c.number(-1, dtype::float32));
}

/// Returns the next greater float32. Requires: the number is not negative.
inline expr next_above(node_context& c, expr x) {
    const expr bits = relay::reinterpret(x, {.dtype = dtype::int32});
    return relay::reinterpret(relay::add(bits, c.number(1, dtype::int32)), {.dtype = dtype::float32});
}

inline expr import_non_max_suppression(node_context& c) {
    expr boxes = c.input(0);
    expr scores = c.input(1);
    if (c.rank(boxes) != 3) c.refuse("boxes of rank " + std::to_string(c.rank(boxes)), "3: images, boxes, coordinates");
    if (c.flag("center_point_box")) boxes = corners_of(c, boxes);
    const auto scalar = [&](std::size_t i) {
        return c.rank(c.input(i)) == 0 ? c.input(i) : relay::reshape(c.input(i), {.newshape = dims{}});
    };
    const std::optional<double> known_most = c.has(2) ? c.known_number_of(2) : 0;
    if (known_most && *known_most <= 0) return c.constant(tensor(dtype::int64, {0, 3})); // no boxes are kept
    const expr most = scalar(2);

    // ONNX drops boxes that overlap by more than the threshold. The operator also drops boxes whose overlap equals it,
    // and it rejects a threshold of zero.
    const std::optional<double> known_overlap = c.has(3) ? c.known_number_of(3) : 0;
    constexpr auto least = std::numeric_limits<float>::min();
    const expr overlap =
        known_overlap
            ? c.number(
                  static_cast<double>(std::fmax(
                      std::nextafter(static_cast<float>(*known_overlap), std::numeric_limits<float>::max()), least)),
                  dtype::float32)
            : relay::maximum(next_above(c, scalar(3)), c.number(static_cast<double>(least), dtype::float32));

    const std::optional<double> known_score = c.has(4) ? c.known_number_of(4) : std::nullopt;
    expr threshold = c.number(0, dtype::float32);
    if (known_score && *known_score >= 0)
        threshold = scalar(4);
    else
        scores = positive_scores(c, scores, c.has(4) ? std::optional(scalar(4)) : std::nullopt);

    const expr found = vision::all_class_non_max_suppression(boxes, scores, most, overlap, threshold);
    expr count = found[1];
    if (!known_most) {
        const expr zero = c.number(0, c.element(most));
        count = relay::where(relay::greater(most, zero), count, c.list(dims{0}));
    }
    const expr end = relay::concatenate(c.tuple({count, c.list(dims{3})}));
    return relay::dyn::strided_slice(found[0], c.list(dims{0, 0}), end, c.list(dims{1, 1}));
}

inline expr import_roi_align(node_context& c) {
    const expr x = c.input(0);
    const dtype type = c.element(x);
    const double scale = c.real("spatial_scale", 1);
    if (!(scale > 0)) c.refuse("a spatial_scale of " + std::to_string(scale), "a positive one");
    const std::string_view mode = c.text("mode", "avg");
    const bool half_pixel = c.opset() >= 16 && c.text("coordinate_transformation_mode", "half_pixel") == "half_pixel";
    expr regions = c.input(1);
    if (half_pixel) regions = relay::subtract(regions, c.number(0.5 / scale, c.element(regions)));
    const expr images = relay::expand_dims(c.cast_to(c.input(2), type), {.axis = 1});
    const expr rows = relay::concatenate(c.tuple({images, regions}), {.axis = 1});
    const std::int64_t ratio = c.integer("sampling_ratio", 0);
    return relay::vision::roi_align(x, rows,
                                    {.pooled_size = dims{c.integer("output_height", 1), c.integer("output_width", 1)},
                                     .spatial_scale = scale,
                                     .sample_ratio = ratio <= 0 ? -1 : ratio,
                                     .mode = mode});
}

inline expr import_max_roi_pool(node_context& c) {
    const std::optional<dims> pooled = c.integers("pooled_shape");
    if (!pooled || pooled->size() != 2) c.refuse("no pooled_shape of two sizes", "the height and width of the result");
    return relay::vision::roi_pool(c.input(0), c.input(1),
                                   {.pooled_size = *pooled, .spatial_scale = c.real("spatial_scale", 1)});
}

} // namespace detail

/// Rules for operators that select elements, boxes or regions of images. The sizes of results may depend on values.
inline constexpr import_rule vision_rules[]{
    {"Compress", detail::import_compress},
    {"MaxRoiPool", detail::import_max_roi_pool},
    {"NonMaxSuppression", detail::import_non_max_suppression},
    {"NonZero", detail::import_non_zero},
    {"RoiAlign", detail::import_roi_align},
};

} // namespace tutti::relay::inline TUTTI_FORM::onnx
