#pragma once

#include <tutti/error.hpp>
#include <tutti/executor.hpp>
#include <tutti/nearest.hpp>
#include <tutti/relay/ir/data_types.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/located_error.hpp>
#include <tutti/relay/ir/match.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/scope_tree.hpp>
#include <tutti/relay/ir/type_text.hpp>
#include <tutti/relay/ir/walk.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::relay {

/// What a verifier lets pass.
struct verify_options {
    /// Variables that nothing binds.
    bool free_variables = false;
};

/// What an error says of an expression: `let at 3:14` if it was read, `call of conv1` if its source has a name, else `let, expression
/// 12`; variables
/// and functions of the module by name.
constexpr std::string describe(const graph& g, expr_id e) {
    std::string text;
    if (g.kind(e) == expr_kind::variable)
        (text += '%') += g.variable_name(e);
    else if (g.kind(e) == expr_kind::global)
        (text += '@') += g.global_name(e);
    else if (g.kind(e) == expr_kind::constructor)
        (text += "constructor ") += g.global_name(e);
    else
        text += to_string(g.kind(e));
    if (const std::string_view name = g.source_name(e); !name.empty()) return (text += " of ") += name;
    const source_location place = g.location(e);
    text += place.line != 0 ? " at " : ", expression ";
    append_number(text, place.line != 0 ? place.line : index(e));
    if (place.line != 0) {
        text += ':';
        append_number(text, place.column);
    }
    return text;
}

namespace detail {

/// Checks one function's graph. What it is given may be wrong in every way that the graph's interface allows.
class structure_check {
public:
    constexpr structure_check(const graph& g, expr_id root, const verify_options& options)
        : g_(&g), options_(options), scope_(g.size(), scope_tree::none), bound_in_(g.size(), scope_tree::none) {
        if (index(root) >= g.size()) throw error("root", "is not an expression of the graph");
        for (std::uint32_t i = 0; i < g.attrs().size(); ++i)
            good_lists_.push_back(are_values(g.attrs()[attrs_id{i}]) ? 1 : 0);
        for (std::uint32_t i = 0; i < g.size(); ++i) check_ids(expr_id{i});
        check_scopes(root);
    }

private:
    constexpr void check_ids(expr_id e) const {
        const expr_kind kind = g_->kind(e);
        const std::size_t operands = g_->operand_count(e);
        if (!count_fits(kind, operands)) refuse(e, "has a wrong number of operands");
        for (const expr_id o : g_->operands(e))
            if (index(o) >= index(e))
                refuse(e, "has an operand that does not come before it", "operands before their users");
        if (!is_type(g_->type(e))) refuse(e, "has a type that is not in the graph's table");
        if (kind == expr_kind::variable && !is_type(g_->annotation(e)))
            refuse(e, "is declared with a type that is not in the graph's table");
        if (kind == expr_kind::call && !is_list(g_->call_attributes(e)))
            refuse(e, "has attributes that are not in the graph's tables");
        if (kind == expr_kind::let && g_->kind(g_->operand(e, 0)) != expr_kind::variable)
            refuse(e, "binds something else than a variable");
        if (kind == expr_kind::match) check_patterns(e);
        if (kind == expr_kind::projection) check_projection(e);
        if (kind == expr_kind::function) check_function(e);
    }

    constexpr void check_projection(expr_id e) const {
        const expr_id tuple = g_->operand(e, 0);
        if (g_->kind(tuple) != expr_kind::tuple || g_->field(e) < g_->operand_count(tuple)) return;
        std::string problem = "takes field ";
        append_number(problem, g_->field(e));
        problem += " of a tuple of ";
        append_number(problem, static_cast<std::int64_t>(g_->operand_count(tuple)));
        refuse(e, std::move(problem), "a smaller number");
    }

    // Whether patterns are what match.hpp says, and there are as many operands as they bind, and clauses.
    constexpr void check_patterns(expr_id e) const {
        const attrs_id list = g_->patterns(e);
        if (list == attrs_id::none || !is_list(list) || g_->attrs()[list].empty() ||
            g_->attrs()[list].front().kind != attr_kind::boolean)
            refuse(e, "has patterns that are not in the graph's tables");
        std::span<const attr_value> rest = g_->attrs()[list].subspan(1);
        std::size_t operands = 1;
        while (!rest.empty()) {
            const auto pattern = rest.first(extent(rest));
            rest = rest.subspan(pattern.size());
            ++operands;
            for (std::size_t i = 0; i < pattern.size(); ++i) {
                const attr_value& v = pattern[i];
                const bool name = v.kind == attr_kind::string && i != 0 && pattern[i - 1].kind == attr_kind::list &&
                                  pattern[i - 1].count != 0;
                const bool variable = v.kind == attr_kind::boolean && v.boolean();
                if (variable) ++operands;
                if (!name && !variable && v.kind != attr_kind::none && v.kind != attr_kind::list)
                    refuse(e, "has something in a pattern that is none");
            }
        }
        if (operands != g_->operand_count(e)) refuse(e, "has other clauses than patterns");
        for_each_bound(*g_, e, [&](std::size_t i) {
            if (g_->kind(g_->operand(e, i)) != expr_kind::variable) refuse(e, "binds something else than a variable");
        });
    }

    constexpr void check_function(expr_id e) const {
        for (const expr_id p : g_->params(e))
            if (g_->kind(p) != expr_kind::variable) refuse(e, "has a parameter that is not a variable");
        if (!is_type(g_->result_annotation(e))) refuse(e, "declares a result type that is not in the graph's table");
        check_type_params(g_->type_params(e), e);
        if (!is_list(g_->function_attributes(e))) refuse(e, "has attributes that are not in the graph's tables");
        std::span<const attr_value> rest = g_->attrs()[g_->function_attributes(e)];
        while (!rest.empty()) {
            if (rest.front().kind != attr_kind::string || rest.size() == 1)
                refuse(e, "has attributes that are not names and values by turns");
            rest = rest.subspan(1 + extent(rest.subspan(1)));
        }
    }

    constexpr void check_type_params(type_id list, expr_id e) const {
        if (list == type_id::none) return;
        bool good = is_type(list) && g_->types().kind(list) == type_kind::tuple;
        if (good)
            for (const type_id t : g_->types().fields(list)) good = good && g_->types().kind(t) == type_kind::variable;
        if (!good) refuse(e, "has type parameters that are no variables");
    }

    // Users come before operands here, so when an expression's turn comes, all that use it have said in which
    // scope they do.
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

    // Each clause is a scope of its own.
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

    constexpr bool is_type(type_id t) const { return t == type_id::none || index(t) < g_->types().size(); }
    constexpr bool is_list(attrs_id a) const {
        return a == attrs_id::none || (index(a) < good_lists_.size() && good_lists_[index(a)] != 0);
    }

    // Whether the values are whole, lists having all the elements that they say, and strings are in the
    // graph's table.
    constexpr bool are_values(std::span<const attr_value> values) const {
        std::uint64_t missing = 0; // elements of lists that are open
        for (const attr_value& v : values) {
            if (v.kind == attr_kind::string && index(v.string()) >= g_->strings().size()) return false;
            if (v.kind != attr_kind::list && v.count != 0) return false;
            missing = (missing == 0 ? 0 : missing - 1) + v.count;
        }
        return missing == 0;
    }

    static constexpr bool count_fits(expr_kind kind, std::size_t operands) {
        switch (kind) {
        case expr_kind::call:
        case expr_kind::function:
        case expr_kind::match:
            return operands >= 1;
        case expr_kind::tuple:
            return true;
        case expr_kind::projection:
        case expr_kind::ref_create:
        case expr_kind::ref_read:
            return operands == 1;
        case expr_kind::ref_write:
            return operands == 2;
        case expr_kind::let:
        case expr_kind::conditional:
            return operands == 3;
        default:
            return operands == 0;
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
    plain_vector<char> good_lists_;         // by list of attribute values
    plain_vector<expr_id> binders_;         // by scope
    plain_vector<scope_tree::id> scope_;    // by expression: the innermost that all its uses are in, if any
    plain_vector<scope_tree::id> bound_in_; // by variable
};

} // namespace detail

/// Checks that a graph is one: ids are in its tables, operands come before users and are of the right number
/// and kind, and a variable is bound once, by a let or a function that is around all its uses.
///
/// Only what `root` is made of is looked at for scopes; everything else in the graph must be in order too. A
/// let's variable may be used in its own value, as recursive functions do.
///
/// Cost:   linear in the graph, times the logarithm of the depth where scopes share; no recursion.
/// Throws: `tutti::error` that names the expression; a `located_error` if it was read.
constexpr void verify_structure(const graph& g, expr_id root, const verify_options& options = {}) {
    detail::structure_check(g, root, options);
}

namespace detail {

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_constructor(const graph& g, expr_id e,
                                                                      const data_types& known, std::string_view name) {
    nearest_name meant(name);
    for (std::uint32_t c = 0; c < known.constructor_count(); ++c) meant.offer(known.constructor_name(c));
    refuse_at(g, e,
              error(describe(g, e), "there is no constructor " + std::string(name),
                    meant.found().empty() ? "a constructor of a type of the module" : std::string(meant.found())));
}

/// Checks that the constructors and data types that a function uses are the module's, and have as many fields and arguments.
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

/// The same of the types in a table.
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

constexpr void check_function(const ir_module& m, const function& f, const verify_options& options) {
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

} // namespace detail

/// The same for a module, each of whose functions is a function and calls only functions that are there.
///
/// Throws: `tutti::error` that names the function and the expression; a `located_error` if it was read.
template <executor E = inline_executor>
constexpr void verify_structure(const ir_module& m, const verify_options& options = {}, E on = {}) {
    detail::check_data_types(m.data_types().types(), m.data_types());
    for_each_index(on, m.size(), [&](std::size_t i) {
        const auto& [name, f] = m.begin()[static_cast<std::ptrdiff_t>(i)];
        try {
            detail::check_function(m, f, options);
        } catch (const error& e) {
            throw_within("@" + name + ": ", e);
        }
    });
}

} // namespace tutti::relay
