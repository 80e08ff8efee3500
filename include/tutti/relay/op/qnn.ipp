#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/qnn.hpp>

namespace tutti::relay::inline TUTTI_FORM {

namespace layout_rules {

TUTTI_CONSTEXPR bool qnn_concatenate(layout_query& q) {
    return q.arguments.size() >= 5 && concatenation(q, (q.arguments.size() - 2) / 3);
}

TUTTI_CONSTEXPR bool requantize(layout_query& q) {
    if (!q.first() || !q.old_in[0]) return false;
    layout all = *q.first();
    if (q.altered) {
        attribute_edit edit = q.edit();
        const auto axis = relay::detail::axis_at(*q.old_in[0], edit.integer("axis"));
        layout plain;
        for (const layout::axis& a : all.axes())
            if (a.block == 0) plain.push_back(a);
        all = plain;
        const auto to = axis ? all.find(axis->letter) : std::nullopt;
        if (!to) return false;
        edit.set("axis", static_cast<std::int64_t>(*to));
        q.attributes = edit.commit();
    }
    q.in.assign(1, all);
    q.rest_in(*layout::parse("C"));
    q.out.assign(1, all);
    return true;
}

} // namespace layout_rules

namespace detail {

// Rejects scales and zero points unless each is a single number or a vector along the data's axis.
constexpr void check_per_axis(relation& r, std::size_t first, std::size_t count, std::int64_t axis) {
    const dims data = r.shape(0);
    const auto place = static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::int64_t>(data.size()) : axis);
    for (std::size_t i = first; i < first + count; ++i) {
        const dims given = r.knows(i) ? r.shape(i) : dims();
        if (given.empty() || (given.size() == 1 && (given[0].is_any() || given[0].same_number(1)))) continue;
        const bool fits = given.size() == 1 && place < data.size() &&
                          (data[place].is_any() || data[place].same_number(given[0].value()));
        if (!fits) r.refuse(i, "one number, or one for each index along the axis");
    }
}

} // namespace detail

namespace op::qnn {

TUTTI_CONSTEXPR type_id broadcast::infer(relation& r, const attributes&) { return op::broadcast::infer(r, {}); }

TUTTI_CONSTEXPR type_id conv2d::infer(relation& r, const attributes& a) { return nn::conv2d::infer(r, a); }

TUTTI_CONSTEXPR type_id conv2d_transpose::infer(relation& r, const attributes& a) {
    return nn::conv2d_transpose::infer(r, a);
}

TUTTI_CONSTEXPR type_id batch_matmul::infer(relation& r, const attributes& a) { return nn::batch_matmul::infer(r, a); }

TUTTI_CONSTEXPR type_id dense::infer(relation& r, const attributes& a) { return nn::dense::infer(r, a); }

TUTTI_CONSTEXPR type_id quantize::infer(relation& r, const attributes& a) {
    if (!r.knows(0)) return type_id::none;
    if (r.element(0) != dtype::float32) r.refuse(0, "elements of type float32");
    if (!kernel::is_integer(a.out_dtype))
        r.refuse_attribute("out_dtype", "not an integer type", "one such as \"int8\"");
    relay::detail::check_per_axis(r, 1, 2, a.axis);
    return r.tensor(r.shape(0), a.out_dtype);
}

TUTTI_CONSTEXPR type_id dequantize::infer(relation& r, const attributes& a) {
    if (!r.knows(0)) return type_id::none;
    relay::detail::check_per_axis(r, 1, 2, a.axis);
    return r.tensor(r.shape(0), dtype::float32);
}

TUTTI_CONSTEXPR type_id requantize::infer(relation& r, const attributes& a) {
    if (!r.knows(0)) return type_id::none;
    relay::detail::check_per_axis(r, 1, 2, a.axis);
    relay::detail::check_per_axis(r, 3, 2, a.axis);
    return r.tensor(r.shape(0), a.out_dtype == dtype::none ? r.element(0) : a.out_dtype);
}

} // namespace op::qnn

namespace qnn {

TUTTI_CONSTEXPR expr add(expr lhs, expr rhs, qnn::scale l, qnn::scale r, qnn::scale out,
                         const qnn_broadcast_attributes& attributes) {
    return call_op<op::qnn::add>(attributes, lhs, rhs, l.scale, l.zero_point, r.scale, r.zero_point, out.scale,
                                 out.zero_point);
}
TUTTI_CONSTEXPR expr mul(expr lhs, expr rhs, qnn::scale l, qnn::scale r, qnn::scale out,
                         const qnn_broadcast_attributes& attributes) {
    return call_op<op::qnn::mul>(attributes, lhs, rhs, l.scale, l.zero_point, r.scale, r.zero_point, out.scale,
                                 out.zero_point);
}
TUTTI_CONSTEXPR expr subtract(expr lhs, expr rhs, qnn::scale l, qnn::scale r, qnn::scale out,
                              const qnn_broadcast_attributes& attributes) {
    return call_op<op::qnn::subtract>(attributes, lhs, rhs, l.scale, l.zero_point, r.scale, r.zero_point, out.scale,
                                      out.zero_point);
}
TUTTI_CONSTEXPR expr concatenate(expr data, qnn::scale in, qnn::scale out, const concatenate_attributes& attributes) {
    return call_op<op::qnn::concatenate>(attributes, data, in.scale, in.zero_point, out.scale, out.zero_point);
}
TUTTI_CONSTEXPR expr conv2d(expr data, expr weight, qnn::scale d, qnn::scale w, conv2d_attributes attributes) {
    attributes.padding = spatial::pad(attributes.padding, 2);
    return call_op<op::qnn::conv2d>(attributes, data, weight, d.zero_point, w.zero_point, d.scale, w.scale);
}
TUTTI_CONSTEXPR expr conv2d_transpose(expr data, expr weight, qnn::scale d, qnn::scale w,
                                      conv2d_transpose_attributes attributes) {
    attributes.padding = spatial::pad(attributes.padding, 2);
    return call_op<op::qnn::conv2d_transpose>(attributes, data, weight, d.zero_point, w.zero_point, d.scale, w.scale);
}
TUTTI_CONSTEXPR expr dense(expr data, expr weight, qnn::scale d, qnn::scale w, const dense_attributes& attributes) {
    return call_op<op::qnn::dense>(attributes, data, weight, d.zero_point, w.zero_point, d.scale, w.scale);
}
TUTTI_CONSTEXPR expr batch_matmul(expr a, expr b, qnn::scale l, qnn::scale r,
                                  const batch_matmul_attributes& attributes) {
    return call_op<op::qnn::batch_matmul>(attributes, a, b, l.zero_point, r.zero_point, l.scale, r.scale);
}
TUTTI_CONSTEXPR expr dequantize(expr data, qnn::scale in, const dequantize_attributes& attributes) {
    return call_op<op::qnn::dequantize>(attributes, data, in.scale, in.zero_point);
}
TUTTI_CONSTEXPR expr quantize(expr data, qnn::scale out, const quantize_attributes& attributes) {
    return call_op<op::qnn::quantize>(attributes, data, out.scale, out.zero_point);
}
TUTTI_CONSTEXPR expr requantize(expr data, qnn::scale in, qnn::scale out, const requantize_attributes& attributes) {
    return call_op<op::qnn::requantize>(attributes, data, in.scale, in.zero_point, out.scale, out.zero_point);
}

} // namespace qnn

} // namespace tutti::relay::inline TUTTI_FORM
