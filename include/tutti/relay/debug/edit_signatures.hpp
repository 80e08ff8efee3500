#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/debug/edit_function.hpp>
#include <tutti/relay/ir/plain_vector.hpp>

#include <cstddef>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

/// Removes functions of a module, and all functions that refer to removed ones.
inline ir_module drop_functions(const ir_module& m, instrument::edit_choice& choice) {
    plain_vector<char> dropped;
    for (std::size_t i = 0; i < m.size(); ++i) dropped.push_back(choice() ? 1 : 0);
    for (bool more = true; more;) {
        more = false;
        std::size_t i = 0;
        for (const auto& [name, f] : m) {
            char& gone = dropped[i++];
            if (gone != 0) continue;
            for (const expr_id e : post_order(f.graph, f.root)) {
                if (f.graph.kind(e) != expr_kind::global) continue;
                const std::size_t callee = m.place_of(f.graph.global_name(e));
                if (callee != m.size() && dropped[callee] != 0) gone = 1;
            }
            more = more || gone != 0; // repeated until no more functions are dropped
        }
    }
    ir_module out = m;
    std::size_t i = 0;
    out.remove_if([&](const ir_module::definition&) { return dropped[i++] != 0; });
    return out;
}

namespace detail {

// Returns a flag for each parameter of a function: 1 if the body uses it.
inline plain_vector<char> used_parameters(const graph& g, expr_id f) {
    plain_vector<char> met(g.size(), 0);
    for (const expr_id e : post_order(g, g.body(f))) met[index(e)] = 1;
    plain_vector<char> used;
    for (const expr_id p : g.params(f)) used.push_back(met[index(p)]);
    return used;
}

// The parameters to remove from the functions of a module.
struct dropped_parameters {
    const ir_module* module;
    plain_vector<char> by_global{}; // a flag for each parameter, concatenated over all functions
    plain_vector<std::size_t> first{};

    const char* of(std::string_view global) const {
        const std::size_t place = module->place_of(global);
        return place == module->size() ? nullptr : by_global.data() + first[place];
    }
};

// True if a function of the module is used as a value, not only called.
inline bool is_passed_on(const ir_module& m, std::string_view name) {
    for (const auto& [caller, f] : m)
        for (const expr_id e : post_order(f.graph, f.root))
            for (std::size_t i = f.graph.kind(e) == expr_kind::call ? 1 : 0; i < f.graph.operand_count(e); ++i)
                if (const expr_id o = f.graph.operand(e, i);
                    f.graph.kind(o) == expr_kind::global && f.graph.global_name(o) == name)
                    return true;
    return false;
}

} // namespace detail

/// Removes unused parameters of the module's functions and of function literals, and the corresponding arguments.
inline ir_module drop_parameters(const ir_module& m, instrument::edit_choice& choice) {
    detail::dropped_parameters dropped{&m};
    for (const auto& [name, f] : m) {
        dropped.first.push_back(dropped.by_global.size());
        const bool is_fixed = detail::is_passed_on(m, name);
        for (const char used : detail::used_parameters(f.graph, f.root))
            dropped.by_global.push_back(used == 0 && !is_fixed && choice() ? 1 : 0);
    }
    vector<ir_module::definition> made;
    for (const auto& [name, f] : m) {
        const graph& g = f.graph;
        const plain_vector<expr_id> order = post_order(g, f.root);
        const auto uses = count_uses(g, order);
        plain_vector<char> literals;              // a flag for each parameter of the literals that are called in place
        plain_vector<std::uint32_t> at(g.size()); // indexed by function: index of its first flag in `literals`, plus 1
        for (const expr_id e : order) {
            if (g.kind(e) != expr_kind::call || g.kind(g.callee(e)) != expr_kind::function ||
                uses[index(g.callee(e))] != 1)
                continue;
            at[index(g.callee(e))] = static_cast<std::uint32_t>(literals.size()) + 1;
            for (const char used : detail::used_parameters(g, g.callee(e)))
                literals.push_back(used == 0 && choice() ? 1 : 0);
        }
        // Returns the flags of a function's parameters, or null.
        const auto gone = [&](expr_id callee) -> const char* {
            if (g.kind(callee) == expr_kind::global) return dropped.of(g.global_name(callee));
            if (callee == f.root) return dropped.of(name);
            return at[index(callee)] != 0 ? literals.data() + at[index(callee)] - 1 : nullptr;
        };
        plain_vector<expr_id> kept;
        function edited = rewriter(f).rewrite([&](rewriter& r, expr_id e) {
            const bool is_call = g.kind(e) == expr_kind::call;
            const char* const drop = is_call ? gone(g.callee(e)) : g.kind(e) == expr_kind::function ? gone(e) : nullptr;
            if (!drop) return r.rebuild(e);
            kept.clear();
            const std::span<const expr_id> all = is_call ? g.arguments(e) : g.params(e);
            for (std::size_t i = 0; i < all.size(); ++i)
                if (drop[i] == 0) kept.push_back(r[all[i]]);
            if (is_call) return r.to().call(r[g.callee(e)], kept.all(), g.call_attributes(e));
            return r.to().function(kept.all(), r[g.body(e)], g.result_annotation(e), g.function_attributes(e),
                                   g.type_params(e));
        });
        made.push_back({name, std::move(edited)});
    }
    ir_module out = m.emptied();
    out.set(std::move(made));
    return out;
}

/// Replaces uses of a parameter by the first parameter of the same type, in functions without callers.
inline ir_module merge_parameters(const ir_module& m, instrument::edit_choice& choice) {
    return edit_each(m, choice, [](function_edit& edit, rewriter& r, expr_id e) {
        const graph& from = r.from();
        if (from.kind(e) != expr_kind::variable || edit.is_called) return r.rebuild(e);
        expr_id first = expr_id::none;
        bool is_parameter = false;
        for (const expr_id p : from.params(edit.edited.root)) {
            is_parameter = is_parameter || p == e;
            if (first == expr_id::none && from.type(p) == from.type(e)) first = p;
        }
        if (!is_parameter || first == e || !edit.choice()) return r.rebuild(e);
        return r[first];
    });
}

/// Replaces a function literal by its body. The literal's parameters become parameters of the enclosing function of the
/// module.
inline ir_module open_functions(const ir_module& m, instrument::edit_choice& choice) {
    return edit_each(m, choice, [](function_edit& edit, rewriter& r, expr_id e) {
        const graph& from = r.from();
        if (from.kind(e) != expr_kind::function || edit.is_called || !edit.choice()) return r.rebuild(e);
        for (const expr_id p : from.params(e)) edit.added.push_back(r[p]);
        return r[from.body(e)];
    });
}

/// Removes attributes of functions.
inline ir_module drop_function_attributes(const ir_module& m, instrument::edit_choice& choice) {
    vector<ir_module::definition> made;
    for (const auto& [name, f] : m) {
        const graph& g = f.graph;
        function edited = rewriter(f).rewrite([&](rewriter& r, expr_id e) {
            if (g.kind(e) != expr_kind::function || g.function_attributes(e) == attrs_id::none || !choice())
                return r.rebuild(e);
            plain_vector<expr_id> params;
            for (const expr_id p : g.params(e)) params.push_back(r[p]);
            return r.to().function(params.all(), r[g.body(e)], g.result_annotation(e), attrs_id::none,
                                   g.type_params(e));
        });
        made.push_back({name, std::move(edited)});
    }
    ir_module out = m.emptied();
    out.set(std::move(made));
    return out;
}

} // namespace tutti::relay::inline TUTTI_FORM
