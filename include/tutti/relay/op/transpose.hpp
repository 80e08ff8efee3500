#pragma once

#include <tutti/relay/op/axis.hpp>
#include <tutti/relay/op/layout.hpp>
#include <tutti/relay/op/layout_rule.hpp>
#include <tutti/relay/op/op_def.hpp>
#include <tutti/relay/op/spatial.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tutti::relay {

/// Attributes of transpose: the argument's axes in the result's order; reversed if None.
struct transpose_attributes {
    required<std::optional<dims>> axes{};

    static constexpr option_list<&transpose_attributes::axes> options{"axes"};
};

/// Attributes of layout_transform.
struct layout_transform_attributes {
    required<std::string_view> src_layout{};
    required<std::string_view> dst_layout{};

    static constexpr option_list<&layout_transform_attributes::src_layout, &layout_transform_attributes::dst_layout>
        options{"src_layout", "dst_layout"};
};

namespace layout_rules {

/// The axes of transpose move along; the result has the argument's layout, permuted.
constexpr bool transpose(layout_query& q) {
    if (!q.old_in[0]) return false;
    const layout& old = *q.old_in[0];
    attribute_edit edit = q.edit();
    dims axes = edit.numbers("axes");
    const auto rank = static_cast<std::int64_t>(old.rank());
    if (axes.empty())
        for (std::int64_t i = rank; i-- > 0;) axes.push_back(i);
    for (dim& axis : axes)
        if (axis.value() < 0) axis = axis.value() + rank;
    layout in = old;
    if (q.altered && q.new_in[0]) {
        dims moved;
        for (const dim axis : axes)
            if (const auto to = relay::detail::moved_axis(old, *q.new_in[0], axis.value())) moved.push_back(*to);
        if (moved.size() == axes.size() && moved.size() == q.new_in[0]->rank()) {
            axes = moved;
            in = *q.new_in[0];
        }
    }
    layout out;
    for (const dim axis : axes) {
        const auto a = relay::detail::axis_at(in, axis.value());
        if (!a || a->block != 0 || !out.push_back(*a)) return false;
    }
    edit.set("axes", axes);
    q.attributes = edit.commit();
    q.in.assign(1, in);
    q.out.assign(1, out);
    return true;
}

} // namespace layout_rules

namespace op {

/// Permutes the axes.
struct transpose {
    static constexpr std::string_view name = "transpose";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = transpose_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::injective;
    static constexpr auto layout = &layout_rules::transpose;
    static constexpr auto precision = precision_rule::follow;

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows(0)) return type_id::none;
        const dims data = r.shape(0);
        dims out;
        if (!a.axes.value) {
            for (std::size_t i = data.size(); i-- > 0;) out.push_back(data[i]);
            return r.tensor(out, r.element(0));
        }
        spatial::check_rank(r, "axes", *a.axes.value, data.size());
        small_vector<char, 6> taken(data.size(), 0);
        for (const dim axis : *a.axes.value) {
            const std::size_t i = checked_axis(r, "axes", axis.value(), data.size());
            if (taken[i] != 0) r.refuse_attribute("axes", "an axis twice", "each axis once");
            taken[i] = 1;
            out.push_back(data[i]);
        }
        return r.tensor(out, r.element(0));
    }
};

/// Converts a tensor to another layout.
struct layout_transform {
    static constexpr std::string_view name = "layout_transform";
    static constexpr std::array<std::string_view, 1> arguments{"data"};
    using attributes = layout_transform_attributes;
    static constexpr fusion_pattern pattern = fusion_pattern::injective;

    static constexpr type_id infer(relation& r, const attributes& a) {
        if (!r.knows(0)) return type_id::none;
        const layout from = parse(r, "src_layout", a.src_layout);
        const layout to = parse(r, "dst_layout", a.dst_layout);
        const dims data = r.shape(0);
        if (!from.fits(data)) r.refuse(0, "a tensor of layout " + std::string(a.src_layout.value));
        for (const layout::axis& axis : to.axes())
            if (!from.find(axis.letter)) refuse_axis(r, "dst_layout", axis.letter, a.src_layout);
        for (const layout::axis& axis : from.axes())
            if (!to.find(axis.letter)) refuse_axis(r, "src_layout", axis.letter, a.dst_layout);
        return r.tensor(spatial::shape_in(r, "dst_layout", to, spatial::axis_sizes(from, data)), r.element(0));
    }

private:
    static constexpr layout parse(const relation& r, std::string_view attribute, std::string_view text) {
        const auto l = layout::parse(text);
        if (!l)
            r.refuse_attribute(attribute, "\"" + std::string(text) + "\" is not a layout",
                               "one such as NCHW or NCHW16c");
        return *l;
    }
    [[noreturn, gnu::cold, gnu::noinline]] static void refuse_axis(const relation& r, std::string_view attribute,
                                                                   char letter, std::string_view other) {
        r.refuse_attribute(attribute, "an axis " + std::string(1, letter), "the axes of " + std::string(other));
    }
};

} // namespace op

/// Operators that change the order of axes.
using transpose_ops = op_list<op::layout_transform, op::transpose>;

/// Calls transpose; without attributes, it reverses the axes.
constexpr expr transpose(expr data, const transpose_attributes& attributes = {}) {
    return call_op<op::transpose>(attributes, data);
}
constexpr expr layout_transform(expr data, const layout_transform_attributes& attributes) {
    return call_op<op::layout_transform>(attributes, data);
}

} // namespace tutti::relay
