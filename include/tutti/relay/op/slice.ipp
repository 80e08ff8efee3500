#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/slice.hpp>

namespace tutti::relay::inline TUTTI_FORM {

namespace layout_rules {

TUTTI_CONSTEXPR bool strided_slice(layout_query& q) {
    if (!q.old_in[0]) return false;
    const layout& old = *q.old_in[0];
    attribute_edit edit = q.edit();
    if (relay::detail::cuts_blocks(edit, old)) return false;
    if (!q.altered) return q.all_in(old);
    if (!q.new_in[0]) return false;
    const layout& to = *q.new_in[0];
    if (edit.is_none("begin") || edit.is_none("end") || edit.is_none("strides")) return false;
    relay::detail::slice_places s{edit.numbers("begin"), edit.numbers("end"), edit.numbers("strides"),
                                  edit.numbers("axes")};
    const bool has_axes = !edit.is_none("axes");
    if (has_axes && s.axes.size() != s.begin.size()) return false;
    const bool sizes = edit.text("slice_mode") == "size";
    const std::string was = old.text();
    const std::string is = to.text();
    if (!was.starts_with(is) && !is.starts_with(was)) {
        if (was.size() != is.size()) return false;
        for (const layout::axis& a : to.axes())
            if (relay::detail::factor(old, a.letter) != relay::detail::factor(to, a.letter)) return false;
        if (sizes)
            for (dim& stride : s.strides) stride = relay::detail::as_wide_as(stride, 1);
        if (!relay::detail::permute(s, has_axes, old, to, q.shape(0))) return false;
        edit.set("strides", s.strides);
    } else if (was.size() < is.size()) {
        if (!relay::detail::count_blocks(s, has_axes, sizes, old, to, q.shape(0))) return false;
    } else {
        return q.all_in(old);
    }
    edit.set("begin", s.begin);
    edit.set("end", s.end);
    if (has_axes) edit.set("axes", s.axes);
    q.attributes = edit.commit();
    return q.all_in(to);
}

TUTTI_CONSTEXPR bool slice_like(layout_query& q) {
    if (!q.old_in[0] || !q.old_in[1]) return false;
    if (q.altered && q.new_in[0] && q.new_in[0] == q.new_in[1] && q.old_in[0] == q.old_in[1]) {
        attribute_edit edit = q.edit();
        dims moved;
        bool all = true;
        for (const dim axis : edit.numbers("axes")) {
            const auto to = relay::detail::moved_axis(*q.old_in[0], *q.new_in[0], axis.value());
            all = all && to;
            if (to) moved.push_back(*to);
        }
        if (all && !moved.empty()) {
            edit.set("axes", moved);
            q.attributes = edit.commit();
            return q.all_in(q.new_in[0]);
        }
    }
    q.in.assign(q.old_in.begin(), q.old_in.end());
    q.out.assign(1, q.old_in[1]);
    return true;
}

} // namespace layout_rules

namespace op {

TUTTI_CONSTEXPR type_id strided_slice::infer(relation& r, const attributes& a) {
    if (!r.knows(0)) return type_id::none;
    if (!a.begin.value || !a.end.value || !a.strides.value)
        r.refuse_attribute("begin", "None here, in `end` or in `strides`", "known indices");
    if (a.slice_mode != "end" && a.slice_mode != "size")
        r.refuse_attribute("slice_mode", "\"" + std::string(a.slice_mode) + "\"", "\"end\" or \"size\"");
    dims shape = r.shape(0);
    const std::size_t count = std::max({a.begin.value->size(), a.end.value->size(), a.strides.value->size()});
    if (a.axes.value ? a.axes.value->size() != count : count > shape.size())
        r.refuse_attribute("begin", "a wrong number of indices", "one for each sliced axis");
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t axis = a.axes.value ? checked_axis(r, "axes", (*a.axes.value)[i].value(), shape.size()) : i;
        if (!shape[axis].is_any()) shape[axis] = sliced(r, a, i, shape[axis].value());
    }
    return r.tensor(shape, r.element(0));
}

TUTTI_CONSTEXPR std::int64_t strided_slice::sliced(const relation& r, const attributes& a, std::size_t i,
                                                   std::int64_t size) {
    const auto given = [&](const std::optional<dims>& list) {
        return i < list->size() ? std::optional((*list)[i].value()) : std::nullopt;
    };
    const auto mode = a.slice_mode == "size" ? kernel::slice_end::size : kernel::slice_end::place;
    if (mode == kernel::slice_end::place && given(a.strides) == 0)
        r.refuse_attribute("strides", "0", "a non-zero step");
    const kernel::index_slice s = kernel::slice_of(size, given(a.begin), given(a.end), given(a.strides), mode);
    if (s.length < 0)
        r.refuse_attribute("end", "the slice ends before it begins",
                           "an index not before `begin`, in the direction of the step");
    return s.length;
}

TUTTI_CONSTEXPR type_id strided_set::infer(relation& r, const attributes&) {
    if (!r.knows(0) || !r.knows(1)) return type_id::none;
    r.expect_element(1, r.element(0));
    return r.argument(0);
}

TUTTI_CONSTEXPR type_id slice_like::infer(relation& r, const attributes& a) {
    if (!r.knows(0) || !r.knows(1)) return type_id::none;
    dims shape = r.shape(0);
    const dims like = r.shape(1);
    const auto cut = [&](std::size_t axis) {
        if (axis >= like.size()) r.refuse(1, "all sliced axes");
        if (!shape[axis].is_any() && !like[axis].is_any() && shape[axis].value() < like[axis].value())
            r.refuse(1, "at most the size of the other along the sliced axes");
        shape[axis] = like[axis];
    };
    if (a.axes.value) {
        for (const dim axis : *a.axes.value) cut(checked_axis(r, "axes", axis.value(), shape.size()));
    } else {
        for (std::size_t i = 0; i < std::min(shape.size(), like.size()); ++i) cut(i);
    }
    return r.tensor(shape, r.element(0));
}

} // namespace op

TUTTI_CONSTEXPR expr strided_slice(expr data, const strided_slice_attributes& attributes) {
    return call_op<op::strided_slice>(attributes, data);
}
TUTTI_CONSTEXPR expr strided_set(expr data, expr v, expr begin, expr end, expr strides) {
    return call_op<op::strided_set>({}, data, v, begin, end, strides);
}
TUTTI_CONSTEXPR expr slice_like(expr data, expr shape_like, const slice_like_attributes& attributes) {
    return call_op<op::slice_like>(attributes, data, shape_like);
}

} // namespace tutti::relay::inline TUTTI_FORM
