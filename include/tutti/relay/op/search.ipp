#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/search.hpp>

namespace tutti::relay::inline TUTTI_FORM {

namespace op {

TUTTI_CONSTEXPR type_id searchsorted::infer(relation& r, const attributes& a) {
    if (!r.knows(0) || !r.knows(1)) return type_id::none;
    if (a.dtype == kernel::dtype::none) r.refuse_attribute("dtype", "no element type", "one such as \"int32\"");
    const dims sorted = r.shape(0);
    const dims values = r.shape(1);
    if (sorted.empty()) r.refuse(0, "one dimension or more");
    if (values.empty()) r.refuse(1, "one dimension or more");
    r.expect_element(1, r.element(0));
    bool fits = sorted.size() == 1 || sorted.size() == values.size();
    for (std::size_t d = 0; fits && sorted.size() != 1 && d + 1 < sorted.size(); ++d)
        fits = may_equal(sorted[d], values[d]);
    if (!fits) r.refuse(0, "one row, or one for each row of the values");
    return r.tensor(values, a.dtype);
}

TUTTI_CONSTEXPR type_id invert_permutation::infer(relation& r, const attributes&) {
    if (!r.knows(0)) return type_id::none;
    if (r.shape(0).size() != 1 || !kernel::is_integer(r.element(0))) r.refuse(0, "a vector of integers");
    return r.argument(0);
}

TUTTI_CONSTEXPR type_id unique::infer(relation& r, const attributes& a) {
    if (!r.knows(0)) return type_id::none;
    const dims shape = r.shape(0);
    if (shape.size() != 1) r.refuse(0, "a vector");
    const type_id values = r.argument(0);
    const type_id places = r.tensor(shape, kernel::dtype::int32);
    const type_id fields[]{values, places, places, r.tensor(dims{1}, kernel::dtype::int32), places};
    return r.types().tuple({fields, a.return_counts ? std::size_t{5} : std::size_t{4}});
}

TUTTI_CONSTEXPR type_id unravel_index::infer(relation& r, const attributes&) {
    if (!r.knows(0) || !r.knows(1)) return type_id::none;
    const dims places = r.shape(0);
    const dims shape = r.shape(1);
    if (places.size() > 1 || !kernel::is_integer(r.element(0))) r.refuse(0, "a vector of integers or one integer");
    if (shape.size() != 1 || !kernel::is_integer(r.element(1))) r.refuse(1, "a vector of integers");
    dims out{shape[0]};
    if (!places.empty()) out.push_back(places[0]);
    return r.tensor(out, r.element(0));
}

} // namespace op

TUTTI_CONSTEXPR expr searchsorted(expr sorted_sequence, expr values, const searchsorted_attributes& attributes) {
    return call_op<op::searchsorted>(attributes, sorted_sequence, values);
}
TUTTI_CONSTEXPR expr invert_permutation(expr data) { return call_op<op::invert_permutation>({}, data); }
TUTTI_CONSTEXPR expr unique(expr data, const unique_attributes& attributes) {
    return call_op<op::unique>(attributes, data);
}
TUTTI_CONSTEXPR expr unravel_index(expr data, expr shape) { return call_op<op::unravel_index>({}, data, shape); }

} // namespace tutti::relay::inline TUTTI_FORM
