#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/transpose.hpp>

namespace tutti::relay::inline TUTTI_FORM {

namespace layout_rules {

TUTTI_CONSTEXPR bool transpose(layout_query& q) {
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

TUTTI_CONSTEXPR type_id transpose::infer(relation& r, const attributes& a) {
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

TUTTI_CONSTEXPR type_id layout_transform::infer(relation& r, const attributes& a) {
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

TUTTI_CONSTEXPR layout layout_transform::parse(const relation& r, std::string_view attribute, std::string_view text) {
    const auto l = layout::parse(text);
    if (!l)
        r.refuse_attribute(attribute, "\"" + std::string(text) + "\" is not a layout", "one such as NCHW or NCHW16c");
    return *l;
}

} // namespace op

TUTTI_CONSTEXPR expr transpose(expr data, const transpose_attributes& attributes) {
    return call_op<op::transpose>(attributes, data);
}
TUTTI_CONSTEXPR expr layout_transform(expr data, const layout_transform_attributes& attributes) {
    return call_op<op::layout_transform>(attributes, data);
}

} // namespace tutti::relay::inline TUTTI_FORM
