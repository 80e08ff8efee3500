#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/eval/kernels/cast.hpp>
#include <tutti/relay/eval/kernels/shape.hpp>
#include <tutti/relay/op/dense.hpp>
#include <tutti/relay/op/depth_to_space.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/image.hpp>
#include <tutti/relay/op/index.hpp>
#include <tutti/relay/op/layout.hpp>
#include <tutti/relay/op/pad.hpp>
#include <tutti/relay/op/pool.hpp>
#include <tutti/relay/op/qnn_function.hpp>
#include <tutti/relay/op/reduce.hpp>
#include <tutti/relay/op/reshape.hpp>
#include <tutti/relay/op/shape.hpp>
#include <tutti/relay/op/slice.hpp>
#include <tutti/relay/op/transpose.hpp>
#include <tutti/relay/op/tuple.hpp>
#include <tutti/relay/transform/rewrite/integer_call.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

/// A rule for calls of an operator with quantised arguments.
struct integer_rule {
    const op_def* op;
    bool (*make)(integer_call&);
    /// True if the operator is increasing and its result stays in the range of the argument. Clipping to the range of a
    /// later result may then precede the operator.
    bool monotone = false;
    /// True if a single call whose arguments come from qnn.dequantize is worth converting.
    bool alone = false;
};

namespace detail {

// The rules of FakeQuantizationToInteger. Where the reference's rule changes results by more than rounding, ours leaves
// the call unchanged, unless `as_reference` is set.

inline constexpr std::string_view of_several_scales = "its scales differ along an axis";
inline constexpr std::string_view of_unknown_result = "how its result is quantised is not known";
inline constexpr std::string_view of_large_products = "its products may be too large for int32";
inline constexpr std::string_view of_other_type = "its result and its inputs have different element types";

constexpr bool keep_integers(integer_call& c) { return c.result(c.rebuilt(), c.type(0)); }
constexpr bool keep_integers_of_one_scale(integer_call& c) {
    if (c.type(0).several && !c.as_reference()) return c.leave(of_several_scales);
    return keep_integers(c);
}

// Windows combine pixels, so all pixels must have one scale. Batches and channels may have several scales.
template <class Attributes>
constexpr bool keep_integers_of_image(integer_call& c) {
    const affine_type& t = c.type(0);
    if (t.several && !c.as_reference()) {
        const auto a = c.attributes<Attributes>();
        const auto axes = layout::parse(a.layout);
        const std::size_t rank = c.shape(0).size();
        const auto axis = static_cast<std::size_t>(t.axis < 0 ? t.axis + static_cast<std::int64_t>(rank) : t.axis);
        if (!axes || axes->rank() != rank || axis >= rank) return c.leave(of_several_scales);
        const char letter = axes->axes()[axis].letter;
        bool moves = false;
        if constexpr (requires { a.out_layout; }) moves = !a.out_layout.empty() && a.out_layout != a.layout;
        if (moves || (letter != 'N' && letter != 'C')) return c.leave(of_several_scales);
    }
    return keep_integers(c);
}

constexpr bool take_top(integer_call& c) {
    if (c.attributes<topk_attributes>().ret_type != "values") return c.leave("its result has indices");
    return keep_integers_of_one_scale(c);
}

constexpr bool split_integers(integer_call& c) {
    if (c.type(0).several && !c.as_reference()) return c.leave(of_several_scales);
    const graph& g = c.from();
    const std::size_t parts = g.types().fields(g.type(c.call())).size();
    const plain_vector<affine_type> types(parts, c.type(0));
    return c.result(c.rebuilt(), types.all());
}

// Stores in `out` the elements of a vector, shaped to broadcast along `axis` of a tensor of rank `rank`. False if
// the axis does not exist.
constexpr bool along_axis(const tensor& vector, std::int64_t axis, std::size_t rank, tensor& out) {
    const auto n = static_cast<std::int64_t>(rank);
    if (axis < -n || axis >= n) return false;
    kernel::extents shape(rank, 1);
    shape[static_cast<std::size_t>(axis < 0 ? axis + n : axis)] = vector.size();
    out.share(vector, shape);
    return true;
}

constexpr bool clip_integers(integer_call& c) {
    const auto a = c.attributes<clip_attributes>();
    const affine_type& t = c.type(0);
    const tensor scale = constant_in(c.to(), t.scale);
    const tensor zero = constant_in(c.to(), t.zero_point);
    if (scale.empty() || zero.empty()) return c.leave("its scale is not constant");
    if (scale.size() == 1 && zero.size() == 1) {
        const auto bound = [&](double x) {
            const double steps = x / number_at(scale, 0) + number_at(zero, 0);
            return kernel::element::trunc{}(steps);
        };
        return c.result(clip(c[0], {.a_min = bound(a.a_min), .a_max = bound(a.a_max)}), t);
    }
    if (scale.size() == 1) return c.leave("its zero points differ along an axis, its scale does not");
    const auto bound = [&](double x, expr& made) {
        tensor all;
        all.reset(dtype::float32, scale.shape());
        for (float& each : all.mutable_elements<float>()) each = static_cast<float>(x);
        tensor shaped;
        if (!along_axis(all, t.axis, c.shape(0).size(), shaped)) return false;
        made = qnn::quantize(c.constant(std::move(shaped)), c.scale(t), {.out_dtype = t.type, .axis = t.axis});
        return true;
    };
    expr least;
    expr greatest;
    if (!bound(a.a_min, least) || !bound(a.a_max, greatest)) return c.leave("its scale has no axis");
    return c.result(minimum(maximum(c[0], least), greatest), t);
}

constexpr bool relu_of_integers(integer_call& c) {
    const affine_type& t = c.type(0);
    const tensor zero = constant_in(c.to(), t.zero_point);
    const tensor scale = constant_in(c.to(), t.scale);
    if (zero.empty() || scale.empty() || scale.rank() > 1) return c.leave("its zero point is not constant");
    tensor least;
    kernel::cast(zero, t.type, least);
    if (scale.size() > 1 || zero.size() > 1) {
        tensor all;
        if (zero.size() == 1)
            kernel::broadcast_to(least, scale.shape(), all);
        else
            all = least;
        if (!along_axis(all, t.axis, c.shape(0).size(), least)) return c.leave("its scale has no axis");
    }
    return c.result(maximum(c[0], c.constant(std::move(least))), t);
}

// True if real constants, quantised with the scale and zero point of `t`, are in the range of `t`'s element type.
constexpr bool holds(integer_call& c, const tensor& real, const affine_type& t) {
    const tensor scale = constant_in(c.to(), t.scale);
    const tensor zero = constant_in(c.to(), t.zero_point);
    if (scale.empty() || zero.empty() || scale.size() != 1 || zero.size() != 1) return false;
    const kernel::integer_range range = kernel::values_of(t.type);
    for (std::int64_t i = 0; i < real.size(); ++i) {
        const double steps = number_at(real, i) / number_at(scale, 0) + number_at(zero, 0);
        if (!(steps >= static_cast<double>(range.least) - 0.5 && steps <= static_cast<double>(range.greatest) + 0.5))
            return false;
    }
    return true;
}

constexpr bool pad_integers(integer_call& c) {
    const affine_type& t = c.type(0);
    if (t.several && !c.as_reference()) return c.leave(of_several_scales);
    expr with = c[1];
    if (c.is_quantized(1)) {
        if (!c.same(t, c.type(1))) with = c.requantized(with, c.type(1), t, t.type);
    } else {
        const tensor value = c.real_constant(1);
        if (value.empty()) return c.leave("its padding value is not a constant");
        if (!holds(c, value, t) && !c.as_reference()) return c.leave("its padding value is out of range");
        with = qnn::quantize(with, c.scale(t), {.out_dtype = t.type});
    }
    return c.result(nn::pad(c[0], with, c.attributes<pad_attributes>()), t);
}

// Returns the argument as int32, in the required quantisation of the result if known, otherwise in the argument's own
// quantisation. Stores the quantisation in `as`.
inline TUTTI_CONSTEXPR expr summable(integer_call& c, affine_type& as) {
    const affine_type& t = c.type(0);
    as = c.wanted() != nullptr ? *c.wanted() : t;
    if (c.same(t, as)) return cast(c[0], {.dtype = dtype::int32});
    return c.requantized(c[0], t, as, dtype::int32);
}

template <auto Pool, class Attributes, bool Narrow>
constexpr bool average_integers(integer_call& c) {
    const auto a = c.attributes<Attributes>();
    if (c.type(0).several && !c.as_reference()) return c.leave(of_several_scales);
    if constexpr (requires { a.count_include_pad; }) {
        bool padded = false;
        for (const dim d : a.padding) padded = padded || !d.same_number(0);
        if (padded && a.count_include_pad && !c.as_reference()) return c.leave("it counts padding, which is not zero");
    }
    if (c.wanted() == nullptr && c.as_reference()) return c.leave(of_unknown_result);
    affine_type t;
    expr out = Pool(summable(c, t), a);
    if (Narrow && t.type != dtype::int32) {
        const kernel::integer_range range = kernel::values_of(t.type);
        out = clip(out, {.a_min = static_cast<double>(range.least), .a_max = static_cast<double>(range.greatest)});
        out = cast(out, {.dtype = t.type});
    } else {
        t.type = dtype::int32;
    }
    return c.result(out, t);
}

constexpr bool mean_of_integers(integer_call& c) {
    const affine_type& t = c.type(0);
    if (t.several && !c.as_reference()) return c.leave(of_several_scales);
    const expr sum = cast(c[0], {.dtype = dtype::int32});
    return c.result(cast(mean(sum, c.attributes<reduce_attributes>()), {.dtype = t.type}), t);
}

// Returns the quantisation of a product of two tensors: the product of the scales, and zero point 0.
constexpr affine_type product_type(integer_call& c, std::int64_t axis) {
    const expr scale = c.product_of_scales(c.type(0), c.type(1));
    return {.scale = scale.id,
            .zero_point = c.zeros_like_scale(scale).id,
            .type = dtype::int32,
            .axis = axis,
            .several = c.type(0).several || c.type(1).several};
}
// True if both operands have 8-bit elements, so that sums of products fit int32 without wrapping.
constexpr bool fits_sum(integer_call& c) {
    return c.as_reference() || (kernel::bytes(c.type(0).type) == 1 && kernel::bytes(c.type(1).type) == 1);
}
// True if the first operand has a single scale, and the second has a single scale or one per index along `axis`, the
// axis of the result's units.
constexpr bool fits_product(integer_call& c, std::int64_t axis) {
    if (c.as_reference()) return true;
    if (c.type(0).several) return false;
    const affine_type& w = c.type(1);
    const auto rank = static_cast<std::int64_t>(c.shape(1).size());
    return !w.several || w.axis == axis || w.axis == axis - rank;
}

constexpr bool dense_of_integers(integer_call& c) {
    if (!c.is_quantized(0) || !c.is_quantized(1)) return c.leave("one of its arguments is not quantised");
    if (!fits_product(c, 0)) return c.leave(of_several_scales);
    if (!fits_sum(c)) return c.leave(of_large_products);
    auto a = c.attributes<dense_attributes>();
    a.out_dtype = dtype::int32;
    const expr out = qnn::dense(c[0], c[1], c.scale(c.type(0)), c.scale(c.type(1)), a);
    const bool last = c.shape(0).size() != 2 && c.type(1).several && !c.as_reference();
    return c.result(out, product_type(c, last ? -1 : 1));
}

constexpr bool batch_matmul_of_integers(integer_call& c) {
    if (!c.is_quantized(0) || !c.is_quantized(1)) return c.leave("one of its arguments is not quantised");
    if ((c.type(0).several || c.type(1).several) && !c.as_reference()) return c.leave(of_several_scales);
    if (!fits_sum(c)) return c.leave(of_large_products);
    auto a = c.attributes<batch_matmul_attributes>();
    a.out_dtype = dtype::int32;
    const expr out = qnn::batch_matmul(c[0], c[1], c.scale(c.type(0)), c.scale(c.type(1)), a);
    affine_type t = product_type(c, c.type(0).axis);
    t.zero_point = scalar_constant(c.to(), dtype::int32, 0).id;
    return c.result(out, t);
}

// Returns the position of the channels in a layout.
constexpr std::int64_t channel_axis_of(std::string_view layout, char letter) {
    return static_cast<std::int64_t>(layout.find(letter));
}

template <auto Convolve, class Attributes>
constexpr bool convolution_of_integers(integer_call& c) {
    if (!c.is_quantized(0) || !c.is_quantized(1)) return c.leave("one of its arguments is not quantised");
    auto a = c.attributes<Attributes>();
    const std::string_view out_layout = a.out_layout.empty() ? a.data_layout : a.out_layout;
    if (out_layout.size() != 4 || a.kernel_layout.size() != 4) return c.leave("its layout is in blocks");
    if (!fits_product(c, channel_axis_of(a.kernel_layout, 'O'))) return c.leave(of_several_scales);
    if (!fits_sum(c)) return c.leave(of_large_products);
    if (c.type(1).several && !c.as_reference()) {
        const graph& g = c.from();
        const std::int64_t axis = channel_axis_of(out_layout, 'C');
        const dim channels = shape_of(g, c.call())[static_cast<std::size_t>(axis)];
        const dim scales = c.shape(1)[static_cast<std::size_t>(channel_axis_of(a.kernel_layout, 'O'))];
        if (scales.is_any() || !channels.same_number(scales.value())) return c.leave(of_several_scales);
    }
    a.out_dtype = dtype::int32;
    const expr out = Convolve(c[0], c[1], c.scale(c.type(0)), c.scale(c.type(1)), a);
    return c.result(out, product_type(c, channel_axis_of(out_layout, 'C')));
}

constexpr bool add_bias_to_integers(integer_call& c) {
    if (!c.is_quantized(0)) return c.leave("its data is not quantised");
    const affine_type& t = c.type(0);
    if (!c.as_reference() && (t.type != dtype::int32 || !c.is_zero(t.zero_point)))
        return c.leave("its data is not an int32 sum with zero point zero");
    expr bias = c[1];
    if (c.is_quantized(1)) {
        if (!c.same(t, c.type(1))) {
            if (t.several && !c.as_reference()) return c.leave(of_several_scales);
            bias = qnn::requantize(bias, c.scale(c.type(1)), c.scale(t), {.axis = 0, .out_dtype = t.type});
        }
    } else {
        if (c.real_constant(1).empty()) return c.leave("its bias is neither quantised nor a constant");
        bias = qnn::quantize(bias, c.scale(t), {.out_dtype = t.type, .axis = 0});
    }
    return c.result(nn::bias_add(c[0], bias, c.attributes<bias_add_attributes>()), t);
}

// Two operands and the quantisation of the result. One operand may be a constant, quantised like the other operand.
struct integer_pair {
    expr left;
    expr right;
    affine_type left_type;
    affine_type right_type;
    affine_type out;
};
constexpr bool pair_of(integer_call& c, integer_pair& p) {
    if (!c.is_quantized(0) && !c.is_quantized(1)) return c.leave("neither of its arguments is quantised");
    if (c.wanted() == nullptr) return c.leave(of_unknown_result);
    p.left = c[0];
    p.right = c[1];
    p.out = *c.wanted();
    const auto quantized = [&](std::size_t i, const affine_type& as, expr& made) {
        const tensor real = c.real_constant(i);
        if (real.empty()) return c.leave("one of its arguments is neither quantised nor a constant");
        if (!holds(c, real, as) && !c.as_reference()) return c.leave("a constant is out of the other's range");
        made = qnn::quantize(made, c.scale(as), {.out_dtype = as.type});
        return true;
    };
    p.left_type = c.is_quantized(0) ? c.type(0) : c.type(1);
    p.right_type = c.is_quantized(1) ? c.type(1) : c.type(0);
    if (!c.is_quantized(0) && !quantized(0, p.right_type, p.left)) return false;
    if (!c.is_quantized(1) && !quantized(1, p.left_type, p.right)) return false;
    if (p.left_type.type == p.out.type) return true;
    if (p.left_type.type != dtype::int32 && !c.as_reference()) return c.leave(of_other_type);
    p.out = p.left_type;
    return true;
}

constexpr bool has_several(const integer_pair& p) {
    return p.left_type.several || p.right_type.several || p.out.several;
}

template <auto Call, bool Sum>
constexpr bool arithmetic_of_integers(integer_call& c) {
    integer_pair p;
    if (!pair_of(c, p)) return false;
    if (Sum && p.left_type.type == dtype::int32 && c.same(p.left_type, p.right_type) && c.same(p.out, p.right_type) &&
        c.is_zero(p.out.zero_point))
        return c.result(add(p.left, p.right), p.out); // valid for any number of scales
    if (!c.as_reference()) {
        if (has_several(p)) return c.leave(of_several_scales);
        if (p.left_type.type != p.right_type.type) return c.leave("its arguments have different element types");
    }
    return c.result(Call(p.left, p.right, c.scale(p.left_type), c.scale(p.right_type), c.scale(p.out),
                         qnn_broadcast_attributes{.lhs_axis = p.left_type.axis, .rhs_axis = p.right_type.axis}),
                    p.out);
}

template <auto Call>
constexpr bool choice_of_integers(integer_call& c) {
    integer_pair p;
    if (!pair_of(c, p)) return false;
    if (has_several(p) && !c.as_reference()) return c.leave(of_several_scales);
    const auto brought = [&](expr e, const affine_type& t) {
        return c.same(t, p.out) && t.axis == p.out.axis ? e : c.requantized(e, t, p.out, p.out.type);
    };
    return c.result(Call(brought(p.left, p.left_type), brought(p.right, p.right_type)), p.out);
}

// True if the required quantisation fits a function whose result has the argument's element type.
constexpr bool fits_function(integer_call& c) {
    if (c.wanted() == nullptr) return c.leave(of_unknown_result);
    if (c.as_reference()) return true;
    if (c.type(0).several || c.wanted()->several) return c.leave(of_several_scales);
    if (c.type(0).type != c.wanted()->type && c.type(0).type != dtype::int32) return c.leave(of_other_type);
    return true;
}
constexpr bool function_result(integer_call& c, expr made) {
    affine_type t = *c.wanted();
    if (!c.as_reference()) t.type = c.type(0).type;
    return c.result(made, t);
}
template <const auto& Call>
constexpr bool function_of_integers(integer_call& c) {
    return fits_function(c) && function_result(c, Call(c[0], c.scale(c.type(0)), c.scale(*c.wanted())));
}
constexpr bool leaky_relu_of_integers(integer_call& c) {
    if (!fits_function(c)) return false;
    const qnn_leaky_relu_attributes a{.alpha = c.attributes<leaky_relu_attributes>().alpha};
    const expr in = c.as_reference() ? c.rebuilt() : c[0]; // the reference applies the slope twice
    const expr made = qnn::leaky_relu(in, c.scale(c.type(0)), c.scale(*c.wanted()), a);
    return c.as_reference() ? c.result(made, c.type(0)) : function_result(c, made);
}

constexpr bool concatenate_integers(integer_call& c) {
    if (c.wanted() == nullptr) return c.leave(of_unknown_result);
    affine_type t = *c.wanted();
    plain_vector<expr_id> scales;
    plain_vector<expr_id> zeros;
    for (const affine_type& each : c.types(0)) {
        if (!c.as_reference() && (each.several || t.several)) return c.leave(of_several_scales);
        if (!c.as_reference() && each.type != t.type) return c.leave(of_other_type);
        scales.push_back(each.scale);
        zeros.push_back(each.zero_point);
    }
    const qnn::scale in{{&c.to(), c.to().tuple(scales.all())}, {&c.to(), c.to().tuple(zeros.all())}};
    return c.result(qnn::concatenate(c[0], in, c.scale(t), c.attributes<concatenate_attributes>()), t);
}

} // namespace detail

/// Rules for operators with an integer counterpart, including nn.conv2d.
inline constexpr integer_rule integer_rules[]{
    {&definition<op::abs>, &detail::function_of_integers<qnn::abs>},
    {&definition<op::add>, &detail::arithmetic_of_integers<&qnn::add, true>},
    {&definition<op::broadcast_to>, &detail::keep_integers_of_one_scale, true, true},
    {&definition<op::clip>, &detail::clip_integers, true, true},
    {&definition<op::concatenate>, &detail::concatenate_integers},
    {&definition<op::erf>, &detail::function_of_integers<qnn::erf>},
    {&definition<op::exp>, &detail::function_of_integers<qnn::exp>},
    {&definition<op::expand_dims>, &detail::keep_integers_of_one_scale, true, true},
    {&definition<op::image::resize2d>, &detail::keep_integers_of_image<resize2d_attributes>, true},
    {&definition<op::log>, &detail::function_of_integers<qnn::log>},
    {&definition<op::max>, &detail::keep_integers_of_one_scale, true, true},
    {&definition<op::maximum>, &detail::choice_of_integers<&maximum>, true, true},
    {&definition<op::mean>, &detail::mean_of_integers},
    {&definition<op::min>, &detail::keep_integers_of_one_scale, true, true},
    {&definition<op::minimum>, &detail::choice_of_integers<&minimum>, true, true},
    {&definition<op::multiply>, &detail::arithmetic_of_integers<&qnn::mul, false>},
    {&definition<op::nn::adaptive_avg_pool1d>,
     &detail::average_integers<nn::adaptive_avg_pool1d, adaptive_pool1d_attributes, false>},
    {&definition<op::nn::avg_pool2d>, &detail::average_integers<nn::avg_pool2d, avg_pool2d_attributes, true>, false,
     true},
    {&definition<op::nn::batch_flatten>, &detail::keep_integers_of_one_scale, true, true},
    {&definition<op::nn::batch_matmul>, &detail::batch_matmul_of_integers, false, true},
    {&definition<op::nn::bias_add>, &detail::add_bias_to_integers, false, true},
    {&definition<op::nn::conv2d>, &detail::convolution_of_integers<&qnn::conv2d, conv2d_attributes>, false, true},
    {&definition<op::nn::conv2d_transpose>,
     &detail::convolution_of_integers<&qnn::conv2d_transpose, conv2d_transpose_attributes>, false, true},
    {&definition<op::nn::dense>, &detail::dense_of_integers, false, true},
    {&definition<op::nn::depth_to_space>, &detail::keep_integers_of_one_scale, true, true},
    {&definition<op::nn::global_avg_pool2d>,
     &detail::average_integers<&nn::global_avg_pool2d, global_pool2d_attributes, false>, false, true},
    {&definition<op::nn::leaky_relu>, &detail::leaky_relu_of_integers},
    {&definition<op::nn::max_pool2d>, &detail::keep_integers_of_image<max_pool2d_attributes>, true, true},
    {&definition<op::nn::pad>, &detail::pad_integers, true, true},
    {&definition<op::nn::relu>, &detail::relu_of_integers, true, true},
    {&definition<op::reshape>, &detail::keep_integers_of_one_scale, true, true},
    {&definition<op::rsqrt>, &detail::function_of_integers<qnn::rsqrt>},
    {&definition<op::sigmoid>, &detail::function_of_integers<qnn::sigmoid>},
    {&definition<op::split>, &detail::split_integers, true, true},
    {&definition<op::sqrt>, &detail::function_of_integers<qnn::sqrt>},
    {&definition<op::squeeze>, &detail::keep_integers_of_one_scale, true, true},
    {&definition<op::strided_slice>, &detail::keep_integers_of_one_scale, true, true},
    {&definition<op::subtract>, &detail::arithmetic_of_integers<&qnn::subtract, false>},
    {&definition<op::tanh>, &detail::function_of_integers<qnn::tanh>},
    {&definition<op::topk>, &detail::take_top, true},
    {&definition<op::transpose>, &detail::keep_integers_of_one_scale, true, true},
};

/// Returns the rule for an operator, or null.
constexpr const integer_rule* integer_rule_of(const op_def* op) {
    for (const integer_rule& rule : integer_rules)
        if (rule.op == op) return &rule;
    return nullptr;
}

} // namespace tutti::relay::inline TUTTI_FORM
