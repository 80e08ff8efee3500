#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/debug/edit_function.hpp>
#include <tutti/relay/debug/edit_values.hpp>
#include <tutti/relay/ir/copy.hpp>
#include <tutti/relay/ir/plain_vector.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

// True for a tensor type, or a tuple that contains only tensors.
inline bool has_tensors_only(const type_table& types, type_id t) {
    if (t == type_id::none) return false;
    if (types.kind(t) == type_kind::tuple) {
        for (const type_id field : types.fields(t))
            if (!has_tensors_only(types, field)) return false;
        return true;
    }
    return types.kind(t) == type_kind::tensor;
}

inline expr_id replace_by_filled(function_edit& edit, rewriter& r, expr_id e, float value) {
    const graph& from = r.from();
    constexpr std::int64_t most_elements = 1 << 16;
    const type_id type = from.type(e);
    const expr_kind kind = from.kind(e);
    if ((kind != expr_kind::call && kind != expr_kind::projection) || !from.types().is_tensor(type) ||
        element_count(from.types().shape(type)).value_or(most_elements + 1) > most_elements || !edit.choice())
        return r.rebuild(e);
    vector<std::int64_t> shape;
    for (const dim d : from.types().shape(type)) shape.push_back(d.value());
    return r.to().constant(filled(from.types().element(type), std::move(shape), value));
}

// Returns the expression after a function's lets.
inline expr_id end_of(const function& f) {
    expr_id e = f.graph.body(f.root);
    while (f.graph.kind(e) == expr_kind::let) e = f.graph.operand(e, 2);
    return e;
}

} // namespace detail

/// Replaces an expression by a new parameter. This also removes the operands of the expression.
inline ir_module replace_by_parameters(const ir_module& m, instrument::edit_choice& choice) {
    return edit_each(m, choice, [](function_edit& edit, rewriter& r, expr_id e) {
        const graph& from = r.from();
        const expr_kind kind = from.kind(e);
        const bool is_value = kind == expr_kind::call || kind == expr_kind::tuple || kind == expr_kind::projection ||
                              kind == expr_kind::let || kind == expr_kind::conditional;
        if (!is_value || edit.is_called || !detail::has_tensors_only(from.types(), from.type(e)) || !edit.choice())
            return r.rebuild(e);
        return add_parameter(edit, r, e);
    });
}

/// Replaces a call, or a projection of its result, by an argument of the same type, and an if by a branch.
inline ir_module replace_by_operands(const ir_module& m, instrument::edit_choice& choice) {
    return edit_each(m, choice, [](function_edit& edit, rewriter& r, expr_id e) {
        const graph& from = r.from();
        const expr_id of = from.kind(e) == expr_kind::projection ? from.operand(e, 0) : e;
        expr_id by = expr_id::none;
        if (from.kind(of) == expr_kind::call || from.kind(of) == expr_kind::conditional)
            for (const expr_id o : from.operands(of).subspan(1))
                if (from.type(o) == from.type(e) && edit.choice() && by == expr_id::none) by = r[o];
        return by != expr_id::none ? by : r.rebuild(e);
    });
}

/// Replaces a call or a projection by a constant of zeros.
inline ir_module replace_by_zeros(const ir_module& m, instrument::edit_choice& choice) {
    return edit_each(m, choice, [](function_edit& edit, rewriter& r, expr_id e) {
        return detail::replace_by_filled(edit, r, e, 0);
    });
}

/// Replaces a call or a projection by a constant of ones.
inline ir_module replace_by_ones(const ir_module& m, instrument::edit_choice& choice) {
    return edit_each(m, choice, [](function_edit& edit, rewriter& r, expr_id e) {
        return detail::replace_by_filled(edit, r, e, 1);
    });
}

/// Shortens functions. Repeatedly replaces the result by its last operand that is not a leaf.
inline ir_module cut_ends(const ir_module& m, instrument::edit_choice& choice) {
    vector<ir_module::definition> made;
    for (const auto& [name, f] : m) {
        const graph& g = f.graph;
        const expr_id end = detail::end_of(f);
        expr_id by = end;
        for (expr_id e = end;;) {
            expr_id last = expr_id::none;
            if (g.kind(e) == expr_kind::call || g.kind(e) == expr_kind::tuple || g.kind(e) == expr_kind::projection ||
                g.kind(e) == expr_kind::conditional)
                for (const expr_id o : g.operands(e))
                    if (g.operand_count(o) != 0 && g.kind(o) != expr_kind::function &&
                        (last == expr_id::none || index(o) > index(last)))
                        last = o;
            if (last == expr_id::none) break;
            if (choice()) by = last;
            e = last;
        }
        function_edit edit{choice, m, f};
        function edited = rewriter(f).rewrite([&](rewriter& r, expr_id e) {
            if (e == f.root) return edited_root(edit, r, e);
            return e == end && by != end ? r[by] : r.rebuild(e);
        });
        made.push_back({name, std::move(edited)});
    }
    ir_module out = m.emptied();
    out.set(std::move(made));
    return out;
}

/// Replaces a let and its body by the value of the let. Later lets are visited first.
inline ir_module cut_lets(const ir_module& m, instrument::edit_choice& choice) {
    return edit_each(m, choice, [](function_edit& edit, rewriter& r, expr_id e) {
        return r.from().kind(e) == expr_kind::let && edit.choice() ? r[r.from().operand(e, 1)] : r.rebuild(e);
    });
}

/// Inlines lets.
inline ir_module inline_lets(const ir_module& m, instrument::edit_choice& choice) {
    vector<ir_module::definition> made;
    for (const auto& [name, f] : m) {
        const graph& g = f.graph;
        plain_vector<expr_id> value(g.size(), expr_id::none); // indexed by variable: its value if the let is removed
        for (const expr_id e : post_order(g, f.root)) {
            if (g.kind(e) != expr_kind::let) continue;
            bool is_recursive = false;
            for (const expr_id used : post_order(g, g.operand(e, 1)))
                is_recursive = is_recursive || used == g.operand(e, 0);
            if (!is_recursive && choice()) value[index(g.operand(e, 0))] = g.operand(e, 1);
        }
        const auto goes = [&](expr_id let) {
            return g.kind(let) == expr_kind::let && value[index(g.operand(let, 0))] != expr_id::none;
        };
        plain_vector<expr_id> order; // the value of a removed let precedes the uses of the variable
        const auto operand = [&](expr_id e, std::uint32_t i) {
            if (goes(e)) ++i;
            return i < g.operand_count(e) ? g.operand(e, i) : expr_id::none;
        };
        walk(f.root, operand, each_once(g.size()), [&](expr_id e) { order.push_back(e); });
        function_edit edit{choice, m, f};
        function edited = rewriter(g, std::move(order)).rewrite([&](rewriter& r, expr_id e) {
            if (e == f.root) return edited_root(edit, r, e);
            if (value[index(e)] != expr_id::none) return r[value[index(e)]];
            return goes(e) ? r[g.operand(e, 2)] : r.rebuild(e);
        });
        made.push_back({name, std::move(edited)});
    }
    ir_module out = m.emptied();
    out.set(std::move(made));
    return out;
}

/// Inlines calls of the module's functions and of function literals.
inline ir_module inline_calls(const ir_module& m, instrument::edit_choice& choice) {
    return edit_each(m, choice, [](function_edit& edit, rewriter& r, expr_id e) {
        const graph& from = r.from();
        if (from.kind(e) != expr_kind::call) return r.rebuild(e);
        const expr_id callee = from.callee(e);
        const auto inlined = [&](const graph& g, expr_id f) {
            if (g.kind(f) != expr_kind::function || g.params(f).size() != from.arguments(e).size() || !edit.choice())
                return r.rebuild(e);
            copier copies(g, r.to());
            for (std::size_t i = 0; i < g.params(f).size(); ++i)
                copies.replace(g.params(f)[i], r[from.arguments(e)[i]]);
            return copies.copy(g.body(f));
        };
        if (from.kind(callee) == expr_kind::function) return inlined(r.to(), r[callee]);
        if (from.kind(callee) == expr_kind::global)
            if (const function* f = edit.module.find(from.global_name(callee))) return inlined(f->graph, f->root);
        return r.rebuild(e);
    });
}

/// Removes fields of tuples that have no projections. If a function's result is such a tuple and keeps a single field,
/// the function returns that field.
inline ir_module drop_fields(const ir_module& m, instrument::edit_choice& choice) {
    return edit_each(m, choice, [](function_edit& edit, rewriter& r, expr_id e) {
        const graph& from = r.from();
        if (from.kind(e) != expr_kind::tuple || from.operand_count(e) == 0) return r.rebuild(e);
        for (const expr_id user : r.order())
            if (from.kind(user) == expr_kind::projection && from.operand(user, 0) == e) return r.rebuild(e);
        plain_vector<expr_id> fields;
        for (const expr_id field : from.operands(e))
            if (!edit.choice()) fields.push_back(r[field]);
        if (fields.size() == from.operand_count(e)) return r.rebuild(e);
        return fields.size() == 1 && e == detail::end_of(edit.edited) ? fields[0] : r.to().tuple(fields.all());
    });
}

/// Replaces a projection of a tuple expression by the field.
inline ir_module take_fields(const ir_module& m, instrument::edit_choice& choice) {
    return edit_each(m, choice, [](function_edit& edit, rewriter& r, expr_id e) {
        const graph& from = r.from();
        if (from.kind(e) != expr_kind::projection || from.kind(from.operand(e, 0)) != expr_kind::tuple ||
            !edit.choice())
            return r.rebuild(e);
        return r[from.operand(from.operand(e, 0), from.field(e))];
    });
}

} // namespace tutti::relay::inline TUTTI_FORM
