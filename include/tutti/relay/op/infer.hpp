#pragma once

#include <tutti/error.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/located_error.hpp>
#include <tutti/relay/ir/type_table.hpp>
#include <tutti/relay/ir/walk.hpp>
#include <tutti/relay/op/function_inference.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tutti::relay {

namespace detail {

/// A module's functions by number, those that a function calls before it, as far as they are not recursive.
constexpr std::vector<std::size_t> callees_first(const ir_module& m) {
    if (m.size() == 1) return {0};
    std::vector<std::vector<std::size_t>> callees(m.size());
    std::size_t n = 0;
    for (const auto& [name, f] : m) {
        for (const expr_id e : post_order(f.graph, f.root)) {
            if (f.graph.kind(e) != expr_kind::global) continue;
            const auto at = std::ranges::lower_bound(m, f.graph.global_name(e), {}, &ir_module::definition::name);
            if (at != m.end() && at->name == f.graph.global_name(e))
                callees[n].push_back(static_cast<std::size_t>(at - m.begin()));
        }
        ++n;
    }
    std::vector<std::size_t> order;
    std::vector<char> seen(m.size(), 0);
    std::vector<std::pair<std::size_t, std::size_t>> path; // a function, and how many of its callees were entered
    for (std::size_t start = 0; start < m.size(); ++start) {
        if (std::exchange(seen[start], 1) == 0) path.emplace_back(start, 0U);
        while (!path.empty()) {
            auto& [f, entered] = path.back();
            if (entered == callees[f].size()) {
                order.push_back(f);
                path.pop_back();
            } else if (const std::size_t next = callees[f][entered++]; std::exchange(seen[next], 1) == 0) {
                path.emplace_back(next, 0U);
            }
        }
    }
    return order;
}

/// The type that a function declares, in the table of its own graph, or none if it does not declare all of
/// it.
constexpr type_id declared_type(function& f) {
    std::vector<type_id> params;
    for (const expr_id p : f.graph.params(f.root)) params.push_back(f.graph.annotation(p));
    const type_id result = f.graph.result_annotation(f.root);
    if (result == type_id::none || std::ranges::find(params, type_id::none) != params.end()) return type_id::none;
    return f.graph.types().function(params, result);
}

} // namespace detail

/// Infers the type of every expression of a module and notes it there.
///
/// Requires: a function that takes part in a recursion declares the types of its parameters and its result.
/// Ensures:  variables and functions without annotation get one; nothing else changes.
/// Cost:     linear in the module.
/// Throws:   `tutti::error` that names the function, the operator, the argument and the types; the module is
/// as it was.
constexpr void infer_types(ir_module& m) {
    std::vector<function_inference> inferred;
    std::vector<type_id> known(m.size(), type_id::none); // by function: its type, in its own graph's table
    const auto type_of_global = [&](std::string_view name, type_table& table) {
        const auto at = std::ranges::lower_bound(m, name, {}, &ir_module::definition::name);
        if (at == m.end() || at->name != name) return type_id::none;
        type_id& type = known[static_cast<std::size_t>(at - m.begin())];
        if (type == type_id::none) type = detail::declared_type(at->function);
        return table.import(at->function.graph.types(), type);
    };
    inferred.reserve(m.size());
    const auto infer = [&](std::size_t i) {
        auto& [name, f] = m.begin()[static_cast<std::ptrdiff_t>(i)];
        try {
            inferred.emplace_back(f, type_of_global);
        } catch (const error& e) {
            throw_within("@" + name + ": ", e);
        }
        known[i] = inferred.back().type();
    };
    for (const std::size_t i : detail::callees_first(m)) infer(i);
    for (function_inference& f : inferred) f.commit();
}

} // namespace tutti::relay
