#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/dense.hpp>

namespace tutti::relay::inline TUTTI_FORM {

namespace layout_rules {

TUTTI_CONSTEXPR bool dense(layout_query& q) { return q.rank(0) == 2 && q.all_in(layout::parse("NC")); }

TUTTI_CONSTEXPR bool prelu(layout_query& q) {
    if (!q.old_in[0]) return false;
    q.in = {q.old_in[0], layout::parse("C")};
    q.out.assign(1, q.old_in[0]);
    return true;
}

} // namespace layout_rules

namespace op::nn {

TUTTI_CONSTEXPR type_id dense::infer(relation& r, const attributes& a) {
    if (!r.knows(0)) return type_id::none;
    const bool weight_known = r.knows(1);
    if (!weight_known && !a.units.value) return type_id::none;
    dims data = r.shape(0);
    if (data.empty()) r.refuse(0, "one dimension or more");
    if (weight_known && r.shape(1).size() != 2) r.refuse(1, "two dimensions");
    const dim units = a.units.value ? *a.units.value : r.shape(1)[0];
    r.expect(1, dims{units, data.back()}, weight_known ? r.element(1) : r.element(0));
    data.back() = units;
    return r.tensor(data, a.out_dtype == dtype::none ? r.element(0) : a.out_dtype);
}

TUTTI_CONSTEXPR type_id batch_matmul::infer(relation& r, const attributes& a) {
    if (!r.knows(0) || !r.knows(1)) return type_id::none;
    const dims x = r.shape(0);
    const dims y = r.shape(1);
    if (x.size() != 3) r.refuse(0, "three dimensions");
    if (y.size() != 3) r.refuse(1, "three dimensions");
    if (!may_equal(x[a.transpose_a ? 1 : 2], y[a.transpose_b ? 2 : 1]))
        r.refuse(1, "as many rows as the other has columns");
    if (!x[0].same_number(1) && !y[0].same_number(1) && !may_equal(x[0], y[0]))
        r.refuse(1, "a batch of one or of the same size");
    const dim batch = x[0].is_any() || y[0].is_any() ? dim::any() : x[0].same_number(1) ? y[0] : x[0];
    return r.tensor(dims{batch, x[a.transpose_a ? 2 : 1], y[a.transpose_b ? 1 : 2]},
                    a.out_dtype == dtype::none ? r.element(0) : a.out_dtype);
}

TUTTI_CONSTEXPR type_id matmul::infer(relation& r, const attributes& a) {
    if (!r.knows(0)) return type_id::none;
    const bool known = r.knows(1);
    if (!known && !a.units.value) return type_id::none;
    dims shape = r.shape(0);
    const std::size_t rank = shape.size();
    if (rank < (a.transpose_a ? 2 : 1)) r.refuse(0, a.transpose_a ? "two dimensions or more" : "one or more");
    if (known && r.shape(1).size() != 2) r.refuse(1, "two dimensions");
    const dim depth = shape[a.transpose_a ? rank - 2 : rank - 1];
    const dim units = a.units.value ? *a.units.value : r.shape(1)[a.transpose_b ? 0 : 1];
    r.expect(1, a.transpose_b ? dims{units, depth} : dims{depth, units}, known ? r.element(1) : r.element(0));
    if (a.transpose_a) shape[rank - 2] = shape[rank - 1];
    shape[rank - 1] = units;
    return r.tensor(shape, a.out_dtype == dtype::none ? r.element(0) : a.out_dtype);
}

TUTTI_CONSTEXPR type_id bias_add::infer(relation& r, const attributes& a) { return with_vector(r, a.axis); }

TUTTI_CONSTEXPR type_id bias_add::with_vector(relation& r, std::int64_t axis) {
    if (!r.knows(0)) return type_id::none;
    const dims data = r.shape(0);
    r.expect(1, dims{data[checked_axis(r, "axis", axis, data.size())]}, r.element(0));
    return r.argument(0);
}

TUTTI_CONSTEXPR type_id prelu::infer(relation& r, const attributes& a) { return bias_add::with_vector(r, a.axis); }

} // namespace op::nn

namespace nn {

TUTTI_CONSTEXPR expr dense(expr data, expr weight, const dense_attributes& attributes) {
    return call_op<op::nn::dense>(attributes, data, weight);
}
TUTTI_CONSTEXPR expr batch_matmul(expr a, expr b, const batch_matmul_attributes& attributes) {
    return call_op<op::nn::batch_matmul>(attributes, a, b);
}
TUTTI_CONSTEXPR expr matmul(expr a, expr b, const matmul_attributes& attributes) {
    return call_op<op::nn::matmul>(attributes, a, b);
}
TUTTI_CONSTEXPR expr bias_add(expr data, expr bias, const bias_add_attributes& attributes) {
    return call_op<op::nn::bias_add>(attributes, data, bias);
}
TUTTI_CONSTEXPR expr prelu(expr data, expr alpha, const prelu_attributes& attributes) {
    return call_op<op::nn::prelu>(attributes, data, alpha);
}

} // namespace nn

} // namespace tutti::relay::inline TUTTI_FORM
