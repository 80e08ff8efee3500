#pragma once

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

namespace tutti::relay {

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

/// Attributes of topk: the number (all if below 1, known only at run time if None), the axis, the requested results
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

/// Attributes of sparse_to_dense.
struct sparse_to_dense_attributes {
    required<dims> output_shape{};

    static constexpr option_list<&sparse_to_dense_attributes::output_shape> options{"output_shape"};
};

/// Attributes of take: the number of leading axes shared with the indices, the axis (of the flattened data if None),
/// and the treatment of an index out of range: "clip" takes the nearest one, "wrap" wraps around. "fast" promises that
/// there is none; the reference then reads other memory, while the kernels here throw an error.
struct take_attributes {
    std::int64_t batch_dims = 0;
    std::optional<dim> axis{};
    std::string_view mode = "clip";

    static constexpr option_list<&take_attributes::batch_dims, &take_attributes::axis, &take_attributes::mode> options{
        "batch_dims", "axis", "mode"};
};

namespace layout_rules {

/// topk: values and indices in the argument's layout.
constexpr bool topk(layout_query& q) {
    if (!along_axes(q, 1)) return false;
    if (q.edit().text("ret_type") == "both") q.out.push_back(q.out.front());
    return true;
}

} // namespace layout_rules

namespace op {

/// Adds an axis with one value at the index and another value elsewhere.
struct one_hot {
    static constexpr std::string_view name = "one_hot";
    static constexpr std::array<std::string_view, 3> arguments{"indices", "on_value", "off_value"};
    using attributes = one_hot_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::out_elementwise_fusable;

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows(0) || !r.knows(1) || !r.knows(2)) return type_id::none;
        r.expect_scalar(1);
        r.expect_scalar(2);
        if (a.depth < 1) r.refuse_attribute("depth", "less than 1", "1 or more");
        return shaped(r, a, a.depth);
    }

    /// Returns the result's type for a new axis of this size. Requires: the indices' type is known.
    static constexpr type_id shaped(relation& r, const attributes& a, dim depth) {
        if (a.dtype == kernel::dtype::none) r.refuse_attribute("dtype", "no element type", "one such as \"float32\"");
        const dims indices = r.shape(0);
        const std::size_t axis = checked_axis(r, "axis", a.axis, indices.size() + 1);
        return r.tensor(kernel::with_axes<dims>(indices, axis, 1, depth), a.dtype);
    }
};

/// Returns the positions of the elements along an axis in sorted order.
struct argsort {
    static constexpr std::string_view name = "argsort";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = argsort_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::opaque;

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows(0)) return type_id::none;
        static_cast<void>(checked_axis(r, "axis", a.axis, r.shape(0).size()));
        if (a.dtype == kernel::dtype::none) r.refuse_attribute("dtype", "no element type", "one such as \"int32\"");
        return r.tensor(r.shape(0), a.dtype);
    }
};

/// Returns the positions of the nonzero elements, one row each.
struct argwhere {
    static constexpr std::string_view name = "argwhere";
    static constexpr std::array<std::string_view, 1> arguments{"condition"};
    using attributes = no_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::opaque;
    static constexpr auto precision = precision_rule::follow;

    static constexpr type_id infer(relation& r, const attributes&) {
        if (!r.knows(0)) return type_id::none;
        return r.tensor(dims{dim::any(), static_cast<std::int64_t>(r.shape(0).size())}, kernel::dtype::int32);
    }
};

/// Sorts the elements along an axis.
struct sort {
    static constexpr std::string_view name = "sort";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = sort_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::opaque;

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows(0)) return type_id::none;
        static_cast<void>(checked_axis(r, "axis", a.axis, r.shape(0).size()));
        return r.argument(0);
    }
};

/// Returns the greatest or least elements along an axis in order: their values, their positions, or a tuple of both.
struct topk {
    static constexpr std::string_view name = "topk";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = topk_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::opaque;
    static constexpr auto layout = &layout_rules::topk;

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows(0)) return type_id::none;
        dims shape = r.shape(0);
        dim& size = shape[checked_axis(r, "axis", a.axis, shape.size())];
        const dim k = a.k.value.value_or(dim::any());
        if (k.is_any() || k.value() > 0) size = k;
        const type_id values = r.tensor(shape, r.element(0));
        if (a.ret_type == "values") return values;
        if (a.dtype == kernel::dtype::none) r.refuse_attribute("dtype", "no element type", "one such as \"int32\"");
        const type_id indices = r.tensor(shape, a.dtype);
        if (a.ret_type == "indices") return indices;
        if (a.ret_type != "both")
            r.refuse_attribute("ret_type", "\"" + std::string(a.ret_type) + "\"",
                               "\"both\", \"values\" or \"indices\"");
        const type_id fields[]{values, indices};
        return r.types().tuple(fields);
    }
};

/// Makes a tensor from values at some positions and a default elsewhere.
struct sparse_to_dense {
    static constexpr std::string_view name = "sparse_to_dense";
    static constexpr std::array<std::string_view, 3> arguments{"sparse_indices", "sparse_values", "default_value"};
    using attributes = sparse_to_dense_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::opaque;

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows(0) || !r.knows(1) || !r.knows(2)) return type_id::none;
        if (r.shape(0).size() > 2) r.refuse(0, "at most two dimensions");
        if (r.shape(1).size() > 1) r.refuse(1, "at most one dimension");
        r.expect_scalar(2);
        return r.tensor(a.output_shape.value, r.element(1));
    }
};

/// Takes slices of the data at indices along an axis, which the indices' axes replace.
struct take {
    static constexpr std::string_view name = "take";
    static constexpr std::array<std::string_view, 2> arguments{"data", "indices"};
    using attributes = take_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::injective;
    static constexpr auto precision = precision_rule::follow;

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows(0) || !r.knows(1)) return type_id::none;
        if (!kernel::is_integer(r.element(1))) r.refuse(1, "integers");
        const dims data = r.shape(0);
        const dims indices = r.shape(1);
        if (!a.axis) return r.tensor(indices, r.element(0));
        const std::size_t axis = checked_axis(r, "axis", a.axis->value(), data.size());
        const auto batch = static_cast<std::size_t>(a.batch_dims);
        if (a.batch_dims < 0 || batch > axis || batch > indices.size())
            r.refuse_attribute("batch_dims", "out of range", "no more than there are before `axis`");
        dims shape;
        for (std::size_t i = 0; i < axis; ++i) shape.push_back(data[i]);
        for (std::size_t i = batch; i < indices.size(); ++i) shape.push_back(indices[i]);
        for (std::size_t i = axis + 1; i < data.size(); ++i) shape.push_back(data[i]);
        return r.tensor(shape, r.element(0));
    }
};

} // namespace op

/// Operators on positions of elements.
using index_ops = op_list<op::argsort, op::argwhere, op::one_hot, op::sort, op::sparse_to_dense, op::take, op::topk>;

constexpr expr argsort(expr data, const argsort_attributes& attributes) {
    return call_op<op::argsort>(attributes, data);
}
constexpr expr argwhere(expr condition) { return call_op<op::argwhere>({}, condition); }
constexpr expr sort(expr data, const sort_attributes& attributes = {}) { return call_op<op::sort>(attributes, data); }
constexpr expr one_hot(expr indices, expr on_value, expr off_value, const one_hot_attributes& attributes) {
    return call_op<op::one_hot>(attributes, indices, on_value, off_value);
}
constexpr expr sparse_to_dense(expr sparse_indices, expr sparse_values, expr default_value,
                               const sparse_to_dense_attributes& attributes) {
    return call_op<op::sparse_to_dense>(attributes, sparse_indices, sparse_values, default_value);
}
constexpr expr take(expr data, expr indices, const take_attributes& attributes = {}) {
    return call_op<op::take>(attributes, data, indices);
}
constexpr expr topk(expr data, const topk_attributes& attributes) { return call_op<op::topk>(attributes, data); }

} // namespace tutti::relay
