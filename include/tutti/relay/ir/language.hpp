#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/type_table.hpp>

#include <cstdint>

namespace tutti::relay::inline TUTTI_FORM {

/// True if a graph may create, read or write references. `may_have_effects` is also true if `function` takes a function
/// as a parameter, which may do so. It then matters whether and in which order expressions are evaluated.
///
/// Cost: linear in the graph.
constexpr bool has_references(const graph& g) {
    for (std::uint32_t i = 0; i < g.types().size(); ++i)
        if (g.types().kind(type_id{i}) == type_kind::reference) return true;
    for (std::uint32_t i = 0; i < g.size(); ++i)
        if (g.kind(expr_id{i}) >= expr_kind::ref_create) return true;
    return false;
}
constexpr bool may_have_effects(const graph& g, expr_id function) {
    for (const expr_id p : g.params(function))
        if (g.annotation(p) != type_id::none && g.types().kind(g.annotation(p)) == type_kind::function) return true;
    return has_references(g);
}

/// True if a graph has references, values of data types, or functions with type parameters.
///
/// Cost: linear in the graph.
constexpr bool has_general_values(const graph& g) {
    for (std::uint32_t i = 0; i < g.types().size(); ++i)
        if (g.types().kind(type_id{i}) > type_kind::function) return true;
    for (std::uint32_t i = 0; i < g.size(); ++i)
        if (g.kind(expr_id{i}) >= expr_kind::constructor) return true;
    return false;
}

} // namespace tutti::relay::inline TUTTI_FORM
