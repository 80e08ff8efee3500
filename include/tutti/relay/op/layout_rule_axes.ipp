#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/layout_rule_axes.hpp>

namespace tutti::relay::inline TUTTI_FORM {

namespace layout_rules {

TUTTI_CONSTEXPR bool along_axes(layout_query& q, std::size_t results) {
    if (!q.first() || !q.old_in[0]) return false;
    const layout all = *q.first();
    if (q.altered) {
        const auto moved = [&](std::int64_t axis) {
            const auto a = relay::detail::axis_at(*q.old_in[0], axis);
            return a && !all.find(a->letter, true) && !q.old_in[0]->find(a->letter, true)
                       ? relay::detail::moved_axis(*q.old_in[0], all, axis)
                       : std::nullopt;
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
    q.rest_in(*layout::parse("C"));
    q.out.assign(1, all);
    q.other_results_in(*layout::parse("C"), results);
    return true;
}

TUTTI_CONSTEXPR bool normalization(layout_query& q) { return along_axes(q, 1); }

} // namespace layout_rules

} // namespace tutti::relay::inline TUTTI_FORM
