#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/eval/program.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/scope_tree.hpp>

#include <cstddef>
#include <cstdint>

namespace tutti::relay::inline TUTTI_FORM::detail {

/// Joins the steps of a function's body and of the branches of its ifs, with jumps between them.
///
/// `steps` contains the steps of each scope. The lists of the joined scopes are cleared. An if is a `jump_unless` whose
/// target is the scope of the first branch. The second branch is the next scope.
///
/// Cost: linear in the steps; no recursion.
inline plain_vector<step> flatten(vector<plain_vector<step>>& steps, scope_tree::id body) {
    struct part {
        scope_tree::id scope;
        std::size_t next = 0;
        std::uint32_t jump = 0; // the index of the jump at the beginning or end of the branch
        bool first = false;     // this is the first branch of an if
    };
    plain_vector<step> out;
    plain_vector<part> open{{body}};
    const auto here = [&] { return static_cast<std::uint32_t>(out.size()); };
    while (!open.empty()) {
        part& p = open.back();
        plain_vector<step>& own = steps[p.scope];
        if (p.next < own.size()) {
            const step& i = own[p.next++];
            out.push_back(i);
            if (i.what == opcode::jump_unless) open.push_back({i.target, 0, here() - 1, true});
            continue;
        }
        own = plain_vector<step>();
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

} // namespace tutti::relay::inline TUTTI_FORM::detail
