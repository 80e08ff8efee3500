#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/match.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/rewrite.hpp>
#include <tutti/relay/ir/scope_tree.hpp>
#include <tutti/relay/ir/type_text.hpp>
#include <tutti/relay/transform/function_pass.hpp>
#include <tutti/relay/transform/properties.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

/// The expressions that ToANormalForm and ToBasicBlockNormalForm bind to variables.
enum class let_binding : std::uint8_t {
    everything, ///< all expressions except variables, operators and functions of the module
    shared,     ///< expressions used in several branches or functions; bound before the branches or functions
};

namespace detail {

/// The scope and order in which each expression is to be computed.
///
/// A function's body, an if's branches, a match's clauses and a let (its variable, value and body) are scopes. An
/// expression belongs to the innermost scope around all its uses. Source: the reference's dependency graph, whose order
/// of visits determines the order of the lets.
class binding_plan {
public:
    constexpr binding_plan(const graph& g, expr_id root, let_binding what)
        : g_(&g)
        , root_(root)
        , scope_(g.size(), scope_tree::none)
        , inner_(g.size(), scope_tree::none)
        , first_let_(g.size(), expr_id::none)
        , value_(g.size(), expr_id::none)
        , lifted_(g.size(), what == let_binding::everything ? 1 : 0)
        , keeps_variables_(what == let_binding::shared) {
        find_scopes(root);
        if (what == let_binding::shared) find_lifted(root);
        find_order(root);
    }

    /// Returns the planned function.
    constexpr expr_id root() const { return root_; }
    constexpr scope_tree::id scope(expr_id e) const { return scope_[index(e)]; }
    /// Returns the scope opened by an operand of an if, a match, a function or a let.
    constexpr scope_tree::id inner(expr_id e, std::size_t operand) const {
        if (g_->kind(e) == expr_kind::match) return clause_scopes_[inner_[index(e)] + operand];
        return inner_[index(e)] + (g_->kind(e) == expr_kind::conditional && operand == 2 ? 1 : 0);
    }
    /// True if an operand is a parameter of a function, or a variable of a match's pattern.
    constexpr bool is_parameter(expr_id e, std::size_t operand) const {
        if (g_->kind(e) == expr_kind::match)
            return operand != 0 && clause_scopes_[inner_[index(e)] + operand] == scope_tree::none;
        return g_->kind(e) == expr_kind::function && operand + 1 < g_->operand_count(e);
    }
    constexpr std::uint32_t scope_count() const { return scope_count_; }
    /// True if an expression is bound to a variable.
    constexpr bool is_bound(expr_id e) const { return lifted_[index(e)] != 0; }
    /// Returns the variable of the let through which an expression is first reached, or none.
    constexpr expr_id first_let(expr_id e) const { return first_let_[index(e)]; }
    /// True if an expression is bound to a new variable.
    constexpr bool is_named(expr_id e) const { return is_bound(e) && first_let(e) == expr_id::none; }
    /// Returns the number of new variables.
    constexpr std::uint32_t named() const {
        std::uint32_t count = 0;
        for (const expr_id e : order_) {
            const expr_kind kind = g_->kind(e);
            const bool is_value = kind != expr_kind::variable && kind != expr_kind::global && kind != expr_kind::op &&
                                  kind != expr_kind::constructor && e != root_;
            count += is_value && is_named(e) ? 1 : 0;
        }
        return count;
    }

    /// Returns the value of a let's variable.
    constexpr expr_id value(expr_id variable) const { return value_[index(variable)]; }

    /// Returns the expressions, operands before users. Omits variables, except let variables whose value was reached
    /// before the let or is always written in place, such as a global.
    constexpr const plain_vector<expr_id>& order() const { return order_; }

private:
    constexpr bool opens_scope(expr_id e, std::size_t operand) const {
        switch (g_->kind(e)) {
        case expr_kind::conditional:
        case expr_kind::match:
            return operand != 0;
        case expr_kind::function:
        case expr_kind::let:
            return true;
        default:
            return false;
        }
    }

    // Finds the scope of each expression, users before operands: users have greater ids.
    constexpr void find_scopes(expr_id root) {
        scope_tree scopes;
        scope_[index(root)] = scope_tree::outside;
        for (std::uint32_t i = index(root) + 1; i-- > 0;) {
            const expr_id e{i};
            if (scope_[i] == scope_tree::none) continue;
            const expr_kind kind = g_->kind(e);
            if (kind == expr_kind::conditional || kind == expr_kind::function || kind == expr_kind::let) {
                inner_[i] = scopes.open(scope_[i]);
                scope_count_ = inner_[i] + 1;
            }
            if (kind == expr_kind::conditional) scope_count_ = scopes.open(scope_[i]) + 1;
            if (kind == expr_kind::match) open_clauses(scopes, e);
            for (std::size_t o = 0; o < g_->operand_count(e); ++o) {
                if (is_parameter(e, o)) continue;
                scope_tree::id& scope = scope_[index(g_->operand(e, o))];
                const scope_tree::id use = opens_scope(e, o) ? inner(e, o) : scope_[i];
                scope = scope == scope_tree::none ? use : scopes.common(scope, use);
            }
        }
    }

    // Opens a scope for the body of each clause. Stores the scopes by operand of the match, with none for the data and
    // the variables.
    constexpr void open_clauses(scope_tree& scopes, expr_id e) {
        inner_[index(e)] = static_cast<scope_tree::id>(clause_scopes_.size());
        clause_scopes_.resize(clause_scopes_.size() + g_->operand_count(e), scope_tree::none);
        for_each_clause(*g_, e, [&](const match_clause& c) {
            const scope_tree::id opened = scopes.open(scope_[index(e)]);
            clause_scopes_[inner_[index(e)] + c.body] = opened;
            scope_count_ = opened + 1;
        });
    }

    // Finds expressions whose scope is outside the scope of their first use. Uses are recorded in the reference's
    // order: calls, tuples and projections record their operands after visiting all of them, other expressions record
    // each operand after visiting it. An expression that is first used in its own scope needs no variable.
    constexpr void find_lifted(expr_id root) {
        plain_vector<char> noted(g_->size(), 0);
        const auto note = [&](expr_id user, std::size_t operand) {
            if (is_parameter(user, operand)) return;
            const std::size_t o = index(g_->operand(user, operand));
            if (std::exchange(noted[o], 1) != 0) return;
            lifted_[o] = scope_[o] != (opens_scope(user, operand) ? inner(user, operand) : scope(user)) ? 1 : 0;
        };
        const auto is_flow = [&](expr_id e) {
            const expr_kind kind = g_->kind(e);
            return kind == expr_kind::call || kind == expr_kind::tuple || kind == expr_kind::projection;
        };
        const auto operand = [&](expr_id e, std::uint32_t i) {
            const std::size_t place = i + (g_->kind(e) == expr_kind::function ? g_->params(e).size() : 0);
            if (i != 0 && !is_flow(e)) note(e, place - 1);
            return place < g_->operand_count(e) ? g_->operand(e, place) : expr_id::none;
        };
        walk(root, operand, each_once(g_->size()), [&](expr_id e) {
            for (std::size_t o = 0; is_flow(e) && o < g_->operand_count(e); ++o) note(e, o);
        });
    }

    constexpr void find_order(expr_id root) {
        each_once first_time(g_->size());
        expr_id left = expr_id::none; // the last completed expression; none if another was entered since
        const auto operand = [&](expr_id e, std::uint32_t i) {
            const std::size_t count = g_->operand_count(e);
            switch (g_->kind(e)) {
            case expr_kind::call: // visits the callee last
                return i < count ? g_->operand(e, (i + 1) % count) : expr_id::none;
            case expr_kind::function:
                return i == 0 && !has_nonzero_attribute(*g_, e, "Primitive") ? g_->body(e) : expr_id::none;
            case expr_kind::let:
                if (i == 1) met_value(e, left == g_->operand(e, 1));
                return i < 2 ? g_->operand(e, i + 1) : expr_id::none;
            default:
                return i < count ? g_->operand(e, i) : expr_id::none;
            }
        };
        const auto enter = [&](expr_id e) {
            left = expr_id::none;
            return first_time(e);
        };
        walk(root, operand, enter, [&](expr_id e) {
            left = e;
            if (g_->kind(e) != expr_kind::variable) order_.push_back(e);
        });
    }

    constexpr void met_value(expr_id let, bool first) {
        const expr_id variable = g_->operand(let, 0);
        const expr_id value = g_->operand(let, 1);
        value_[index(variable)] = value;
        const expr_kind kind = g_->kind(value);
        // If the let moved out of a branch, another run would reach it earlier and rename its variable in the branch.
        if (first && !(keeps_variables_ && kind == expr_kind::variable)) first_let_[index(value)] = variable;
        if (!first || kind == expr_kind::variable || kind == expr_kind::global || kind == expr_kind::op ||
            kind == expr_kind::constructor)
            order_.push_back(variable);
    }

    const graph* g_;
    expr_id root_;
    plain_vector<scope_tree::id> scope_; // indexed by expression
    plain_vector<scope_tree::id>
        inner_; // indexed by expression: the first scope that it opens; for a match, its first index in clause_scopes_
    plain_vector<scope_tree::id> clause_scopes_;
    plain_vector<expr_id> first_let_;
    plain_vector<expr_id> value_; // indexed by variable of a let
    plain_vector<char> lifted_;
    plain_vector<expr_id> order_;
    std::uint32_t scope_count_ = 0;
    bool keeps_variables_; // a variable bound to another variable keeps its own uses
};

/// The rule of ToANormalForm and ToBasicBlockNormalForm: bound expressions go to the list of their scope, and scopes
/// become chains of lets.
class let_builder {
public:
    /// `first_name` is the number in the name of the first new variable.
    constexpr let_builder(rewriter& r, const binding_plan& plan, std::uint32_t first_name)
        : plan_(&plan), next_name_(first_name), lists_(plan.scope_count()), untouched_(r.from().size(), expr_id::none) {
        const graph& from = r.from();
        for (std::uint32_t i = 0; names_are_new_ && i < from.strings().size(); ++i)
            names_are_new_ = !from.strings()[string_id{i}].starts_with(prefix);
        const enclosed_expressions kept = in_primitive_functions(from, plan.root());
        for (std::uint32_t i = 0; i < from.size(); ++i) {
            const expr_id e{i};
            if (from.kind(e) == expr_kind::variable)
                r.replace(e, untouched_[i] = like(r, e, {}, true));
            else if (kept.contain(e))
                untouched_[i] = like(r, e, untouched_, true);
        }
    }

    constexpr expr_id operator()(rewriter& r, expr_id e) {
        const graph& from = r.from();
        switch (from.kind(e)) {
        case expr_kind::variable:
            return bind_again(r, e);
        case expr_kind::global:
        case expr_kind::op:
        case expr_kind::constructor:
            return r.rebuild(e);
        case expr_kind::constant:
            return compound(r, e, r.rebuild(e));
        case expr_kind::let:
            return bind_let(r, e);
        case expr_kind::function:
            if (untouched_[index(e)] != expr_id::none) return compound(r, e, untouched_[index(e)]);
            break;
        default:
            break;
        }
        // As in the reference, rebuilt calls, ifs and projections have no types, whereas tuples and functions keep
        // their types.
        const bool typed =
            from.kind(e) == expr_kind::tuple || (from.kind(e) == expr_kind::function && e != plan_->root());
        operands_.clear();
        for (std::size_t i = 0; i < from.operand_count(e); ++i) {
            if (plan_->is_parameter(e, i)) { // a parameter stays unchanged, even if a let binds it
                operands_.push_back(untouched_[index(from.operand(e, i))]);
                continue;
            }
            const expr_id made = r[from.operand(e, i)];
            const bool scoped = from.kind(e) == expr_kind::conditional || from.kind(e) == expr_kind::match
                                    ? i != 0
                                    : from.kind(e) == expr_kind::function && i + 1 == from.operand_count(e);
            operands_.push_back(scoped ? close(r.to(), plan_->inner(e, i), made) : made);
        }
        const expr_id made = r.to().add_like(from, e, operands_);
        if (typed) r.to().set_type(made, from.type(e));
        return e == plan_->root() ? made : compound(r, e, made);
    }

private:
    static constexpr std::uint32_t none = 0xFFFFFFFFU;
    static constexpr std::string_view prefix = "x_";

    struct binding {
        expr_id variable;
        expr_id value;
        std::uint32_t before; // the previous binding in the same scope
    };
    struct list {
        std::uint32_t first = none;
        std::uint32_t last = none;
    };

    constexpr expr_id like(rewriter& r, expr_id e, std::span<const expr_id> by_old, bool typed) {
        operands_.clear();
        for (const expr_id o : r.from().operands(e)) operands_.push_back(by_old[index(o)]);
        const expr_id made = r.to().add_like(r.from(), e, operands_);
        if (typed) r.to().set_type(made, r.from().type(e));
        return made;
    }

    // Binds a let's variable to a value that was visited before, or is always written in place, such as a global.
    constexpr expr_id bind_again(rewriter& r, expr_id variable) {
        const expr_id value = plan_->value(variable);
        push(value, untouched_[index(variable)], r[value]);
        if (plan_->first_let(value) == variable) r.replace(value, untouched_[index(variable)]);
        return r[variable];
    }

    constexpr expr_id compound(rewriter& r, expr_id e, expr_id made) {
        const expr_id variable = variable_for(r, e);
        if (variable == expr_id::none) return made;
        push(e, variable, made);
        return variable;
    }

    // Flattens a let that is the value of a variable: its bindings join the surrounding scope, before that variable.
    constexpr expr_id bind_let(rewriter& r, expr_id e) {
        const expr_id variable = variable_for(r, e);
        const expr_id body = r[r.from().operand(e, 2)];
        const list inner = lists_[plan_->inner(e, 2)];
        if (variable == expr_id::none) return close(r.to(), plan_->inner(e, 2), body);
        if (inner.last != none) {
            list& outer = lists_[plan_->scope(e)];
            bindings_[inner.first].before = outer.last;
            if (outer.last == none) outer.first = inner.first;
            outer.last = inner.last;
        }
        push(e, variable, body);
        return variable;
    }

    // Returns the variable that an expression is to be bound to, or none.
    constexpr expr_id variable_for(rewriter& r, expr_id e) {
        if (plan_->first_let(e) != expr_id::none) return untouched_[index(plan_->first_let(e))];
        if (!plan_->is_named(e)) return expr_id::none;
        std::string name(prefix);
        append_number(name, next_name_++);
        return names_are_new_ ? r.to().variable_of_new_name(name) : r.to().variable(name);
    }

    constexpr void push(expr_id old, expr_id variable, expr_id value) {
        list& scope = lists_[plan_->scope(old)];
        const auto made = static_cast<std::uint32_t>(bindings_.size());
        bindings_.push_back({variable, value, scope.last});
        scope.last = made;
        if (scope.first == none) scope.first = made;
    }

    constexpr expr_id close(graph& to, scope_tree::id scope, expr_id body) const {
        for (std::uint32_t i = lists_[scope].last; i != none; i = bindings_[i].before)
            body = to.let(bindings_[i].variable, bindings_[i].value, body);
        return body;
    }

    const binding_plan* plan_;
    std::uint32_t next_name_;
    bool names_are_new_ = true; // no name in the graph has the prefix of the new names
    plain_vector<list> lists_;  // indexed by scope
    plain_vector<binding> bindings_;
    plain_vector<expr_id> untouched_; // variables, and expressions in primitive functions
    plain_vector<expr_id> operands_;
};

/// Returns a function in the normal form of its plan.
constexpr function with_lets(const function& f, const binding_plan& plan, std::uint32_t first_name) {
    rewriter r(f.graph, plan.order());
    return r.rewrite(let_builder(r, plan, first_name));
}

/// Converts each function to the normal form that binds `what`, except primitive functions and functions for other
/// compilers. New variables are numbered across the module, so all functions are planned first.
template <class Context>
constexpr void bind_with_lets(ir_module& m, let_binding what, Context&& ctx) {
    const auto at = [&m](std::size_t i) -> const function& {
        return m.begin()[static_cast<std::ptrdiff_t>(i)].function;
    };
    vector<std::optional<binding_plan>> plans(m.size());
    for_each_function(m, ctx, [&](std::size_t i, const pass_notes& notes) {
        const function& f = at(i);
        const bool is_done = what == let_binding::everything && is_in_a_normal_form(f.graph, f.root);
        if (!is_done && !has_attribute(f.graph, f.root, "Compiler") &&
            !has_nonzero_attribute(f.graph, f.root, "Primitive") && notes.may_apply("bound"))
            plans[i].emplace(f.graph, f.root, what);
    });
    plain_vector<std::uint32_t> first_name(m.size(), 0);
    for (std::size_t i = 1; i < m.size(); ++i)
        first_name[i] = first_name[i - 1] + (plans[i - 1] ? plans[i - 1]->named() : 0);
    vector<function> made = transformed(m, ctx, [&](std::size_t i, const function& f, const pass_notes& notes) {
        if (!plans[i]) return function{};
        const std::uint32_t named = notes.heard() ? plans[i]->named() : 0;
        function bound = with_lets(f, *plans[i], first_name[i]);
        plans[i].reset();
        if (named != 0) {
            std::string text = "variables bound: ";
            append_number(text, named);
            notes.applied("bound", text);
        }
        return bound;
    });
    exchange(m, made);
}

} // namespace detail

} // namespace tutti::relay::inline TUTTI_FORM
