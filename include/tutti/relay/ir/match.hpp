#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/attr_table.hpp>
#include <tutti/relay/ir/graph.hpp>

#include <cstddef>
#include <span>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM {

// A match stores its patterns as a list of attribute values: completeness, then the pattern of each clause. None
// encodes a wildcard, True a variable, and a list of patterns a tuple. A list that begins with a name encodes a
// constructor; the patterns of its fields follow. The variables of a clause are operands of the match, in the order of
// the pattern.

/// Kinds of patterns.
enum class pattern_kind : std::uint8_t { wildcard, variable, constructor, tuple };

/// Returns the kind of the first pattern in a list.
constexpr pattern_kind kind_of_pattern(std::span<const attr_value> pattern) {
    const attr_value& v = pattern.front();
    if (v.kind == attr_kind::none) return pattern_kind::wildcard;
    if (v.kind == attr_kind::boolean) return pattern_kind::variable;
    return v.count != 0 && pattern[1].kind == attr_kind::string ? pattern_kind::constructor : pattern_kind::tuple;
}

/// Returns the number of fields of the first pattern in a list. The patterns of the fields follow the head.
constexpr std::size_t pattern_fields(std::span<const attr_value> pattern) {
    return pattern.front().count - (kind_of_pattern(pattern) == pattern_kind::constructor ? 1U : 0U);
}

/// Returns the number of values in the head of the first pattern in a list. The first field follows the head.
constexpr std::size_t pattern_head(std::span<const attr_value> pattern) {
    return kind_of_pattern(pattern) == pattern_kind::constructor ? 2 : 1;
}

/// A clause of a match: its pattern, and the operand indices of its first variable and its body.
struct match_clause {
    std::span<const attr_value> pattern;
    std::size_t first_variable;
    std::size_t body;
};

/// True for `match`, whose clauses cover all values, and false for `match?`.
constexpr bool is_complete(const graph& g, expr_id match) { return g.attrs()[g.patterns(match)].front().boolean(); }

/// Calls `f(clause)` for each clause of a match. The clauses are valid until attributes are added.
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

/// Calls `f(index)` for each operand of a match that is a variable bound by a pattern.
template <class F>
constexpr void for_each_bound(const graph& g, expr_id match, F&& f) {
    for_each_clause(g, match, [&](const match_clause& c) {
        for (std::size_t i = c.first_variable; i < c.body; ++i) f(i);
    });
}

} // namespace tutti::relay::inline TUTTI_FORM
