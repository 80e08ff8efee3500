#pragma once

#include <tutti/kernel/shape_rules.hpp>
#include <tutti/relay/op/dim_math.hpp>
#include <tutti/relay/op/layout_rule_broadcast.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace tutti::relay {

/// The shape of two tensors broadcast together, or nothing if they do not fit: see `kernel::append_broadcast`.
constexpr std::optional<dims> broadcast_shapes(std::span<const dim> a, std::span<const dim> b) {
    dims shape;
    return kernel::append_broadcast(shape, a, b) ? std::optional(shape) : std::nullopt;
}

namespace op {

/// What binary operators with broadcasting share: two tensors of one element type, which is the result's too.
struct broadcast {
    static constexpr std::array<std::string_view, 2> arguments{"lhs", "rhs"};
    using attributes = no_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::broadcast;
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

struct add : broadcast, named<"add", precision_rule::follow> {};
struct divide : broadcast, named<"divide", precision_rule::follow> {};
/// lhs · 2^rhs, of integers
struct left_shift : broadcast, named<"left_shift"> {};
/// Whether both are true
struct logical_and : broadcast, named<"logical_and"> {};
struct maximum : broadcast, named<"maximum", precision_rule::follow> {};
struct minimum : broadcast, named<"minimum", precision_rule::follow> {};
struct multiply : broadcast, named<"multiply", precision_rule::follow> {};
struct power : broadcast, named<"power", precision_rule::never> {};
struct subtract : broadcast, named<"subtract", precision_rule::follow> {};

} // namespace op

/// The binary operators with broadcasting.
using broadcast_ops = op_list<op::add, op::divide, op::left_shift, op::logical_and, op::maximum, op::minimum,
                              op::multiply, op::power, op::subtract>;

constexpr expr add(expr lhs, expr rhs) { return call_op<op::add>({}, lhs, rhs); }
constexpr expr divide(expr lhs, expr rhs) { return call_op<op::divide>({}, lhs, rhs); }
constexpr expr left_shift(expr lhs, expr rhs) { return call_op<op::left_shift>({}, lhs, rhs); }
constexpr expr logical_and(expr lhs, expr rhs) { return call_op<op::logical_and>({}, lhs, rhs); }
constexpr expr maximum(expr lhs, expr rhs) { return call_op<op::maximum>({}, lhs, rhs); }
constexpr expr minimum(expr lhs, expr rhs) { return call_op<op::minimum>({}, lhs, rhs); }
constexpr expr multiply(expr lhs, expr rhs) { return call_op<op::multiply>({}, lhs, rhs); }
constexpr expr power(expr lhs, expr rhs) { return call_op<op::power>({}, lhs, rhs); }
constexpr expr subtract(expr lhs, expr rhs) { return call_op<op::subtract>({}, lhs, rhs); }

} // namespace tutti::relay
