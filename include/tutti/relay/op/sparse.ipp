#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/sparse.hpp>

namespace tutti::relay::inline TUTTI_FORM {

namespace op {

TUTTI_CONSTEXPR void sparse::expect_indices(const relation& r) {
    if (r.shape(0).size() != 2 || !kernel::is_integer(r.element(0))) r.refuse(0, "a matrix of integers");
}

TUTTI_CONSTEXPR void sparse::expect_sizes(const relation& r, std::size_t i) {
    if (r.shape(i).size() != 1 || !kernel::is_integer(r.element(i))) r.refuse(i, "a vector of integers");
}

TUTTI_CONSTEXPR type_id sparse_reshape::infer(relation& r, const attributes&) {
    if (!r.knows(0) || !r.knows(1) || !r.knows(2)) return type_id::none;
    expect_indices(r);
    expect_sizes(r, 1);
    expect_sizes(r, 2);
    const dims indices = r.shape(0);
    if (!may_equal(indices[1], r.shape(1)[0])) r.refuse(1, "a size for each column of the indices");
    const dim axes = r.shape(2)[0];
    const type_id fields[]{r.tensor(dims{indices[0], axes}, r.element(0)), r.tensor(dims{axes}, r.element(2))};
    return r.types().tuple(fields);
}

TUTTI_CONSTEXPR type_id sparse_fill_empty_rows::infer(relation& r, const attributes&) {
    if (!r.knows(0) || !r.knows(1) || !r.knows(2) || !r.knows(3)) return type_id::none;
    expect_indices(r);
    expect_sizes(r, 1);
    expect_sizes(r, 2);
    const dims indices = r.shape(0);
    if (!may_equal(indices[0], r.shape(1)[0])) r.refuse(1, "a value for each row of the indices");
    if (!may_equal(indices[1], r.shape(2)[0])) r.refuse(2, "a size for each column of the indices");
    const type_id list = r.tensor(dims{dim::any()}, kernel::dtype::int64);
    const type_id fields[]{r.tensor(dims{dim::any(), indices[1]}, kernel::dtype::int64), list, list};
    return r.types().tuple(fields);
}

} // namespace op

TUTTI_CONSTEXPR expr sparse_reshape(expr sparse_indices, expr prev_shape, expr new_shape) {
    return call_op<op::sparse_reshape>({}, sparse_indices, prev_shape, new_shape);
}
TUTTI_CONSTEXPR expr sparse_fill_empty_rows(expr sparse_indices, expr sparse_values, expr dense_shape,
                                            expr default_value) {
    return call_op<op::sparse_fill_empty_rows>({}, sparse_indices, sparse_values, dense_shape, default_value);
}

} // namespace tutti::relay::inline TUTTI_FORM
