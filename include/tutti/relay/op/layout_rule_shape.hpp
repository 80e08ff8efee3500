#pragma once

#include <tutti/relay/op/layout_rule.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tutti::relay::layout_rules {

/// The axes of transpose move along; its result's layout is the argument's in its own order.
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

/// The axes that squeeze removes are gone from the result's layout.
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

/// Concatenation goes along the same axis where all arguments come in one layout; else they are wanted in the one that
/// is known.
///
/// What comes behind the tensors are scales and zero points.
constexpr bool concatenate(layout_query& q, std::size_t tensors) {
    attribute_edit edit = q.edit();
    std::int64_t axis = edit.integer("axis");
    if (axis < 0) axis += static_cast<std::int64_t>(q.rank(0));
    maybe_layout all;
    bool alike = q.altered;
    for (std::size_t i = 0; alike && i < tensors; ++i) alike = q.new_in[i] == q.new_in[0];
    if (alike) {
        if (!q.old_in[0] || !q.new_in[0]) return false;
        const auto to = relay::detail::moved_axis(*q.old_in[0], *q.new_in[0], axis);
        if (!to) return false;
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
    q.in.resize(q.arguments.size(), layout::parse("C"));
    q.out.assign(1, all);
    return true;
}
constexpr bool concatenate(layout_query& q) { return !q.arguments.empty() && concatenate(q, q.arguments.size()); }

/// The same for qnn.concatenate: tensors, as many scales and as many zero points, then a scale and a zero point.
constexpr bool qnn_concatenate(layout_query& q) {
    return q.arguments.size() >= 5 && concatenate(q, (q.arguments.size() - 2) / 3);
}

/// The axis of split moves along, and the places are counted in blocks where it has them and they can be.
constexpr bool split(layout_query& q) {
    if (!q.first() || !q.old_in[0]) return false;
    layout all = *q.first();
    attribute_edit edit = q.edit();
    dims places = edit.numbers("indices_or_sections");
    const bool is_list = edit.is_list("indices_or_sections");
    if (q.old_in[0]->rank() != q.rank(0) || !q.old_in[0]->fits(q.shape(0))) return false;
    const auto parts = is_list ? places.size() + 1 : static_cast<std::size_t>(edit.integer("indices_or_sections"));
    if (q.altered) {
        const auto axis = relay::detail::axis_at(*q.old_in[0], edit.integer("axis"));
        const auto to = relay::detail::moved_axis(*q.old_in[0], all, edit.integer("axis"));
        if (!axis || !to) return false;
        const std::int64_t factor = relay::detail::factor(all, axis->letter);
        bool divisible = true;
        if (factor > 1 && is_list) {
            for (dim& d : places) {
                divisible = divisible && d.value() % factor == 0;
                d = d.value() / factor;
            }
            if (divisible) edit.set("indices_or_sections", places);
        }
        if (factor > 1 && !is_list) {
            const dim size = q.old_in[0]->size(q.shape(0), axis->letter);
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

/// One axis, or several, that an operator works along: they move with the layout, which goes to each of the `results`.
/// None of them may be in blocks, which the operator knows nothing of.
constexpr bool along_axes(layout_query& q, std::size_t results) {
    if (!q.first() || !q.old_in[0]) return false;
    const layout all = *q.first();
    if (q.altered) {
        const auto moved = [&](std::int64_t axis) {
            const auto a = relay::detail::axis_at(*q.old_in[0], axis);
            return a && !all.find(a->letter, true) ? relay::detail::moved_axis(*q.old_in[0], all, axis) : std::nullopt;
        };
        attribute_edit edit = q.edit();
        if (edit.is_list("axis")) {
            dims axes = edit.numbers("axis");
            for (dim& axis : axes) {
                const auto to = moved(axis.value());
                if (!to) return false;
                axis = *to;
            }
            edit.set("axis", axes);
        } else if (!edit.is_none("axis")) {
            const auto to = moved(edit.integer("axis"));
            if (!to) return false;
            edit.set("axis", *to);
        }
        q.attributes = edit.commit();
    }
    q.in.assign(1, all);
    q.in.resize(q.arguments.size(), layout::parse("C"));
    q.out.assign(1, all);
    q.out.resize(results, layout::parse("C"));
    return true;
}

/// One result in the layout of the first argument.
constexpr bool normalization(layout_query& q) { return along_axes(q, 1); }
/// The same where each of a batch is normalised by itself, so that the batch must stay the first axis.
constexpr bool instance_norm(layout_query& q) {
    if (!along_axes(q, 1) || q.in[0]->rank() == 0 || q.old_in[0]->rank() == 0) return false;
    return q.in[0]->axes()[0] == q.old_in[0]->axes()[0];
}
/// The same where the result is a tuple with two such vectors.
constexpr bool batch_norm(layout_query& q) { return along_axes(q, 3); }

/// topk: values and indices in the argument's layout.
constexpr bool topk(layout_query& q) {
    if (!along_axes(q, 1)) return false;
    if (q.edit().text("ret_type") == "both") q.out.push_back(q.out.front());
    return true;
}

/// The axes of a reduction move along, blocks and all; those that are reduced away are gone from the result's layout. A
/// second argument is a tensor of the shape of the first, or of size 1 where it was reduced.
constexpr bool reduction(layout_query& q) {
    if (!q.first() || !q.old_in[0] || q.old_in[0]->rank() != q.rank(0)) return false;
    const layout& old = *q.old_in[0];
    const layout in = *q.first();
    attribute_edit edit = q.edit();
    const bool exclude = edit.boolean("exclude");
    const bool keep = edit.boolean("keepdims");
    const dims named_axes = edit.numbers("axis"); // all are reduced if there are none
    small_vector<char, 8> reduced(old.rank(), named_axes.empty() || exclude ? 1 : 0);
    for (dim axis : named_axes) {
        if (axis.value() < 0) axis = axis.value() + static_cast<std::int64_t>(old.rank());
        if (axis.value() < 0 || axis.value() >= static_cast<std::int64_t>(old.rank())) return false;
        reduced[static_cast<std::size_t>(axis.value())] = exclude ? 0 : 1;
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
    bool any = false;
    for (const char r : reduced) any = any || r != 0;
    if (q.altered && any) {
        edit.set("axis", axes);
        q.attributes = edit.commit();
    }
    q.in.assign(1, in);
    for (std::size_t i = 1; i < q.arguments.size(); ++i) {
        layout other;
        for (layout::axis a : in.axes()) {
            const auto at = old.find(a.letter);
            if (a.block != 0 && at && *at < q.rank(i) && q.shape(i)[*at].same_number(1)) a.block = 1;
            other.push_back(a);
        }
        q.in.push_back(other);
    }
    q.out.assign(1, out);
    return true;
}

/// A reduction that counts places: only if the axes that it counts along keep their order, so that a place has the same
/// number.
constexpr bool place_reduction(layout_query& q) {
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
            if (counts && (letters.empty() || letters.back() != letter))
                letters += letter; // an axis and its blocks in a row
        }
        return letters;
    };
    return counted(was, *q.old_in[0]) == counted(is, *q.new_in[0]);
}

} // namespace tutti::relay::layout_rules
