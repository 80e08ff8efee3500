#pragma once

#include <tutti/relay/eval/program.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/scope_tree.hpp>
#include <tutti/vector.hpp>

#include <cstddef>
#include <cstdint>

namespace tutti::relay::detail {

/// The steps of a function's body, those of the branches of its ifs where they belong, with the jumps between
/// them.
///
/// `steps` are those of each scope, and are taken from there. In them, an if is a `jump_unless` whose target
/// is the scope of its first branch; the second's is the next.
///
/// Cost: linear in the steps; no recursion.
inline plain_vector<instruction> flatten(vector<plain_vector<instruction>>& steps, scope_tree::id body) {
    struct part {
        scope_tree::id scope;
        std::size_t next = 0;
        std::uint32_t jump = 0; // the place of the jump that the branch begins or ends with
        bool first = false;     // of an if's branches
    };
    plain_vector<instruction> out;
    plain_vector<part> open{{body}};
    const auto here = [&] { return static_cast<std::uint32_t>(out.size()); };
    while (!open.empty()) {
        part& p = open.back();
        plain_vector<instruction>& own = steps[p.scope];
        if (p.next < own.size()) {
            const instruction& i = own[p.next++];
            out.push_back(i);
            if (i.what == opcode::jump_unless) open.push_back({i.target, 0, here() - 1, true});
            continue;
        }
        own = plain_vector<instruction>();
        const part done = p;
        open.pop_back();
        if (done.first) {
            out.push_back({.what = opcode::jump});
            out[done.jump].target = here();
            open.push_back({done.scope + 1, 0, here() - 1, false});
        } else if (!open.empty()) {
            out[done.jump].target = here();
        }
    }
    return out;
}

} // namespace tutti::relay::detail
