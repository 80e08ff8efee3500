#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/nearest.hpp>
#include <tutti/parallel/executor.hpp>
#include <tutti/relay/ir/data_types.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/located_error.hpp>
#include <tutti/relay/ir/match.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/scope_tree.hpp>
#include <tutti/relay/ir/structure.hpp>
#include <tutti/relay/ir/type_text.hpp>
#include <tutti/relay/ir/verify.hpp>
#include <tutti/relay/ir/walk.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

/// Checks the scopes of a well-formed graph: each variable is bound once, and its binder encloses all its uses.
class structure_check {
public:
    constexpr structure_check(const graph& g, expr_id root, const verify_options& options)
        : g_(&g), options_(options), scope_(g.size(), scope_tree::none), bound_in_(g.size(), scope_tree::none) {
        for (std::uint32_t i = 0; i < g.size(); ++i)
            if (g.kind(expr_id{i}) == expr_kind::projection) check_projection(expr_id{i});
        check_scopes(root);
    }

private:
    constexpr void check_projection(expr_id e) const {
        const expr_id tuple = g_->operand(e, 0);
        if (g_->kind(tuple) != expr_kind::tuple || g_->field(e) < g_->operand_count(tuple)) return;
        std::string problem = "takes field ";
        append_number(problem, g_->field(e));
        problem += " of a tuple of ";
        append_number(problem, static_cast<std::int64_t>(g_->operand_count(tuple)));
        refuse(e, std::move(problem), "a smaller number");
    }

    // Visits users before operands. The scopes of all uses of an expression are therefore known when it is visited.
    constexpr void check_scopes(expr_id root) {
        scope_[index(root)] = scope_tree::outside;
        for (std::uint32_t i = index(root) + 1; i-- > 0;) {
            const expr_id e{i};
            if (scope_[i] == scope_tree::none) continue;
            const expr_kind kind = g_->kind(e);
            if (kind == expr_kind::variable) check_variable(e);
            const auto operands = g_->operands(e);
            if (kind == expr_kind::match) {
                check_clauses(e);
                continue;
            }
            const std::size_t bound = kind == expr_kind::let        ? 1
                                      : kind == expr_kind::function ? operands.size() - 1
                                                                    : 0;
            const scope_tree::id inside = bound == 0 ? scope_[i] : scopes_.open(scope_[i]);
            if (bound != 0) binders_.push_back(e);
            for (const expr_id variable : operands.first(bound)) bind(variable, inside);
            for (const expr_id o : operands.subspan(bound)) use(o, inside);
        }
    }

    // Opens a scope for each clause.
    constexpr void check_clauses(expr_id e) {
        use(g_->operand(e, 0), scope_[index(e)]);
        for_each_clause(*g_, e, [&](const match_clause& c) {
            const scope_tree::id inside = scopes_.open(scope_[index(e)]);
            binders_.push_back(e);
            for (std::size_t i = c.first_variable; i < c.body; ++i) bind(g_->operand(e, i), inside);
            use(g_->operand(e, c.body), inside);
        });
    }

    constexpr void use(expr_id e, scope_tree::id where) {
        scope_tree::id& scope = scope_[index(e)];
        scope = scope == scope_tree::none ? where : scopes_.common(scope, where);
    }

    constexpr void bind(expr_id variable, scope_tree::id scope) {
        scope_tree::id& known = bound_in_[index(variable)];
        if (known != scope_tree::none)
            refuse(variable, "is bound twice, by " + binder(known) + " and by " + binder(scope));
        known = scope;
    }

    constexpr void check_variable(expr_id e) const {
        const scope_tree::id scope = bound_in_[index(e)];
        if (scope == scope_tree::none) {
            if (!options_.free_variables)
                refuse(e, "is not bound", "a parameter or a let of that variable around its uses");
        } else if (!scopes_.contains(scope, scope_[index(e)])) {
            refuse(e, "is used outside of " + binder(scope) + ", which binds it");
        }
    }

    constexpr std::string binder(scope_tree::id scope) const { return "the " + describe(*g_, binders_[scope - 1]); }

    [[noreturn, gnu::cold, gnu::noinline]] void refuse(expr_id e, std::string_view problem,
                                                       std::string_view expected = {}) const {
        refuse_at(*g_, e, error(describe(*g_, e), std::string(problem), std::string(expected)));
    }

    const graph* g_;
    verify_options options_;
    scope_tree scopes_;
    plain_vector<expr_id> binders_;         // indexed by scope
    plain_vector<scope_tree::id> scope_;    // indexed by expression: the innermost scope with all its uses
    plain_vector<scope_tree::id> bound_in_; // indexed by variable: the scope that binds it
};

} // namespace detail

TUTTI_CONSTEXPR void verify_structure(const graph& g, expr_id root, const verify_options& options) {
    check_well_formed(g, root);
    detail::structure_check(g, root, options);
}

namespace detail {

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_constructor(const graph& g, expr_id e,
                                                                      const data_types& known, std::string_view name) {
    tutti::internal::nearest_name meant(name);
    for (std::uint32_t c = 0; c < known.constructor_count(); ++c) meant.offer(known.constructor_name(c));
    refuse_at(g, e,
              error(describe(g, e), "there is no constructor " + std::string(name),
                    meant.found().empty() ? "a constructor of a type of the module" : std::string(meant.found())));
}

/// Checks that the constructors in an expression exist in the module, and that patterns have the right number of
/// fields.
constexpr void check_data_types(const graph& g, expr_id e, const data_types& known) {
    if (g.kind(e) == expr_kind::constructor) {
        if (known.find_constructor(g.global_name(e)) == data_types::none)
            refuse_constructor(g, e, known, g.global_name(e));
    } else if (g.kind(e) == expr_kind::match) {
        for_each_clause(g, e, [&](const match_clause& clause) {
            for (std::span<const attr_value> rest = clause.pattern; !rest.empty();
                 rest = rest.subspan(pattern_head(rest))) {
                if (kind_of_pattern(rest) != pattern_kind::constructor) continue;
                const std::string_view name = g.strings()[rest[1].string()];
                const std::uint32_t c = known.find_constructor(name);
                if (c == data_types::none) refuse_constructor(g, e, known, name);
                if (pattern_fields(rest) == known.fields(c).size()) continue;
                std::string problem = "a pattern gives " + std::string(name) + ' ';
                append_number(problem, static_cast<std::int64_t>(pattern_fields(rest)));
                std::string expected;
                append_number(expected, static_cast<std::int64_t>(known.fields(c).size()));
                refuse_at(g, e, error(describe(g, e), problem + " fields", std::move(expected)));
            }
        });
    }
}

/// Checks that the data types in a table exist in the module and have the right number of arguments.
constexpr void check_data_types(const type_table& types, const data_types& known) {
    for (std::uint32_t i = 0; i < types.size(); ++i) {
        const type_id t{i};
        if (types.kind(t) != type_kind::data) continue;
        const std::uint32_t type = known.find(types.name(t));
        if (type == data_types::none)
            throw error("type " + to_text(types, t), "is not defined in the module", "a `type` definition");
        if (known.params(type).size() == types.members(t).size()) continue;
        std::string expected;
        append_number(expected, static_cast<std::int64_t>(known.params(type).size()));
        throw error("type " + to_text(types, t), "has a wrong number of arguments", std::move(expected));
    }
}

TUTTI_CONSTEXPR void check_function(const ir_module& m, const function& f, const verify_options& options) {
    verify_structure(f.graph, f.root, options);
    if (f.graph.kind(f.root) != expr_kind::function)
        refuse_at(f.graph, f.root, error(describe(f.graph, f.root), "is not a function"));
    check_data_types(f.graph.types(), m.data_types());
    if (!kinds_of(f.graph).has(expr_kind::global, expr_kind::constructor, expr_kind::match)) return;
    for (const expr_id e : post_order(f.graph, f.root)) {
        check_data_types(f.graph, e, m.data_types());
        if (f.graph.kind(e) == expr_kind::global && m.find(f.graph.global_name(e)) == nullptr)
            refuse_at(f.graph, e, not_in_module(describe(f.graph, e), m, f.graph.global_name(e)));
    }
}

template <executor E>
constexpr void verify_structure_on(E& on, const ir_module& m, const verify_options& options) {
    check_well_formed(m.data_types());
    check_data_types(m.data_types().types(), m.data_types());
    for_each_index(on, m.size(), [&](std::size_t i) {
        const auto& [name, f] = m.begin()[static_cast<std::ptrdiff_t>(i)];
        try {
            check_function(m, f, options);
        } catch (const error& e) {
            throw_within("@" + name + ": ", e);
        }
    });
}

} // namespace detail

TUTTI_CONSTEXPR void verify_structure(const ir_module& m, const verify_options& options) {
    inline_executor here;
    detail::verify_structure_on(here, m, options);
}

TUTTI_INLINE void verify_structure(const ir_module& m, const verify_options& options, executor_ref on) {
    detail::verify_structure_on(on, m, options);
}

} // namespace tutti::relay::inline TUTTI_FORM
