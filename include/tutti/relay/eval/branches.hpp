#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/eval/program.hpp>
#include <tutti/relay/eval/tensor_types.hpp>
#include <tutti/relay/ir/plain_vector.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::detail {

/// Finds forks in a code. A fork is a sequence of adjacent operator calls that splits into independent branches.
///
/// Each fork extends as far as possible from its first step. A branch with little data is merged with its neighbour,
/// because the branch would be done before another thread could start.
class branch_finder {
public:
    /// The least number of bytes that a branch reads and writes, including weights. This is some microseconds of work.
    static constexpr std::uint64_t least_bytes = std::uint64_t{32} << 10;
    /// Limit on the steps between a fork and its join.
    static constexpr std::size_t most_steps = 32;

    /// Makes a finder for a code of a program.
    ///
    /// Requires: the last uses of the code's slots, and the code's chains, are known.
    branch_finder(program& p, code& c) : p_(&p), c_(&c), makers_(c.slots, no_step) { note_steps(); }

    /// Adds the forks to the program, and their steps to the code.
    ///
    /// Requires: each result of the code is used by an operator, leaves the code, or is not in the memory plan.
    /// Cost:     linear in the code, times `most_steps`.
    void add_forks() {
        plain_vector<step> forked;
        plain_vector<std::uint32_t> moved;
        const auto copy = [&](std::uint32_t end) {
            while (moved.size() < end) {
                moved.push_back(static_cast<std::uint32_t>(forked.size()));
                forked.push_back(c_->steps[moved.size() - 1]);
            }
        };
        for (std::uint32_t at = 0; at < notes_.size();) {
            const std::uint32_t end = find_branches(at);
            join_small();
            if (branches_.size() < 2) {
                copy(++at);
                continue;
            }
            const auto place = static_cast<std::uint32_t>(forked.size());
            fork made{.join = place + 1 + end - at};
            for (const branch& each : branches_) made.branches.push_back(place + 1 + each.first - at);
            forked.push_back({.what = opcode::fork, .target = static_cast<std::uint32_t>(p_->forks.size())});
            p_->forks.push_back(std::move(made));
            copy(end);
            moved[at] = place; // jumps to the first step now go to the fork
            at = end;
        }
        moved.push_back(static_cast<std::uint32_t>(forked.size()));
        replace_steps(*c_, std::move(forked), moved.all());
    }

private:
    static constexpr std::uint32_t no_step = 0xFFFFFFFFU;

    struct step_note {
        bool calls = false; // the step calls only concurrent kernels, and its results are used and of known size
        bool joined = false;
        std::uint64_t bytes = 0;
        std::uint32_t first_maker = 0; // index in makers_of_
        std::uint32_t makers = 0;
    };
    struct branch {
        std::uint32_t first = 0; // index of the first step
        std::uint64_t bytes = 0;
    };

    void note_steps() {
        const plain_vector<char> targets = jump_targets(*c_);
        for (std::uint32_t at = 0; at < c_->steps.size(); ++at) {
            const step& s = c_->steps[at];
            step_note made{.calls = program::calls_ops(s), .joined = targets[at] != 0};
            made.first_maker = static_cast<std::uint32_t>(makers_of_.size());
            for (const operand_id o : c_->inputs(s))
                if (!is_constant(o) && makers_[o] != no_step) makers_of_.push_back(makers_[o]);
            made.makers = static_cast<std::uint32_t>(makers_of_.size()) - made.first_maker;
            for (const operand_id o : c_->outputs(s)) {
                made.calls = made.calls && o != nowhere;
                if (o != nowhere) makers_[o] = at;
            }
            if (s.what == opcode::call_op) read(s.target, made);
            if (s.what == opcode::call_chain) {
                const op_chain& chain = p_->chains[s.target];
                if (chain.kernel_first) read(chain.first_call, made);
                for (const chain_link& link : chain.links) read(link.call, made);
            }
            notes_.push_back(made);
        }
    }

    void read(std::uint32_t call, step_note& made) const {
        const op_call& called = p_->calls[call];
        const graph& g = *called.in;
        made.calls = made.calls && p_->kernels_of(called).concurrent;
        if (!made.calls) return;
        for (const expr_id a : g.arguments(called.call)) made.bytes += all_bytes(g.types(), g.type(a));
        const std::uint64_t written = all_bytes(g.types(), g.type(called.call));
        made.calls = written != 0;
        made.bytes += written;
    }

    /// Returns the bytes of a tensor or of a tuple of tensors, or 0 if unknown.
    static std::uint64_t all_bytes(const type_table& types, type_id t) {
        if (types.is_tensor(t)) return bytes_of(types, t);
        if (types.kind(t) != type_kind::tuple) return 0;
        std::uint64_t all = 0;
        for (const type_id field : types.fields(t)) {
            const std::uint64_t bytes = types.is_tensor(field) ? bytes_of(types, field) : 0;
            if (bytes == 0) return 0;
            all += bytes;
        }
        return all;
    }

    std::span<const std::uint32_t> makers(const step_note& s) const {
        return {makers_of_.data() + s.first_maker, s.makers};
    }

    /// Finds the branches of a fork that starts at this step, and returns the end of the last branch. A branch uses
    /// only its own results and results from before the fork.
    std::uint32_t find_branches(std::uint32_t first) {
        branches_.clear();
        if (!notes_[first].calls) return first;
        branches_.push_back({first, notes_[first].bytes});
        std::uint32_t at = first + 1;
        for (; at < notes_.size() && at - first < most_steps && notes_[at].calls && !notes_[at].joined; ++at) {
            bool independent = true;
            bool joins = false; // the step uses results of earlier branches
            for (const std::uint32_t m : makers(notes_[at])) {
                independent = independent && m < first;
                joins = joins || (m >= first && m < branches_.back().first);
            }
            if (joins) break;
            if (independent)
                branches_.push_back({at, notes_[at].bytes});
            else
                branches_.back().bytes += notes_[at].bytes;
        }
        return at;
    }

    void join_small() {
        std::size_t kept = 0;
        for (std::size_t n = 1; n < branches_.size(); ++n) {
            if (branches_[n].bytes < least_bytes || branches_[kept].bytes < least_bytes)
                branches_[kept].bytes += branches_[n].bytes;
            else
                branches_[++kept] = branches_[n];
        }
        if (!branches_.empty()) branches_.shorten(kept + 1);
    }

    program* p_;
    code* c_;
    plain_vector<step_note> notes_;      // indexed by step
    plain_vector<std::uint32_t> makers_; // indexed by slot: the step that computes its value
    plain_vector<std::uint32_t> makers_of_;
    plain_vector<branch> branches_;
};

} // namespace tutti::relay::inline TUTTI_FORM::detail
