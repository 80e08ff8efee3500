#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/support/shape_rules.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/op/axis.hpp>
#include <tutti/relay/op/dim_math.hpp>
#include <tutti/relay/op/layout_rule.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Attributes of expand_dims: the position (from the end if negative) and number of new axes of size 1.
struct expand_dims_attributes {
    required<std::int64_t> axis{};
    std::int64_t num_newaxis = 1;

    static constexpr option_list<&expand_dims_attributes::axis, &expand_dims_attributes::num_newaxis> options{
        "axis", "num_newaxis"};
};

/// Attributes of squeeze: the axes of size 1 to remove, counted from the end if negative. If `axis` is None, all axes
/// of size 1 are removed.
struct squeeze_attributes {
    std::optional<dims> axis{};

    static constexpr option_list<&squeeze_attributes::axis> options{"axis"};
};

/// Attributes of broadcast_to and collapse_sum_to.
struct broadcast_to_attributes {
    required<dims> shape{};
    kernel::dtype dtype = kernel::dtype::none;

    static constexpr option_list<&broadcast_to_attributes::shape, &broadcast_to_attributes::dtype> options{"shape",
                                                                                                           "dtype"};
};

namespace layout_rules {

/// Drops the removed axes from the result's layout.
TUTTI_CONSTEXPR bool squeeze(layout_query& q);

} // namespace layout_rules

namespace op {

/// Broadcasts a tensor to a shape.
struct broadcast_to {
    static constexpr std::string_view name = "broadcast_to";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = broadcast_to_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::broadcast;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

/// Broadcasts a tensor to the shape of another.
struct broadcast_to_like {
    static constexpr std::string_view name = "broadcast_to_like";
    static constexpr std::array<std::string_view, 2> arguments{"data", "broadcast_type"};
    using attributes = no_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::broadcast;
    static constexpr auto shape_from = shape_source::second;
    static constexpr auto precision = precision_rule::follow;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes&);
};

/// Inserts axes of size 1.
struct expand_dims {
    static constexpr std::string_view name = "expand_dims";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = expand_dims_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::broadcast;
    static constexpr bool reshapes = true;
    static constexpr auto precision = precision_rule::follow;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

/// Removes axes of size 1.
struct squeeze {
    static constexpr std::string_view name = "squeeze";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = squeeze_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::injective;
    static constexpr bool reshapes = true;
    static constexpr auto layout = &layout_rules::squeeze;
    static constexpr auto precision = precision_rule::follow;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

namespace nn {

/// Flattens all axes except the first into one.
struct batch_flatten {
    static constexpr std::string_view name = "nn.batch_flatten";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = no_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::injective;
    static constexpr bool reshapes = true;
    static constexpr auto precision = precision_rule::follow;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes&);
};

} // namespace nn

} // namespace op

/// Operators that change shapes.
using shape_ops = op_list<op::broadcast_to, op::broadcast_to_like, op::expand_dims, op::squeeze, op::nn::batch_flatten>;

TUTTI_CONSTEXPR expr broadcast_to(expr data, const broadcast_to_attributes& attributes);
TUTTI_CONSTEXPR expr broadcast_to_like(expr data, expr broadcast_type);
TUTTI_CONSTEXPR expr expand_dims(expr data, const expand_dims_attributes& attributes);
TUTTI_CONSTEXPR expr squeeze(expr data, const squeeze_attributes& attributes = {});

namespace nn {
TUTTI_CONSTEXPR expr batch_flatten(expr data);
} // namespace nn

/// Reshapes a vector so that it broadcasts along `axis` of a tensor of this rank.
constexpr expr_id expand_to_axis(graph& g, expr_id vector, std::size_t rank, std::int64_t axis) {
    const std::int64_t behind = static_cast<std::int64_t>(rank) - axis - 1;
    if (behind <= 0) return vector;
    const expr_id arguments[]{vector};
    return add_call<op::expand_dims>(g, arguments, {.axis = 1, .num_newaxis = behind});
}

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/op/shape.ipp>
#endif
