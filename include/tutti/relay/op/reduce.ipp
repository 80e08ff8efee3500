#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/reduce.hpp>

namespace tutti::relay::inline TUTTI_FORM {

namespace layout_rules {

TUTTI_CONSTEXPR bool reduction(layout_query& q) {
    if (!q.first() || !q.old_in[0] || q.old_in[0]->rank() != q.rank(0)) return false;
    const layout& old = *q.old_in[0];
    const layout in = *q.first();
    attribute_edit edit = q.edit();
    const bool exclude = edit.boolean("exclude");
    const bool keep = edit.boolean("keepdims");
    const dims named_axes = edit.numbers("axis"); // if empty, all axes are reduced
    small_vector<char, 8> reduced(old.rank(), named_axes.empty() || exclude ? 1 : 0);
    for (dim axis : named_axes) {
        if (axis.value() < 0) axis = axis.value() + static_cast<std::int64_t>(old.rank());
        if (axis.value() < 0 || axis.value() >= static_cast<std::int64_t>(old.rank())) return false;
        reduced[static_cast<std::size_t>(axis.value())] = exclude ? 0 : 1;
    }
    for (std::size_t i = 0; i < old.rank(); ++i) { // all parts of an axis must be reduced together
        const auto at = old.find(old.axes()[i].letter);
        if (!at || reduced[i] != reduced[*at]) return false;
    }
    const auto is_reduced = [&](char letter) {
        const auto at = old.find(letter);
        return at && reduced[*at] != 0;
    };
    dims axes;
    layout out;
    for (std::size_t i = 0; i < in.rank(); ++i) {
        layout::axis a = in.axes()[i];
        const bool named = is_reduced(a.letter) != exclude;
        if (named) axes.push_back(static_cast<std::int64_t>(i));
        if (is_reduced(a.letter)) {
            if (!keep) continue;
            if (a.block != 0) a.block = 1;
        }
        out.push_back(a);
    }
    if (out.rank() == 0) return false;
    if (q.altered) {
        edit.set("axis", axes);
        q.attributes = edit.commit();
    }
    q.in.assign(1, in);
    const auto has_one = [&](std::size_t argument,
                             char letter) { // true if the size is 1 along the axis and its blocks
        bool one = old.find(letter).has_value();
        for (std::size_t d = 0; d < old.rank() && d < q.rank(argument); ++d)
            one = one && (old.axes()[d].letter != letter || q.shape(argument)[d].same_number(1));
        return one;
    };
    for (std::size_t i = 1; i < q.arguments.size(); ++i) {
        layout other;
        for (layout::axis a : in.axes()) {
            if (a.block != 0 && has_one(i, a.letter)) a.block = 1;
            other.push_back(a);
        }
        q.in.push_back(other);
    }
    q.out.assign(1, out);
    return true;
}

TUTTI_CONSTEXPR bool place_reduction(layout_query& q) {
    attribute_edit was = q.edit();
    if (!reduction(q)) return false;
    if (!q.altered) return true;
    attribute_edit is = q.edit();
    const auto counted = [](const attribute_edit& e, const layout& l) {
        std::string letters;
        dims axes = e.numbers("axis");
        for (dim& axis : axes)
            if (axis.value() < 0) axis = axis.value() + static_cast<std::int64_t>(l.rank());
        for (std::size_t i = 0; i < l.rank(); ++i) {
            bool named = false;
            for (const dim axis : axes) named = named || axis == dim(static_cast<std::int64_t>(i));
            const char letter = l.axes()[i].letter;
            const bool counts = axes.empty() || named != e.boolean("exclude");
            if (!counts) continue;
            const bool whole = l.axes()[i].block == 0;
            if (whole)
                letters += letter;
            else if (letters.empty() || letters.back() != letter) // a block right after its axis adds nothing
                letters += static_cast<char>(letter - 'A' + 'a');
        }
        return letters;
    };
    const std::string before = counted(was, *q.old_in[0]);
    const bool apart =
        before.find_first_of("abcdefghijklmnopqrstuvwxyz") != std::string::npos; // a block is apart from its axis
    return before == counted(is, *q.new_in[0]) && (!apart || *q.old_in[0] == *q.new_in[0]);
}

} // namespace layout_rules

namespace op {

TUTTI_CONSTEXPR type_id value_reduction::infer(relation& r, const attributes& a) {
    return r.knows(0) ? r.tensor(reduced(r, a), r.element(0)) : type_id::none;
}

TUTTI_CONSTEXPR type_id place_reduction::infer(relation& r, const attributes& a) {
    return r.knows(0) ? r.tensor(reduced(r, a), dtype::int32) : type_id::none;
}

TUTTI_CONSTEXPR type_id collapsing_sum::collapsed(relation& r, const dims& shape) {
    if (!kernel::stretches(shape, r.shape(0))) r.refuse(0, "a shape that the new one broadcasts to");
    return r.tensor(shape, r.element(0));
}

TUTTI_CONSTEXPR type_id collapse_sum_like::infer(relation& r, const attributes&) {
    if (!r.knows(0) || !r.knows(1)) return type_id::none;
    r.expect_element(1, r.element(0));
    return collapsed(r, r.shape(1));
}

TUTTI_CONSTEXPR type_id collapse_sum_to::infer(relation& r, const attributes& a) {
    return r.knows(0) && r.knows(1) ? collapsed(r, a.shape.value) : type_id::none;
}

TUTTI_CONSTEXPR type_id variance::infer(relation& r, const attributes& a) {
    if (!r.knows(0) || !r.knows(1)) return type_id::none;
    r.expect_element(1, r.element(0));
    const dims data = r.shape(0);
    const dims mean = r.shape(1);
    if (mean.size() != data.size() || !kernel::stretches(mean, data))
        r.refuse(1, "the size of `data` or 1 along each axis");
    return r.tensor(reduced(r, a), r.element(0));
}

} // namespace op

TUTTI_CONSTEXPR expr all(expr data, const reduce_attributes& attributes) { return call_op<op::all>(attributes, data); }
TUTTI_CONSTEXPR expr any(expr data, const reduce_attributes& attributes) { return call_op<op::any>(attributes, data); }
TUTTI_CONSTEXPR expr argmax(expr data, const arg_reduce_attributes& attributes) {
    return call_op<op::argmax>(attributes, data);
}
TUTTI_CONSTEXPR expr argmin(expr data, const arg_reduce_attributes& attributes) {
    return call_op<op::argmin>(attributes, data);
}
TUTTI_CONSTEXPR expr collapse_sum_like(expr data, expr collapse_type) {
    return call_op<op::collapse_sum_like>({}, data, collapse_type);
}
TUTTI_CONSTEXPR expr collapse_sum_to(expr data, expr shape, const broadcast_to_attributes& attributes) {
    return call_op<op::collapse_sum_to>(attributes, data, shape);
}
TUTTI_CONSTEXPR expr max(expr data, const reduce_attributes& attributes) { return call_op<op::max>(attributes, data); }
TUTTI_CONSTEXPR expr mean(expr data, const reduce_attributes& attributes) {
    return call_op<op::mean>(attributes, data);
}
TUTTI_CONSTEXPR expr min(expr data, const reduce_attributes& attributes) { return call_op<op::min>(attributes, data); }
TUTTI_CONSTEXPR expr prod(expr data, const reduce_attributes& attributes) {
    return call_op<op::prod>(attributes, data);
}
TUTTI_CONSTEXPR expr sum(expr data, const reduce_attributes& attributes) { return call_op<op::sum>(attributes, data); }
TUTTI_CONSTEXPR expr variance(expr data, expr mean, const variance_attributes& attributes) {
    return call_op<op::variance>(attributes, data, mean);
}

} // namespace tutti::relay::inline TUTTI_FORM
