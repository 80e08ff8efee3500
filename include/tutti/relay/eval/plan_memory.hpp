#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/eval/branches.hpp>
#include <tutti/relay/eval/buffer_placer.hpp>
#include <tutti/relay/eval/live_ranges.hpp>
#include <tutti/relay/eval/memory_plan.hpp>
#include <tutti/relay/eval/program.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::detail {

/// True if a plan has a buffer for every result of a fork's branches.
inline bool has_places(const program& p, const code& c, const fork& f, const memory_plan& plan) {
    for (std::uint32_t at = f.branches[0]; at < f.join; ++at) {
        const std::uint32_t first = plan.first_result[p.first_call(c.steps[at])];
        for (std::uint32_t n = 0; n < c.steps[at].outputs; ++n)
            if (plan.buffer_of[first + n] == buffer::none) return false;
    }
    return true;
}

/// Plans the memory of one of the program's codes.
inline memory_plan planned(const program& p, const code& c, std::span<const std::uint64_t> seen) {
    memory_plan plan = live_ranges(p, c, seen).take();
    if (!plan.buffers.empty()) buffer_placer{plan};
    return plan;
}

/// Plans the memory of a program's entry. The plan is empty for `boxed` programs, and if a function refers to the
/// entry.
///
/// If `forks` is true, adds forks to the entry, unless that makes the plan both larger than without forks and more than
/// 10 % larger than the peak of live values. `seen` holds the result sizes of earlier runs in bytes, indexed like
/// `memory_plan::sizes`.
///
/// Requires: the program is complete.
/// Cost:     linear in the function, and quadratic in the number of buffers, a few thousand at most.
inline memory_plan plan_memory(program& p, bool forks, std::span<const std::uint64_t> seen = {}) {
    code& c = p.codes[p.entry];
    if (p.boxed || c.as_constant != nowhere || c.steps.empty()) return {};
    memory_plan plan = planned(p, c, seen);
    if (!forks || plan.buffers.empty()) return plan;
    code forked = c;
    branch_finder(p, forked).add_forks();
    if (p.forks.empty()) return plan;
    memory_plan of_forked = planned(p, forked, seen);
    if (of_forked.bytes() > std::max(plan.bytes(), plan.largest + plan.largest / 10)) {
        p.forks.clear();
        return plan;
    }
    for (step& s : forked.steps) // forks without buffers for all results run serially
        if (s.what == opcode::fork && !has_places(p, forked, p.forks[s.target], of_forked)) s = {};
    c = std::move(forked);
    return of_forked;
}

} // namespace tutti::relay::inline TUTTI_FORM::detail
