#pragma once

#include <tutti/error.hpp>
#include <tutti/executor.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/located_error.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/type_table.hpp>
#include <tutti/relay/ir/walk.hpp>
#include <tutti/relay/op/function_inference.hpp>

#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tutti::relay {

namespace detail {

/// A module's functions by number, those that a function calls before it, as far as they are not recursive.
constexpr plain_vector<std::size_t> callees_first(const ir_module& m) {
    if (m.size() == 1) return {0};
    plain_vector<std::size_t> callees; // of one function after the other
    plain_vector<std::size_t> ends;    // by function: where its callees end
    for (const auto& [name, f] : m) {
        for (const expr_id e : post_order(f.graph, f.root)) {
            if (f.graph.kind(e) != expr_kind::global) continue;
            const std::size_t callee = m.place_of(f.graph.global_name(e));
            if (callee != m.size()) callees.push_back(callee);
        }
        ends.push_back(callees.size());
    }
    plain_vector<std::size_t> order;
    each_once enter(m.size());
    const auto callee = [&](std::size_t f, std::uint32_t i) {
        const std::size_t place = (f == 0 ? 0 : ends[f - 1]) + i;
        return place < ends[f] ? callees[place] : ~std::size_t{0};
    };
    for (std::size_t f = 0; f < m.size(); ++f) walk(f, callee, enter, [&](std::size_t done) { order.push_back(done); });
    return order;
}

/// The type that a function declares, in the table of its own graph, or none if it does not declare all of
/// it.
constexpr type_id declared_type(function& f) {
    const type_id result = f.graph.result_annotation(f.root);
    bool known = result != type_id::none;
    plain_vector<type_id> params;
    for (const expr_id p : f.graph.params(f.root)) {
        params.push_back(f.graph.annotation(p));
        known = known && params.back() != type_id::none;
    }
    if (!known) return type_id::none;
    for (const type_id p : params) known = known && !f.graph.types().is_incomplete(p);
    if (!known || f.graph.types().is_incomplete(result)) return type_id::none;
    const type_id type = f.graph.types().function(params.all(), result);
    const type_id variables = f.graph.type_params(f.root);
    if (variables == type_id::none) return type;
    plain_vector<type_id> bound;
    bound.append(f.graph.types().fields(variables));
    return f.graph.types().generic(bound.all(), type);
}

} // namespace detail

namespace detail {

/// Infers types where functions do not call each other, several functions at a time; false if they do.
template <executor E>
bool infer_apart(ir_module& m, E& on) {
    constexpr std::size_t some = 16; // functions: less are not worth a thread's while
    const std::size_t parts = m.size() / some + 1;
    const auto in_part = [&](std::size_t part, auto&& f) {
        for (std::size_t i = part * some; i < (part + 1) * some && i < m.size(); ++i)
            f(m.begin()[static_cast<std::ptrdiff_t>(i)]);
    };
    std::atomic<bool> apart{true};
    for_each_index(on, parts, [&](std::size_t part) {
        in_part(part, [&](const ir_module::definition& d) {
            const graph& g = d.function.graph;
            for (std::uint32_t i = 0; i < g.size() && apart; ++i)
                if (g.kind(expr_id{i}) == expr_kind::global) apart = false;
        });
    });
    if (!apart) return false;
    std::vector<std::vector<function_inference>> inferred(parts);
    const auto no_global = [](std::string_view, type_table&) { return type_id::none; };
    for_each_index(on, parts, [&](std::size_t part) {
        inferred[part].reserve(some);
        in_part(part, [&](ir_module::definition& d) {
            try {
                inferred[part].emplace_back(d.function, no_global, m.data_types());
            } catch (const error& e) {
                throw_within("@" + d.name + ": ", e);
            }
        });
    });
    for_each_index(on, parts, [&](std::size_t part) {
        for (function_inference& f : inferred[part]) f.commit();
    });
    return true;
}

} // namespace detail

/// Infers the type of every expression of a module and notes it there.
///
/// Requires: a function that takes part in a recursion declares the types of its parameters and its result.
/// Ensures:  variables and functions without annotation get one; nothing else changes.
/// Cost:     linear in the module. On an executor functions that do not call each other are inferred at the same time; what is
///           inferred, and what is thrown, is the same with any.
/// Throws:   `tutti::error` that names the function, the operator, the argument and the types; the module is
/// as it was.
template <executor E = inline_executor>
constexpr void infer_types(ir_module& m, [[maybe_unused]] E on = {}) {
    if constexpr (!std::same_as<E, inline_executor>)
        if (on.concurrency() > 1 && detail::infer_apart(m, on)) return;
    std::vector<function_inference> inferred;
    plain_vector<type_id> known(m.size(), type_id::none); // by function: its type, in its own graph's table
    const auto type_of_global = [&](std::string_view name, type_table& table) {
        const std::size_t at = m.place_of(name);
        if (at == m.size()) return type_id::none;
        function& f = m.begin()[static_cast<std::ptrdiff_t>(at)].function;
        if (known[at] == type_id::none) known[at] = detail::declared_type(f);
        return table.import(f.graph.types(), known[at]);
    };
    inferred.reserve(m.size());
    const auto infer = [&](std::size_t i) {
        auto& [name, f] = m.begin()[static_cast<std::ptrdiff_t>(i)];
        try {
            inferred.emplace_back(f, type_of_global, m.data_types());
        } catch (const error& e) {
            throw_within("@" + name + ": ", e);
        }
        known[i] = inferred.back().type();
    };
    for (const std::size_t i : detail::callees_first(m)) infer(i);
    for (function_inference& f : inferred) f.commit();
}

} // namespace tutti::relay
