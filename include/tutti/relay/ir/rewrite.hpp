#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/relay/ir/function.hpp>
#include <tutti/relay/ir/located_error.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/walk.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

/// The error of a rule that confuses ids of the old and the new graph. `where()` names the rewritten expression. Passes
/// prepend their names.
class rewrite_error : public located_error {
public:
    using located_error::located_error;
};

/// Rewrites a graph into a new one, operands before users, each expression once.
///
/// A rule is called as `rule(rewriter&, expr_id old)` for each expression, after its operands. It returns the
/// replacement in the new graph, or `rebuild(old)` to keep the expression. An expression that is kept with all its
/// operands keeps its inferred type; other new expressions have no type yet. A replacement gets the source of the old
/// expression; new operands of the replacement do not.
///
/// Old and new expressions have ids of the same type. `r[old]` is the new id. Returning an old id, or using it as an
/// operand, is an error if the new graph has no such id. If the new graph has an expression with this id, only passes
/// over functions notice the mistake, and only if the resulting function is rejected.
///
/// Cost:   linear in the graph; no recursion. Unused expressions are dropped.
/// Throws: `rewrite_error` if a rule mixes up the ids of the two graphs.
class rewriter {
public:
    /// Creates a rewriter of the expressions on which `root` depends, or of a function.
    constexpr rewriter(const graph& from, expr_id root) : rewriter(from, post_order(from, root)) {}
    constexpr explicit rewriter(const function& f) : rewriter(f.graph, f.root) {}

    /// Creates a rewriter of these expressions. Requires: operands precede users, and the root is last.
    constexpr rewriter(const graph& from, plain_vector<expr_id> order)
        : from_(&from)
        , order_(std::move(order))
        , to_(from.emptied())
        , made_(from.size(), expr_id::none)
        , kept_(from.size(), 0) {}

    /// Rewrites all expressions and returns the root's replacement.
    template <class Rule>
    constexpr expr_id run(Rule&& rule) {
        for (const expr_id e : order_) {
            rebuilt_ = expr_id::none;
            const std::uint32_t before = to_.size();
            const expr_id made = made_[index(e)] = rule(*this, e);
            if (made == rebuilt_) continue;
            if (!is_plain(made, before)) check_made(e, made, before);
            kept_[index(e)] = 0;
            if (from_->has_source(e) && made != expr_id::none && index(made) >= before && !to_.has_source(made))
                to_.copy_source(made, *from_, e);
        }
        return made_[index(order_.back())];
    }

    /// Rewrites a function and returns its replacement, which contains the new graph.
    template <class Rule>
    constexpr function rewrite(Rule&& rule) {
        const expr_id root = run(rule);
        return {std::move(to_), root};
    }

    /// The old graph, and its expressions in the order in which they are rewritten.
    constexpr const graph& from() const { return *from_; }
    constexpr const plain_vector<expr_id>& order() const { return order_; }
    /// The new graph.
    constexpr graph& to() { return to_; }
    constexpr const graph& to() const { return to_; }

    /// Returns the replacement of a rewritten expression.
    constexpr expr_id operator[](expr_id old) const { return made_[index(old)]; }

    /// True if a rewritten expression was kept with all its operands.
    constexpr bool kept(expr_id old) const { return kept_[index(old)] != 0; }

    /// Changes the replacement of a rewritten expression, such as a variable once its value is known.
    constexpr void replace(expr_id old, expr_id by) {
        made_[index(old)] = by;
        kept_[index(old)] = 0;
    }

    /// Adds a copy of an expression to the new graph, with the replacements of its operands.
    constexpr expr_id rebuild(expr_id old) {
        bool kept = true;
        const expr_id made = to_.add_over(*from_, old, from_->operands(old), [&](expr_id o) {
            kept = kept && kept_[index(o)] != 0;
            return made_[index(o)];
        });
        rebuilt_ = made;
        if (kept) {
            kept_[index(old)] = 1;
            to_.set_type(made, from_->type(old));
        }
        return made;
    }

    /// Copies an expression like `rebuild`, but keeps the inferred type even if operands changed. It is for rules that
    /// change no types.
    constexpr expr_id rebuild_typed(expr_id old) {
        const expr_id made = rebuild(old);
        to_.set_type(made, from_->type(old));
        return made;
    }

private:
    // True if a rule added only one expression, whose operands are older, and returned this expression. This common
    // case is cheap to check.
    constexpr bool is_plain(expr_id made, std::uint32_t before) const {
        if (index(made) != before || to_.size() != before + 1) return false;
        std::uint32_t newest = 0;
        for (std::size_t n = to_.operand_count(made); n-- > 0;)
            if (const std::uint32_t operand = index(to_.operand(made, n)); operand > newest) newest = operand;
        return newest < before;
    }

    // Checks that the replacement is in the new graph, and that the operands of each expression that the rule added
    // precede it. An old id may also be a valid new id. It is then often the id of an operator, which is valid only as
    // a callee.
    [[gnu::noinline]] constexpr void check_made(expr_id old, expr_id made, std::uint32_t before) const {
        if (made != expr_id::none && index(made) >= to_.size())
            refuse(old, "the rule returned an expression that is not in the new graph");
        for (std::uint32_t i = before; i < to_.size(); ++i) {
            const auto operands = to_.operands(expr_id{i});
            const bool is_call = to_.kind(expr_id{i}) == expr_kind::call;
            for (std::size_t k = 0; k < operands.size(); ++k) {
                if (operands[k] == expr_id::none) refuse(old, "the rule used an operand that has no replacement");
                if (index(operands[k]) >= i)
                    refuse(old, "the rule used as an operand an expression that is not in the new graph");
                if (to_.kind(operands[k]) == expr_kind::op && !(is_call && k == 0))
                    refuse(old,
                           "the rule used an operator as an operand, or the id of something else in the old graph");
            }
        }
    }

    [[noreturn, gnu::cold, gnu::noinline]] void refuse(expr_id old, std::string_view problem) const {
        const std::string where = from_->kind(old) == expr_kind::variable ? "%" + std::string(from_->variable_name(old))
                                                                          : std::string(to_string(from_->kind(old)));
        const error what("rewriting " + where, std::string(problem),
                         "r[old], r.rebuild(old) or an expression made in r.to()");
        throw rewrite_error(detail::named(*from_, old, what), from_->location(old));
    }

    const graph* from_;
    plain_vector<expr_id> order_;
    graph to_;
    plain_vector<expr_id> made_;
    plain_vector<char> kept_;
    expr_id rebuilt_ = expr_id::none; // the result of the latest `rebuild`
};

} // namespace tutti::relay::inline TUTTI_FORM
