#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/support/shape_rules.hpp>
#include <tutti/relay/op/axis.hpp>
#include <tutti/relay/op/dim_math.hpp>
#include <tutti/relay/op/layout_rule_axes.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM {

/// Attributes of one_hot: the size and position of the new axis.
struct one_hot_attributes {
    std::int64_t depth = 1;
    std::int64_t axis = -1;
    kernel::dtype dtype = kernel::dtype::none;

    static constexpr option_list<&one_hot_attributes::depth, &one_hot_attributes::axis, &one_hot_attributes::dtype>
        options{"depth", "axis", "dtype"};
};

/// Attributes of argsort: the axis, the order, and the element type of the positions.
struct argsort_attributes {
    std::int64_t axis = -1;
    bool is_ascend = true;
    kernel::dtype dtype = kernel::dtype::none;

    static constexpr option_list<&argsort_attributes::axis, &argsort_attributes::is_ascend, &argsort_attributes::dtype>
        options{"axis", "is_ascend", "dtype"};
};

/// Attributes of sort: the axis, and the order.
struct sort_attributes {
    std::int64_t axis = -1;
    bool is_ascend = true;

    static constexpr option_list<&sort_attributes::axis, &sort_attributes::is_ascend> options{"axis", "is_ascend"};
};

/// Attributes of topk: k (all elements if below 1, known only at run time if None), the axis, the requested results
/// ("values", "indices" or "both"), the order, and the element type of the indices.
struct topk_attributes {
    required<std::optional<dim>> k{};
    std::int64_t axis = -1;
    std::string_view ret_type = "both";
    bool is_ascend = false;
    kernel::dtype dtype = kernel::dtype::none;

    static constexpr option_list<&topk_attributes::k, &topk_attributes::axis, &topk_attributes::ret_type,
                                 &topk_attributes::is_ascend, &topk_attributes::dtype>
        options{"k", "axis", "ret_type", "is_ascend", "dtype"};
};

/// Attributes of sparse_to_dense: the result's shape.
struct sparse_to_dense_attributes {
    required<dims> output_shape{};

    static constexpr option_list<&sparse_to_dense_attributes::output_shape> options{"output_shape"};
};

/// Attributes of take: the number of leading axes shared with the indices, the axis (of the flattened data if None),
/// and the treatment of an index out of range. Mode "clip" takes the nearest valid index, and "wrap" wraps around. Mode
/// "fast" promises that no index is out of range; if one is, the built-in kernels throw, whereas the reference reads
/// memory outside the data.
struct take_attributes {
    std::int64_t batch_dims = 0;
    std::optional<dim> axis{};
    std::string_view mode = "clip";

    static constexpr option_list<&take_attributes::batch_dims, &take_attributes::axis, &take_attributes::mode> options{
        "batch_dims", "axis", "mode"};
};

namespace layout_rules {

/// Assigns the argument's layout to both results of topk, the values and the indices.
TUTTI_CONSTEXPR bool topk(layout_query& q);

} // namespace layout_rules

namespace op {

/// Adds an axis that holds one value at the position given by the index, and another value elsewhere.
struct one_hot {
    static constexpr std::string_view name = "one_hot";
    static constexpr std::array<std::string_view, 3> arguments{"indices", "on_value", "off_value"};
    using attributes = one_hot_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::out_elementwise_fusable;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);

    /// Returns the result's type for a new axis of size `depth`. Requires: the indices' type is known.
    static TUTTI_CONSTEXPR type_id shaped(relation& r, const attributes& a, dim depth);
};

/// Returns the positions of the elements along an axis in sorted order.
struct argsort {
    static constexpr std::string_view name = "argsort";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = argsort_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::opaque;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

/// Returns the positions of the nonzero elements, with one row for each element.
struct argwhere {
    static constexpr std::string_view name = "argwhere";
    static constexpr std::array<std::string_view, 1> arguments{"condition"};
    using attributes = no_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::opaque;
    static constexpr auto precision = precision_rule::follow;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes&);
};

/// Sorts the elements along an axis.
struct sort {
    static constexpr std::string_view name = "sort";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = sort_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::opaque;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

/// Returns the greatest or least elements along an axis in order: their values, their positions, or a tuple of both.
struct topk {
    static constexpr std::string_view name = "topk";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = topk_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::opaque;
    static constexpr auto layout = &layout_rules::topk;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

/// Creates a tensor from values at some positions and a default elsewhere.
struct sparse_to_dense {
    static constexpr std::string_view name = "sparse_to_dense";
    static constexpr std::array<std::string_view, 3> arguments{"sparse_indices", "sparse_values", "default_value"};
    using attributes = sparse_to_dense_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::opaque;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

/// Takes slices of the data at indices along an axis. The axes of the indices replace this axis.
struct take {
    static constexpr std::string_view name = "take";
    static constexpr std::array<std::string_view, 2> arguments{"data", "indices"};
    using attributes = take_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::injective;
    static constexpr auto precision = precision_rule::follow;

    static TUTTI_CONSTEXPR type_id infer(relation& r, const attributes& a);
};

} // namespace op

/// Operators on positions of elements.
using index_ops = op_list<op::argsort, op::argwhere, op::one_hot, op::sort, op::sparse_to_dense, op::take, op::topk>;

TUTTI_CONSTEXPR expr argsort(expr data, const argsort_attributes& attributes);
TUTTI_CONSTEXPR expr argwhere(expr condition);
TUTTI_CONSTEXPR expr sort(expr data, const sort_attributes& attributes = {});
TUTTI_CONSTEXPR expr one_hot(expr indices, expr on_value, expr off_value, const one_hot_attributes& attributes);
TUTTI_CONSTEXPR expr sparse_to_dense(expr sparse_indices, expr sparse_values, expr default_value,
                                     const sparse_to_dense_attributes& attributes);
TUTTI_CONSTEXPR expr take(expr data, expr indices, const take_attributes& attributes = {});
TUTTI_CONSTEXPR expr topk(expr data, const topk_attributes& attributes);

} // namespace tutti::relay::inline TUTTI_FORM
TUTTI_SHARED_END

#ifndef TUTTI_COMPILED
#include <tutti/relay/op/index.ipp>
#endif
