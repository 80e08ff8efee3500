#pragma once

#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/ir/interning.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/tensor_value.hpp>
#include <tutti/relay/op/op_def.hpp>
#include <tutti/relay/transform/rule_pass.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace tutti::relay {

namespace detail {

/// The rule of EliminateCommonSubexpr: what is alike becomes the first of its kind.
class common_subexpr_finder {
public:
    /// Makes room for that many expressions, each different.
    constexpr common_subexpr_finder(std::size_t expressions, const pass_notes& notes) : notes_(&notes) {
        users_.reserve(expressions);
        first_user_.reserve(expressions);
    }

    constexpr expr_id operator()(rewriter& r, expr_id e) {
        const graph& from = r.from();
        if (from.kind(e) == expr_kind::constant) return meet_constant(r, e);
        if (!may_merge(from, e)) {
            if (notes_->misses_heard()) note_state(from, e);
            return r.rebuild(e);
        }
        const bool call = from.kind(e) == expr_kind::call;
        std::uint64_t hash = call ? index(from.call_attributes(e)) : ~std::uint64_t{from.field(e)};
        std::uint32_t last = 0; // the operand that was made last
        for (const expr_id o : from.operands(e)) {
            const std::uint32_t operand = index(canonical(r[o]));
            hash = hash_combine(hash, operand);
            last = std::max(last, operand);
        }
        const std::uint32_t before = r.to().size();
        const expr_id made = first_user(r, e, hash, last);
        if (notes_->heard()) note(r, e, made, before, last);
        return made;
    }

private:
    // Calls of operators, and projections.
    static constexpr bool may_merge(const graph& g, expr_id e) {
        if (g.kind(e) == expr_kind::projection) return true;
        const op_def* op = g.called_op(e);
        return op != nullptr && g.operand_count(e) > 1 && !op->stateful;
    }

    // Scalars of one value count as the same argument, though each stays where it is.
    constexpr expr_id meet_constant(rewriter& r, expr_id e) {
        const expr_id made = r.rebuild(e);
        const tensor value = r.to().constant_value(made);
        if (value.rank() != 0) return made;
        const expr_id first = scalars_.find_or_add(
            value_hash(value), [&](expr_id other) { return same_value(value, r.to().constant_value(other)); },
            [&] { return made; });
        if (first != made) {
            alike_.resize(index(made) + 1, expr_id::none);
            alike_[index(made)] = first;
        }
        return made;
    }

    // What an argument is compared by.
    constexpr expr_id canonical(expr_id made) const {
        return index(made) < alike_.size() && alike_[index(made)] != expr_id::none ? alike_[index(made)] : made;
    }

    constexpr bool are_alike(const rewriter& r, expr_id old, expr_id made) const {
        const graph& from = r.from();
        const graph& to = r.to();
        if (from.kind(old) != to.kind(made)) return false;
        if (to.kind(made) == expr_kind::projection)
            return from.field(old) == to.field(made) && r[from.operand(old, 0)] == to.operand(made, 0);
        const auto was = from.operands(old);
        const auto is = to.operands(made);
        if (from.call_attributes(old) != to.call_attributes(made) || was.size() != is.size()) return false;
        for (std::size_t i = 0; i < was.size(); ++i)
            if (canonical(r[was[i]]) != canonical(is[i])) return false;
        return true;
    }

    // What is alike has the same operand that was made last. Its users are few for the most part, and near: a list is faster then
    // than a hash table, which takes the rest.
    constexpr expr_id first_user(rewriter& r, expr_id e, std::uint64_t hash, std::uint32_t operand) {
        if (first_user_.size() <= operand) first_user_.resize(operand + 1, none);
        const auto folded = static_cast<std::uint32_t>(hash ^ (hash >> 32));
        int listed = 0;
        for (std::uint32_t i = first_user_[operand]; i != none; i = users_[i].next, ++listed)
            if (users_[i].hash == folded && are_alike(r, e, users_[i].expression)) return users_[i].expression;
        if (listed == most_listed)
            return others_.find_or_add(
                hash, [&](expr_id made) { return are_alike(r, e, made); }, [&] { return r.rebuild(e); });
        const expr_id made = r.rebuild(e);
        users_.push_back({made, folded, first_user_[operand]});
        first_user_[operand] = static_cast<std::uint32_t>(users_.size() - 1);
        return made;
    }

    // Says what was merged, or is alike but for its attributes. Requires: someone listens.
    constexpr void note(const rewriter& r, expr_id e, expr_id made, std::uint32_t before, std::uint32_t operand) const {
        if (index(made) < before) return notes_->applied(r.from(), e, "merged", "is computed once, " + first(r, made));
        for (std::uint32_t i = users_.size() == 0 ? none : first_user_[operand]; i != none; i = users_[i].next) {
            const expr_id other = users_[i].expression;
            if (other == made || !differ_in_attributes(r.to(), made, other)) continue;
            return notes_->missed(r.from(), e, "has other attributes than the one " + first(r, other));
        }
    }
    constexpr std::string first(const rewriter& r, expr_id made) const { return "at " + notes_->where(r.to(), made); }

    constexpr bool differ_in_attributes(const graph& to, expr_id a, expr_id b) const {
        if (to.kind(a) != expr_kind::call || to.kind(b) != expr_kind::call) return false;
        const auto x = to.operands(a);
        const auto y = to.operands(b);
        bool same = x.size() == y.size() && to.called_op(a) == to.called_op(b);
        for (std::size_t i = 1; same && i < x.size(); ++i) same = canonical(x[i]) == canonical(y[i]);
        return same && to.call_attributes(a) != to.call_attributes(b);
    }

    // Says of a call of an operator with a state that it may not be merged. Requires: someone listens.
    constexpr void note_state(const graph& from, expr_id e) const {
        const op_def* op = from.called_op(e);
        if (op != nullptr && op->stateful) notes_->missed(from, e, "has a state, so each call counts");
    }

    // Expressions of the graph that is made, no two alike.
    struct firsts {
        intern_index places;
        plain_vector<expr_id> expressions;

        template <class Alike, class Make>
        constexpr expr_id find_or_add(std::uint64_t hash, Alike alike, Make make) {
            return expressions[places.find_or_add(
                hash, [&](std::uint32_t place) { return alike(expressions[place]); },
                [&] { expressions.push_back(make()); })];
        }
    };

    static constexpr std::uint32_t none = 0xFFFFFFFFU;
    static constexpr int most_listed = 8;

    struct user {
        expr_id expression;
        std::uint32_t hash;
        std::uint32_t next; // of the same operand
    };

    plain_vector<user> users_;
    plain_vector<std::uint32_t> first_user_; // by operand that is made
    firsts others_;
    firsts scalars_;
    plain_vector<expr_id>
        alike_; // by constant that is made: the first scalar of that value; may be shorter than the graph
    const pass_notes* notes_;
};

} // namespace detail

/// Computes once what is computed several times: calls of an operator with the same attributes and arguments, and projections of
/// the same tuple. Arguments are the same if they are one expression, or scalar constants of one value.
///
/// Leaves alone: operators with a state, calls without arguments.
///
/// Requires: inferred types.
/// Cost:     linear in the graph.
/// Throws:   `tutti::error` without types; the module is as it was.
struct eliminate_common_subexpr : rule_pass<eliminate_common_subexpr> {
    static constexpr pass_info info{.name = "EliminateCommonSubexpr", .opt_level = 3};
    static constexpr function transform(const function& f, const rewrite_terms& terms) {
        rewriter r(f);
        return r.rewrite(detail::common_subexpr_finder(r.order().size(), terms.notes));
    }
};

} // namespace tutti::relay
