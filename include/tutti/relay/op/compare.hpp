#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>
#include <string>
#include <string_view>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

namespace op {

/// Base of comparisons of two tensors that have the same element type and broadcast together. The result is bool.
struct comparison : broadcast {
    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

struct equal : comparison, named<"equal"> {};
struct greater : comparison, named<"greater", precision_rule::follow> {};
struct greater_equal : comparison, named<"greater_equal", precision_rule::follow> {};
struct less : comparison, named<"less", precision_rule::follow> {};
struct less_equal : comparison, named<"less_equal", precision_rule::follow> {};
struct not_equal : comparison, named<"not_equal"> {};

/// Selects x where the condition is true, and y elsewhere. The three arguments broadcast together.
struct where {
    static constexpr std::string_view name = "where";
    static constexpr std::array<std::string_view, 3> arguments{"condition", "x", "y"};
    using attributes = no_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::broadcast;
    static constexpr auto shape_from = shape_source::broadcast;
    static constexpr auto precision = precision_rule::follow;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes&);
};

} // namespace op

/// Comparisons, and `where`.
using compare_ops =
    op_list<op::equal, op::greater, op::greater_equal, op::less, op::less_equal, op::not_equal, op::where>;

TUTTI_CONSTEXPR expr equal(expr lhs, expr rhs);
TUTTI_CONSTEXPR expr greater(expr lhs, expr rhs);
TUTTI_CONSTEXPR expr greater_equal(expr lhs, expr rhs);
TUTTI_CONSTEXPR expr less(expr lhs, expr rhs);
TUTTI_CONSTEXPR expr less_equal(expr lhs, expr rhs);
TUTTI_CONSTEXPR expr not_equal(expr lhs, expr rhs);
TUTTI_CONSTEXPR expr where(expr condition, expr x, expr y);

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/op/compare.ipp>
#endif
