#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/layout_rule_nn.hpp>

namespace tutti::relay::inline TUTTI_FORM {

namespace layout_rules {

TUTTI_CONSTEXPR bool convolution(layout_query& q) {
    const attribute_edit edit = q.edit();
    const maybe_layout data = layout::parse(edit.text("data_layout"));
    const maybe_layout weight = layout::parse(edit.text("kernel_layout"));
    const maybe_layout out = edit.text("out_layout").empty() ? data : layout::parse(edit.text("out_layout"));
    if (!data || !weight || !out) return false;
    q.in = {data, weight};
    q.rest_in(*layout::parse("C"));
    q.out.assign(1, out);
    return true;
}

TUTTI_CONSTEXPR bool deformable_convolution(layout_query& q) {
    if (!convolution(q)) return false;
    q.in = {q.in[0], q.in[0], q.in[1]};
    return true;
}

TUTTI_CONSTEXPR bool pooling(layout_query& q) {
    attribute_edit edit = q.edit();
    if (!edit.text("out_layout").empty()) {
        if (edit.text("out_layout") != edit.text("layout")) return false;
    } else if (q.altered && q.new_in[0]) {
        edit.set("layout", q.new_in[0]->text());
        q.attributes = edit.commit();
    }
    return q.all_in(layout::parse(edit.text("layout")));
}

TUTTI_CONSTEXPR bool upsampling(layout_query& q) {
    attribute_edit edit = q.edit();
    const maybe_layout was = layout::parse(edit.text("layout"));
    if (!was) return false;
    if (q.altered && q.new_in[0]) {
        bool fits = true;
        for (const char letter : {'D', 'H', 'W'})
            fits = fits && q.new_in[0]->find(letter) == was->find(letter) && !q.new_in[0]->find(letter, true);
        if (fits) {
            edit.set("layout", q.new_in[0]->text());
            q.attributes = edit.commit();
        }
    }
    return q.all_in(layout::parse(edit.text("layout")));
}

TUTTI_CONSTEXPR bool resize(layout_query& q) {
    attribute_edit edit = q.edit();
    if (q.altered && q.new_in[0] && q.old_in[0] && q.new_in[0] != q.old_in[0] &&
        layout::parse(edit.text("layout")) == q.old_in[0] && q.new_in[0]->rank() == q.old_in[0]->rank()) {
        edit.set("layout", q.new_in[0]->text());
        q.attributes = edit.commit();
    }
    return q.all_in(layout::parse(edit.text("layout")));
}

} // namespace layout_rules

} // namespace tutti::relay::inline TUTTI_FORM
