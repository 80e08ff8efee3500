#pragma once

#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/walk.hpp>
#include <tutti/relay/transform/properties.hpp>

namespace tutti::relay::inline TUTTI_FORM {

TUTTI_CONSTEXPR bool typed::holds(const ir_module& m) {
    for (const auto& [global, f] : m) {
        if (is_left_alone(f)) continue;
        for (const expr_id e : post_order(f.graph, f.root))
            if (f.graph.kind(e) != expr_kind::op && f.graph.type(e) == type_id::none) return false;
    }
    return true;
}

TUTTI_CONSTEXPR bool in_a_normal_form::holds(const ir_module& m) {
    for (const auto& [global, f] : m) {
        if (is_left_alone(f) || has_nonzero_attribute(f.graph, f.root, "Primitive")) continue;
        if (!detail::is_in_a_normal_form(f.graph, f.root)) return false;
    }
    return true;
}

} // namespace tutti::relay::inline TUTTI_FORM
