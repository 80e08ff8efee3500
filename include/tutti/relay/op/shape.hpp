#pragma once

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

namespace tutti::relay {

/// Attributes of expand_dims: the position (from the end if negative) and number of new axes of size 1.
struct expand_dims_attributes {
    required<std::int64_t> axis{};
    std::int64_t num_newaxis = 1;

    static constexpr option_list<&expand_dims_attributes::axis, &expand_dims_attributes::num_newaxis> options{
        "axis", "num_newaxis"};
};

/// Attributes of squeeze: the axes of size 1 to remove (from the end if negative); all of them if not given.
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

/// Removed axes disappear from the result's layout.
constexpr bool squeeze(layout_query& q) {
    if (!q.first() || !q.old_in[0]) return false;
    const layout in = *q.first();
    attribute_edit edit = q.edit();
    dims axes = edit.numbers("axis");
    if (edit.is_none("axis"))
        for (std::size_t i = 0; i < q.rank(0); ++i)
            if (q.shape(0)[i].same_number(1)) axes.push_back(static_cast<std::int64_t>(i));
    if (q.altered) {
        for (dim& axis : axes) {
            const auto to = relay::detail::moved_axis(*q.old_in[0], in, axis.value());
            if (!to) return false;
            axis = *to;
        }
        edit.set("axis", axes);
        q.attributes = edit.commit();
    }
    layout out;
    for (std::size_t i = 0; i < in.rank(); ++i) {
        bool goes = false;
        for (const dim axis : axes)
            goes = goes || axis.value() == static_cast<std::int64_t>(i) ||
                   axis.value() + static_cast<std::int64_t>(in.rank()) == static_cast<std::int64_t>(i);
        if (!goes) out.push_back(in.axes()[i]);
    }
    q.in.assign(1, in);
    q.out.assign(1, out);
    return true;
}

} // namespace layout_rules

namespace op {

/// Broadcasts a tensor to a shape.
struct broadcast_to {
    static constexpr std::string_view name = "broadcast_to";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = broadcast_to_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::broadcast;

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows(0)) return type_id::none;
        const dims& shape = a.shape;
        bool fits = kernel::stretches(r.shape(0), shape);
        for (const dim d : shape) fits = fits && (d.is_any() || d.value() >= 0);
        if (!fits) r.refuse(0, "a shape that broadcasts to the attribute `shape`");
        return r.tensor(shape, r.element(0));
    }
};

/// Broadcasts a tensor to the shape of another.
struct broadcast_to_like {
    static constexpr std::string_view name = "broadcast_to_like";
    static constexpr std::array<std::string_view, 2> arguments{"data", "broadcast_type"};
    using attributes = no_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::broadcast;
    static constexpr auto shape_from = shape_source::second;
    static constexpr auto precision = precision_rule::follow;

    static constexpr type_id infer(relation& r, const attributes&) {
        if (!r.knows(0) || !r.knows(1)) return type_id::none;
        r.expect_element(1, r.element(0));
        const dims like = r.shape(1);
        if (!kernel::stretches(r.shape(0), like)) r.refuse(0, "a shape that broadcasts to the second argument's");
        return r.tensor(like, r.element(0));
    }
};

/// Inserts axes of size 1.
struct expand_dims {
    static constexpr std::string_view name = "expand_dims";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = expand_dims_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::broadcast;
    static constexpr bool reshapes = true;
    static constexpr auto precision = precision_rule::follow;

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows(0)) return type_id::none;
        if (a.num_newaxis < 0 || a.num_newaxis > 64) r.refuse_attribute("num_newaxis", "out of range", "0 to 64");
        const dims data = r.shape(0);
        const std::size_t at = checked_axis(r, "axis", a.axis, data.size() + 1);
        return r.tensor(kernel::with_axes<dims>(data, at, a.num_newaxis, 1), r.element(0));
    }
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

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows(0)) return type_id::none;
        const dims data = r.shape(0);
        small_vector<char, 6> removed;
        for (const dim d : data) removed.push_back(!a.axis && d.same_number(1) ? 1 : 0);
        for (const dim axis : a.axis.value_or(dims{})) {
            const std::size_t i = checked_axis(r, "axis", axis.value(), data.size());
            if (!may_equal(data[i], 1)) r.refuse(0, "1 along the axes to be removed");
            removed[i] = 1;
        }
        return r.tensor(kernel::without_axes<dims>(data, removed, false), r.element(0));
    }
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

    static constexpr type_id infer(relation& r, const attributes&) {
        if (!r.knows(0)) return type_id::none;
        const dims data = r.shape(0);
        if (data.empty()) r.refuse(0, "one dimension or more");
        return r.tensor(dims{data[0], product({data.begin() + 1, data.size() - 1})}, r.element(0));
    }
};

} // namespace nn

} // namespace op

/// Operators that change shapes.
using shape_ops = op_list<op::broadcast_to, op::broadcast_to_like, op::expand_dims, op::squeeze, op::nn::batch_flatten>;

constexpr expr broadcast_to(expr data, const broadcast_to_attributes& attributes) {
    return call_op<op::broadcast_to>(attributes, data);
}
constexpr expr broadcast_to_like(expr data, expr broadcast_type) {
    return call_op<op::broadcast_to_like>({}, data, broadcast_type);
}
constexpr expr expand_dims(expr data, const expand_dims_attributes& attributes) {
    return call_op<op::expand_dims>(attributes, data);
}
constexpr expr squeeze(expr data, const squeeze_attributes& attributes = {}) {
    return call_op<op::squeeze>(attributes, data);
}

namespace nn {
constexpr expr batch_flatten(expr data) { return call_op<op::nn::batch_flatten>({}, data); }
} // namespace nn

/// Reshapes a vector so that it broadcasts along this axis of a tensor of this rank.
constexpr expr_id expand_to_axis(graph& g, expr_id vector, std::size_t rank, std::int64_t axis) {
    const std::int64_t behind = static_cast<std::int64_t>(rank) - axis - 1;
    if (behind <= 0) return vector;
    const expr_id arguments[]{vector};
    return add_call<op::expand_dims>(g, arguments, {.axis = 1, .num_newaxis = behind});
}

} // namespace tutti::relay
