#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/eval/kernel_set.hpp>
#include <tutti/relay/eval/program.hpp>
#include <tutti/relay/eval/tensor_types.hpp>
#include <tutti/relay/ir/plain_vector.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace tutti::relay::inline TUTTI_FORM::detail {

/// Finds branches in a code: adjacent steps, each an operator call or a chain, that split into parts independent of
/// each other.
///
/// Groups are as large as possible, from the first step of each. A part with little data is merged with its neighbour,
/// because it would finish before another thread started.
class branch_finder {
public:
    /// The least number of bytes read and written by a part, including weights: some microseconds of work.
    static constexpr std::uint64_t least_bytes = std::uint64_t{32} << 10;
    /// Limit on the steps of a group.
    static constexpr std::size_t most_steps = 32;

    /// Requires: the last uses of the code's slots and its chains are known.
    branch_finder(program& p, code& c, concurrent_finder find)
        : p_(&p), c_(&c), find_(find), makers_(c.slots, no_step) {
        note_steps();
    }

    /// Records the groups in the program and in the instructions that begin them.
    ///
    /// Requires: results of the code are used by operators, leave it, or are not in the memory plan.
    /// Cost:     linear in the code, times `most_steps`.
    void note() {
        for (std::uint32_t at = 0; at < steps_.size();) {
            const std::uint32_t end = find_parts(at);
            join_small();
            if (parts_.size() > 1) {
                add_group(end);
                at = end;
            } else {
                ++at;
            }
        }
    }

private:
    static constexpr std::uint32_t no_step = 0xFFFFFFFFU;

    struct code_step {
        std::uint32_t first = 0; // of its instructions
        std::uint32_t end = 0;
        bool calls = false; // only concurrent kernels with used results of known size
        bool joined = false;
        std::uint64_t bytes = 0;
        std::uint32_t first_maker = 0; // in makers_of_
        std::uint32_t makers = 0;
    };
    struct part {
        std::uint32_t first = 0; // a step
        std::uint64_t bytes = 0;
    };

    void note_steps() {
        plain_vector<char> joined(c_->instructions.size() + 1, 0);
        for (const instruction& i : c_->instructions)
            if (i.what == opcode::jump || i.what == opcode::jump_unless) joined[i.target] = 1;
        for (std::uint32_t at = 0; at < c_->instructions.size();) {
            code_step made{.first = at, .end = at + p_->step_length(c_->instructions[at])};
            made.calls = true;
            made.joined = joined[at] != 0;
            made.first_maker = static_cast<std::uint32_t>(makers_of_.size());
            for (; at < made.end; ++at) read(c_->instructions[at], made);
            made.makers = static_cast<std::uint32_t>(makers_of_.size()) - made.first_maker;
            for (const operand_id o : c_->outputs(c_->instructions[at - 1]))
                if (o != nowhere) makers_[o] = static_cast<std::uint32_t>(steps_.size());
            steps_.push_back(made);
        }
    }

    void read(const instruction& i, code_step& made) {
        made.calls = made.calls && i.what == opcode::call_op;
        for (const operand_id o : c_->inputs(i))
            if (!is_constant(o) && makers_[o] != no_step) makers_of_.push_back(makers_[o]);
        if (!made.calls) return;
        const op_call& called = p_->calls[i.target];
        const graph& g = *called.in;
        made.calls = called.kernel != nullptr && find_(*called.op);
        for (const operand_id o : c_->outputs(i)) made.calls = made.calls && o != nowhere;
        for (const expr_id a : g.arguments(called.call)) made.bytes += all_bytes(g.types(), g.type(a));
        const std::uint64_t written = all_bytes(g.types(), g.type(called.call));
        made.calls = made.calls && written != 0;
        made.bytes += written;
    }

    /// The bytes of a tensor or of a tuple of tensors; 0 if unknown.
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

    std::span<const std::uint32_t> makers(const code_step& s) const {
        return {makers_of_.data() + s.first_maker, s.makers};
    }

    /// Finds the parts from a step on, each of which uses only its own results or earlier ones. Returns their end.
    std::uint32_t find_parts(std::uint32_t first) {
        parts_.clear();
        if (!steps_[first].calls) return first;
        parts_.push_back({first, steps_[first].bytes});
        std::uint32_t at = first + 1;
        for (; at < steps_.size() && at - first < most_steps && steps_[at].calls && !steps_[at].joined; ++at) {
            bool new_part = true;
            bool joins = false; // it uses results of earlier parts
            for (const std::uint32_t m : makers(steps_[at])) {
                new_part = new_part && m < first;
                joins = joins || (m >= first && m < parts_.back().first);
            }
            if (joins) break;
            if (new_part)
                parts_.push_back({at, steps_[at].bytes});
            else
                parts_.back().bytes += steps_[at].bytes;
        }
        return at;
    }

    void join_small() {
        std::size_t kept = 0;
        for (std::size_t n = 1; n < parts_.size(); ++n) {
            if (parts_[n].bytes < least_bytes || parts_[kept].bytes < least_bytes)
                parts_[kept].bytes += parts_[n].bytes;
            else
                parts_[++kept] = parts_[n];
        }
        if (!parts_.empty()) parts_.shorten(kept + 1);
    }

    void add_group(std::uint32_t end) {
        branch_group made{.first_part = static_cast<std::uint32_t>(p_->branch_parts.size()),
                          .parts = static_cast<std::uint32_t>(parts_.size()),
                          .end = steps_[end - 1].end};
        for (const part& each : parts_) p_->branch_parts.push_back(steps_[each.first].first);
        p_->branch_groups.push_back(made);
        c_->instructions[steps_[parts_[0].first].first].branches = static_cast<std::uint32_t>(p_->branch_groups.size());
    }

    program* p_;
    code* c_;
    concurrent_finder find_;
    plain_vector<code_step> steps_;
    plain_vector<std::uint32_t> makers_; // indexed by slot: the step that computes it
    plain_vector<std::uint32_t> makers_of_;
    plain_vector<part> parts_;
};

} // namespace tutti::relay::inline TUTTI_FORM::detail
