#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/plain_vector.hpp>

#include <cstdint>
#include <vector>

namespace tutti::relay::inline TUTTI_FORM {

/// A tree of nested scopes with `outside` as its root. Finds the common scope of two scopes and tests containment.
///
/// Cost:   logarithmic in the depth; 12 bytes per scope.
/// Source: E. W. Myers, An applicative random-access stack, Information Processing Letters 17 (1983): each scope has a
///         second link, which leads further out. A logarithmic number of steps reaches any depth.
class scope_tree {
public:
    using id = std::uint32_t;
    static constexpr id outside = 0;
    static constexpr id none = 0xFFFFFFFFU;

    constexpr scope_tree() : scopes_{{outside, outside, 0}} {}

    /// Opens a scope directly inside `around` and returns its id. Ids are consecutive, from 1.
    constexpr id open(id around) {
        const scope& p = scopes_[around];
        const scope& j = scopes_[p.jump];
        const bool equal_steps = p.depth - j.depth == j.depth - scopes_[j.jump].depth;
        scopes_.push_back({around, equal_steps ? j.jump : around, p.depth + 1});
        return static_cast<id>(scopes_.size() - 1);
    }

    /// Returns the innermost scope that contains both `a` and `b`.
    constexpr id common(id a, id b) const {
        if (a == b) return a;
        a = up(a, scopes_[b].depth);
        b = up(b, scopes_[a].depth);
        while (a != b) { // both have the same depth, so their jumps have the same length
            const bool apart = scopes_[a].jump != scopes_[b].jump;
            a = apart ? scopes_[a].jump : scopes_[a].around;
            b = apart ? scopes_[b].jump : scopes_[b].around;
        }
        return a;
    }

    /// True if `inner` is `outer` or is inside `outer`.
    constexpr bool contains(id outer, id inner) const { return up(inner, scopes_[outer].depth) == outer; }

private:
    struct scope {
        id around;
        id jump;
        std::uint32_t depth;
    };

    /// Returns the scope at this depth that contains `a`, or `a` itself if its depth is not greater.
    constexpr id up(id a, std::uint32_t depth) const {
        while (scopes_[a].depth > depth)
            a = scopes_[scopes_[a].jump].depth >= depth ? scopes_[a].jump : scopes_[a].around;
        return a;
    }

    plain_vector<scope> scopes_;
};

} // namespace tutti::relay::inline TUTTI_FORM
