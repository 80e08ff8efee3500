#pragma once

#include <tutti/kernel/support/shape_rules.hpp>
#include <tutti/relay/op/dim_math.hpp>
#include <tutti/relay/op/layout_rule_broadcast.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>
#include <optional>
#include <span>
#include <string_view>

namespace tutti::relay {

/// Returns the shape of two tensors broadcast together, or nothing if they do not fit: see `kernel::append_broadcast`.
constexpr std::optional<dims> broadcast_shapes(std::span<const dim> a, std::span<const dim> b) {
    dims shape;
    return kernel::append_broadcast(shape, a, b) ? std::optional(shape) : std::nullopt;
}

namespace op {

/// Base of binary operators with broadcasting: two tensors of one element type, which is the result's too.
struct broadcast {
    static constexpr std::array<std::string_view, 2> arguments{"lhs", "rhs"};
    using attributes = no_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::broadcast;
    static constexpr auto shape_from = shape_source::broadcast;
    static constexpr auto layout = &layout_rules::broadcast;

    static constexpr type_id infer(relation& r, const attributes&) {
        if (!r.knows(0) || !r.knows(1)) return type_id::none;
        r.expect_element(1, r.element(0));
        if (r.argument(0) == r.argument(1)) return r.argument(0);
        const auto shape = broadcast_shapes(r.shape(0), r.shape(1));
        if (!shape) r.refuse(1, "a shape that broadcasts with it");
        return r.tensor(*shape, r.element(0));
    }
};

/// Base of arithmetic operators: results are rounded.
struct arithmetic : broadcast {
    static constexpr bool rounds = true;
};

struct add : arithmetic, named<"add", precision_rule::follow> {};
struct divide : arithmetic, named<"divide", precision_rule::follow> {};

/// Quotient rounded down, and the remainder
struct floor_divide : arithmetic, named<"floor_divide"> {};
struct floor_mod : arithmetic, named<"floor_mod"> {};
/// Quotient rounded toward zero, and the remainder
struct trunc_divide : arithmetic, named<"trunc_divide"> {};
struct trunc_mod : arithmetic, named<"trunc_mod"> {};
/// Remainder with the sign of lhs
struct mod : arithmetic, named<"mod"> {};

/// For integers and bool
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

constexpr expr add(expr lhs, expr rhs) { return call_op<op::add>({}, lhs, rhs); }
constexpr expr bitwise_and(expr lhs, expr rhs) { return call_op<op::bitwise_and>({}, lhs, rhs); }
constexpr expr bitwise_or(expr lhs, expr rhs) { return call_op<op::bitwise_or>({}, lhs, rhs); }
constexpr expr bitwise_xor(expr lhs, expr rhs) { return call_op<op::bitwise_xor>({}, lhs, rhs); }
constexpr expr divide(expr lhs, expr rhs) { return call_op<op::divide>({}, lhs, rhs); }
constexpr expr floor_divide(expr lhs, expr rhs) { return call_op<op::floor_divide>({}, lhs, rhs); }
constexpr expr floor_mod(expr lhs, expr rhs) { return call_op<op::floor_mod>({}, lhs, rhs); }
constexpr expr left_shift(expr lhs, expr rhs) { return call_op<op::left_shift>({}, lhs, rhs); }
constexpr expr logical_and(expr lhs, expr rhs) { return call_op<op::logical_and>({}, lhs, rhs); }
constexpr expr logical_or(expr lhs, expr rhs) { return call_op<op::logical_or>({}, lhs, rhs); }
constexpr expr logical_xor(expr lhs, expr rhs) { return call_op<op::logical_xor>({}, lhs, rhs); }
constexpr expr maximum(expr lhs, expr rhs) { return call_op<op::maximum>({}, lhs, rhs); }
constexpr expr minimum(expr lhs, expr rhs) { return call_op<op::minimum>({}, lhs, rhs); }
constexpr expr mod(expr lhs, expr rhs) { return call_op<op::mod>({}, lhs, rhs); }
constexpr expr multiply(expr lhs, expr rhs) { return call_op<op::multiply>({}, lhs, rhs); }
constexpr expr power(expr lhs, expr rhs) { return call_op<op::power>({}, lhs, rhs); }
constexpr expr right_shift(expr lhs, expr rhs) { return call_op<op::right_shift>({}, lhs, rhs); }
constexpr expr subtract(expr lhs, expr rhs) { return call_op<op::subtract>({}, lhs, rhs); }
constexpr expr trunc_divide(expr lhs, expr rhs) { return call_op<op::trunc_divide>({}, lhs, rhs); }
constexpr expr trunc_mod(expr lhs, expr rhs) { return call_op<op::trunc_mod>({}, lhs, rhs); }

} // namespace tutti::relay
