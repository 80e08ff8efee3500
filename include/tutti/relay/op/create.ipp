#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/create.hpp>

namespace tutti::relay::inline TUTTI_FORM {

namespace op {

TUTTI_CONSTEXPR type_id creation::created(relation& r, const attributes& a, kernel::dtype element) {
    if (!a.shape.value) r.refuse_attribute("shape", "None", "the sizes");
    for (const dim d : *a.shape.value)
        if (!d.is_any() && d.value() < 0) r.refuse_attribute("shape", "a negative size", "0 or more along each axis");
    if (element == kernel::dtype::none) r.refuse_attribute("dtype", "no element type", "one such as \"float32\"");
    return r.tensor(*a.shape.value, element);
}

TUTTI_CONSTEXPR type_id full::infer(relation& r, const attributes& a) {
    if (!r.knows(0)) return type_id::none;
    r.expect_scalar(0);
    return created(r, a, a.dtype == kernel::dtype::none ? r.element(0) : a.dtype);
}

TUTTI_CONSTEXPR type_id ones::infer(relation& r, const attributes& a) { return created(r, a, a.dtype); }

TUTTI_CONSTEXPR type_id zeros::infer(relation& r, const attributes& a) { return created(r, a, a.dtype); }

TUTTI_CONSTEXPR type_id creation_like::infer(relation& r, const attributes&) {
    return r.knows(0) ? r.argument(0) : type_id::none;
}

TUTTI_CONSTEXPR type_id full_like::infer(relation& r, const attributes&) {
    if (!r.knows(0) || !r.knows(1)) return type_id::none;
    r.expect_scalar(1);
    return r.argument(0);
}

TUTTI_CONSTEXPR type_id arange::infer(relation& r, const attributes& a) {
    const kernel::dtype element = a.dtype;
    if (element == kernel::dtype::none) r.refuse_attribute("dtype", "no element type", "one such as \"float32\"");
    std::array<const tensor*, 3> ends{};
    bool constant = true;
    for (std::size_t i = 0; i < 3; ++i) {
        r.expect(i, {}, element);
        if (!r.knows(i)) return type_id::none;
        ends[i] = r.constant(i);
        constant = constant && ends[i] != nullptr;
    }
    if (!constant) return r.tensor(dims{dim::any()}, element);
    return r.tensor(dims{kernel::arange_length(*ends[0], *ends[1], *ends[2])}, element);
}

} // namespace op

TUTTI_CONSTEXPR expr arange(expr start, expr stop, expr step, const arange_attributes& attributes) {
    return call_op<op::arange>(attributes, start, stop, step);
}
TUTTI_CONSTEXPR expr full(expr fill_value, const create_attributes& attributes) {
    return call_op<op::full>(attributes, fill_value);
}
TUTTI_CONSTEXPR expr full_like(expr data, expr fill_value) { return call_op<op::full_like>({}, data, fill_value); }
TUTTI_CONSTEXPR expr ones_like(expr data) { return call_op<op::ones_like>({}, data); }
TUTTI_CONSTEXPR expr zeros_like(expr data) { return call_op<op::zeros_like>({}, data); }
TUTTI_CONSTEXPR expr ones(builder& b, const create_attributes& attributes) {
    return {&b.graph(), add_call<op::ones>(b.graph(), {}, attributes)};
}
TUTTI_CONSTEXPR expr zeros(builder& b, const create_attributes& attributes) {
    return {&b.graph(), add_call<op::zeros>(b.graph(), {}, attributes)};
}

} // namespace tutti::relay::inline TUTTI_FORM
