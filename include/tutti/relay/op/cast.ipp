#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/cast.hpp>

namespace tutti::relay::inline TUTTI_FORM {

namespace op {

TUTTI_CONSTEXPR type_id cast::infer(relation& r, const attributes& a) {
    if (!r.knows(0)) return type_id::none;
    if (a.dtype.value == dtype::none) r.refuse_attribute("dtype", "no element type", "one such as \"float32\"");
    return r.tensor(r.shape(0), a.dtype);
}

TUTTI_CONSTEXPR type_id cast_like::infer(relation& r, const attributes&) {
    if (!r.knows(0) || !r.knows(1)) return type_id::none;
    return r.tensor(r.shape(0), r.element(1));
}

TUTTI_CONSTEXPR type_id reinterpret::infer(relation& r, const attributes& a) {
    if (!r.knows(0)) return type_id::none;
    if (kernel::bytes(a.dtype) != kernel::bytes(r.element(0)))
        r.refuse(0, "elements of the size of " + std::string(kernel::name(a.dtype)));
    return r.tensor(r.shape(0), a.dtype);
}

} // namespace op

TUTTI_CONSTEXPR expr cast(expr data, const cast_attributes& attributes) { return call_op<op::cast>(attributes, data); }
TUTTI_CONSTEXPR expr cast_like(expr data, expr dtype_like) { return call_op<op::cast_like>({}, data, dtype_like); }
TUTTI_CONSTEXPR expr reinterpret(expr data, const cast_attributes& attributes) {
    return call_op<op::reinterpret>(attributes, data);
}

} // namespace tutti::relay::inline TUTTI_FORM
