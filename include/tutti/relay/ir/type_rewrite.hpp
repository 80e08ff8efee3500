#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/ids.hpp>
#include <tutti/relay/ir/interning.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/type_table.hpp>

#include <cstddef>
#include <cstdint>

namespace tutti::relay::inline TUTTI_FORM {

/// Replaces types that occur in other types of a table.
///
/// Results are memoised: later calls reuse them.
class type_rewriting {
public:
    constexpr explicit type_rewriting(type_table& types) : types_(&types) {}

    /// Sets the replacement of a type.
    constexpr void replace(type_id old, type_id by) {
        bool found = false;
        const std::uint32_t place = places_.find_or_add(
            hash_finish(index(old)), [&](std::uint32_t i) { return found = notes_[i].old == old; },
            [&] { notes_.push_back({old, by}); });
        if (found) notes_[place].made = by;
    }

    /// Returns the type with its members replaced. A generic type that binds a replaced variable is kept: it binds a
    /// different variable with the same name.
    ///
    /// Requires: no replacement contains a type to be replaced.
    /// Cost:     linear in the members, each of which is visited once; no recursion.
    constexpr type_id operator()(type_id type) {
        if (type_id made = find(type); made != type_id::none) return made;
        open_.push_back({type, 0});
        while (!open_.empty()) {
            auto& [t, met] = open_.back();
            const auto members = types_->members(t);
            if (met == 0 && is_closed(t)) {
                const type_id closed = t;
                open_.pop_back();
                replace(closed, closed);
                continue;
            }
            if (met < members.size()) {
                const type_id next = members[met++];
                if (find(next) == type_id::none) open_.push_back({next, 0});
                continue;
            }
            plain_vector<type_id> parts;
            bool same = true;
            for (const type_id m : members) {
                parts.push_back(find(m));
                same = same && parts.back() == m;
            }
            const type_id old = t;
            open_.pop_back();
            replace(old, same ? old : types_->like(*types_, old, parts.all()));
        }
        return find(type);
    }

private:
    struct note {
        type_id old;
        type_id made;
    };
    struct step {
        type_id type;
        std::uint32_t met;
    };

    constexpr type_id find(type_id t) const {
        const std::uint32_t place =
            places_.find(hash_finish(index(t)), [&](std::uint32_t i) { return notes_[i].old == t; });
        return place == intern_index::absent ? type_id::none : notes_[place].made;
    }

    // True if the type contains nothing to replace: neither variables nor incomplete types, or it is a generic type
    // that binds a replaced variable.
    constexpr bool is_closed(type_id t) const {
        if (!types_->has_variables(t) && !types_->is_incomplete(t)) return true;
        if (types_->kind(t) != type_kind::generic) return false;
        const auto members = types_->members(t);
        for (const type_id v : members.first(members.size() - 1))
            if (find(v) != type_id::none && find(v) != v) return true;
        return false;
    }

    type_table* types_;
    plain_vector<note> notes_;
    intern_index places_;
    plain_vector<step> open_;
};

} // namespace tutti::relay::inline TUTTI_FORM
