#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/repeat.hpp>

namespace tutti::relay::inline TUTTI_FORM {

namespace op {

TUTTI_CONSTEXPR type_id repeat::infer(relation& r, const attributes& a) {
    if (!r.knows(0)) return type_id::none;
    if (a.repeats.value.is_any() || a.repeats.value.value() < 1)
        r.refuse_attribute("repeats", "less than once", "1 or more");
    dims shape = r.shape(0);
    if (!a.axis) return r.tensor(dims{times(product(shape), a.repeats)}, r.element(0));
    const std::size_t axis = checked_axis(r, "axis", a.axis->value(), shape.size());
    shape[axis] = times(shape[axis], a.repeats);
    return r.tensor(shape, r.element(0));
}

TUTTI_CONSTEXPR type_id tile::infer(relation& r, const attributes& a) {
    if (!r.knows(0)) return type_id::none;
    const dims shape = kernel::tiled<dims>(r.shape(0), a.reps.value, [&](dim size, dim count) {
        if (!is_known(count) || count.value() < 1)
            r.refuse_attribute("reps", "less than once", "1 or more for each axis");
        return times(size, count);
    });
    return r.tensor(shape, r.element(0));
}

} // namespace op

TUTTI_CONSTEXPR expr repeat(expr data, const repeat_attributes& attributes) {
    return call_op<op::repeat>(attributes, data);
}
TUTTI_CONSTEXPR expr tile(expr data, const tile_attributes& attributes) { return call_op<op::tile>(attributes, data); }

} // namespace tutti::relay::inline TUTTI_FORM
