#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/eval/memory_plan.hpp>
#include <tutti/relay/eval/program.hpp>
#include <tutti/relay/eval/tensor_types.hpp>
#include <tutti/relay/ir/plain_vector.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::detail {

/// The live ranges and sizes of a code's plannable values.
///
/// A value is plannable if it is the result of an operator, if its size is known from its type or from earlier runs,
/// and if it is used only by operators, as a condition, or as a result of the code. Other values, such as arguments of
/// functions and results of ifs, are allocated at run time.
///
/// A live range is from the step that computes the value to the last use in the order of steps, because jumps only go
/// forward.
class live_ranges {
public:
    /// Finds the live ranges in a code. `seen` contains sizes of results in earlier runs, or is empty.
    ///
    /// Requires: the last uses of the code's slots are known, and the code does not run concurrently with itself.
    live_ranges(const program& p, const code& c, std::span<const std::uint64_t> seen = {})
        : p_(&p), c_(&c), seen_(seen), value_of_(c.slots, buffer::none), place_(c.steps.size()) {
        note_branches();
        plan_.first_result.assign(p.calls.size(), buffer::none);
        for (std::uint32_t at = 0; at < c.steps.size(); ++at) note(at);
        for (value& v : values_) join(v, values_[root(v)]);
        count_largest();
        for (std::uint32_t at = 0; at < c.steps.size(); ++at) write_over(at);
    }

    /// Returns the plan. The buffers do not have places yet. The plan has no buffers if more than a few thousand would
    /// be needed.
    memory_plan take() {
        constexpr std::size_t most = 4096;
        plain_vector<std::uint32_t> number(values_.size(), buffer::none);
        for (std::uint32_t v = 0; v < values_.size(); ++v) {
            if (values_[v].same != v || values_[v].escapes) continue;
            number[v] = static_cast<std::uint32_t>(plan_.buffers.size());
            plan_.buffers.push_back(values_[v].memory);
        }
        if (plan_.buffers.size() > most) {
            plan_.buffers.clear();
            number.assign(values_.size(), buffer::none);
        }
        for (std::uint32_t& b : plan_.buffer_of)
            if (b != buffer::none) b = number[root(values_[b])];
        return std::move(plan_);
    }

private:
    struct value {
        buffer memory{};
        std::uint32_t same = 0; // a value with the same memory, or this value
        bool escapes = false;   // a user of the value may keep its memory
    };

    void note_branches() {
        for (const step& s : c_->steps) {
            if (s.what != opcode::fork) continue;
            const fork& f = p_->forks[s.target];
            for (std::uint32_t n = 0; n < f.branches.size(); ++n)
                for (std::uint32_t at = f.branches[n]; at < f.end(n); ++at) place_[at] = {s.target, n};
        }
    }

    template <class F>
    void for_each_input(const step& s, F f) const {
        for (const operand_id o : c_->inputs(s))
            if (!is_constant(o) && value_of_[o] != buffer::none) f(o);
    }

    std::uint32_t root(const value& v) const {
        std::uint32_t at = v.same;
        while (values_[at].same != at) at = values_[at].same;
        return at;
    }

    // Records that the branch of step `at` uses the value.
    void use(value& v, std::uint32_t at) const {
        branch_place& ends = v.memory.ends;
        if (ends.fork != place_[at].fork)
            ends = place_[at];
        else if (ends.branch != place_[at].branch)
            ends.branch = branch_place::several;
    }

    static void join(const value& from, value& to) {
        to.memory.bytes = std::max(to.memory.bytes, from.memory.bytes);
        to.memory.last = std::max(to.memory.last, from.memory.last);
        to.memory.leaves = to.memory.leaves || from.memory.leaves;
        to.escapes = to.escapes || from.escapes;
    }

    result_memory memory_of(const step& s) const {
        if (s.what != opcode::call_op) return result_memory::own;
        return p_->kernels_of(p_->calls[s.target]).memory;
    }

    /// Returns the type of an input of a step's first call, or none if arguments and inputs do not correspond.
    type_id input_type(const step& s, std::size_t n) const {
        const op_call& called = p_->calls[p_->first_call(s)];
        const auto arguments = called.in->arguments(called.call);
        return arguments.size() == s.inputs ? called.in->type(arguments[n]) : type_id::none;
    }

    // Records the uses and the results of a step.
    void note(std::uint32_t at) {
        const step& s = c_->steps[at];
        const bool calls = program::calls_ops(s);
        for_each_input(s, [&](operand_id o) {
            value& v = values_[value_of_[o]];
            use(values_[root(v)], at);
            if (s.what == opcode::leave)
                v.memory.leaves = true;
            else if (!calls && s.what != opcode::jump_unless)
                v.escapes = true;
        });
        if (calls) make(at);
        for (const operand_id o : c_->released_by(s))
            if (value_of_[o] != buffer::none) values_[value_of_[o]].memory.last = at;
    }

    void make(std::uint32_t at) {
        const step& s = c_->steps[at];
        const std::uint32_t call = p_->first_call(s);
        const op_call& called = p_->calls[call];
        const type_table& types = called.in->types();
        const type_id type = called.in->type(called.call);
        const bool one = types.is_tensor(type);
        const std::span<const type_id> each = one ? std::span(&type, 1) : types.fields(type);
        plan_.first_result[call] = static_cast<std::uint32_t>(plan_.buffer_of.size());
        const auto outputs = c_->outputs(s);
        for (std::size_t n = 0; n < outputs.size(); ++n) {
            std::uint64_t bytes = n < each.size() ? bytes_of(types, each[n]) : 0;
            if (bytes == 0 && plan_.sizes.size() < seen_.size()) bytes = seen_[plan_.sizes.size()];
            plan_.sizes.push_back(bytes);
            const auto number = static_cast<std::uint32_t>(values_.size());
            plan_.buffer_of.push_back(bytes == 0 ? buffer::none : number);
            plan_.shares.push_back(0);
            if (bytes == 0) continue;
            value made{.memory = {.bytes = bytes, .first = at, .last = at, .begins = place_[at], .ends = place_[at]},
                       .same = number};
            if (n == 0 && s.inputs > 0 && memory_of(s) == result_memory::shares) {
                const operand_id o = c_->inputs(s)[0];
                const type_id input = input_type(s, 0);
                if (!is_constant(o) && value_of_[o] != buffer::none && types.is_tensor(input) &&
                    types.element(input) == types.element(each[0])) {
                    made.same = root(values_[value_of_[o]]);
                    plan_.shares[plan_.shares.size() - 1] = 1;
                }
            }
            values_.push_back(made);
            if (outputs[n] != nowhere) value_of_[outputs[n]] = number;
        }
    }

    void count_largest() {
        std::uint64_t alive = 0;
        plain_vector<std::uint64_t> begins(c_->steps.size() + 1, 0);
        plain_vector<std::uint64_t> ends(c_->steps.size() + 1, 0);
        const auto end = static_cast<std::uint32_t>(c_->steps.size() - 1);
        for (std::uint32_t v = 0; v < values_.size(); ++v) {
            buffer& b = values_[v].memory;
            if (values_[v].same != v) continue;
            if (b.leaves) {
                b.last = end;
                b.ends = {};
            }
            begins[b.first] += b.bytes;
            ends[b.last] += b.bytes;
        }
        for (std::size_t at = 0; at < c_->steps.size(); ++at) {
            alive += begins[at];
            plan_.largest = std::max(plan_.largest, alive);
            alive -= ends[at];
        }
    }

    // Lets the result of a step overwrite an operand whose last use is the step, if the kernel permits that.
    void write_over(std::uint32_t at) {
        const step& s = c_->steps[at];
        if (!program::calls_ops(s)) return;
        const std::uint32_t made = plan_.buffer_of[plan_.first_result[p_->first_call(s)]];
        if (made == buffer::none || values_[made].same != made || values_[made].escapes) return;
        const auto inputs = c_->inputs(s);
        if (s.what == opcode::call_chain) {
            const op_chain& chain = p_->chains[s.target];
            if (!chain.kernel_first && chain.source.same()) try_over(at, made, inputs[0]);
            return;
        }
        const op_call& called = p_->calls[s.target];
        // If sizes are unknown, another run may broadcast a smaller operand and read its elements several times.
        if (bytes_of(called.in->types(), called.in->type(called.call)) == 0) return;
        if (s.outputs != 1 || memory_of(s) != result_memory::overwrites) return;
        for (std::size_t n = 0; n < inputs.size(); ++n)
            if (input_type(s, n) == called.in->type(called.call) && try_over(at, made, inputs[n])) return;
    }

    bool try_over(std::uint32_t at, std::uint32_t made, operand_id operand) {
        if (is_constant(operand) || value_of_[operand] == buffer::none) return false;
        const std::uint32_t over = root(values_[value_of_[operand]]);
        const value& v = values_[over];
        if (v.escapes || v.memory.leaves || v.memory.last != at || v.memory.bytes != values_[made].memory.bytes ||
            v.memory.ends != place_[at])
            return false;
        std::uint32_t uses = 0; // a chain may use the memory only once: later links would read overwritten values
        bool only = true;
        for_each_input(c_->steps[at], [&](operand_id o) {
            if (root(values_[value_of_[o]]) != over) return;
            ++uses;
            only = only && o == operand;
        });
        if (!only || (uses > 1 && c_->steps[at].what == opcode::call_chain)) return false;
        values_[made].same = over;
        if (values_[made].memory.last > at) values_[over].memory.ends = values_[made].memory.ends;
        join(values_[made], values_[over]);
        return true;
    }

    const program* p_;
    const code* c_;
    std::span<const std::uint64_t> seen_;  // indexed by result: bytes in earlier runs
    memory_plan plan_;                     // `buffer_of` holds value indices until buffers are assigned
    plain_vector<std::uint32_t> value_of_; // indexed by slot
    plain_vector<branch_place> place_;     // indexed by step
    plain_vector<value> values_;
};

} // namespace tutti::relay::inline TUTTI_FORM::detail
