#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/layout_rule_broadcast.hpp>

namespace tutti::relay::inline TUTTI_FORM {

namespace layout_rules {

TUTTI_CONSTEXPR bool elementwise(layout_query& q) {
    for (std::size_t i = 1; i < q.arguments.size(); ++i)
        if (!same_elements(q.shape(i), q.shape(0))) return false;
    if (q.altered) return q.all_in(q.new_in[0]);
    for (const maybe_layout& l : q.old_in)
        if (l) return q.all_in(l);
    return false;
}

TUTTI_CONSTEXPR bool elementwise_pair(layout_query& q) {
    if (!elementwise(q)) return false;
    q.out.push_back(q.out.front());
    return true;
}

TUTTI_CONSTEXPR bool broadcast(layout_query& q) {
    q.in.assign(q.arguments.size(), layout::parse("C"));
    const std::size_t larger = q.rank(0) >= q.rank(1) ? 0 : 1;
    maybe_layout old[]{q.old_in[0], q.old_in[1]};
    if (!old[0] && !old[1]) return false;
    maybe_layout result = old[larger];
    if (!old[0] || !old[1]) {
        const std::size_t known = old[0] ? 0 : 1;
        const std::size_t other = 1 - known;
        if (q.rank(known) < q.rank(other) || old[known]->rank() < q.rank(known)) return false;
        old[other] = old[known]->sub(q.rank(known) - q.rank(other), q.rank(other));
        result = old[known];
    }
    if (q.altered) {
        const std::size_t large = q.new_in[0]->primal_rank() >= q.new_in[1]->primal_rank() ? 0 : 1;
        const std::size_t small = 1 - large;
        if (!old[small]->fits(q.shape(small))) return false;
        const maybe_layout wanted = changed_alike(*old[small], *old[large], *q.new_in[large]);
        if (!wanted) return false;
        if (q.new_in[large] != old[large] && !stretch_whole(*old[small], *old[large], q.shape(small), q.shape(large)))
            return false;
        result = q.new_in[larger];
        old[small] = with_fitting_blocks(*wanted, *old[small], q.shape(small));
        old[large] = q.new_in[large];
    }
    q.in[0] = old[0];
    q.in[1] = old[1];
    q.out.assign(1, result);
    return true;
}

} // namespace layout_rules

} // namespace tutti::relay::inline TUTTI_FORM
