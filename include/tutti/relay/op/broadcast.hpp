#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/support/shape_rules.hpp>
#include <tutti/relay/op/dim_math.hpp>
#include <tutti/relay/op/layout_rule_broadcast.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>
#include <optional>
#include <span>
#include <string_view>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Returns the shape to which two shapes broadcast, or nothing if they do not broadcast: see
/// `kernel::append_broadcast`.
constexpr std::optional<dims> broadcast_shapes(std::span<const dim> a, std::span<const dim> b) {
    dims shape;
    return kernel::append_broadcast(shape, a, b) ? std::optional(shape) : std::nullopt;
}

namespace op {

/// Base of binary operators with broadcasting. Both arguments and the result have the same element type.
struct broadcast {
    static constexpr std::array<std::string_view, 2> arguments{"lhs", "rhs"};
    using attributes = no_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::broadcast;
    static constexpr auto shape_from = shape_source::broadcast;
    static constexpr auto layout = &layout_rules::broadcast;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes&);
};

/// Base of arithmetic operators, whose results are rounded.
struct arithmetic : broadcast {
    static constexpr bool rounds = true;
};

struct add : arithmetic, named<"add", precision_rule::follow> {};
struct divide : arithmetic, named<"divide", precision_rule::follow> {};

/// Quotient rounded down; `floor_mod` is the remainder
struct floor_divide : arithmetic, named<"floor_divide"> {};
struct floor_mod : arithmetic, named<"floor_mod"> {};
/// Quotient rounded toward zero; `trunc_mod` is the remainder
struct trunc_divide : arithmetic, named<"trunc_divide"> {};
struct trunc_mod : arithmetic, named<"trunc_mod"> {};
/// Remainder with the sign of lhs
struct mod : arithmetic, named<"mod"> {};

/// Bitwise operators, for integers and bool
struct bitwise_and : broadcast, named<"bitwise_and"> {};
struct bitwise_or : broadcast, named<"bitwise_or"> {};
struct bitwise_xor : broadcast, named<"bitwise_xor"> {};
/// lhs · 2^rhs, for integers
struct left_shift : broadcast, named<"left_shift"> {};
/// lhs / 2^rhs rounded down, for integers
struct right_shift : broadcast, named<"right_shift"> {};

/// True if both are true
struct logical_and : broadcast, named<"logical_and"> {};
/// True if either is true
struct logical_or : broadcast, named<"logical_or"> {};
/// True if exactly one is true
struct logical_xor : broadcast, named<"logical_xor"> {};

struct maximum : broadcast, named<"maximum", precision_rule::follow> {};
struct minimum : broadcast, named<"minimum", precision_rule::follow> {};
struct multiply : arithmetic, named<"multiply", precision_rule::follow> {};
struct power : arithmetic, named<"power", precision_rule::never> {};
struct subtract : arithmetic, named<"subtract", precision_rule::follow> {};

} // namespace op

/// The binary operators with broadcasting.
using broadcast_ops =
    op_list<op::add, op::bitwise_and, op::bitwise_or, op::bitwise_xor, op::divide, op::floor_divide, op::floor_mod,
            op::left_shift, op::logical_and, op::logical_or, op::logical_xor, op::maximum, op::minimum, op::mod,
            op::multiply, op::power, op::right_shift, op::subtract, op::trunc_divide, op::trunc_mod>;

TUTTI_CONSTEXPR expr add(expr lhs, expr rhs);
TUTTI_CONSTEXPR expr bitwise_and(expr lhs, expr rhs);
TUTTI_CONSTEXPR expr bitwise_or(expr lhs, expr rhs);
TUTTI_CONSTEXPR expr bitwise_xor(expr lhs, expr rhs);
TUTTI_CONSTEXPR expr divide(expr lhs, expr rhs);
TUTTI_CONSTEXPR expr floor_divide(expr lhs, expr rhs);
TUTTI_CONSTEXPR expr floor_mod(expr lhs, expr rhs);
TUTTI_CONSTEXPR expr left_shift(expr lhs, expr rhs);
TUTTI_CONSTEXPR expr logical_and(expr lhs, expr rhs);
TUTTI_CONSTEXPR expr logical_or(expr lhs, expr rhs);
TUTTI_CONSTEXPR expr logical_xor(expr lhs, expr rhs);
TUTTI_CONSTEXPR expr maximum(expr lhs, expr rhs);
TUTTI_CONSTEXPR expr minimum(expr lhs, expr rhs);
TUTTI_CONSTEXPR expr mod(expr lhs, expr rhs);
TUTTI_CONSTEXPR expr multiply(expr lhs, expr rhs);
TUTTI_CONSTEXPR expr power(expr lhs, expr rhs);
TUTTI_CONSTEXPR expr right_shift(expr lhs, expr rhs);
TUTTI_CONSTEXPR expr subtract(expr lhs, expr rhs);
TUTTI_CONSTEXPR expr trunc_divide(expr lhs, expr rhs);
TUTTI_CONSTEXPR expr trunc_mod(expr lhs, expr rhs);

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/op/broadcast.ipp>
#endif
