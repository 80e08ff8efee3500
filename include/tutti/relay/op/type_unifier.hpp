#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/limit.hpp>
#include <tutti/relay/ir/interning.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/type_agreement.hpp>
#include <tutti/relay/ir/type_rewrite.hpp>
#include <tutti/relay/ir/type_table.hpp>

#include <cstddef>
#include <cstdint>

namespace tutti::relay::inline TUTTI_FORM {

/// Solves for the incomplete types of a table so that pairs of types agree.
///
/// Cost: a call is linear in the visited pairs of types; no recursion.
class type_unifier {
public:
    constexpr explicit type_unifier(type_table& types) : types_(&types) {}

    /// Returns a new incomplete type without a solution.
    constexpr type_id fresh() {
        made_.push_back(type_id::none);
        return types_->incomplete(first_made + static_cast<std::uint32_t>(made_.size() - 1));
    }

    /// Starts another round. Then `has_learnt` returns true once this round has solved an incomplete type that existed
    /// before the round.
    constexpr void begin_round() {
        before_ = made_.size();
        learnt_ = false;
    }
    constexpr bool has_learnt() const { return learnt_; }

    /// Returns the solution of a type, or the type itself if there is none.
    constexpr type_id known(type_id t) const {
        while (types_->kind(t) == type_kind::incomplete && solution(t) != type_id::none) t = solution(t);
        return t;
    }

    /// Returns the function type of a generic type, with fresh incomplete types in place of the type's variables.
    ///
    /// Throws: `tutti::error` after `most_instances` calls.
    constexpr type_id instance(type_id generic) {
        limit{"types", "uses of type parameters in one function", {}, most_instances}.check(++instances_);
        const plain_vector<type_id> members = copied(generic);
        type_rewriting rewritten(*types_);
        for (std::size_t i = 0; i + 1 < members.size(); ++i) rewritten.replace(members[i], fresh());
        return rewritten(members.back());
    }

    /// Solves incomplete types so that two types agree, as defined by `agree`. False if they cannot agree. Instantiates
    /// a generic type if the other type is not generic.
    constexpr bool unify(type_id a, type_id b) {
        pairs_.clear();
        places_ = {};
        meet(a, b);
        for (std::size_t i = 0; i < pairs_.size(); ++i)
            if (!fits(pairs_[i].first, pairs_[i].second)) return false;
        return true;
    }

    /// Returns the type with all incomplete types replaced by their solutions.
    ///
    /// Throws: `tutti::error` for a type that would contain itself.
    constexpr type_id resolve(type_id type) {
        if (!types_->is_incomplete(type)) return type;
        notes_.clear();
        note_places_ = {};
        open_.push_back({type, 0});
        note(type, type_id::none);
        while (!open_.empty()) {
            const type_id t = open_.back().type;
            const std::uint32_t met = open_.back().met++;
            const type_id next = part(t, met);
            if (next != type_id::none) {
                const std::uint32_t place = place_of(next);
                if (place == intern_index::absent && !types_->is_incomplete(next)) {
                    note(next, next);
                } else if (place == intern_index::absent) {
                    open_.push_back({next, 0});
                    note(next, type_id::none);
                } else if (notes_[place].made == type_id::none) {
                    open_.clear();
                    throw error("type inference", "a type would contain itself", "annotations that prevent it");
                }
                continue;
            }
            open_.pop_back();
            notes_[place_of(t)].made = remade(t);
        }
        return notes_[place_of(type)].made;
    }

private:
    static constexpr std::uint32_t first_made = 0x80000000U;
    static constexpr std::size_t most_instances = std::size_t{1} << 22;

    struct pair {
        type_id first;
        type_id second;
    };
    struct resolved {
        type_id old;
        type_id made;
    };
    struct step {
        type_id type;
        std::uint32_t met;
    };

    constexpr type_id solution(type_id hole) const {
        const std::uint32_t n = types_->number(hole);
        if (n >= first_made) return n - first_made < made_.size() ? made_[n - first_made] : type_id::none;
        return n < written_.size() ? written_[n] : type_id::none;
    }
    constexpr void solve(type_id hole, type_id by) {
        const std::uint32_t n = types_->number(hole);
        if (n < first_made && n >= written_.size()) written_.resize(n + std::size_t{1}, type_id::none);
        plain_vector<type_id>& all = n < first_made ? written_ : made_;
        const std::size_t place = n < first_made ? n : n - first_made;
        if (place >= all.size()) all.resize(place + 1, type_id::none);
        if (all[place] == type_id::none && (n < first_made || place < before_)) learnt_ = true;
        all[place] = by;
    }

    constexpr plain_vector<type_id> copied(type_id t) const {
        plain_vector<type_id> members;
        members.append(types_->members(t));
        return members;
    }

    constexpr void meet(type_id a, type_id b) {
        if (a == b) return;
        places_.find_or_add(
            hash_combine(index(a), index(b)),
            [&](std::uint32_t i) { return pairs_[i].first == a && pairs_[i].second == b; },
            [&] { pairs_.push_back({a, b}); });
    }

    // Returns the last incomplete type in the chain of solutions of a type, or none.
    constexpr type_id last_hole(type_id t) const {
        type_id last = type_id::none;
        while (types_->kind(t) == type_kind::incomplete && solution(t) != type_id::none) {
            last = t;
            t = solution(t);
        }
        return last;
    }

    constexpr bool fits(type_id a, type_id b) {
        const type_id x = known(a);
        const type_id y = known(b);
        if (x == y) return true;
        const type_kind kind = types_->kind(x);
        const type_kind other = types_->kind(y);
        if (kind == type_kind::incomplete || other == type_kind::incomplete) {
            // Different types have the same number only in a corrupt table. Solving one of them with the other would
            // create an endless chain.
            if (kind == other && types_->number(x) == types_->number(y)) return true;
            solve(kind == type_kind::incomplete ? x : y, kind == type_kind::incomplete ? y : x);
            return true;
        }
        if ((kind == type_kind::generic) != (other == type_kind::generic)) {
            const type_id made = instance(kind == type_kind::generic ? x : y);
            meet(made, kind == type_kind::generic ? y : x);
            return true;
        }
        if (kind != other) return false;
        if (kind == type_kind::tensor) {
            if (!agree(*types_, x, y)) return false;
            const type_id both = common_type(*types_, x, y); // keeps only what both types know, as in the reference
            if (const type_id hole = last_hole(a); hole != type_id::none && both != x) solve(hole, both);
            if (const type_id hole = last_hole(b); hole != type_id::none && both != y) solve(hole, both);
            return true;
        }
        const plain_vector<type_id> xs = copied(x);
        const plain_vector<type_id> ys = copied(y);
        if (kind == type_kind::variable || xs.size() != ys.size()) return false;
        if (kind == type_kind::data && types_->name(x) != types_->name(y)) return false;
        if (kind == type_kind::generic) { // equal up to the names of variables
            type_rewriting renamed(*types_);
            for (std::size_t i = 0; i + 1 < xs.size(); ++i) renamed.replace(ys[i], xs[i]);
            meet(xs.back(), renamed(ys.back()));
            return true;
        }
        for (std::size_t i = 0; i < xs.size(); ++i) meet(xs[i], ys[i]);
        return true;
    }

    // Returns the next part for `resolve`: the i-th member, or the solution of an incomplete type.
    constexpr type_id part(type_id t, std::uint32_t i) const {
        if (types_->kind(t) == type_kind::incomplete) return i == 0 ? solution(t) : type_id::none;
        const auto members = types_->members(t);
        return i < members.size() ? members[i] : type_id::none;
    }
    constexpr type_id remade(type_id t) {
        if (types_->kind(t) == type_kind::incomplete)
            return solution(t) == type_id::none ? t : notes_[place_of(solution(t))].made;
        plain_vector<type_id> parts;
        for (const type_id m : types_->members(t)) parts.push_back(notes_[place_of(m)].made);
        return types_->like(*types_, t, parts.all());
    }
    constexpr std::uint32_t place_of(type_id t) const {
        return note_places_.find(hash_finish(index(t)), [&](std::uint32_t i) { return notes_[i].old == t; });
    }
    constexpr void note(type_id t, type_id made) {
        note_places_.find_or_add(
            hash_finish(index(t)), [&](std::uint32_t i) { return notes_[i].old == t; },
            [&] { notes_.push_back({t, made}); });
    }

    type_table* types_;
    plain_vector<type_id> made_;    // indexed by number: solutions of types created here
    plain_vector<type_id> written_; // indexed by number: solutions of types of the program
    std::size_t before_ = 0;        // number of types created before this round
    bool learnt_ = false;
    std::size_t instances_ = 0;
    plain_vector<pair> pairs_; // each pair once, although types share members
    intern_index places_;
    plain_vector<resolved> notes_;
    intern_index note_places_;
    plain_vector<step> open_;
};

} // namespace tutti::relay::inline TUTTI_FORM
