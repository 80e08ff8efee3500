#pragma once

#include <tutti/kernel/dtype.hpp>
#include <tutti/relay/op/dim_math.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>
#include <cstddef>
#include <string_view>

namespace tutti::relay {

namespace op {

/// Base of operators on sparse tensors.
struct sparse {
    static constexpr fusion_pattern pattern = fusion_pattern::opaque;
    using attributes = no_attributes;

    static constexpr void expect_indices(const relation& r) {
        if (r.shape(0).size() != 2 || !kernel::is_integer(r.element(0))) r.refuse(0, "a matrix of integers");
    }
    static constexpr void expect_sizes(const relation& r, std::size_t i) {
        if (r.shape(i).size() != 1 || !kernel::is_integer(r.element(i))) r.refuse(i, "a vector of integers");
    }
};

/// Returns the indices of the same elements in another shape, and that shape.
struct sparse_reshape : sparse {
    static constexpr std::string_view name = "sparse_reshape";
    static constexpr std::array<std::string_view, 3> arguments{"sparse_indices", "prev_shape", "new_shape"};

    static constexpr type_id infer(relation& r, const attributes&) {
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
};

/// Adds an element to each empty row, and also returns which rows these are.
struct sparse_fill_empty_rows : sparse {
    static constexpr std::string_view name = "sparse_fill_empty_rows";
    static constexpr std::array<std::string_view, 4> arguments{"sparse_indices", "sparse_values", "dense_shape",
                                                               "default_value"};

    static constexpr type_id infer(relation& r, const attributes&) {
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
};

} // namespace op

/// Operators on sparse tensors.
using sparse_ops = op_list<op::sparse_fill_empty_rows, op::sparse_reshape>;

/// Calls sparse_reshape; the result is a tuple of indices and shape.
constexpr expr sparse_reshape(expr sparse_indices, expr prev_shape, expr new_shape) {
    return call_op<op::sparse_reshape>({}, sparse_indices, prev_shape, new_shape);
}
/// Calls sparse_fill_empty_rows; the result is a tuple of indices, values and a mask of empty rows.
constexpr expr sparse_fill_empty_rows(expr sparse_indices, expr sparse_values, expr dense_shape, expr default_value) {
    return call_op<op::sparse_fill_empty_rows>({}, sparse_indices, sparse_values, dense_shape, default_value);
}

} // namespace tutti::relay
