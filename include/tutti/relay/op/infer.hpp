#pragma once

#include <tutti/error.hpp>
#include <tutti/executor.hpp>
#include <tutti/failure.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/located_error.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/type_table.hpp>
#include <tutti/relay/ir/walk.hpp>
#include <tutti/relay/op/function_inference.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
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

/// Whether a function names another one of its module.
constexpr bool names_others(const ir_module& m, const graph& g) {
    for (std::uint32_t i = 0; i < g.size(); ++i)
        if (g.kind(expr_id{i}) == expr_kind::global && m.place_of(g.global_name(expr_id{i})) != m.size()) return true;
    return false;
}

/// What is found out of the functions of a module, by number; nothing of those that were not looked at.
class inferred_functions {
    struct entry {
        function_inference* types = nullptr;
        std::exception_ptr refused{};
        bool waits = false; // for the types of others
    };
    std::size_t count_;
    entry* entries_;

public:
    explicit inferred_functions(std::size_t count) : count_(count), entries_(new entry[count]) {}
    ~inferred_functions() {
        for (std::size_t i = 0; i < count_; ++i) delete entries_[i].types;
        delete[] entries_;
    }
    inferred_functions(const inferred_functions&) = delete;

    entry& operator[](std::size_t i) { return entries_[i]; }
    bool all_without_others() const {
        for (std::size_t i = 0; i < count_; ++i)
            if (entries_[i].waits || entries_[i].refused) return false;
        return true;
    }
};

} // namespace detail

/// `infer_types` by `for_each(f)`, which calls `f(i)` for each number of a function of the module, several at the same time.
///
/// Throws: the same as `infer_types`.
/// Cost:   at the same time for functions that name no others of the module; one after another for the rest.
template <class ForEach>
void infer_types_at_once(ir_module& m, ForEach&& for_each) {
    detail::inferred_functions inferred(m.size());
    const auto at = [&](std::size_t i) -> ir_module::definition& { return m.begin()[static_cast<std::ptrdiff_t>(i)]; };
    for_each([&](std::size_t i) {
        function& f = at(i).function;
        if (detail::names_others(m, f.graph)) {
            inferred[i].waits = true;
            return;
        }
        inferred[i].refused = caught([&] {
            const auto no_other = [](std::string_view, type_table&) { return type_id::none; };
            inferred[i].types = new function_inference(f, no_other, m.data_types());
        });
    });
    if (!inferred.all_without_others()) {
        plain_vector<type_id> known(m.size(), type_id::none);
        const auto type_of_global = [&](std::string_view name, type_table& table) {
            const std::size_t place = m.place_of(name);
            if (place == m.size()) return type_id::none;
            function& f = at(place).function;
            if (known[place] == type_id::none) known[place] = detail::declared_type(f);
            return table.import(f.graph.types(), known[place]);
        };
        for (const std::size_t i : detail::callees_first(m)) {
            try {
                if (inferred[i].refused) std::rethrow_exception(inferred[i].refused);
                if (inferred[i].waits)
                    inferred[i].types = new function_inference(at(i).function, type_of_global, m.data_types());
            } catch (const error& e) {
                throw_within("@" + at(i).name + ": ", e);
            }
            known[i] = inferred[i].types->type();
        }
    }
    for_each([&](std::size_t i) {
        inferred[i].types->commit();
        delete std::exchange(inferred[i].types, nullptr);
    });
}

/// Infers the type of every expression of a module and notes it there.
///
/// Requires: a function that takes part in a recursion declares the types of its parameters and its result.
/// Ensures:  variables and functions without annotation get one; nothing else changes.
/// Cost:     linear in the module. On an executor functions that name no others are inferred at the same time; what is
///           inferred, and what is thrown, is the same with any.
/// Throws:   `tutti::error` that names the function, the operator, the argument and the types; the module is
/// as it was.
template <executor E = inline_executor>
constexpr void infer_types(ir_module& m, [[maybe_unused]] E on = {}) {
    if constexpr (!std::same_as<E, inline_executor>)
        if (lanes(on, m.size()) > 1)
            return infer_types_at_once(m, [&](auto&& f) { for_each_index(on, m.size(), f, 16); });
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
