#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/plain_vector.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::detail {

/// Determines which expressions of a function are needed. The value of a let is needed if a needed expression uses the
/// let's variable, or if the value is impure.
///
/// Cost: linear; no recursion.
class needed_expressions {
public:
    /// `is_pure(variable)` is true if the variable's let binds a pure value, which is needed only if the variable is.
    template <class IsPure>
    constexpr needed_expressions(const graph& g, expr_id root, IsPure&& is_pure)
        : g_(&g), becomes_(g.size(), expr_id::none), place_(index(root) + 1) {
        need(root);
        while (place_-- > 0) { // users before operands
            if (becomes_[place_] == expr_id{place_}) visit(expr_id{place_}, is_pure);
            while (!passed_.empty()) {
                const expr_id e = passed_.back();
                passed_.pop_back();
                visit(e, is_pure);
            }
        }
        for (const expr_id let : pure_lets_) {
            const expr_id variable = g.operand(let, 0);
            if (becomes_[index(variable)] == variable) continue;
            becomes_[index(variable)] = expr_id::none;
            becomes_[index(let)] = g.operand(let, 2);
            all_lets_ = false;
        }
    }

    /// True if all lets are needed.
    constexpr bool all_lets() const { return all_lets_; }

    /// Returns the argument for `graph::compact`: needed expressions stay, and unneeded lets become their bodies.
    constexpr std::span<expr_id> becomes() { return becomes_; }

private:
    constexpr void need(expr_id e) {
        while (e != expr_id::none && becomes_[index(e)] != e) {
            const expr_id value = std::exchange(becomes_[index(e)], e);
            if (index(e) >= place_) passed_.push_back(e);
            e = value;
        }
    }

    // Inlined, because calls of this function would take a fifth of the time.
    template <class IsPure>
    [[gnu::always_inline]] constexpr void visit(expr_id e, IsPure&& is_pure) {
        const std::span<const expr_id> operands = g_->operands(e);
        if (g_->kind(e) == expr_kind::let && is_pure(operands[0])) {
            becomes_[index(operands[0])] = operands[1];
            pure_lets_.push_back(e);
            need(operands[2]);
            return;
        }
        for (const expr_id o : operands) need(o);
    }

    const graph* g_;
    // Indexed by expression: the expression itself if needed; for the variable of a pure let, the let's value until the
    // variable is needed; else none.
    plain_vector<expr_id> becomes_;
    plain_vector<expr_id> pure_lets_;
    plain_vector<expr_id> passed_; // needed expressions that the walk over the ids has already passed
    std::uint32_t place_;          // position of the walk
    bool all_lets_ = true;
};

} // namespace tutti::relay::inline TUTTI_FORM::detail
