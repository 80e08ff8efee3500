#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/failure.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/located_error.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/type_table.hpp>
#include <tutti/relay/ir/walk.hpp>
#include <tutti/relay/op/function_inference.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

/// Returns the indices of a module's functions, callees before callers unless they are recursive.
constexpr plain_vector<std::size_t> callees_first(const ir_module& m) {
    if (m.size() == 1) return {0};
    plain_vector<std::size_t> callees; // concatenated over all functions
    plain_vector<std::size_t> ends;    // indexed by function: the end of its callees in `callees`
    for (const auto& [name, f] : m) {
        if (kinds_of(f.graph).has(expr_kind::global))
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

/// Returns a function's declared type as a type of its graph's table, or none if parts of it are not declared.
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

/// True if a function refers to functions of its module.
constexpr bool names_others(const ir_module& m, const graph& g) {
    if (!kinds_of(g).has(expr_kind::global)) return false;
    for (std::uint32_t i = 0; i < g.size(); ++i)
        if (g.kind(expr_id{i}) == expr_kind::global && m.place_of(g.global_name(expr_id{i})) != m.size()) return true;
    return false;
}

/// Saves the types stored in a function, to restore them if inference fails for another function.
///
/// Cost: no memory if the function has only declared types.
class noted_types {
public:
    constexpr noted_types() = default;
    constexpr explicit noted_types(const graph& g) {
        bool typed = false;
        for (std::uint32_t i = 0; i < g.size(); ++i) {
            const expr_id e{i};
            typed = typed || g.type(e) != type_id::none;
            if (g.kind(e) == expr_kind::variable && is_open(g, g.annotation(e)))
                open_.push_back({e, g.annotation(e)});
            else if (g.kind(e) == expr_kind::function && is_open(g, g.result_annotation(e)))
                open_.push_back({e, g.result_annotation(e)});
        }
        if (!typed) return;
        types_.reserve(g.size());
        for (std::uint32_t i = 0; i < g.size(); ++i) types_.push_back(g.type(expr_id{i}));
    }

    constexpr void put_back(graph& g) const noexcept {
        for (std::uint32_t i = 0; i < g.size(); ++i) g.set_type(expr_id{i}, types_.empty() ? type_id::none : types_[i]);
        for (const annotation& a : open_)
            if (g.kind(a.of) == expr_kind::variable)
                g.set_annotation(a.of, a.type);
            else
                g.set_result_annotation(a.of, a.type);
    }

private:
    struct annotation {
        expr_id of;
        type_id type;
    };

    static constexpr bool is_open(const graph& g, type_id t) {
        return t == type_id::none || g.types().is_incomplete(t);
    }

    plain_vector<type_id> types_;   // indexed by expression; empty if no types are stored
    plain_vector<annotation> open_; // annotations of variables and functions without complete types
};

/// Infers the types of a module's functions, and can restore the previous types.
class inferred_functions {
    struct entry {
        noted_types before{};
        type_id type = type_id::none; // the function's type in its graph's table, once inferred
    };

public:
    constexpr explicit inferred_functions(ir_module& m) : m_(&m), entries_(m.size()) {}

    /// Infers the types of a function and stores them in the function.
    template <class TypeOfGlobal>
    constexpr void infer(std::size_t i, const TypeOfGlobal& type_of_global) {
        function& f = at(i).function;
        function_inference types(f, type_of_global, m_->data_types());
        if (entries_.size() > 1)
            entries_[i].before = noted_types(f.graph); // with a single function, no other function can fail later
        types.commit();
        entries_[i].type = types.type();
    }

    /// Infers the remaining functions in sequence. Errors name the function.
    constexpr void infer_others() {
        std::size_t left = 0;
        for (const entry& e : entries_) left += e.type == type_id::none ? 1 : 0;
        if (left == 0) return; // skips the search for callees, which reads the whole module
        const auto type_of_global = [&](std::string_view name, type_table& table) {
            const std::size_t place = m_->place_of(name);
            if (place == m_->size()) return type_id::none;
            function& f = at(place).function;
            const type_id found = entries_[place].type;
            return table.import(f.graph.types(), found != type_id::none ? found : declared_type(f));
        };
        for (const std::size_t i : callees_first(*m_)) {
            if (entries_[i].type != type_id::none) continue;
            try {
                infer(i, type_of_global);
            } catch (const error& e) {
                throw_within("@" + at(i).name + ": ", e);
            }
        }
    }

    /// Restores the previous types.
    constexpr void undo() noexcept {
        for (std::size_t i = 0; i < entries_.size(); ++i)
            if (entries_[i].type != type_id::none) entries_[i].before.put_back(at(i).function.graph);
    }

private:
    constexpr ir_module::definition& at(std::size_t i) { return m_->begin()[static_cast<std::ptrdiff_t>(i)]; }

    ir_module* m_;
    vector<entry> entries_;
};

} // namespace detail

/// Implements `infer_types` with `for_each(f)`, which calls `f(i)` for each function index i, possibly in parallel.
///
/// Throws: as `infer_types` does.
/// Cost:   functions that refer to no other functions run in parallel, the remaining functions in sequence.
template <class ForEach>
constexpr void infer_types_at_once(ir_module& m, ForEach&& for_each) {
    detail::inferred_functions inferred(m);
    try {
        for_each([&](std::size_t i) {
            if (detail::names_others(m, m.begin()[static_cast<std::ptrdiff_t>(i)].function.graph)) return;
            try {
                inferred.infer(i, [](std::string_view, type_table&) { return type_id::none; });
            } catch (const error&) {} // the first error in sequential order is found later
        });
        inferred.infer_others();
    } catch (...) {
        inferred.undo();
        throw;
    }
}

} // namespace tutti::relay::inline TUTTI_FORM
