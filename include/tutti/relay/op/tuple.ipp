#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/tuple.hpp>

namespace tutti::relay::inline TUTTI_FORM {

namespace layout_rules {

TUTTI_CONSTEXPR bool concatenation(layout_query& q, std::size_t tensors) {
    attribute_edit edit = q.edit();
    std::int64_t axis = edit.integer("axis");
    if (axis < 0) axis += static_cast<std::int64_t>(q.rank(0));
    maybe_layout all;
    bool alike = q.altered;
    for (std::size_t i = 0; alike && i < tensors; ++i) alike = q.new_in[i] == q.new_in[0];
    if (alike) {
        if (!q.old_in[0] || !q.new_in[0]) return false;
        const auto joined = relay::detail::axis_at(*q.old_in[0], axis);
        const auto to = relay::detail::moved_axis(*q.old_in[0], *q.new_in[0], axis);
        if (!to || joined->block != 0) return false;
        edit.set("axis", *to);
        q.attributes = edit.commit();
        all = q.new_in[0];
    } else {
        for (const maybe_layout& l : q.old_in.first(tensors))
            if (l && !all) all = l;
        if (!all) return false;
        const auto a = relay::detail::axis_at(*all, axis);
        if (!a || a->block != 0) return false;
    }
    q.in.assign(tensors, all);
    q.rest_in(*layout::parse("C"));
    q.out.assign(1, all);
    return true;
}

TUTTI_CONSTEXPR bool concatenate(layout_query& q) {
    return !q.arguments.empty() && concatenation(q, q.arguments.size());
}

TUTTI_CONSTEXPR bool split(layout_query& q) {
    if (!q.first() || !q.old_in[0]) return false;
    layout all = *q.first();
    attribute_edit edit = q.edit();
    dims places = edit.numbers("indices_or_sections");
    const bool is_list = edit.is_list("indices_or_sections");
    if (q.old_in[0]->rank() != q.rank(0) || !q.old_in[0]->fits(q.shape(0))) return false;
    const auto cut = relay::detail::axis_at(*q.old_in[0], edit.integer("axis"));
    if (!cut || cut->block != 0) return false; // a split would change the block size
    const auto parts = is_list ? places.size() + 1 : static_cast<std::size_t>(edit.integer("indices_or_sections"));
    if (q.altered && all != *q.old_in[0]) {
        const auto to = relay::detail::moved_axis(*q.old_in[0], all, edit.integer("axis"));
        if (!to || q.old_in[0]->find(cut->letter, true)) return false; // positions on a blocked axis count blocks
        const std::int64_t factor = relay::detail::factor(all, cut->letter);
        bool divisible = true;
        if (factor > 1 && is_list) {
            for (dim& d : places) {
                divisible = divisible && d.value() % factor == 0;
                d = d.value() / factor;
            }
            if (divisible) edit.set("indices_or_sections", places);
        }
        if (factor > 1 && !is_list) {
            const dim size = q.old_in[0]->size(q.shape(0), cut->letter);
            divisible = !size.is_any() && size.value() / factor % static_cast<std::int64_t>(parts) == 0;
        }
        if (divisible)
            edit.set("axis", *to);
        else
            all = *q.old_in[0];
        q.attributes = edit.commit();
    }
    q.in.assign(1, all);
    q.out.assign(parts, all);
    return true;
}

} // namespace layout_rules

namespace op {

TUTTI_CONSTEXPR vector<dims> joining::shapes(const relation& r) {
    const type_table& types = r.types();
    const auto fields = r.fields(0);
    if (fields.empty()) r.refuse(0, "one tensor or more");
    vector<dims> all;
    for (const type_id t : fields) {
        if (types.element(t) != types.element(fields[0])) r.refuse(0, "tensors of one element type");
        if (types.shape(t).size() != types.shape(fields[0]).size())
            r.refuse(0, "tensors of the same number of dimensions");
        all.emplace_back(types.shape(t));
    }
    return all;
}

TUTTI_CONSTEXPR dtype joining::element(const relation& r) { return r.types().element(r.fields(0)[0]); }

TUTTI_CONSTEXPR void joining::check_agree(const relation& r, const vector<dims>& all, std::size_t axis) {
    dim known = dim::any();
    for (const dims& each : all) {
        if (!may_equal(known, each[axis])) r.refuse(0, "tensors that agree along the other axes");
        if (known.is_any()) known = each[axis];
    }
}

TUTTI_CONSTEXPR type_id concatenate::infer(relation& r, const attributes& a) {
    if (!r.knows_tuple(0)) return type_id::none;
    const vector<dims> all = shapes(r);
    dims out = all[0];
    const std::size_t axis = checked_axis(r, "axis", a.axis, out.size());
    for (std::size_t i = 1; i < all.size(); ++i) out[axis] = plus(out[axis], all[i][axis]);
    for (std::size_t d = 0; d < out.size(); ++d) {
        if (d == axis) continue;
        check_agree(r, all, d);
        for (const dims& each : all)
            if (out[axis].is_any() ? out[d].is_any() : each[d].is_any()) out[d] = each[d];
    }
    return r.tensor(out, element(r));
}

TUTTI_CONSTEXPR type_id stack::infer(relation& r, const attributes& a) {
    if (!r.knows_tuple(0)) return type_id::none;
    const vector<dims> all = shapes(r);
    const dims& one = all[0];
    for (std::size_t d = 0; d < one.size(); ++d) check_agree(r, all, d);
    const std::size_t axis = checked_axis(r, "axis", a.axis.value(), one.size() + 1);
    const auto count = static_cast<std::int64_t>(all.size());
    return r.tensor(kernel::with_axes<dims>(one, axis, 1, count), element(r));
}

TUTTI_CONSTEXPR type_id meshgrid::infer(relation& r, const attributes& a) {
    if (!r.knows_tuple(0)) return type_id::none;
    if (a.indexing != "ij" && a.indexing != "xy")
        r.refuse_attribute("indexing", "\"" + std::string(a.indexing) + "\"", "\"ij\" or \"xy\"");
    const type_table& types = r.types();
    const auto fields = r.fields(0);
    if (fields.empty() || fields.size() > kernel::max_rank) r.refuse(0, "1 to 32 vectors");
    dims shape;
    for (const type_id t : fields) {
        if (types.element(t) != types.element(fields[0])) r.refuse(0, "tensors of one element type");
        if (types.shape(t).size() > 1) r.refuse(0, "tensors of at most one dimension");
        shape.push_back(types.shape(t).empty() ? dim(1) : types.shape(t)[0]);
    }
    if (a.indexing == "xy" && shape.size() > 1) std::swap(shape[0], shape[1]);
    const plain_vector<type_id> grids(shape.size(), r.tensor(shape, types.element(fields[0])));
    return r.types().tuple(grids.all());
}

TUTTI_CONSTEXPR type_id split::infer(relation& r, const attributes& a) {
    if (!r.knows(0)) return type_id::none;
    dims shape = r.shape(0);
    const dtype element = r.element(0);
    const std::size_t axis = checked_axis(r, "axis", a.axis, shape.size());
    const dim size = shape[axis];
    const one_or_more& where = a.indices_or_sections;
    plain_vector<type_id> parts;
    if (where.is_list) {
        dim begin = 0;
        for (const dim end : where.numbers) {
            if (end.is_any() || end.value() < begin.value() || (!size.is_any() && end.value() > size.value()))
                r.refuse_attribute("indices_or_sections", "indices that do not rise, or that are outside the axis",
                                   "rising indices within the axis");
            shape[axis] = minus(end, begin);
            parts.push_back(r.tensor(shape, element));
            begin = end;
        }
        shape[axis] = minus(size, begin);
        parts.push_back(r.tensor(shape, element));
    } else {
        const dim sections = where.numbers[0];
        if (sections.is_any() || sections.value() < 1 || sections.value() > most_sections)
            r.refuse_attribute("indices_or_sections", "out of range", "1 to 65536");
        if (!size.is_any() && size.value() % sections.value() != 0) {
            std::string count;
            append_dim(count, sections);
            r.refuse(0, "a size that can be divided by " + count + " along the axis");
        }
        shape[axis] = quotient(size, sections);
        parts.assign(static_cast<std::size_t>(sections.value()), r.tensor(shape, element));
    }
    return r.types().tuple(parts.all());
}

} // namespace op

TUTTI_CONSTEXPR expr concatenate(expr data, const concatenate_attributes& attributes) {
    return call_op<op::concatenate>(attributes, data);
}
TUTTI_CONSTEXPR expr stack(expr data, const stack_attributes& attributes) {
    return call_op<op::stack>(attributes, data);
}
TUTTI_CONSTEXPR expr meshgrid(expr data, const meshgrid_attributes& attributes) {
    return call_op<op::meshgrid>(attributes, data);
}
TUTTI_CONSTEXPR expr split(expr data, const split_attributes& attributes) {
    return call_op<op::split>(attributes, data);
}

} // namespace tutti::relay::inline TUTTI_FORM
