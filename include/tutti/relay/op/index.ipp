#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/index.hpp>

namespace tutti::relay::inline TUTTI_FORM {

namespace layout_rules {

TUTTI_CONSTEXPR bool topk(layout_query& q) {
    if (!along_axes(q, 1)) return false;
    if (q.edit().text("ret_type") == "both") q.out.push_back(q.out.front());
    return true;
}

} // namespace layout_rules

namespace op {

TUTTI_CONSTEXPR type_id one_hot::infer(relation& r, const attributes& a) {
    if (!r.knows(0) || !r.knows(1) || !r.knows(2)) return type_id::none;
    r.expect_scalar(1);
    r.expect_scalar(2);
    if (a.depth < 1) r.refuse_attribute("depth", "less than 1", "1 or more");
    return shaped(r, a, a.depth);
}

TUTTI_CONSTEXPR type_id one_hot::shaped(relation& r, const attributes& a, dim depth) {
    if (a.dtype == kernel::dtype::none) r.refuse_attribute("dtype", "no element type", "one such as \"float32\"");
    const dims indices = r.shape(0);
    const std::size_t axis = checked_axis(r, "axis", a.axis, indices.size() + 1);
    return r.tensor(kernel::with_axes<dims>(indices, axis, 1, depth), a.dtype);
}

TUTTI_CONSTEXPR type_id argsort::infer(relation& r, const attributes& a) {
    if (!r.knows(0)) return type_id::none;
    static_cast<void>(checked_axis(r, "axis", a.axis, r.shape(0).size()));
    if (a.dtype == kernel::dtype::none) r.refuse_attribute("dtype", "no element type", "one such as \"int32\"");
    return r.tensor(r.shape(0), a.dtype);
}

TUTTI_CONSTEXPR type_id argwhere::infer(relation& r, const attributes&) {
    if (!r.knows(0)) return type_id::none;
    return r.tensor(dims{dim::any(), static_cast<std::int64_t>(r.shape(0).size())}, kernel::dtype::int32);
}

TUTTI_CONSTEXPR type_id sort::infer(relation& r, const attributes& a) {
    if (!r.knows(0)) return type_id::none;
    static_cast<void>(checked_axis(r, "axis", a.axis, r.shape(0).size()));
    return r.argument(0);
}

TUTTI_CONSTEXPR type_id topk::infer(relation& r, const attributes& a) {
    if (!r.knows(0)) return type_id::none;
    dims shape = r.shape(0);
    dim& size = shape[checked_axis(r, "axis", a.axis, shape.size())];
    const dim k = a.k.value.value_or(dim::any());
    if (k.is_any() || k.value() > 0) size = k;
    const type_id values = r.tensor(shape, r.element(0));
    if (a.ret_type == "values") return values;
    if (a.dtype == kernel::dtype::none) r.refuse_attribute("dtype", "no element type", "one such as \"int32\"");
    const type_id indices = r.tensor(shape, a.dtype);
    if (a.ret_type == "indices") return indices;
    if (a.ret_type != "both")
        r.refuse_attribute("ret_type", "\"" + std::string(a.ret_type) + "\"", "\"both\", \"values\" or \"indices\"");
    const type_id fields[]{values, indices};
    return r.types().tuple(fields);
}

TUTTI_CONSTEXPR type_id sparse_to_dense::infer(relation& r, const attributes& a) {
    if (!r.knows(0) || !r.knows(1) || !r.knows(2)) return type_id::none;
    if (r.shape(0).size() > 2) r.refuse(0, "at most two dimensions");
    if (r.shape(1).size() > 1) r.refuse(1, "at most one dimension");
    r.expect_scalar(2);
    return r.tensor(a.output_shape.value, r.element(1));
}

TUTTI_CONSTEXPR type_id take::infer(relation& r, const attributes& a) {
    if (!r.knows(0) || !r.knows(1)) return type_id::none;
    if (!kernel::is_integer(r.element(1))) r.refuse(1, "integers");
    const dims data = r.shape(0);
    const dims indices = r.shape(1);
    if (!a.axis) return r.tensor(indices, r.element(0));
    const std::size_t axis = checked_axis(r, "axis", a.axis->value(), data.size());
    const auto batch = static_cast<std::size_t>(a.batch_dims);
    if (a.batch_dims < 0 || batch > axis || batch > indices.size())
        r.refuse_attribute("batch_dims", "out of range", "no more than there are before `axis`");
    dims shape;
    for (std::size_t i = 0; i < axis; ++i) shape.push_back(data[i]);
    for (std::size_t i = batch; i < indices.size(); ++i) shape.push_back(indices[i]);
    for (std::size_t i = axis + 1; i < data.size(); ++i) shape.push_back(data[i]);
    return r.tensor(shape, r.element(0));
}

} // namespace op

TUTTI_CONSTEXPR expr argsort(expr data, const argsort_attributes& attributes) {
    return call_op<op::argsort>(attributes, data);
}
TUTTI_CONSTEXPR expr argwhere(expr condition) { return call_op<op::argwhere>({}, condition); }
TUTTI_CONSTEXPR expr sort(expr data, const sort_attributes& attributes) { return call_op<op::sort>(attributes, data); }
TUTTI_CONSTEXPR expr one_hot(expr indices, expr on_value, expr off_value, const one_hot_attributes& attributes) {
    return call_op<op::one_hot>(attributes, indices, on_value, off_value);
}
TUTTI_CONSTEXPR expr sparse_to_dense(expr sparse_indices, expr sparse_values, expr default_value,
                                     const sparse_to_dense_attributes& attributes) {
    return call_op<op::sparse_to_dense>(attributes, sparse_indices, sparse_values, default_value);
}
TUTTI_CONSTEXPR expr take(expr data, expr indices, const take_attributes& attributes) {
    return call_op<op::take>(attributes, data, indices);
}
TUTTI_CONSTEXPR expr topk(expr data, const topk_attributes& attributes) { return call_op<op::topk>(attributes, data); }

} // namespace tutti::relay::inline TUTTI_FORM
