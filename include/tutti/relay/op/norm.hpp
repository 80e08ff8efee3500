#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/axis.hpp>
#include <tutti/relay/op/dim_math.hpp>
#include <tutti/relay/op/layout_rule_axes.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Attributes of nn.batch_norm. Without `center`, beta is 0. Without `scale`, gamma is 1.
struct batch_norm_attributes {
    std::int64_t axis = 1;
    double epsilon = 1e-5;
    bool center = true;
    bool scale = true;

    static constexpr option_list<&batch_norm_attributes::axis, &batch_norm_attributes::epsilon,
                                 &batch_norm_attributes::center, &batch_norm_attributes::scale>
        options{"axis", "epsilon", "center", "scale"};
};

/// Attributes of nn.softmax and nn.log_softmax: the normalised axis, counted from the end if negative.
struct softmax_attributes {
    std::int64_t axis = -1;

    static constexpr option_list<&softmax_attributes::axis> options{"axis"};
};

/// Attributes of nn.instance_norm, which are those of nn.batch_norm.
using instance_norm_attributes = batch_norm_attributes;

/// Attributes of nn.layer_norm, which are those of nn.batch_norm. The normalised axis is the last one by default.
struct layer_norm_attributes {
    std::int64_t axis = -1;
    double epsilon = 1e-5;
    bool center = true;
    bool scale = true;

    static constexpr option_list<&layer_norm_attributes::axis, &layer_norm_attributes::epsilon,
                                 &layer_norm_attributes::center, &layer_norm_attributes::scale>
        options{"axis", "epsilon", "center", "scale"};
};

/// Attributes of nn.group_norm: the number of groups of channels, and the attributes of nn.batch_norm.
struct group_norm_attributes {
    std::int64_t num_groups = 0;
    std::int64_t axis = 1;
    double epsilon = 1e-5;
    bool center = true;
    bool scale = true;

    static constexpr option_list<&group_norm_attributes::num_groups, &group_norm_attributes::axis,
                                 &group_norm_attributes::epsilon, &group_norm_attributes::center,
                                 &group_norm_attributes::scale>
        options{"num_groups", "axis", "epsilon", "center", "scale"};
};

/// Attributes of nn.lrn: the number of neighbours along the axis, and the constants of the formula.
struct lrn_attributes {
    std::int64_t size = 5;
    std::int64_t axis = 1;
    double bias = 2;
    double alpha = 1e-4;
    double beta = 0.75;

    static constexpr option_list<&lrn_attributes::size, &lrn_attributes::axis, &lrn_attributes::bias,
                                 &lrn_attributes::alpha, &lrn_attributes::beta>
        options{"size", "axis", "bias", "alpha", "beta"};
};

/// Attributes of nn.l2_normalize: the lower bound for the sum of squares, and the axes of the sum.
struct l2_normalize_attributes {
    required<double> eps{};
    required<std::optional<dims>> axis{};

    static constexpr option_list<&l2_normalize_attributes::eps, &l2_normalize_attributes::axis> options{"eps", "axis"};
};

namespace layout_rules {

/// Keeps the batch as the first axis, because each image is normalised separately.
TUTTI_CONSTEXPR bool instance_norm(layout_query& q);
/// Moves the attribute `axis` with the data's layout. The results are the normalised data and two vectors.
TUTTI_CONSTEXPR bool batch_norm(layout_query& q);

} // namespace layout_rules

namespace op::nn {

/// (x - mean) / sqrt(var + epsilon) · gamma + beta along an axis. The result is a tuple of this tensor, the mean and
/// the variance.
///
/// Source: Ioffe and Szegedy, "Batch Normalization", algorithm 2 (inference).
struct batch_norm {
    static constexpr bool rounds = true;
    static constexpr std::string_view name = "nn.batch_norm";
    static constexpr std::array<std::string_view, 5> arguments{"data", "gamma", "beta", "moving_mean", "moving_var"};
    using attributes = batch_norm_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::out_elementwise_fusable;
    static constexpr auto layout = &layout_rules::batch_norm;
    static constexpr auto precision = precision_rule::follow;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

/// Base of softmax and related operators. They work along an axis, and their result has the argument's type.
struct along_axis {
    static constexpr bool rounds = true;
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = softmax_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::out_elementwise_fusable;
    static constexpr auto shape_from = shape_source::first;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};
/// e^x divided by its sum along an axis.
struct softmax : along_axis, named<"nn.softmax", precision_rule::never> {};
/// The logarithm of softmax.
struct log_softmax : along_axis, named<"nn.log_softmax"> {};
/// Softmax, approximately.
struct fast_softmax : along_axis, named<"nn.fast_softmax"> {};

/// Base of normalisations that compute mean and variance from the data. Gamma and beta are vectors along an axis.
struct self_normalizing {
    static constexpr bool rounds = true;
    static constexpr std::array<std::string_view, 3> arguments{"data", "gamma", "beta"};
    static constexpr fusion_pattern pattern = fusion_pattern::opaque;
    static constexpr auto shape_from = shape_source::first;

    static TUTTI_CONSTEXPR type_id normalized(relation& r, std::int64_t axis);
};

/// (x - mean) / sqrt(variance + epsilon) · gamma + beta, with mean and variance per channel and instance.
struct instance_norm : self_normalizing {
    static constexpr std::string_view name = "nn.instance_norm";
    using attributes = instance_norm_attributes;
    static constexpr auto layout = &layout_rules::instance_norm;
    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

/// Like instance_norm, with mean and variance per line along the axis.
///
/// Source: Ba, Kiros and Hinton, "Layer Normalization".
struct layer_norm : self_normalizing {
    static constexpr std::string_view name = "nn.layer_norm";
    using attributes = layer_norm_attributes;
    static constexpr auto layout = &layout_rules::normalization;
    static constexpr auto precision = precision_rule::never;
    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

/// Like instance_norm, with one mean and variance for each group of channels, including all axes after the channels.
///
/// Source: Wu and He, "Group Normalization".
struct group_norm : self_normalizing {
    static constexpr std::string_view name = "nn.group_norm";
    using attributes = group_norm_attributes;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

/// x / (bias + alpha / size · (sum of the squares of neighbours along an axis))^beta
struct lrn {
    static constexpr bool rounds = true;
    static constexpr std::string_view name = "nn.lrn";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = lrn_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::opaque;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

/// x / sqrt(max(sum of x² along the axes, eps))
struct l2_normalize {
    static constexpr bool rounds = true;
    static constexpr std::string_view name = "nn.l2_normalize";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = l2_normalize_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::opaque;
    static constexpr auto layout = &layout_rules::normalization;
    static constexpr auto precision = precision_rule::never;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

} // namespace op::nn

/// Normalisations.
using norm_ops = op_list<op::nn::batch_norm, op::nn::fast_softmax, op::nn::group_norm, op::nn::instance_norm,
                         op::nn::l2_normalize, op::nn::layer_norm, op::nn::log_softmax, op::nn::lrn, op::nn::softmax>;

namespace nn {

/// Calls nn.batch_norm. The result is a tuple whose first field is the normalised data.
TUTTI_CONSTEXPR expr batch_norm(expr data, expr gamma, expr beta, expr moving_mean, expr moving_var,
                                const batch_norm_attributes& attributes = {});
TUTTI_CONSTEXPR expr softmax(expr data, const softmax_attributes& attributes = {});

TUTTI_CONSTEXPR expr log_softmax(expr data, const softmax_attributes& attributes = {});
TUTTI_CONSTEXPR expr fast_softmax(expr data, const softmax_attributes& attributes = {});
TUTTI_CONSTEXPR expr instance_norm(expr data, expr gamma, expr beta, const instance_norm_attributes& attributes = {});
TUTTI_CONSTEXPR expr layer_norm(expr data, expr gamma, expr beta, const layer_norm_attributes& attributes = {});
TUTTI_CONSTEXPR expr group_norm(expr data, expr gamma, expr beta, const group_norm_attributes& attributes);
TUTTI_CONSTEXPR expr lrn(expr data, const lrn_attributes& attributes = {});
TUTTI_CONSTEXPR expr l2_normalize(expr data, const l2_normalize_attributes& attributes);

} // namespace nn

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/op/norm.ipp>
#endif
