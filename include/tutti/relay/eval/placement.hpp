#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/match.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/scope_tree.hpp>

#include <cstdint>

namespace tutti::relay::inline TUTTI_FORM::detail {

/// Assigns each expression of a function to a scope: the innermost function, branch of an if or clause of a match that
/// contains all uses of the expression.
///
/// Functions are numbered: 0 is the function itself; nested functions follow, outer before inner.
///
/// Cost: linear in the graph, times the logarithm of the depth for expressions shared across scopes; no recursion.
class placement {
public:
    static constexpr std::uint32_t no_function = 0xFFFFFFFFU;

    placement(const graph& g, expr_id root)
        : g_(&g)
        , scope_(g.size(), scope_tree::none)
        , number_(g.size(), no_function)
        , opened_(g.size(), scope_tree::none) {
        functions_.push_back(no_function);
        function_of_.push_back(no_function);
        number_[index(root)] = 0;
        scope_[index(root)] = scope_tree::outside;
        for (std::uint32_t i = index(root) + 1; i-- > 0;) // users come before their operands
            if (scope_[i] != scope_tree::none) place_operands(expr_id{i});
    }

    /// The scope of an expression: `outside` for the function itself, `none` for a let's variable and for unused
    /// expressions.
    scope_tree::id scope(expr_id e) const { return scope_[index(e)]; }
    /// The scope opened by a function's body or an if's first branch; the second branch has the next id. A match
    /// opens a scope for its first clause, then one for all other clauses; the latter contains a scope for the second
    /// clause, and so on.
    scope_tree::id opened_by(expr_id e) const { return opened_[index(e)]; }
    std::uint32_t scope_count() const { return static_cast<std::uint32_t>(function_of_.size()); }

    /// The number of the function that contains a scope; `no_function` for `outside`.
    std::uint32_t function_around(scope_tree::id scope) const { return function_of_[scope]; }
    /// The number of a function; `no_function` for other expressions.
    std::uint32_t number(expr_id e) const {
        return g_->kind(e) == expr_kind::function ? number_[index(e)] : no_function;
    }
    std::uint32_t function_count() const { return static_cast<std::uint32_t>(functions_.size()); }
    /// The number of the function that encloses `function`.
    std::uint32_t outer(std::uint32_t function) const { return functions_[function]; }

private:
    void place_operands(expr_id e) {
        const scope_tree::id scope = scope_[index(e)];
        const auto operands = g_->operands(e);
        switch (g_->kind(e)) {
        case expr_kind::function: {
            if (scope != scope_tree::outside) {
                number_[index(e)] = function_count();
                functions_.push_back(function_of_[scope]);
            }
            const auto inside = open(scope, number_[index(e)]);
            opened_[index(e)] = inside;
            for (const expr_id v : g_->params(e)) scope_[index(v)] = inside;
            put(g_->body(e), inside);
            break;
        }
        case expr_kind::conditional: {
            put(operands[0], scope);
            const auto then = open(scope, function_of_[scope]);
            opened_[index(e)] = then;
            put(operands[1], then);
            put(operands[2], open(scope, function_of_[scope]));
            break;
        }
        case expr_kind::match:
            put(operands[0], scope);
            place_clauses(e, scope);
            break;
        default:
            for (const expr_id o : operands) put(o, scope);
        }
    }

    // Opens scopes for the clauses, as for `if … else if … else …`. An expression that several clauses use is placed
    // where the first of these clauses is tested.
    void place_clauses(expr_id e, scope_tree::id around) {
        const std::uint32_t function = function_of_[around];
        for_each_clause(*g_, e, [&](const match_clause& c) {
            const scope_tree::id then = open(around, function);
            around = open(around, function);
            if (opened_[index(e)] == scope_tree::none) opened_[index(e)] = then;
            for (std::size_t i = c.first_variable; i < c.body; ++i) scope_[index(g_->operand(e, i))] = then;
            put(g_->operand(e, c.body), then);
        });
    }

    scope_tree::id open(scope_tree::id around, std::uint32_t function) {
        function_of_.push_back(function);
        return scopes_.open(around);
    }

    void put(expr_id e, scope_tree::id where) {
        if (g_->kind(e) == expr_kind::variable) return; // a variable stays in the scope that binds it
        scope_tree::id& at = scope_[index(e)];
        at = at == scope_tree::none ? where : scopes_.common(at, where);
    }

    const graph* g_;
    scope_tree scopes_;
    plain_vector<scope_tree::id> scope_;      // indexed by expression
    plain_vector<std::uint32_t> function_of_; // indexed by scope
    plain_vector<std::uint32_t> functions_;   // indexed by function number: the enclosing function
    plain_vector<std::uint32_t> number_;      // indexed by expression: the number of a function
    plain_vector<scope_tree::id> opened_;     // indexed by expression, for functions, ifs and matches
};

} // namespace tutti::relay::inline TUTTI_FORM::detail
