#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/compare.hpp>

namespace tutti::relay::inline TUTTI_FORM {

namespace op {

TUTTI_CONSTEXPR type_id comparison::infer(relation& r, const attributes& a) {
    const type_id type = broadcast::infer(r, a);
    return type == type_id::none ? type : r.tensor(dims(r.types().shape(type)), dtype::boolean);
}

TUTTI_CONSTEXPR type_id where::infer(relation& r, const attributes&) {
    if (!r.knows(0) || !r.knows(1) || !r.knows(2)) return type_id::none;
    if (r.element(1) != r.element(2)) r.refuse(2, "elements of type " + std::string(kernel::name(r.element(1))));
    const auto values = broadcast_shapes(r.shape(1), r.shape(2));
    if (!values) r.refuse(2, "a shape that broadcasts with that of `x`");
    const auto shape = broadcast_shapes(r.shape(0), *values);
    if (!shape) r.refuse(0, "a shape that broadcasts with the others");
    return r.tensor(*shape, r.element(1));
}

} // namespace op

TUTTI_CONSTEXPR expr equal(expr lhs, expr rhs) { return call_op<op::equal>({}, lhs, rhs); }
TUTTI_CONSTEXPR expr greater(expr lhs, expr rhs) { return call_op<op::greater>({}, lhs, rhs); }
TUTTI_CONSTEXPR expr greater_equal(expr lhs, expr rhs) { return call_op<op::greater_equal>({}, lhs, rhs); }
TUTTI_CONSTEXPR expr less(expr lhs, expr rhs) { return call_op<op::less>({}, lhs, rhs); }
TUTTI_CONSTEXPR expr less_equal(expr lhs, expr rhs) { return call_op<op::less_equal>({}, lhs, rhs); }
TUTTI_CONSTEXPR expr not_equal(expr lhs, expr rhs) { return call_op<op::not_equal>({}, lhs, rhs); }
TUTTI_CONSTEXPR expr where(expr condition, expr x, expr y) { return call_op<op::where>({}, condition, x, y); }

} // namespace tutti::relay::inline TUTTI_FORM
