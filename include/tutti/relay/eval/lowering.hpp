#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/relay/eval/chains.hpp>
#include <tutti/relay/eval/function_lowering.hpp>
#include <tutti/relay/eval/kernel_set.hpp>
#include <tutti/relay/eval/leaves.hpp>
#include <tutti/relay/eval/liveness.hpp>
#include <tutti/relay/eval/plan_memory.hpp>
#include <tutti/relay/eval/program.hpp>
#include <tutti/relay/ir/data_types.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/located_error.hpp>
#include <tutti/relay/ir/plain_vector.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::detail {

/// True if a tuple must be a single value, because tuples can be fields of values or instances of type parameters.
inline bool needs_boxes(const ir_module& m) {
    if (!m.data_types().empty()) return true;
    for (const auto& [name, f] : m)
        for (std::uint32_t i = 0; i < f.graph.size(); ++i) {
            const expr_id e{i};
            const expr_kind kind = f.graph.kind(e);
            if (kind >= expr_kind::constructor) return true;
            if (kind == expr_kind::function && f.graph.type_params(e) != type_id::none) return true;
        }
    return false;
}

/// Adds the codes of constructors, tuples and references. A value with fields is a function that captures the fields.
inline void add_makers(program& p, const data_types& known) {
    p.first_constructor = static_cast<std::uint32_t>(p.codes.size());
    for (std::uint32_t c = 0; c < known.constructor_count(); ++c) {
        code made{.name = std::string(known.constructor_name(c))};
        made.params = static_cast<std::uint32_t>(known.fields(c).size());
        made.slots = made.params + 1;
        for (std::uint32_t i = 0; i <= made.params; ++i) made.operands.push_back(i);
        made.operands.push_back(made.params);
        made.steps.push_back({});
        made.steps.push_back(
            {.what = opcode::make_closure, .target = p.first_constructor + c, .inputs = made.params, .outputs = 1});
        made.steps.push_back({.what = opcode::leave, .first = made.params + 1, .inputs = 1});
        note_last_uses(made);
        p.codes.push_back(std::move(made));
    }
    p.tuple = static_cast<std::uint32_t>(p.codes.size());
    p.codes.push_back({.name = "a tuple"});
    p.reference = static_cast<std::uint32_t>(p.codes.size());
    p.codes.push_back({.name = "a reference"});
}

/// Returns a code that takes the entry's parameters as tensors, assembles tuples from them, and calls the entry.
inline code entry_of_tensors(const program& p, const function& f) {
    const type_table& types = f.graph.types();
    const type_leaves leaves(types);
    code made{.name = p.codes[p.entry].name};
    for (const expr_id v : f.graph.params(f.root)) made.params += leaves.count(f.graph.type(v));
    made.slots = made.params;
    made.steps.push_back({});
    plain_vector<operand_id> values; // the values of finished parameters, and the fields of open tuples
    operand_id next = 0;
    struct open_tuple {
        type_id type;
        std::uint32_t met;
    };
    plain_vector<open_tuple> open;
    const auto add = [&](opcode what, std::uint32_t target, std::size_t first) {
        const auto at = static_cast<std::uint32_t>(made.operands.size());
        const auto inputs = static_cast<std::uint32_t>(values.size() - first);
        made.operands.append(values.part(first, inputs));
        made.operands.push_back(made.slots);
        made.steps.push_back({.what = what, .target = target, .first = at, .inputs = inputs, .outputs = 1});
        values.shorten(first);
        values.push_back(made.slots++);
    };
    for (const expr_id v : f.graph.params(f.root)) {
        open.push_back({f.graph.type(v), 0});
        while (!open.empty()) {
            const type_id t = open.back().type;
            if (types.kind(t) != type_kind::tuple) {
                values.push_back(next++);
                open.pop_back();
            } else if (open.back().met < types.fields(t).size()) {
                const type_id field = types.fields(t)[open.back().met++];
                open.push_back({field, 0});
            } else {
                open.pop_back();
                add(opcode::make_closure, p.tuple, values.size() - types.fields(t).size());
            }
        }
    }
    add(opcode::call_code, p.entry, 0);
    const auto at = static_cast<std::uint32_t>(made.operands.size());
    made.operands.push_back(values[0]);
    made.steps.push_back({.what = opcode::leave, .first = at, .inputs = 1});
    note_last_uses(made);
    return made;
}

/// The optional steps of `lower`.
struct lowering_options {
    bool chains = true; ///< join calls into chains, where kernels and block operations allow it
    bool plan = true;   ///< plan memory
    bool forks = false; ///< add forks for concurrent branches; only if memory is planned
};

/// Lowers a module, starting with its function `entry`.
///
/// `kernels` may be destroyed afterwards.
///
/// Requires: the module is verified and has types; it outlives the program.
/// Cost:     linear in the module; no recursion.
/// Throws:   `tutti::error` if a value is used before it is computed, an operator is used as a value, or the function
///           does not exist.
inline program lower(const ir_module& m, std::string_view entry, const kernel_set& kernels,
                     const lowering_options& options = {}) {
    const auto place = [&](std::string_view name) {
        const std::size_t at = m.place_of(name);
        if (at == m.size()) throw not_in_module("@" + std::string(name), m, name);
        return static_cast<std::uint32_t>(at);
    };
    program p;
    for (const auto& [name, f] : m) p.codes.push_back({.name = name});
    p.boxed = needs_boxes(m);
    if (p.boxed) add_makers(p, m.data_types());
    called_kernels called(kernels, p.kernels);
    plain_vector<char> seen(m.size(), 0);
    plain_vector<std::uint32_t> rest;
    const auto code_of_global = [&](std::string_view name) {
        const std::uint32_t code = place(name);
        if (std::exchange(seen[code], 1) == 0) rest.push_back(code);
        return code;
    };
    if (m.place_of(entry) == m.size()) {
        std::string known;
        for (const auto& [name, f] : m) ((known += known.empty() ? "one of @" : ", @") += name);
        throw error("@" + std::string(entry), "there is no such function to evaluate",
                    known.empty() ? "a program with functions" : std::move(known));
    }
    p.entry = code_of_global(entry);
    while (!rest.empty()) {
        const std::uint32_t code = rest.back();
        rest.pop_back();
        const auto& [name, f] = m.begin()[static_cast<std::ptrdiff_t>(code)];
        try {
            function_lowering(p, m.data_types(), f.graph, f.root, code, called, code_of_global);
        } catch (const error& e) {
            throw_within("@" + name + ": ", e);
        }
    }
    if (p.boxed) {
        p.codes.push_back(entry_of_tensors(p, *m.find(entry)));
        p.entry = static_cast<std::uint32_t>(p.codes.size() - 1);
    }
    for (code& c : p.codes) c.single = c.steps;
    if (options.chains) {
        chain_finder chains(p);
        for (code& c : p.codes) chains.join(c);
    }
    if (options.plan) p.memory = plan_memory(p, options.forks);
    return p;
}

} // namespace tutti::relay::inline TUTTI_FORM::detail
