#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/gather.hpp>

namespace tutti::relay::inline TUTTI_FORM {

namespace op {

TUTTI_CONSTEXPR type_id gather::infer(relation& r, const attributes& a) {
    if (!r.knows(0) || !r.knows(1)) return type_id::none;
    if (!kernel::is_integer(r.element(1))) r.refuse(1, "integers");
    const dims data = r.shape(0);
    const dims indices = r.shape(1);
    if (a.axis.value.is_any()) r.refuse_attribute("axis", "is not known", "an axis");
    const std::size_t axis = checked_axis(r, "axis", a.axis.value.value(), data.size());
    bool fits = indices.size() == data.size();
    for (std::size_t i = 0; i < data.size() && fits; ++i) fits = i == axis || may_equal(indices[i], data[i]);
    if (!fits) r.refuse(1, "the data's shape, except along the axis");
    return r.tensor(indices, r.element(0));
}

TUTTI_CONSTEXPR type_id gather_nd::infer(relation& r, const attributes& a) {
    if (!r.knows(0) || !r.knows(1)) return type_id::none;
    if (!kernel::is_integer(r.element(1))) r.refuse(1, "integers");
    const dims data = r.shape(0);
    const dims indices = r.shape(1);
    if (indices.empty() || indices[0].is_any()) r.refuse(1, "a first axis whose size is known");
    const std::int64_t rank = static_cast<std::int64_t>(data.size());
    const std::int64_t batch = a.batch_dims.is_any() ? -1 : a.batch_dims.value();
    if (batch < 0 || batch > rank || batch >= static_cast<std::int64_t>(indices.size()))
        r.refuse_attribute("batch_dims", "out of range", "no more than data and indices have");
    if (indices[0].value() < 0 || indices[0].value() > rank - batch)
        r.refuse(1, "no more indices per column than the data has axes");
    dims shape;
    for (std::size_t i = 1; i < indices.size(); ++i) {
        if (static_cast<std::int64_t>(i) <= batch && !may_equal(indices[i], data[i - 1]))
            r.refuse(1, "the data's sizes along the axes of `batch_dims`");
        shape.push_back(indices[i]);
    }
    for (auto i = static_cast<std::size_t>(indices[0].value() + batch); i < data.size(); ++i) shape.push_back(data[i]);
    return r.tensor(shape, r.element(0));
}

TUTTI_CONSTEXPR type_id adv_index::infer(relation& r, const attributes&) {
    if (!r.knows_tuple(0)) return type_id::none;
    const std::size_t count = r.fields(0).size();
    const type_table& types = r.types();
    if (count < 2 || count - 1 > types.shape(r.fields(0)[0]).size())
        r.refuse(0, "data, and at least one tensor of indices, but no more than the data has axes");
    dims shape;
    for (std::size_t i = 1; i < count; ++i) {
        const type_id indices = r.fields(0)[i];
        if (!kernel::is_integer(types.element(indices))) r.refuse(0, "integers after the data");
        const auto both = broadcast_shapes(shape, types.shape(indices));
        if (!both) r.refuse(0, "indices that broadcast together");
        shape = *both;
    }
    const type_id data = r.fields(0)[0];
    for (std::size_t i = count - 1; i < types.shape(data).size(); ++i) shape.push_back(types.shape(data)[i]);
    return r.tensor(shape, types.element(data));
}

} // namespace op

TUTTI_CONSTEXPR expr adv_index(expr inputs) { return call_op<op::adv_index>({}, inputs); }
TUTTI_CONSTEXPR expr gather(expr data, expr indices, const gather_attributes& attributes) {
    return call_op<op::gather>(attributes, data, indices);
}
TUTTI_CONSTEXPR expr gather_nd(expr data, expr indices, const gather_nd_attributes& attributes) {
    return call_op<op::gather_nd>(attributes, data, indices);
}

} // namespace tutti::relay::inline TUTTI_FORM
