#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/diagonal.hpp>

namespace tutti::relay::inline TUTTI_FORM {

namespace op {

TUTTI_CONSTEXPR type_id matrix_set_diag::infer(relation& r, const attributes& a) {
    if (!r.knows(0) || !r.knows(1)) return type_id::none;
    const dims input = r.shape(0);
    if (input.size() < 2) r.refuse(0, "two dimensions or more");
    const std::size_t outer = input.size() - 2;
    const dim rows = input[outer];
    const dim columns = input[outer + 1];
    if (a.k1 > a.k2 || (!rows.is_any() && a.k1 <= -rows.value()) || (!columns.is_any() && a.k2 >= columns.value()))
        r.refuse_attribute(a.k1 > a.k2 ? "k2"
                           : a.k1 < 0  ? "k1"
                                       : "k2",
                           "not diagonals of the matrices", "a range of diagonals that the matrices have");
    const dim below = plus(rows, std::min<std::int64_t>(a.k2, 0));
    const dim above = minus(columns, std::max<std::int64_t>(a.k1, 0));
    dims wanted;
    for (std::size_t d = 0; d < outer; ++d) wanted.push_back(input[d]);
    if (a.k1 != a.k2) wanted.push_back(a.k2 - a.k1 + 1);
    wanted.push_back(below.is_any() || above.is_any() ? dim::any() : dim(std::min(below.value(), above.value())));
    r.expect(1, wanted, r.element(0));
    return r.argument(0);
}

TUTTI_CONSTEXPR type_id trilu::infer(relation& r, const attributes&) {
    if (!r.knows(0) || !r.knows(1)) return type_id::none;
    if (r.shape(0).size() < 2) r.refuse(0, "two dimensions or more");
    r.expect_scalar(1);
    if (!kernel::is_integer(r.element(1))) r.refuse(1, "an integer");
    return r.argument(0);
}

} // namespace op

TUTTI_CONSTEXPR expr matrix_set_diag(expr input, expr diagonal, const matrix_set_diag_attributes& attributes) {
    return call_op<op::matrix_set_diag>(attributes, input, diagonal);
}
TUTTI_CONSTEXPR expr trilu(expr data, expr k, const trilu_attributes& attributes) {
    return call_op<op::trilu>(attributes, data, k);
}

} // namespace tutti::relay::inline TUTTI_FORM
