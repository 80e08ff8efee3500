#pragma once

#include <tutti/kernel/dtype.hpp>
#include <tutti/relay/op/dim_math.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tutti::relay {

/// Attributes of trilu: keep the upper or the lower triangle.
struct trilu_attributes {
    bool upper = true;

    static constexpr option_list<&trilu_attributes::upper> options{"upper"};
};

/// Attributes of matrix_set_diag: the first and last diagonal to replace, counted to the right from the main one, and
/// the alignment of shorter diagonals in their rows, for those above (and on) and below the main one.
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

/// Replaces diagonals of matrices by rows of another tensor.
struct matrix_set_diag {
    static constexpr std::string_view name = "matrix_set_diag";
    static constexpr std::array<std::string_view, 2> arguments{"input", "diagonal"};
    using attributes = matrix_set_diag_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::injective;

    static constexpr type_id infer(relation& r, const attributes& a) {
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
};

/// Keeps each matrix on one side of a diagonal; the rest becomes 0.
struct trilu {
    static constexpr std::string_view name = "trilu";
    static constexpr std::array<std::string_view, 2> arguments{"data", "k"};
    using attributes = trilu_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::elementwise;
    static constexpr auto shape_from = shape_source::first;
    static constexpr std::string_view kept_as = "relay.attrs.TriluAttrs";

    static constexpr type_id infer(relation& r, const attributes&) {
        if (!r.knows(0) || !r.knows(1)) return type_id::none;
        if (r.shape(0).size() < 2) r.refuse(0, "two dimensions or more");
        r.expect_scalar(1);
        if (!kernel::is_integer(r.element(1))) r.refuse(1, "an integer");
        return r.argument(0);
    }
};

} // namespace op

/// Operators on diagonals of matrices.
using diagonal_ops = op_list<op::matrix_set_diag, op::trilu>;

constexpr expr matrix_set_diag(expr input, expr diagonal, const matrix_set_diag_attributes& attributes = {}) {
    return call_op<op::matrix_set_diag>(attributes, input, diagonal);
}
constexpr expr trilu(expr data, expr k, const trilu_attributes& attributes = {}) {
    return call_op<op::trilu>(attributes, data, k);
}

} // namespace tutti::relay
