#pragma once

#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>
#include <string>
#include <string_view>

namespace tutti::relay {

namespace op {

/// Base of comparisons: two tensors of one element type that broadcast together; the result is bool.
struct comparison : broadcast {
    static constexpr type_id infer(relation& r, const attributes& a) {
        const type_id type = broadcast::infer(r, a);
        return type == type_id::none ? type : r.tensor(dims(r.types().shape(type)), dtype::boolean);
    }
};

struct equal : comparison, named<"equal"> {};
struct greater : comparison, named<"greater", precision_rule::follow> {};
struct greater_equal : comparison, named<"greater_equal", precision_rule::follow> {};
struct less : comparison, named<"less", precision_rule::follow> {};
struct less_equal : comparison, named<"less_equal", precision_rule::follow> {};
struct not_equal : comparison, named<"not_equal"> {};

/// Selects x where the condition is true and y elsewhere; all three broadcast together.
struct where {
    static constexpr std::string_view name = "where";
    static constexpr std::array<std::string_view, 3> arguments{"condition", "x", "y"};
    using attributes = no_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::broadcast;
    static constexpr auto shape_from = shape_source::broadcast;
    static constexpr auto precision = precision_rule::follow;

    static constexpr type_id infer(relation& r, const attributes&) {
        if (!r.knows(0) || !r.knows(1) || !r.knows(2)) return type_id::none;
        if (r.element(1) != r.element(2)) r.refuse(2, "elements of type " + std::string(kernel::name(r.element(1))));
        const auto values = broadcast_shapes(r.shape(1), r.shape(2));
        if (!values) r.refuse(2, "a shape that broadcasts with that of `x`");
        const auto shape = broadcast_shapes(r.shape(0), *values);
        if (!shape) r.refuse(0, "a shape that broadcasts with the others");
        return r.tensor(*shape, r.element(1));
    }
};

} // namespace op

/// Comparisons, and `where`.
using compare_ops =
    op_list<op::equal, op::greater, op::greater_equal, op::less, op::less_equal, op::not_equal, op::where>;

constexpr expr equal(expr lhs, expr rhs) { return call_op<op::equal>({}, lhs, rhs); }
constexpr expr greater(expr lhs, expr rhs) { return call_op<op::greater>({}, lhs, rhs); }
constexpr expr greater_equal(expr lhs, expr rhs) { return call_op<op::greater_equal>({}, lhs, rhs); }
constexpr expr less(expr lhs, expr rhs) { return call_op<op::less>({}, lhs, rhs); }
constexpr expr less_equal(expr lhs, expr rhs) { return call_op<op::less_equal>({}, lhs, rhs); }
constexpr expr not_equal(expr lhs, expr rhs) { return call_op<op::not_equal>({}, lhs, rhs); }
constexpr expr where(expr condition, expr x, expr y) { return call_op<op::where>({}, condition, x, y); }

} // namespace tutti::relay
