#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/interning.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/tensor_value.hpp>
#include <tutti/relay/op/op_def.hpp>
#include <tutti/relay/transform/passes/eliminate_common_subexpr.hpp>
#include <tutti/relay/transform/rule_pass.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

/// The rule of EliminateCommonSubexpr: replaces equal expressions by the first one. Finds all of them before rewriting.
class common_subexpr_finder {
public:
    /// Finds the equal expressions. `order` is the order of rewriting.
    constexpr common_subexpr_finder(const graph& g, std::span<const expr_id> order, const pass_notes& notes)
        : g_(&g)
        , order_(order)
        , notes_(&notes)
        , places_(g.size(), none)
        , first_user_(order.size(), none)
        , next_user_(order.size(), none) {
        for (std::uint32_t place = 0; place < order.size(); ++place) {
            const expr_id e = order[place];
            places_[index(e)] = find(e, place);
            any_ = any_ || (places_[index(e)] != place && g.kind(e) != expr_kind::constant);
        }
    }

    /// True if any expression is replaced.
    constexpr bool found_any() const { return any_; }

    constexpr expr_id operator()(rewriter& r, expr_id e) const {
        const expr_id first = order_[places_[index(e)]];
        return first == e || g_->kind(e) == expr_kind::constant ? r.rebuild(e) : r[first];
    }

private:
    // Returns the position of the first expression that equals `e`, which may be `e` itself.
    constexpr std::uint32_t find(expr_id e, std::uint32_t place) {
        if (g_->kind(e) == expr_kind::constant) return meet_constant(e, place);
        if (!may_merge(*g_, e)) {
            if (notes_->misses_heard()) note_state(e);
            return place;
        }
        std::uint32_t last = 0; // the operand that comes last in the order
        for (const expr_id o : g_->operands(e)) last = std::max(last, places_[index(o)]);
        const std::uint32_t first = first_user(e, place, last);
        if (first != place && !notes_->may_apply(*g_, e, "merged")) return place;
        if (notes_->heard()) note(e, place, first, last);
        return first;
    }

    // True for projections, and for calls of stateless operators with arguments.
    static constexpr bool may_merge(const graph& g, expr_id e) {
        if (g.kind(e) == expr_kind::projection) return true;
        const op_def* op = g.called_op(e);
        return op != nullptr && g.operand_count(e) > 1 && !op->stateful;
    }

    // Scalars of equal value count as equal arguments, but are not merged.
    constexpr std::uint32_t meet_constant(expr_id e, std::uint32_t place) {
        const tensor& value = g_->constant_value(e);
        if (value.rank() != 0) return place;
        return scalars_.find_or_add(
            value_hash(value),
            [&](std::uint32_t other) { return same_value(value, g_->constant_value(order_[other])); }, place);
    }

    constexpr bool are_alike(expr_id a, expr_id b) const {
        if (g_->kind(a) != g_->kind(b)) return false;
        if (g_->kind(a) == expr_kind::projection ? g_->field(a) != g_->field(b)
                                                 : g_->call_attributes(a) != g_->call_attributes(b))
            return false;
        const auto x = g_->operands(a);
        const auto y = g_->operands(b);
        if (x.size() != y.size()) return false;
        for (std::size_t i = 0; i < x.size(); ++i)
            if (places_[index(x[i])] != places_[index(y[i])]) return false;
        return true;
    }

    // Equal expressions have the same last operand. Most operands have few users, so a list per operand is faster than
    // a hash table. The table holds the users that exceed the length limit of a list.
    constexpr std::uint32_t first_user(expr_id e, std::uint32_t place, std::uint32_t operand) {
        int listed = 0;
        for (std::uint32_t i = first_user_[operand]; i != none; i = next_user_[i], ++listed)
            if (are_alike(e, order_[i])) return i;
        if (listed == most_listed)
            return others_.find_or_add(
                hash_of(e), [&](std::uint32_t other) { return are_alike(e, order_[other]); }, place);
        next_user_[place] = std::exchange(first_user_[operand], place);
        return place;
    }

    constexpr std::uint64_t hash_of(expr_id e) const {
        const bool call = g_->kind(e) == expr_kind::call;
        std::uint64_t hash = call ? index(g_->call_attributes(e)) : ~std::uint64_t{g_->field(e)};
        for (const expr_id o : g_->operands(e)) hash = hash_combine(hash, places_[index(o)]);
        return hash;
    }

    // Emits remarks about merged expressions, and about those that differ only in attributes. Requires: remarks are
    // enabled.
    constexpr void note(expr_id e, std::uint32_t place, std::uint32_t first, std::uint32_t operand) const {
        if (first != place) return notes_->applied(*g_, e, "merged", "is computed once, " + at(order_[first]));
        for (std::uint32_t i = first_user_[operand]; i != none; i = next_user_[i]) {
            const expr_id other = order_[i];
            if (other == e || !differ_in_attributes(e, other)) continue;
            return notes_->missed(*g_, e, "has other attributes than the one " + at(other));
        }
    }
    constexpr std::string at(expr_id first) const { return "at " + notes_->where(*g_, first); }

    constexpr bool differ_in_attributes(expr_id a, expr_id b) const {
        if (g_->kind(a) != expr_kind::call || g_->kind(b) != expr_kind::call) return false;
        const auto x = g_->operands(a);
        const auto y = g_->operands(b);
        bool same = x.size() == y.size() && g_->called_op(a) == g_->called_op(b);
        for (std::size_t i = 1; same && i < x.size(); ++i) same = places_[index(x[i])] == places_[index(y[i])];
        return same && g_->call_attributes(a) != g_->call_attributes(b);
    }

    // Emits a remark about a stateful call that cannot be merged. Requires: remarks are enabled.
    constexpr void note_state(expr_id e) const {
        const op_def* op = g_->called_op(e);
        if (op != nullptr && op->stateful) notes_->missed(*g_, e, "has a state, so each call counts");
    }

    // Positions of distinct expressions.
    struct firsts {
        intern_index index;
        plain_vector<std::uint32_t> places;

        template <class Alike>
        constexpr std::uint32_t find_or_add(std::uint64_t hash, Alike alike, std::uint32_t place) {
            return places[index.find_or_add(
                hash, [&](std::uint32_t i) { return alike(places[i]); }, [&] { places.push_back(place); })];
        }
    };

    static constexpr std::uint32_t none = 0xFFFFFFFFU;
    static constexpr int most_listed = 8;

    const graph* g_;
    std::span<const expr_id> order_;
    const pass_notes* notes_;
    plain_vector<std::uint32_t> places_;     // indexed by expression: the position of the first equal expression
    plain_vector<std::uint32_t> first_user_; // indexed by position of an operand: the position of its last user so far
    plain_vector<std::uint32_t> next_user_;  // indexed by position of a user: the previous user of the same operand
    firsts others_{};
    firsts scalars_{};
    bool any_ = false;
};

} // namespace detail

TUTTI_CONSTEXPR void eliminate_common_subexpr::apply(ir_module& m, module_context&& ctx) const {
    run_rules(m, ctx, info, [](const function& f, const rewrite_terms& terms) {
        plain_vector<expr_id> order = post_order(f.graph, f.root);
        const detail::common_subexpr_finder found(f.graph, order, terms.notes);
        if (!found.found_any()) return function{};
        plain_vector<expr_id> same = order; // the finder refers to `order`
        return rewriter(f.graph, std::move(same)).rewrite(found);
    });
}

} // namespace tutti::relay::inline TUTTI_FORM
