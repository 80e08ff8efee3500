#pragma once

#include <tutti/error.hpp>
#include <tutti/relay/eval/function_lowering.hpp>
#include <tutti/relay/eval/program.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/located_error.hpp>
#include <tutti/relay/ir/plain_vector.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::relay::detail {

/// Makes a module flat, from its function `entry` on.
///
/// Requires: the module is verified and its types are inferred; it outlives the program.
/// Cost:     linear in the module; no recursion.
/// Throws:   `tutti::error` if a value is used that is none yet, an operator is a value, or there is no such
/// function.
inline program lower(const ir_module& m, std::string_view entry, kernel_function (*find)(const op_def&)) {
    const auto place = [&](std::string_view name) {
        const std::size_t at = m.place_of(name);
        if (at == m.size()) throw not_in_module("@" + std::string(name), m, name);
        return static_cast<std::uint32_t>(at);
    };
    program p;
    for (const auto& [name, f] : m) p.codes.push_back({.name = name});
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
            function_lowering(p, f.graph, f.root, code, find, code_of_global);
        } catch (const error& e) {
            throw_within("@" + name + ": ", e);
        }
    }
    return p;
}

} // namespace tutti::relay::detail
