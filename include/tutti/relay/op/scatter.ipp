#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/scatter.hpp>

namespace tutti::relay::inline TUTTI_FORM {

namespace op {

TUTTI_CONSTEXPR bool scattering::ready(relation& r) {
    if (!r.knows(0) || !r.knows(1) || !r.knows(2)) return false;
    if (!kernel::is_integer(r.element(1))) r.refuse(1, "integers");
    r.expect_element(2, r.element(0));
    return true;
}

TUTTI_CONSTEXPR type_id scattering_along::infer(relation& r, const attributes& a) {
    if (!ready(r)) return type_id::none;
    const dims data = r.shape(0);
    const dims indices = r.shape(1);
    const dims updates = r.shape(2);
    if (a.axis.is_any()) r.refuse_attribute("axis", "is not known", "an axis");
    static_cast<void>(checked_axis(r, "axis", a.axis.value(), data.size()));
    if (indices.size() != data.size()) r.refuse(1, "as many dimensions as the data");
    bool fits = updates.size() == indices.size();
    for (std::size_t i = 0; i < indices.size() && fits; ++i)
        fits = indices[i].is_any() || updates[i].is_any() || indices[i].value() <= updates[i].value();
    if (!fits) r.refuse(2, "at least the sizes of the indices");
    return r.argument(0);
}

TUTTI_CONSTEXPR type_id scatter_nd::infer(relation& r, const attributes& a) {
    if (!ready(r)) return type_id::none;
    const std::string_view mode = a.mode.value.value_or("None");
    if (mode != "update" && mode != "add" && mode != "mul" && mode != "min" && mode != "max")
        r.refuse_attribute("mode", '"' + std::string(mode) + '"', "\"update\", \"add\", \"mul\", \"min\" or \"max\"");
    const dims data = r.shape(0);
    const dims indices = r.shape(1);
    if (indices.empty() || indices[0].is_any()) r.refuse(1, "a first axis whose size is known");
    const std::int64_t axes = indices[0].value();
    if (axes < 0 || axes > static_cast<std::int64_t>(data.size()))
        r.refuse(1, "no more indices per column than the data has axes");
    dims shape;
    for (std::size_t i = 1; i < indices.size(); ++i) shape.push_back(indices[i]);
    for (auto i = static_cast<std::size_t>(axes); i < data.size(); ++i) shape.push_back(data[i]);
    const dims updates = r.shape(2);
    bool fits = updates.size() == shape.size();
    for (std::size_t i = 0; i < shape.size() && fits; ++i) fits = may_equal(updates[i], shape[i]);
    if (!fits) r.refuse(2, "a slice of the data for each column of indices");
    return r.argument(0);
}

} // namespace op

TUTTI_CONSTEXPR expr scatter(expr data, expr indices, expr updates, const scatter_attributes& attributes) {
    return call_op<op::scatter>(attributes, data, indices, updates);
}
TUTTI_CONSTEXPR expr scatter_add(expr data, expr indices, expr updates, const scatter_attributes& attributes) {
    return call_op<op::scatter_add>(attributes, data, indices, updates);
}
TUTTI_CONSTEXPR expr scatter_nd(expr data, expr indices, expr updates, std::string_view mode) {
    return call_op<op::scatter_nd>({.mode = std::optional<std::string_view>(mode)}, data, indices, updates);
}

} // namespace tutti::relay::inline TUTTI_FORM
