#pragma once

#include <tutti/relay/ir/attr_table.hpp>
#include <tutti/relay/ir/graph.hpp>

#include <cstddef>
#include <span>
#include <string_view>

namespace tutti::relay {

// A match's patterns are kept as a list of attribute values: whether it is complete, then the pattern of each clause. In it nothing
// stands for a wildcard, True for a variable, a list for a tuple; a list that begins with a name for a constructor, with what its
// fields must be. The variables of a clause are operands of the match, in the order in which they stand in the pattern.

/// What a pattern is.
enum class pattern_kind : std::uint8_t { wildcard, variable, constructor, tuple };

/// The kind of the pattern at the front of a list.
constexpr pattern_kind kind_of_pattern(std::span<const attr_value> pattern) {
    const attr_value& v = pattern.front();
    if (v.kind == attr_kind::none) return pattern_kind::wildcard;
    if (v.kind == attr_kind::boolean) return pattern_kind::variable;
    return v.count != 0 && pattern[1].kind == attr_kind::string ? pattern_kind::constructor : pattern_kind::tuple;
}

/// How many fields the pattern at the front has: patterns that follow its head.
constexpr std::size_t pattern_fields(std::span<const attr_value> pattern) {
    return pattern.front().count - (kind_of_pattern(pattern) == pattern_kind::constructor ? 1U : 0U);
}

/// How many values the head of the pattern at the front takes; its first field follows.
constexpr std::size_t pattern_head(std::span<const attr_value> pattern) {
    return kind_of_pattern(pattern) == pattern_kind::constructor ? 2 : 1;
}

/// One clause of a match: where its variables begin among the operands, and its body's place.
struct match_clause {
    std::span<const attr_value> pattern;
    std::size_t first_variable;
    std::size_t body;
};

/// Whether the match says that one of its clauses always fits: `match`, not `match?`.
constexpr bool is_complete(const graph& g, expr_id match) { return g.attrs()[g.patterns(match)].front().boolean(); }

/// Calls `f(clause)` for each clause, valid until attributes are added.
///
/// Cost: linear in the patterns.
template <class F>
constexpr void for_each_clause(const graph& g, expr_id match, F&& f) {
    std::span<const attr_value> rest = g.attrs()[g.patterns(match)].subspan(1);
    std::size_t place = 1;
    while (!rest.empty()) {
        const auto pattern = rest.first(extent(rest));
        rest = rest.subspan(pattern.size());
        match_clause c{pattern, place, place};
        for (const attr_value& v : pattern)
            if (v.kind == attr_kind::boolean) ++c.body;
        place = c.body + 1;
        f(c);
    }
}

/// Calls `f(place)` for each operand of a match that one of its patterns binds.
template <class F>
constexpr void for_each_bound(const graph& g, expr_id match, F&& f) {
    for_each_clause(g, match, [&](const match_clause& c) {
        for (std::size_t i = c.first_variable; i < c.body; ++i) f(i);
    });
}

} // namespace tutti::relay
