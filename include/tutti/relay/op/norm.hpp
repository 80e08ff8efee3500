#pragma once

#include <tutti/relay/op/axis.hpp>
#include <tutti/relay/op/layout_rule_axes.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace tutti::relay {

/// Attributes of nn.batch_norm. Without `center` beta counts as 0, without `scale` gamma as 1.
struct batch_norm_attributes {
    std::int64_t axis = 1;
    double epsilon = 1e-5;
    bool center = true;
    bool scale = true;

    static constexpr members<&batch_norm_attributes::axis, &batch_norm_attributes::epsilon,
                             &batch_norm_attributes::center, &batch_norm_attributes::scale>
        options{"axis", "epsilon", "center", "scale"};
};

/// Attributes of nn.softmax and nn.log_softmax: the axis that is normalised, from the end if negative.
struct softmax_attributes {
    std::int64_t axis = -1;

    static constexpr members<&softmax_attributes::axis> options{"axis"};
};

/// Attributes of nn.instance_norm, as those of nn.batch_norm.
using instance_norm_attributes = batch_norm_attributes;

/// Attributes of nn.l2_normalize: what is added to the sum of squares at least, and the axes that are summed
/// over.
struct l2_normalize_attributes {
    required<double> eps{};
    required<std::optional<dims>> axis{};

    static constexpr members<&l2_normalize_attributes::eps, &l2_normalize_attributes::axis> options{"eps", "axis"};
};

namespace layout_rules {

/// The same where each of a batch is normalised by itself, so that the batch must stay the first axis.
constexpr bool instance_norm(layout_query& q) {
    if (!along_axes(q, 1) || q.in[0]->rank() == 0 || q.old_in[0]->rank() == 0) return false;
    return q.in[0]->axes()[0] == q.old_in[0]->axes()[0];
}
/// The same where the result is a tuple with two such vectors.
constexpr bool batch_norm(layout_query& q) { return along_axes(q, 3); }

} // namespace layout_rules

namespace op::nn {

/// (x - mean) / sqrt(var + epsilon) · gamma + beta along an axis. The result is a tuple: that, the mean, the
/// variance.
///
/// Source: Ioffe and Szegedy, "Batch Normalization", algorithm 2 (inference).
struct batch_norm {
    static constexpr std::string_view name = "nn.batch_norm";
    static constexpr std::array<std::string_view, 5> arguments{"data", "gamma", "beta", "moving_mean", "moving_var"};
    using attributes = batch_norm_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::out_elementwise_fusable;
    static constexpr auto layout = &layout_rules::batch_norm;
    static constexpr auto precision = precision_rule::follow;

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows(0)) return type_id::none;
        const dims data = r.shape(0);
        const dims channels{data[checked_axis(r, "axis", a.axis, data.size())]};
        for (std::size_t i = 1; i < 5; ++i) r.expect(i, channels, r.element(0));
        if (!r.knows(3) || !r.knows(4)) return type_id::none;
        const type_id vector = r.tensor(channels, r.element(0));
        const type_id fields[]{r.argument(0), vector, vector};
        return r.graph().types().tuple(fields);
    }
};

/// What softmax and its kin share: an axis, and a result of the argument's type.
struct along_axis {
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = softmax_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::out_elementwise_fusable;

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows(0)) return type_id::none;
        checked_axis(r, "axis", a.axis, r.shape(0).size());
        return r.argument(0);
    }
};
/// e^x over its sum along an axis.
struct softmax : along_axis, named<"nn.softmax", precision_rule::never> {};
/// The logarithm of softmax.
struct log_softmax : along_axis, named<"nn.log_softmax"> {};
/// Softmax, approximately.
struct fast_softmax : along_axis, named<"nn.fast_softmax"> {};

/// (x - mean) / sqrt(variance + epsilon) · gamma + beta, with mean and variance of each channel of each
/// instance.
struct instance_norm {
    static constexpr std::string_view name = "nn.instance_norm";
    static constexpr std::array<std::string_view, 3> arguments{"data", "gamma", "beta"};
    using attributes = instance_norm_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::opaque;
    static constexpr auto layout = &layout_rules::instance_norm;

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows(0)) return type_id::none;
        const dims data = r.shape(0);
        const dims channels{data[checked_axis(r, "axis", a.axis, data.size())]};
        r.expect(1, channels, r.element(0));
        r.expect(2, channels, r.element(0));
        return r.argument(0);
    }
};

/// x / sqrt(max(sum of x² along the axes, eps))
struct l2_normalize {
    static constexpr std::string_view name = "nn.l2_normalize";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = l2_normalize_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::opaque;
    static constexpr auto layout = &layout_rules::normalization;
    static constexpr auto precision = precision_rule::never;

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows(0)) return type_id::none;
        if (a.axis.value)
            for (const dim axis : *a.axis.value) checked_axis(r, "axis", axis.value(), r.shape(0).size());
        return r.argument(0);
    }
};

} // namespace op::nn

/// The operators that normalise.
using norm_ops = op_list<op::nn::batch_norm, op::nn::fast_softmax, op::nn::instance_norm, op::nn::l2_normalize,
                         op::nn::log_softmax, op::nn::softmax>;

namespace nn {

/// A call of nn.batch_norm: a tuple whose first field is the normalised data.
constexpr expr batch_norm(expr data, expr gamma, expr beta, expr moving_mean, expr moving_var,
                          const batch_norm_attributes& attributes = {}) {
    return call_op<op::nn::batch_norm>(attributes, data, gamma, beta, moving_mean, moving_var);
}
constexpr expr softmax(expr data, const softmax_attributes& attributes = {}) {
    return call_op<op::nn::softmax>(attributes, data);
}

constexpr expr log_softmax(expr data, const softmax_attributes& attributes = {}) {
    return call_op<op::nn::log_softmax>(attributes, data);
}
constexpr expr fast_softmax(expr data, const softmax_attributes& attributes = {}) {
    return call_op<op::nn::fast_softmax>(attributes, data);
}
constexpr expr instance_norm(expr data, expr gamma, expr beta, const instance_norm_attributes& attributes = {}) {
    return call_op<op::nn::instance_norm>(attributes, data, gamma, beta);
}
constexpr expr l2_normalize(expr data, const l2_normalize_attributes& attributes) {
    return call_op<op::nn::l2_normalize>(attributes, data);
}

} // namespace nn

} // namespace tutti::relay
