#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/onnx/node_context.hpp>
#include <tutti/relay/onnx/ops/dynamic_shape.hpp>
#include <tutti/relay/onnx/ops/elementwise.hpp>
#include <tutti/relay/onnx/rule.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/compare.hpp>
#include <tutti/relay/op/create.hpp>
#include <tutti/relay/op/dense.hpp>
#include <tutti/relay/op/dyn.hpp>
#include <tutti/relay/op/image.hpp>
#include <tutti/relay/op/image_sampling.hpp>
#include <tutti/relay/op/reduce.hpp>
#include <tutti/relay/op/reshape.hpp>
#include <tutti/relay/op/shape.hpp>
#include <tutti/relay/op/slice.hpp>
#include <tutti/relay/op/transpose.hpp>
#include <tutti/relay/op/tuple.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::onnx {

namespace detail {

// The rounding of opset 10 for nearest elements: up if the result is smaller, otherwise down.
inline constexpr std::string_view simple_rounding = "simple";

// The coordinates of mode half_pixel_symmetric. They equal those of half_pixel if no size is rounded.
inline constexpr std::string_view half_pixel_symmetric = "half_pixel_symmetric";

// The parameters of a resize.
struct resizing {
    std::string_view mode = "nearest";
    std::string_view coordinates = "half_pixel";
    std::string_view rounding = "round_prefer_floor";
    double cubic = -0.75;
    bool exclude_outside = false;
    double extrapolation = 0;
    bool antialias = false; // true to make each element of a smaller result a weighted mean
};

// Creates the matrix of weights that resizes an axis of size n. It has one row for each element of the result. It is
// used for scales that do not match the result's size, and for scales that are known only at run time.
class resizing_matrix {
public:
    resizing_matrix(node_context& c, const resizing& how, std::int64_t n) : c_(&c), how_(&how), n_(n) {}

    // Returns the matrix. `scale` is a scalar. `places` are the positions in the result. `last` is the last position,
    // which may be fractional if the node has scales.
    expr operator()(expr scale, expr places, expr last) {
        const expr at = relay::reshape(coordinate(scale, places, last), {.newshape = dims{-1, 1}});
        if (how_->antialias) return antialiased(at, scale);
        if (how_->mode == "cubic") return cubic(at);
        const expr within =
            relay::minimum(relay::maximum(rounded(at, scale), number(0)), number(static_cast<double>(n_ - 1)));
        const expr apart = relay::abs(relay::subtract(within, indices(0, n_)));
        if (how_->mode == "nearest") return relay::cast(relay::less(apart, number(0.5)), {.dtype = type});
        return relay::maximum(relay::subtract(number(1), apart), number(0));
    }

    static constexpr dtype type = dtype::float32;

private:
    expr number(double value) { return c_->number(value, type); }
    expr indices(std::int64_t first, std::int64_t end) { return c_->counted(first, end - first, type); }

    expr coordinate(expr scale, expr places, expr last) {
        const std::string_view mode = how_->coordinates;
        const expr half = number(0.5);
        const auto halves = [&] { return relay::divide(relay::add(places, half), scale); };
        const expr one_only = relay::less(relay::floor(last), half);
        if (mode == "asymmetric") return relay::divide(places, scale);
        if (mode == "tf_half_pixel_for_nn") return halves();
        if (mode == "half_pixel") return relay::subtract(halves(), half);
        if (mode == half_pixel_symmetric) { // shifts to compensate for rounding the size down
            const expr scaled = relay::add(last, number(1));
            const expr cut = relay::subtract(number(1), relay::divide(relay::floor(scaled), scaled));
            return relay::add(relay::subtract(halves(), half),
                              relay::multiply(number(static_cast<double>(n_) / 2), cut));
        }
        if (mode == "pytorch_half_pixel")
            return relay::where(one_only, relay::multiply(places, number(0)), relay::subtract(halves(), half));
        if (mode == "align_corners")
            return relay::divide(relay::multiply(places, number(static_cast<double>(n_ - 1))),
                                 relay::where(one_only, number(1), last));
        c_->refuse("coordinate_transformation_mode `" + std::string(mode) + "` with scales", "another mode, or sizes");
    }

    expr rounded(expr x, expr scale) {
        if (how_->mode != "nearest") return x;
        if (how_->rounding == simple_rounding)
            return relay::where(relay::less(scale, number(1)), relay::ceil(x), relay::floor(x));
        if (how_->rounding == "floor") return relay::floor(x);
        if (how_->rounding == "ceil") return relay::ceil(x);
        if (how_->rounding == "round_prefer_ceil") return relay::floor(relay::add(x, number(0.5)));
        return relay::ceil(relay::subtract(x, number(0.5)));
    }

    // Returns the cubic weights of elements at distances `t`.
    //
    // Source: Keys, "Cubic convolution interpolation for digital image processing", equation 15, with the coefficient
    //         as a parameter.
    expr cubic_weights(expr t) {
        const double a = how_->cubic;
        const expr square = relay::multiply(t, t), cube = relay::multiply(square, t);
        const expr near = relay::add(
            relay::subtract(relay::multiply(cube, number(a + 2)), relay::multiply(square, number(a + 3))), number(1));
        const expr far =
            relay::add(relay::subtract(relay::multiply(cube, number(a)), relay::multiply(square, number(5 * a))),
                       relay::subtract(relay::multiply(t, number(8 * a)), number(4 * a)));
        const expr outer = relay::where(relay::less(t, number(2)), far, number(0));
        return relay::where(relay::less_equal(t, number(1)), near, outer);
    }

    expr cubic(expr at) {
        expr weights = cubic_weights(relay::abs(relay::subtract(at, indices(-2, n_ + 2))));
        if (how_->exclude_outside) {
            weights = relay::strided_slice(
                weights, {.begin = dims{2}, .end = dims{n_ + 2}, .strides = dims{1}, .axes = dims{1}});
            return relay::divide(weights, relay::sum(weights, {.axis = dims{1}, .keepdims = true}));
        }
        tensor border(type, {n_, n_ + 4}); // on each side, two elements repeat the border
        float* const ones = border.mutable_data<float>();
        if (n_ != 0)
            for (std::int64_t e = -2; e < n_ + 2; ++e) ones[(e < 0 ? 0 : e >= n_ ? n_ - 1 : e) * (n_ + 4) + e + 2] = 1;
        return nn::dense(weights, c_->constant(std::move(border)));
    }

    // Returns the matrix for antialiasing. If the result is smaller, its elements are further apart. Distances are then
    // multiplied by the scale, so that more elements are within reach.
    expr antialiased(expr at, expr scale) {
        const bool cubic = how_->mode == "cubic";
        const expr shrink = relay::minimum(scale, number(1)), end = number(static_cast<double>(n_));
        const expr reach = relay::ceil(relay::divide(number(cubic ? 2 : 1), shrink));
        const expr place = relay::expand_dims(
            relay::arange(relay::negative(reach), relay::add(reach, end), number(1), {.dtype = type}), {.axis = 0});
        const expr t = relay::multiply(relay::abs(relay::subtract(at, place)), shrink);
        expr weights = cubic ? cubic_weights(t) : relay::maximum(relay::subtract(number(1), t), number(0));
        if (how_->exclude_outside) {
            const expr inside = relay::logical_and(relay::greater_equal(place, number(0)), relay::less(place, end));
            weights = relay::where(inside, weights, number(0));
        }
        weights = relay::divide(weights, relay::sum(weights, {.axis = dims{1}, .keepdims = true}));
        // positions outside the axis read the elements at the border
        const expr within = relay::minimum(relay::maximum(place, number(0)), number(static_cast<double>(n_ - 1)));
        const expr column = relay::reshape(indices(0, n_), {.newshape = dims{-1, 1}});
        return nn::dense(weights, c_->cast_to(relay::equal(within, column), type));
    }

    node_context* c_;
    const resizing* how_;
    std::int64_t n_;
};

// Multiplies a tensor along an axis by a matrix.
inline expr along(node_context& c, expr x, std::size_t axis, expr matrix) {
    const std::size_t rank = c.rank(x);
    const dtype type = c.element(x);
    dims order;
    for (std::size_t i = 0; i < rank; ++i)
        order.push_back(static_cast<std::int64_t>(i == axis ? rank - 1 : i + 1 == rank ? axis : i));
    const bool moves = axis + 1 != rank;
    expr data = c.cast_to(x, resizing_matrix::type);
    if (moves) data = relay::transpose(data, {.axes = order});
    data = nn::dense(data, matrix);
    if (moves) data = relay::transpose(data, {.axes = order});
    return c.cast_to(data, type);
}

inline constexpr std::int64_t most_by_matrix = 1 << 12; // limit on the sizes of an axis

// Resizes the axes one after another. `scales_or_sizes` are scales if they are floating-point numbers, otherwise sizes.
inline expr resize_by_matrix(node_context& c, expr x, const resizing& how, expr scales_or_sizes) {
    const std::size_t rank = c.rank(x);
    const bool sizes = !kernel::is_floating(c.element(scales_or_sizes));
    const std::optional<known_values> known = c.known(scales_or_sizes);
    const bool all_known = known && known->complete();
    const dtype type = resizing_matrix::type;
    for (std::size_t i = 0; i < rank; ++i) {
        if (all_known && !sizes && known->numbers[i].real == 1) continue;
        if (all_known && sizes && c.shape(x)[i].same_number(known->numbers[i].integer)) continue;
        const std::int64_t n = c.size(x, i);
        if (n > most_by_matrix)
            c.refuse((how.antialias ? "antialias" : "scales without sizes") + std::string(", for an axis of size ") +
                         std::to_string(n),
                     how.antialias ? "4,096 at most" : "sizes, or 4,096 at most");
        const expr place = c.number(static_cast<double>(i), dtype::int64),
                   whole = c.number(static_cast<double>(n), type);
        const expr given = c.cast_to(relay::take(scales_or_sizes, place, {.axis = dim(0)}), type);
        const expr scale = sizes ? relay::divide(given, whole) : given;
        const expr scaled = sizes ? given : relay::multiply(scale, whole);
        expr places = x;
        if (all_known) {
            const auto count = sizes ? known->numbers[i].integer
                                     : static_cast<std::int64_t>(std::floor(static_cast<float>(known->numbers[i].real) *
                                                                            static_cast<float>(n)));
            if (count < 0 || count > most_by_matrix)
                c.refuse("a size of " + std::to_string(count), sizes ? "0 to 4,096" : "0 to 4,096, or sizes");
            places = c.cast_to(c.counted(0, count), type);
        } else {
            places = relay::arange(c.number(0, type), relay::floor(scaled), c.number(1, type), {.dtype = type});
        }
        x = along(c, x, i, resizing_matrix(c, how, n)(scale, places, relay::subtract(scaled, c.number(1, type))));
    }
    return x;
}

template <class Attributes>
Attributes resize_attributes_of(const resizing& how, const dims& size) {
    Attributes a;
    a.size = size;
    a.method = how.mode == "nearest" ? "nearest_neighbor" : how.mode;
    a.coordinate_transformation_mode = how.coordinates;
    a.rounding_method = how.mode != "nearest" ? "" : how.rounding == simple_rounding ? "floor" : how.rounding;
    a.cubic_alpha = how.cubic;
    a.cubic_exclude = how.exclude_outside ? 1 : 0;
    a.extrapolation_value = how.extrapolation;
    return a;
}

// Returns the elements of a list that belong to the spatial axes.
inline expr spatial_part(expr list, std::int64_t first, std::int64_t end) {
    return relay::strided_slice(list, {.begin = dims{first}, .end = dims{end}, .strides = dims{1}, .axes = dims{0}});
}

inline expr resize_to(node_context& c, expr x, const resizing& how, const dims& size, const std::optional<expr>& roi) {
    std::optional<vector<double>> region;
    const auto rank = static_cast<std::int64_t>(size.size()) + 2;
    if (how.coordinates == "tf_crop_and_resize") {
        const std::optional<known_values> k = roi ? c.known(*roi) : std::nullopt;
        if (!k || !k->complete() || static_cast<std::int64_t>(k->size()) != 2 * rank) {
            if (!roi || rank != 4) c.refuse("a region that is not known", "roi as a constant");
            return relay::dyn::image::resize2d(
                x, c.list(size),
                relay::concatenate(c.tuple({spatial_part(*roi, 2, rank), spatial_part(*roi, rank + 2, 2 * rank)})),
                resize_attributes_of<resize2d_attributes>(how, size));
        }
        region.emplace();
        // The operator's region of a volume begins with the innermost axis.
        for (const std::int64_t first : {std::int64_t{2}, rank + 2})
            for (std::int64_t i = 0; i < rank - 2; ++i)
                region->push_back(k->numbers[static_cast<std::size_t>(first + (rank == 5 ? 2 - i : i))].real);
    }
    const auto with = [&](auto a) {
        a.roi = region;
        return a;
    };
    switch (size.size()) {
    case 1:
        return relay::image::resize1d(x, with(resize_attributes_of<resize1d_attributes>(how, size)));
    case 2:
        return relay::image::resize2d(x, with(resize_attributes_of<resize2d_attributes>(how, size)));
    case 3:
        return relay::image::resize3d(x, with(resize_attributes_of<resize3d_attributes>(how, size)));
    default:
        c.refuse("a tensor of rank " + std::to_string(rank), "3, 4 or 5");
    }
}

// Resizes the spatial axes to sizes that are computed at run time. A row is resized as an image of height 1.
inline expr resize_to_computed(node_context& c, expr x, const resizing& how, expr size,
                               const std::optional<expr>& roi) {
    const std::size_t rank = c.rank(x);
    if (rank == 3 && !roi) {
        const expr sizes = relay::concatenate(c.tuple({c.list(dims{1}), size}));
        return relay::squeeze(resize_to_computed(c, relay::expand_dims(x, {.axis = 2}), how, sizes, roi),
                              {.axis = dims{2}});
    }
    if (rank != 4)
        c.refuse("sizes that are not known, of a tensor of rank " + std::to_string(rank), "images, or known sizes");
    const expr region = roi ? relay::concatenate(c.tuple({spatial_part(*roi, 2, 4), spatial_part(*roi, 6, 8)}))
                            : c.constant(tensor(dtype::float32, {0}));
    return relay::dyn::image::resize2d(x, size, c.cast_to(region, dtype::float32),
                                       resize_attributes_of<resize2d_attributes>(how, {}));
}

// Returns the scales of one or two spatial axes if a spatial size is unknown and all scales are integers. The scales
// then take the place of the result's sizes. Otherwise returns an empty list.
inline dims whole_scales(const known_values& scales, const dims& shape) {
    dims whole;
    if ((shape.size() != 3 && shape.size() != 4) || is_static({shape.begin() + 2, shape.size() - 2})) return whole;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const double scale = scales.numbers[i].real;
        if (i < 2 ? scale != 1 : !(scale >= 1 && scale < 1e9 && scale == std::floor(scale))) return {};
        if (i >= 2) whole.push_back(static_cast<std::int64_t>(scale));
    }
    return whole;
}

inline expr resize(node_context& c, expr x, const resizing& asked, std::optional<expr> scales,
                   std::optional<expr> sizes, const std::optional<expr>& roi) {
    const dims shape = c.shape(x);
    resizing how = asked; // for calls in which no size is rounded
    if (how.coordinates == half_pixel_symmetric) how.coordinates = "half_pixel";
    if (how.mode != "nearest" && how.mode != "linear" && how.mode != "cubic")
        c.refuse("mode `" + std::string(how.mode) + "`", "nearest, linear or cubic");
    const auto known = c.known(sizes ? *sizes : *scales);
    if (how.antialias) {
        if (how.coordinates == "tf_crop_and_resize") c.refuse("antialias with tf_crop_and_resize", "another mode");
        if (known && known->size() != shape.size())
            c.refuse(std::to_string(known->size()) + " sizes or scales",
                     "one for each axis, " + std::to_string(shape.size()));
        return resize_by_matrix(c, x, asked, sizes ? *sizes : *scales);
    }
    if (!known || !known->complete()) {
        if (!sizes) return resize_by_matrix(c, x, asked, *scales);
        const std::int64_t rank = c.signed_rank(x);
        return resize_to_computed(c, x, how, spatial_part(c.cast_to(*sizes, dtype::int64), 2, rank), roi);
    }
    if (known->size() != shape.size())
        c.refuse(std::to_string(known->size()) + " sizes or scales",
                 "one for each axis, " + std::to_string(shape.size()));
    const bool crops = how.coordinates == "tf_crop_and_resize";
    if (!sizes && !crops) {
        if (const dims whole = whole_scales(*known, shape); !whole.empty()) {
            const expr old = spatial_part(shape_list(c, x), 2, c.signed_rank(x));
            return resize_to_computed(c, x, how, relay::multiply(old, c.list(whole)), roi);
        }
    }
    dims size;
    bool exact = true;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        double wanted = 0;
        if (sizes) {
            wanted = static_cast<double>(known->numbers[i].integer);
        } else {
            const auto scale = static_cast<float>(known->numbers[i].real);
            if (i < 2 && scale == 1) continue;
            auto scaled = static_cast<double>(scale) * static_cast<double>(c.size(x, i));
            if (crops) { // scales are relative to the selected region
                const std::optional<known_values> region = roi ? c.known(*roi) : std::nullopt;
                if (!region || !region->complete() || region->size() != 2 * shape.size())
                    c.refuse("scales of a region that is not known", "roi as a constant, or sizes");
                scaled *= region->numbers[i + shape.size()].real - region->numbers[i].real;
            }
            wanted = std::floor(scaled);
            exact = exact && wanted == scaled && (scale >= 1 || how.rounding != simple_rounding);
        }
        if (!(wanted >= 0 && wanted < 1e15)) c.refuse("a size of " + std::to_string(wanted), "0 or more");
        if (i >= 2)
            size.push_back(static_cast<std::int64_t>(wanted));
        else
            exact = exact && (shape[i].is_any() || static_cast<double>(shape[i].value()) == wanted);
    }
    exact = exact || crops;
    if (exact && shape.size() >= 3) {
        const expr resized = resize_to(c, x, how, size, roi);
        if (!sizes || !(shape[0].is_any() || shape[1].is_any())) return resized;
        // Fails at run time if the batch or channel size differs from the requested size.
        return relay::reshape(resized, {.newshape = known->integers(), .allowzero = true});
    }
    if (sizes && shape.size() <= 3 && is_static({shape.begin(), shape.size()}) && !crops) {
        // resizes all axes like the axes of an image
        const dims all = known->integers();
        dims image{1, 1};
        for (const dim d : shape) image.push_back(d);
        const expr resized =
            resize_to(c, relay::reshape(x, {.newshape = image, .allowzero = true}), how, all, std::nullopt);
        return relay::reshape(resized, {.newshape = all, .allowzero = true});
    }
    if (sizes)
        c.refuse("other batches or channels, or a tensor of rank " + std::to_string(shape.size()),
                 "spatial axes that are resized");
    return resize_by_matrix(c, x, asked, *scales);
}

// Returns sizes that keep the input's aspect ratio. Depending on `policy`, they are at most or at least the requested
// sizes. Axes that the node does not resize keep their sizes.
inline expr sizes_of_ratio(node_context& c, expr sizes, std::string_view policy) {
    if (policy != "not_larger" && policy != "not_smaller")
        c.refuse("keep_aspect_ratio_policy `" + std::string(policy) + "`", "stretch, not_larger or not_smaller");
    const expr x = c.input(0);
    const std::size_t rank = c.rank(x);
    dims axes, is_resized(rank, 0);
    for (std::size_t i = 0; i < rank; ++i) axes.push_back(static_cast<std::int64_t>(i));
    axes = c.integers("axes", axes);
    for (dim& axis : axes) {
        axis = c.axis_of(axis.value(), rank);
        is_resized[static_cast<std::size_t>(axis.value())] = 1;
    }
    const expr own = shape_list(c, x), lengths = c.cast_to(own, dtype::float64);
    const expr ratios =
        relay::take(relay::divide(c.cast_to(sizes, dtype::float64), lengths), c.list(axes), {.axis = dim(0)});
    const expr ratio = policy == "not_larger" ? relay::min(ratios) : relay::max(ratios);
    const expr made = relay::floor(relay::add(relay::multiply(lengths, ratio), c.number(0.5, dtype::float64)));
    return relay::where(c.list(is_resized, dtype::boolean), c.cast_to(made, dtype::int64), own);
}

inline expr import_resize(node_context& c) {
    resizing how{.mode = c.text("mode", "nearest"),
                 .coordinates = c.opset() < 11 ? "asymmetric" : c.text("coordinate_transformation_mode", "half_pixel"),
                 .rounding = c.opset() < 11 ? simple_rounding : c.text("nearest_mode", "round_prefer_floor"),
                 .cubic = c.real("cubic_coeff_a", -0.75),
                 .exclude_outside = c.flag("exclude_outside"),
                 .extrapolation = c.real("extrapolation_value", 0)};
    if (c.opset() < 11) return resize(c, c.input(0), how, c.input(1), std::nullopt, std::nullopt);
    // an empty tensor also means that an input is omitted
    const auto given = [&](std::size_t i) -> std::optional<expr> {
        if (!c.has(i)) return std::nullopt;
        const dims shape = c.shape(c.input(i));
        return shape.size() == 1 && shape[0].same_number(0) ? std::nullopt : std::optional(c.input(i));
    };
    std::optional<expr> roi = how.coordinates == "tf_crop_and_resize" ? given(1) : std::nullopt;
    std::optional<expr> scales = given(2), sizes = given(3);
    how.antialias = c.flag("antialias") && how.mode != "nearest";
    if (const std::optional<dims> axes = c.integers("axes")) {
        const std::size_t rank = c.rank(c.input(0));
        const auto constant = [&](std::int64_t n, expr as) { return c.cast_to(c.list(dims(rank, n)), c.element(as)); };
        if (roi) {
            const auto count = static_cast<std::int64_t>(axes->size());
            roi = relay::concatenate(c.tuple({for_all_axes(c, *roi, *axes, constant(0, *roi)),
                                              for_all_axes(c, *roi, *axes, constant(1, *roi), count)}));
        }
        if (scales) scales = for_all_axes(c, *scales, *axes, constant(1, *scales));
        if (sizes) sizes = for_all_axes(c, *sizes, *axes, c.cast_to(shape_list(c, c.input(0)), c.element(*sizes)));
    }
    const std::string_view policy = c.text("keep_aspect_ratio_policy", "stretch");
    if (sizes && policy != "stretch") sizes = sizes_of_ratio(c, *sizes, policy);
    if (!scales && !sizes) c.refuse("has neither scales nor sizes", "one of them");
    return resize(c, c.input(0), how, scales, sizes, roi);
}

inline expr import_upsample(node_context& c) {
    const resizing how{.mode = c.text("mode", "nearest"), .coordinates = "asymmetric", .rounding = "floor"};
    if (c.opset() >= 9) return resize(c, c.input(0), how, c.input(1), std::nullopt, std::nullopt);
    known_values k;
    k.type = dtype::float32;
    for (const float f : c.reals("scales")) k.numbers.push_back({0, static_cast<double>(f), true});
    k.shape.push_back(static_cast<std::int64_t>(k.size()));
    return resize(c, c.input(0), how, c.constant(tensor_of(k)), std::nullopt, std::nullopt);
}

inline expr import_grid_sample(node_context& c) {
    const std::string_view mode = c.text("mode", c.opset() < 20 ? "bilinear" : "linear");
    const std::size_t rank = c.rank(c.input(0));
    if (rank != 4 && rank != 5) c.refuse("data of rank " + std::to_string(rank), "images or volumes, of rank 4 or 5");
    if (c.rank(c.input(1)) != rank)
        c.refuse("a grid of rank " + std::to_string(c.rank(c.input(1))), std::to_string(rank) + ", that of the data");
    const bool volumes = rank == 5;
    const dims order = volumes ? dims{0, 4, 1, 2, 3} : dims{0, 3, 1, 2}; // coordinates follow the batch
    return relay::image::grid_sample(c.input(0), relay::transpose(c.input(1), {.axes = order}),
                                     {.method = mode == "linear"  ? "bilinear"
                                                : mode == "cubic" ? "bicubic"
                                                                  : mode,
                                      .layout = volumes ? "NCDHW" : "NCHW",
                                      .padding_mode = c.text("padding_mode", "zeros"),
                                      .align_corners = c.flag("align_corners")});
}

} // namespace detail

/// Rules for operators that resize or sample images.
inline constexpr import_rule resize_rules[]{
    {"GridSample", detail::import_grid_sample},
    {"Resize", detail::import_resize},
    {"Upsample", detail::import_upsample},
};

} // namespace tutti::relay::inline TUTTI_FORM::onnx
