#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/norm.hpp>

namespace tutti::relay::inline TUTTI_FORM {

namespace layout_rules {

TUTTI_CONSTEXPR bool instance_norm(layout_query& q) {
    if (!along_axes(q, 1) || q.in[0]->rank() == 0 || q.old_in[0]->rank() == 0) return false;
    return q.in[0]->axes()[0] == q.old_in[0]->axes()[0];
}

TUTTI_CONSTEXPR bool batch_norm(layout_query& q) { return along_axes(q, 3); }

} // namespace layout_rules

namespace op::nn {

TUTTI_CONSTEXPR type_id batch_norm::infer(relation& r, const attributes& a) {
    if (!r.knows(0)) return type_id::none;
    const dims data = r.shape(0);
    const dims channels{data[checked_axis(r, "axis", a.axis, data.size())]};
    for (std::size_t i = 1; i < 5; ++i) r.expect(i, channels, r.element(0));
    if (!r.knows(3) || !r.knows(4)) return type_id::none;
    const type_id vector = r.tensor(channels, r.element(0));
    const type_id fields[]{r.argument(0), vector, vector};
    return r.types().tuple(fields);
}

TUTTI_CONSTEXPR type_id along_axis::infer(relation& r, const attributes& a) {
    if (!r.knows(0)) return type_id::none;
    checked_axis(r, "axis", a.axis, r.shape(0).size());
    return r.argument(0);
}

TUTTI_CONSTEXPR type_id self_normalizing::normalized(relation& r, std::int64_t axis) {
    if (!r.knows(0)) return type_id::none;
    const dims data = r.shape(0);
    const dims channels{data[checked_axis(r, "axis", axis, data.size())]};
    r.expect(1, channels, r.element(0));
    r.expect(2, channels, r.element(0));
    return r.argument(0);
}

TUTTI_CONSTEXPR type_id instance_norm::infer(relation& r, const attributes& a) { return normalized(r, a.axis); }

TUTTI_CONSTEXPR type_id layer_norm::infer(relation& r, const attributes& a) { return normalized(r, a.axis); }

TUTTI_CONSTEXPR type_id group_norm::infer(relation& r, const attributes& a) {
    const type_id type = normalized(r, a.axis);
    if (type == type_id::none) return type;
    if (a.num_groups < 1) r.refuse_attribute("num_groups", "fewer than one group", "a positive number");
    const dims data = r.shape(0);
    if (!may_divide(a.num_groups, data[checked_axis(r, "axis", a.axis, data.size())]))
        r.refuse(0, "a number of channels that the groups divide");
    return type;
}

TUTTI_CONSTEXPR type_id lrn::infer(relation& r, const attributes& a) {
    if (!r.knows(0)) return type_id::none;
    checked_axis(r, "axis", a.axis, r.shape(0).size());
    if (a.size < 1) r.refuse_attribute("size", "no neighbours", "a positive number");
    return r.argument(0);
}

TUTTI_CONSTEXPR type_id l2_normalize::infer(relation& r, const attributes& a) {
    if (!r.knows(0)) return type_id::none;
    if (a.axis.value)
        for (const dim axis : *a.axis.value) checked_axis(r, "axis", axis.value(), r.shape(0).size());
    return r.argument(0);
}

} // namespace op::nn

namespace nn {

TUTTI_CONSTEXPR expr batch_norm(expr data, expr gamma, expr beta, expr moving_mean, expr moving_var,
                                const batch_norm_attributes& attributes) {
    return call_op<op::nn::batch_norm>(attributes, data, gamma, beta, moving_mean, moving_var);
}
TUTTI_CONSTEXPR expr softmax(expr data, const softmax_attributes& attributes) {
    return call_op<op::nn::softmax>(attributes, data);
}
TUTTI_CONSTEXPR expr log_softmax(expr data, const softmax_attributes& attributes) {
    return call_op<op::nn::log_softmax>(attributes, data);
}
TUTTI_CONSTEXPR expr fast_softmax(expr data, const softmax_attributes& attributes) {
    return call_op<op::nn::fast_softmax>(attributes, data);
}
TUTTI_CONSTEXPR expr instance_norm(expr data, expr gamma, expr beta, const instance_norm_attributes& attributes) {
    return call_op<op::nn::instance_norm>(attributes, data, gamma, beta);
}
TUTTI_CONSTEXPR expr layer_norm(expr data, expr gamma, expr beta, const layer_norm_attributes& attributes) {
    return call_op<op::nn::layer_norm>(attributes, data, gamma, beta);
}
TUTTI_CONSTEXPR expr group_norm(expr data, expr gamma, expr beta, const group_norm_attributes& attributes) {
    return call_op<op::nn::group_norm>(attributes, data, gamma, beta);
}
TUTTI_CONSTEXPR expr lrn(expr data, const lrn_attributes& attributes) { return call_op<op::nn::lrn>(attributes, data); }
TUTTI_CONSTEXPR expr l2_normalize(expr data, const l2_normalize_attributes& attributes) {
    return call_op<op::nn::l2_normalize>(attributes, data);
}

} // namespace nn

} // namespace tutti::relay::inline TUTTI_FORM
