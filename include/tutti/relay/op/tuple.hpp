#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/kernel/support/shape_rules.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/op/axis.hpp>
#include <tutti/relay/op/dim_math.hpp>
#include <tutti/relay/op/layout_rule.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Attributes of concatenate: the axis.
struct concatenate_attributes {
    std::int64_t axis = 0;

    static constexpr option_list<&concatenate_attributes::axis> options{"axis"};
};

/// Attributes of stack: the position of the new axis.
struct stack_attributes {
    dim axis = 0;

    static constexpr option_list<&stack_attributes::axis> options{"axis"};
};

/// Attributes of split: the axis, and a number of equal parts or the start positions of all parts but the first.
struct split_attributes {
    required<one_or_more> indices_or_sections{};
    std::int64_t axis = 0;

    static constexpr option_list<&split_attributes::indices_or_sections, &split_attributes::axis> options{
        "indices_or_sections", "axis"};
};

/// Attributes of meshgrid: "ij" if the first vector varies along the first axis, "xy" if it varies along the second.
struct meshgrid_attributes {
    std::string_view indexing = "ij";

    static constexpr option_list<&meshgrid_attributes::indexing> options{"indexing"};
};

namespace layout_rules {

/// Adjusts the attribute `axis` if all tensors get the same new layout. Otherwise, requires the first known original
/// layout for all tensors.
///
/// Arguments after the tensors are scales and zero points.
TUTTI_CONSTEXPR bool concatenation(layout_query& q, std::size_t tensors);
TUTTI_CONSTEXPR bool concatenate(layout_query& q);

/// Adjusts the axis of split to the new layout, and converts positions from elements to blocks if possible.
TUTTI_CONSTEXPR bool split(layout_query& q);

} // namespace layout_rules

namespace op {

/// Base of operators on a tuple of tensors that have the same element type and rank.
struct joining {
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    static constexpr fusion_pattern pattern = fusion_pattern::injective;

    /// Returns the shapes of the tuple's tensors. Throws: `tutti::error` if the tuple is empty, or element types or
    /// ranks differ.
    static TUTTI_CONSTEXPR vector<dims> shapes(const relation& r);
    static TUTTI_CONSTEXPR dtype element(const relation& r);

    /// Checks the sizes along an axis. Throws: `tutti::error` if two sizes are known to differ.
    static TUTTI_CONSTEXPR void check_agree(const relation& r, const vector<dims>& all, std::size_t axis);
};

/// Concatenates the tensors of a tuple along an axis.
///
/// If only some tensors have a known size along another axis, the result's size along that axis is known only if the
/// result's size along the concatenation axis is unknown, as in the reference.
struct concatenate : joining {
    static constexpr std::string_view name = "concatenate";
    using attributes = concatenate_attributes;
    static constexpr auto layout = &layout_rules::concatenate;
    static constexpr auto precision = precision_rule::follow;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

/// Stacks the tensors of a tuple along a new axis. The result's other axes are those of the first tensor.
struct stack : joining {
    static constexpr std::string_view name = "stack";
    using attributes = stack_attributes;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

/// Returns the coordinates of a grid: for each vector of a tuple, a tensor with one axis per vector.
struct meshgrid {
    static constexpr std::string_view name = "meshgrid";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = meshgrid_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::injective;
    static constexpr auto precision = precision_rule::follow;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

/// Splits a tensor along an axis into a tuple of parts.
struct split {
    static constexpr std::string_view name = "split";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = split_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::injective;
    static constexpr auto layout = &layout_rules::split;
    static constexpr auto precision = precision_rule::follow;

    /// Limit on the number of parts, so that a number in the text cannot exhaust memory.
    static constexpr std::int64_t most_sections = 1 << 16;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

} // namespace op

/// Operators that join tensors or split them.
using tuple_ops = op_list<op::concatenate, op::meshgrid, op::split, op::stack>;

/// Calls concatenate. `data` must be a tuple.
TUTTI_CONSTEXPR expr concatenate(expr data, const concatenate_attributes& attributes = {});
/// Calls stack. `data` must be a tuple.
TUTTI_CONSTEXPR expr stack(expr data, const stack_attributes& attributes = {});
/// Calls meshgrid. `data` and the result are tuples.
TUTTI_CONSTEXPR expr meshgrid(expr data, const meshgrid_attributes& attributes = {});
/// Calls split. The result is a tuple of the parts.
TUTTI_CONSTEXPR expr split(expr data, const split_attributes& attributes);

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/op/tuple.ipp>
#endif
