#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/scan.hpp>

namespace tutti::relay::inline TUTTI_FORM {

namespace op {

TUTTI_CONSTEXPR type_id scan::infer(relation& r, const attributes& a) {
    if (!r.knows(0)) return type_id::none;
    const dims shape = r.shape(0);
    const dtype element = a.dtype == dtype::none ? r.element(0) : a.dtype;
    if (!a.axis) return r.tensor(dims{product(shape)}, element);
    if (a.axis->is_any()) r.refuse_attribute("axis", "is not known", "an axis");
    static_cast<void>(checked_axis(r, "axis", a.axis->value(), shape.size()));
    return r.tensor(shape, element);
}

} // namespace op

TUTTI_CONSTEXPR expr cumprod(expr data, const scan_attributes& attributes) {
    return call_op<op::cumprod>(attributes, data);
}
TUTTI_CONSTEXPR expr cumsum(expr data, const scan_attributes& attributes) {
    return call_op<op::cumsum>(attributes, data);
}

} // namespace tutti::relay::inline TUTTI_FORM
