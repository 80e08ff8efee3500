#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/shape.hpp>

namespace tutti::relay::inline TUTTI_FORM {

namespace layout_rules {

TUTTI_CONSTEXPR bool squeeze(layout_query& q) {
    if (!q.first() || !q.old_in[0]) return false;
    const layout in = *q.first();
    attribute_edit edit = q.edit();
    dims axes = edit.numbers("axis");
    if (edit.is_none("axis"))
        for (std::size_t i = 0; i < q.rank(0); ++i)
            if (q.shape(0)[i].same_number(1)) axes.push_back(static_cast<std::int64_t>(i));
    if (q.altered) {
        for (dim& axis : axes) {
            const auto to = relay::detail::moved_axis(*q.old_in[0], in, axis.value());
            if (!to) return false;
            axis = *to;
        }
        edit.set("axis", axes);
        q.attributes = edit.commit();
    }
    layout out;
    for (std::size_t i = 0; i < in.rank(); ++i) {
        bool goes = false;
        for (const dim axis : axes)
            goes = goes || axis.value() == static_cast<std::int64_t>(i) ||
                   axis.value() + static_cast<std::int64_t>(in.rank()) == static_cast<std::int64_t>(i);
        if (!goes) out.push_back(in.axes()[i]);
    }
    q.in.assign(1, in);
    q.out.assign(1, out);
    return true;
}

} // namespace layout_rules

namespace op {

TUTTI_CONSTEXPR type_id broadcast_to::infer(relation& r, const attributes& a) {
    if (!r.knows(0)) return type_id::none;
    const dims& shape = a.shape;
    bool fits = kernel::stretches(r.shape(0), shape);
    for (const dim d : shape) fits = fits && (d.is_any() || d.value() >= 0);
    if (!fits) r.refuse(0, "a shape that broadcasts to the attribute `shape`");
    return r.tensor(shape, r.element(0));
}

TUTTI_CONSTEXPR type_id broadcast_to_like::infer(relation& r, const attributes&) {
    if (!r.knows(0) || !r.knows(1)) return type_id::none;
    r.expect_element(1, r.element(0));
    const dims like = r.shape(1);
    if (!kernel::stretches(r.shape(0), like)) r.refuse(0, "a shape that broadcasts to the second argument's");
    return r.tensor(like, r.element(0));
}

TUTTI_CONSTEXPR type_id expand_dims::infer(relation& r, const attributes& a) {
    if (!r.knows(0)) return type_id::none;
    if (a.num_newaxis < 0 || a.num_newaxis > 64) r.refuse_attribute("num_newaxis", "out of range", "0 to 64");
    const dims data = r.shape(0);
    const std::size_t at = checked_axis(r, "axis", a.axis, data.size() + 1);
    return r.tensor(kernel::with_axes<dims>(data, at, a.num_newaxis, 1), r.element(0));
}

TUTTI_CONSTEXPR type_id squeeze::infer(relation& r, const attributes& a) {
    if (!r.knows(0)) return type_id::none;
    const dims data = r.shape(0);
    small_vector<char, 6> removed;
    for (const dim d : data) removed.push_back(!a.axis && d.same_number(1) ? 1 : 0);
    for (const dim axis : a.axis.value_or(dims{})) {
        const std::size_t i = checked_axis(r, "axis", axis.value(), data.size());
        if (!may_equal(data[i], 1)) r.refuse(0, "1 along the axes to be removed");
        removed[i] = 1;
    }
    return r.tensor(kernel::without_axes<dims>(data, removed, false), r.element(0));
}

} // namespace op

namespace op::nn {

TUTTI_CONSTEXPR type_id batch_flatten::infer(relation& r, const attributes&) {
    if (!r.knows(0)) return type_id::none;
    const dims data = r.shape(0);
    if (data.empty()) r.refuse(0, "one dimension or more");
    return r.tensor(dims{data[0], product({data.begin() + 1, data.size() - 1})}, r.element(0));
}

} // namespace op::nn

TUTTI_CONSTEXPR expr broadcast_to(expr data, const broadcast_to_attributes& attributes) {
    return call_op<op::broadcast_to>(attributes, data);
}
TUTTI_CONSTEXPR expr broadcast_to_like(expr data, expr broadcast_type) {
    return call_op<op::broadcast_to_like>({}, data, broadcast_type);
}
TUTTI_CONSTEXPR expr expand_dims(expr data, const expand_dims_attributes& attributes) {
    return call_op<op::expand_dims>(attributes, data);
}
TUTTI_CONSTEXPR expr squeeze(expr data, const squeeze_attributes& attributes) {
    return call_op<op::squeeze>(attributes, data);
}

namespace nn {

TUTTI_CONSTEXPR expr batch_flatten(expr data) { return call_op<op::nn::batch_flatten>({}, data); }

} // namespace nn

} // namespace tutti::relay::inline TUTTI_FORM
