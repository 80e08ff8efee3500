#pragma once

#include <tutti/relay/ir/plain_vector.hpp>

#include <cstdint>
#include <vector>

namespace tutti::relay {

/// Scopes within scopes, `outside` around all of them: says which two have in common, and whether one is
/// inside another.
///
/// Cost:   logarithmic in the depth; 12 bytes a scope.
/// Source: E. W. Myers, An applicative random-access stack, Information Processing Letters 17 (1983): each
///         scope also knows one further out, so chosen that any depth is a logarithmic number of steps away.
class scope_tree {
public:
    using id = std::uint32_t;
    static constexpr id outside = 0;
    static constexpr id none = 0xFFFFFFFFU;

    constexpr scope_tree() : scopes_{{outside, outside, 0}} {}

    /// A new scope in `around`. Ids are given by turns, from 1.
    constexpr id open(id around) {
        const scope& p = scopes_[around];
        const scope& j = scopes_[p.jump];
        const bool equal_steps = p.depth - j.depth == j.depth - scopes_[j.jump].depth;
        scopes_.push_back({around, equal_steps ? j.jump : around, p.depth + 1});
        return static_cast<id>(scopes_.size() - 1);
    }

    /// The innermost scope that both are, or are in.
    constexpr id common(id a, id b) const {
        if (a == b) return a;
        a = up(a, scopes_[b].depth);
        b = up(b, scopes_[a].depth);
        while (a != b) { // of the same depth, so both jump equally far
            const bool apart = scopes_[a].jump != scopes_[b].jump;
            a = apart ? scopes_[a].jump : scopes_[a].around;
            b = apart ? scopes_[b].jump : scopes_[b].around;
        }
        return a;
    }

    /// Whether `inner` is `outer` or in it.
    constexpr bool contains(id outer, id inner) const { return up(inner, scopes_[outer].depth) == outer; }

private:
    struct scope {
        id around;
        id jump;
        std::uint32_t depth;
    };

    /// The scope at that depth that `a` is, or is in; `a` itself if it is less deep.
    constexpr id up(id a, std::uint32_t depth) const {
        while (scopes_[a].depth > depth)
            a = scopes_[scopes_[a].jump].depth >= depth ? scopes_[a].jump : scopes_[a].around;
        return a;
    }

    plain_vector<scope> scopes_;
};

} // namespace tutti::relay
