#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/fixed_point.hpp>

namespace tutti::relay::inline TUTTI_FORM {

namespace op {

TUTTI_CONSTEXPR type_id fixed_point_multiply::infer(relation& r, const attributes&) {
    return r.knows(0) ? r.argument(0) : type_id::none;
}

TUTTI_CONSTEXPR type_id fixed_point_multiply_per_axis::infer(relation& r, const attributes& a) {
    if (!r.knows(0)) return type_id::none;
    const dims data = r.shape(0);
    dims places;
    for (const dim axis : a.axes) {
        if (axis.is_any()) r.refuse_attribute("axes", "an axis `?`", "numbers of axes");
        places.push_back(data[checked_axis(r, "axes", axis.value(), data.size())]);
    }
    const dim count = product(places);
    for (std::size_t i = 1; i < 4; ++i)
        if (r.knows(i) && !may_equal(product(r.shape(i)), count))
            r.refuse(i, "an element for each place along the axes");
    return r.argument(0);
}

} // namespace op

TUTTI_CONSTEXPR expr fixed_point_multiply(expr data, const fixed_point_multiply_attributes& attributes) {
    return call_op<op::fixed_point_multiply>(attributes, data);
}
TUTTI_CONSTEXPR expr fixed_point_multiply_per_axis(expr data, expr multiplier, expr left_shift, expr right_shift,
                                                   const fixed_point_multiply_per_axis_attributes& attributes) {
    return call_op<op::fixed_point_multiply_per_axis>(attributes, data, multiplier, left_shift, right_shift);
}

} // namespace tutti::relay::inline TUTTI_FORM
