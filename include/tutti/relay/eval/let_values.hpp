#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/verify.hpp>

#include <span>

namespace tutti::relay::inline TUTTI_FORM::detail {

/// Resolves lets and their variables.
///
/// Cost: no memory in a graph without lets, otherwise an id per node. `resolve` follows a chain of variables only once,
///       and then takes constant time.
class let_values {
public:
    let_values(const graph& g, std::span<const expr_id> expressions) : g_(&g) {
        for (const expr_id e : expressions) {
            if (g.kind(e) != expr_kind::let) continue;
            if (bound_.empty()) bound_.assign(g.size(), expr_id::none);
            bound_[index(g.operand(e, 0))] = g.operand(e, 1);
        }
    }

    /// Returns the expression that computes the value of `e`. The result is neither a let nor a variable bound by a
    /// let.
    ///
    /// Throws: `tutti::error` if `e` is bound to itself.
    expr_id resolve(expr_id e) {
        if (bound_.empty()) return e;
        path_.clear();
        for (expr_id to = next(e); to != expr_id::none; to = next(e)) {
            path_.push_back(e);
            e = to;
            if (path_.size() > g_->size()) throw error(describe(*g_, e), "is bound to itself", "a value");
        }
        for (const expr_id through : path_) // later lookups take one step
            if (g_->kind(through) == expr_kind::variable) bound_[index(through)] = e;
        return e;
    }

private:
    expr_id next(expr_id e) const {
        if (g_->kind(e) == expr_kind::let) return g_->operand(e, 2);
        return g_->kind(e) == expr_kind::variable ? bound_[index(e)] : expr_id::none;
    }

    const graph* g_;
    plain_vector<expr_id> bound_; // indexed by variable: its value
    plain_vector<expr_id> path_;
};

} // namespace tutti::relay::inline TUTTI_FORM::detail
