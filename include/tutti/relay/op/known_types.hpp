#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/type_agreement.hpp>
#include <tutti/relay/ir/type_text.hpp>
#include <tutti/relay/op/type_unifier.hpp>

#include <cstddef>
#include <string>

namespace tutti::relay::inline TUTTI_FORM {

/// The types of one function's expressions, as far as they are known.
class known_types {
protected:
    constexpr explicit known_types(graph& g) : g_(&g), unifier_(g.types()), types_(g.size(), type_id::none) {}

    /// Forgets all types.
    constexpr void forget_types() {
        types_.assign(g_->size(), type_id::none);
        unifier_ = type_unifier(g_->types());
        uses_unifier_ = false;
    }

    constexpr type_id& type_of(expr_id e) { return types_[index(e)]; }
    constexpr bool is_none(std::size_t operand, expr_id e) { return type_of(g_->operand(e, operand)) == type_id::none; }

    /// True if a type is unknown or incomplete.
    constexpr bool is_open(type_id t) const { return t == type_id::none || g_->types().is_incomplete(t); }
    /// Returns a function's type without its type parameters.
    constexpr type_id function_of(type_id t) const {
        return g_->types().kind(t) == type_kind::generic ? g_->types().members(t).back() : t;
    }

    constexpr std::string text(type_id t) const { return to_text(g_->types(), t); }
    constexpr std::string variable_text(expr_id variable) const {
        return "%" + std::string(g_->variable_name(variable));
    }

    constexpr type_id resolved(type_id t) { return g_->types().is_incomplete(t) ? unifier_.resolve(t) : t; }

    /// Unifies two types, which may determine their incomplete parts. True if the types agree.
    constexpr bool same(type_id a, type_id b) {
        if (a == b) return true;
        if (g_->types().is_plain(a) && g_->types().is_plain(b)) return agree(g_->types(), a, b);
        uses_unifier_ = true;
        return unifier_.unify(a, b);
    }
    /// Returns the common type of two alternatives. As in the reference, a part that is unknown in one of them is
    /// unknown in the result.
    constexpr type_id common(type_id a, type_id b) {
        if (a == b) return a;
        if (g_->types().is_plain(a) && g_->types().is_plain(b)) return common_type(g_->types(), a, b);
        return resolved(g_->types().kind(a) == type_kind::generic ? b : a);
    }

    graph* g_;
    type_unifier unifier_;
    bool uses_unifier_ = false; // true once an incomplete or generic type has been compared
    plain_vector<type_id> types_;
};

} // namespace tutti::relay::inline TUTTI_FORM
