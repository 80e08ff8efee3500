#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/broadcast.hpp>

namespace tutti::relay::inline TUTTI_FORM {

namespace op {

TUTTI_CONSTEXPR type_id broadcast::infer(relation& r, const attributes&) {
    if (!r.knows(0) || !r.knows(1)) return type_id::none;
    r.expect_element(1, r.element(0));
    if (r.argument(0) == r.argument(1)) return r.argument(0);
    const auto shape = broadcast_shapes(r.shape(0), r.shape(1));
    if (!shape) r.refuse(1, "a shape that broadcasts with it");
    return r.tensor(*shape, r.element(0));
}

} // namespace op

TUTTI_CONSTEXPR expr add(expr lhs, expr rhs) { return call_op<op::add>({}, lhs, rhs); }
TUTTI_CONSTEXPR expr bitwise_and(expr lhs, expr rhs) { return call_op<op::bitwise_and>({}, lhs, rhs); }
TUTTI_CONSTEXPR expr bitwise_or(expr lhs, expr rhs) { return call_op<op::bitwise_or>({}, lhs, rhs); }
TUTTI_CONSTEXPR expr bitwise_xor(expr lhs, expr rhs) { return call_op<op::bitwise_xor>({}, lhs, rhs); }
TUTTI_CONSTEXPR expr divide(expr lhs, expr rhs) { return call_op<op::divide>({}, lhs, rhs); }
TUTTI_CONSTEXPR expr floor_divide(expr lhs, expr rhs) { return call_op<op::floor_divide>({}, lhs, rhs); }
TUTTI_CONSTEXPR expr floor_mod(expr lhs, expr rhs) { return call_op<op::floor_mod>({}, lhs, rhs); }
TUTTI_CONSTEXPR expr left_shift(expr lhs, expr rhs) { return call_op<op::left_shift>({}, lhs, rhs); }
TUTTI_CONSTEXPR expr logical_and(expr lhs, expr rhs) { return call_op<op::logical_and>({}, lhs, rhs); }
TUTTI_CONSTEXPR expr logical_or(expr lhs, expr rhs) { return call_op<op::logical_or>({}, lhs, rhs); }
TUTTI_CONSTEXPR expr logical_xor(expr lhs, expr rhs) { return call_op<op::logical_xor>({}, lhs, rhs); }
TUTTI_CONSTEXPR expr maximum(expr lhs, expr rhs) { return call_op<op::maximum>({}, lhs, rhs); }
TUTTI_CONSTEXPR expr minimum(expr lhs, expr rhs) { return call_op<op::minimum>({}, lhs, rhs); }
TUTTI_CONSTEXPR expr mod(expr lhs, expr rhs) { return call_op<op::mod>({}, lhs, rhs); }
TUTTI_CONSTEXPR expr multiply(expr lhs, expr rhs) { return call_op<op::multiply>({}, lhs, rhs); }
TUTTI_CONSTEXPR expr power(expr lhs, expr rhs) { return call_op<op::power>({}, lhs, rhs); }
TUTTI_CONSTEXPR expr right_shift(expr lhs, expr rhs) { return call_op<op::right_shift>({}, lhs, rhs); }
TUTTI_CONSTEXPR expr subtract(expr lhs, expr rhs) { return call_op<op::subtract>({}, lhs, rhs); }
TUTTI_CONSTEXPR expr trunc_divide(expr lhs, expr rhs) { return call_op<op::trunc_divide>({}, lhs, rhs); }
TUTTI_CONSTEXPR expr trunc_mod(expr lhs, expr rhs) { return call_op<op::trunc_mod>({}, lhs, rhs); }

} // namespace tutti::relay::inline TUTTI_FORM
