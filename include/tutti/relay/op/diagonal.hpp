#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/dtype.hpp>
#include <tutti/relay/op/dim_math.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Attributes of trilu: whether to keep the upper or the lower triangle.
struct trilu_attributes {
    bool upper = true;

    static constexpr option_list<&trilu_attributes::upper> options{"upper"};
};

/// Attributes of matrix_set_diag. `k1` and `k2` are the first and the last diagonal to replace, counted to the right
/// from the main diagonal. Shorter diagonals are aligned to the right in their rows if `super_diag_right_align` (on or
/// above the main diagonal) or `sub_diag_right_align` (below it) is true.
struct matrix_set_diag_attributes {
    std::int64_t k1 = 0;
    std::int64_t k2 = 0;
    bool super_diag_right_align = true;
    bool sub_diag_right_align = false;

    static constexpr option_list<&matrix_set_diag_attributes::k1, &matrix_set_diag_attributes::k2,
                                 &matrix_set_diag_attributes::super_diag_right_align,
                                 &matrix_set_diag_attributes::sub_diag_right_align>
        options{"k1", "k2", "super_diag_right_align", "sub_diag_right_align"};
};

namespace op {

/// Replaces diagonals of matrices with rows of another tensor.
struct matrix_set_diag {
    static constexpr std::string_view name = "matrix_set_diag";
    static constexpr std::array<std::string_view, 2> arguments{"input", "diagonal"};
    using attributes = matrix_set_diag_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::injective;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

/// Keeps each matrix on one side of a diagonal and sets the other side to 0.
struct trilu {
    static constexpr std::string_view name = "trilu";
    static constexpr std::array<std::string_view, 2> arguments{"data", "k"};
    using attributes = trilu_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::elementwise;
    static constexpr auto shape_from = shape_source::first;
    static constexpr std::string_view kept_as = "relay.attrs.TriluAttrs";

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes&);
};

} // namespace op

/// Operators on diagonals of matrices.
using diagonal_ops = op_list<op::matrix_set_diag, op::trilu>;

TUTTI_CONSTEXPR expr matrix_set_diag(expr input, expr diagonal, const matrix_set_diag_attributes& attributes = {});
TUTTI_CONSTEXPR expr trilu(expr data, expr k, const trilu_attributes& attributes = {});

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/op/diagonal.ipp>
#endif
