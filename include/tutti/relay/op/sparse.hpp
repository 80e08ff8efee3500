#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/dtype.hpp>
#include <tutti/relay/op/dim_math.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>
#include <cstddef>
#include <string_view>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

namespace op {

/// Base of operators on sparse tensors.
struct sparse {
    static constexpr fusion_pattern pattern = fusion_pattern::opaque;
    using attributes = no_attributes;

    static TUTTI_CONSTEXPR void expect_indices(const relation& r);
    static TUTTI_CONSTEXPR void expect_sizes(const relation& r, std::size_t i);
};

/// Returns the indices of the elements in a new shape, and the new shape.
struct sparse_reshape : sparse {
    static constexpr std::string_view name = "sparse_reshape";
    static constexpr std::array<std::string_view, 3> arguments{"sparse_indices", "prev_shape", "new_shape"};

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes&);
};

/// Adds an element to each empty row. Also returns a mask of the empty rows.
struct sparse_fill_empty_rows : sparse {
    static constexpr std::string_view name = "sparse_fill_empty_rows";
    static constexpr std::array<std::string_view, 4> arguments{"sparse_indices", "sparse_values", "dense_shape",
                                                               "default_value"};

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes&);
};

} // namespace op

/// Operators on sparse tensors.
using sparse_ops = op_list<op::sparse_fill_empty_rows, op::sparse_reshape>;

/// Calls sparse_reshape. The result is a tuple of indices and shape.
TUTTI_CONSTEXPR expr sparse_reshape(expr sparse_indices, expr prev_shape, expr new_shape);
/// Calls sparse_fill_empty_rows. The result is a tuple of indices, values and a mask of empty rows.
TUTTI_CONSTEXPR expr sparse_fill_empty_rows(expr sparse_indices, expr sparse_values, expr dense_shape,
                                            expr default_value);

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/op/sparse.ipp>
#endif
