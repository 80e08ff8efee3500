#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/eval/branches.hpp>
#include <tutti/relay/eval/kernel_set.hpp>
#include <tutti/relay/eval/memory_plan.hpp>
#include <tutti/relay/eval/program.hpp>
#include <tutti/relay/eval/tensor_types.hpp>
#include <tutti/relay/ir/plain_vector.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tutti::relay::inline TUTTI_FORM::detail {

/// Finds the live ranges and sizes of a code's values: results of operators with sizes known from types or earlier
/// runs, used only by operators. Other values, such as arguments of functions and results of ifs, are allocated at run
/// time.
///
/// A value's live range is from the instruction that computes it to its last use in instruction order, because jumps
/// only go forward. A chain is one instruction.
class storage_finder {
public:
    /// Requires: the last uses of the code's slots and its chains are known, and it does not run concurrently with
    ///           itself.
    storage_finder(const program& p, const code& c, result_memory_finder find, std::span<const std::uint64_t> seen = {})
        : p_(&p), c_(&c), find_(find), seen_(seen), value_of_(c.slots, storage::none), place_(c.instructions.size()) {
        note_branches();
        plan_.first_result.assign(p.calls.size(), storage::none);
        for_each_step([&](std::uint32_t at, std::uint32_t end) { note(at, end); });
        for (value& v : values_) join(v, values_[root(v)]);
        count_largest();
        for_each_step([&](std::uint32_t at, std::uint32_t end) { write_over(at, end); });
    }

    /// Returns the storages without places; nothing is planned beyond a few thousand.
    memory_plan take() {
        constexpr std::size_t most = 4096;
        plain_vector<std::uint32_t> number(values_.size(), storage::none);
        for (std::uint32_t v = 0; v < values_.size(); ++v) {
            if (values_[v].same != v || values_[v].escapes) continue;
            number[v] = static_cast<std::uint32_t>(plan_.storages.size());
            plan_.storages.push_back(values_[v].memory);
        }
        if (plan_.storages.size() > most) {
            plan_.storages.clear();
            number.assign(values_.size(), storage::none);
        }
        for (std::uint32_t& s : plan_.storage_of)
            if (s != storage::none) s = number[root(values_[s])];
        return std::move(plan_);
    }

private:
    struct value {
        storage memory{};
        std::uint32_t same = 0; // the first value with the same memory
        bool escapes = false;   // its users may keep it
    };

    void note_branches() {
        for (std::uint32_t at = 0; at < c_->instructions.size(); ++at) {
            const std::uint32_t group = c_->instructions[at].branches;
            if (group == 0) continue;
            const branch_group& all = p_->branch_groups[group - 1];
            for (std::uint32_t n = all.first_part; n < all.first_part + all.parts; ++n) {
                const std::uint32_t end =
                    n + 1 == all.first_part + all.parts ? all.end : p_->branch_parts[n + std::size_t{1}];
                for (std::uint32_t in = p_->branch_parts[n]; in < end; ++in) place_[in] = {group, n};
            }
        }
    }

    template <class F>
    void for_each_step(F f) const {
        for (std::uint32_t at = 0; at < c_->instructions.size();) {
            const std::uint32_t end = at + p_->step_length(c_->instructions[at]);
            f(at, end);
            at = end;
        }
    }

    template <class F>
    void for_each_input(std::uint32_t at, std::uint32_t end, F f) const {
        for (; at < end; ++at)
            for (const operand_id o : c_->inputs(c_->instructions[at]))
                if (!is_constant(o) && value_of_[o] != storage::none) f(o, c_->instructions[at].what);
    }

    std::uint32_t root(const value& v) const {
        std::uint32_t at = v.same;
        while (values_[at].same != at) at = values_[at].same;
        return at;
    }

    // Records a use at this step.
    void use(value& v, std::uint32_t at) const {
        branch_place& ends = v.memory.ends;
        if (ends.group != place_[at].group)
            ends = place_[at];
        else if (ends.part != place_[at].part)
            ends.part = branch_place::several;
    }

    static void join(const value& from, value& to) {
        to.memory.bytes = std::max(to.memory.bytes, from.memory.bytes);
        to.memory.last = std::max(to.memory.last, from.memory.last);
        to.memory.leaves = to.memory.leaves || from.memory.leaves;
        to.escapes = to.escapes || from.escapes;
    }

    result_memory memory_of(const instruction& i) const {
        const op_call& called = p_->calls[i.target];
        return called.kernel == nullptr ? result_memory::own : find_(*called.op);
    }

    /// The type of an input; none if the call's arguments are not its inputs one by one.
    type_id input_type(const instruction& i, std::size_t n) const {
        const op_call& called = p_->calls[i.target];
        const auto arguments = called.in->arguments(called.call);
        return arguments.size() == i.inputs ? called.in->type(arguments[n]) : type_id::none;
    }

    // Records the uses, and the result, of the instructions from `at` to `end`, which run as one.
    void note(std::uint32_t at, std::uint32_t end) {
        for_each_input(at, end, [&](operand_id o, opcode what) {
            value& v = values_[value_of_[o]];
            use(values_[root(v)], at);
            if (what == opcode::leave)
                v.memory.leaves = true;
            else if (what != opcode::call_op && what != opcode::jump_unless)
                v.escapes = true;
        });
        const instruction& i = c_->instructions[end - 1];
        if (i.what == opcode::call_op) make(at, end);
        for (std::uint32_t n = at; n < end; ++n)
            for (const operand_id o : c_->released_by(c_->instructions[n]))
                if (value_of_[o] != storage::none) values_[value_of_[o]].memory.last = at;
    }

    void make(std::uint32_t at, std::uint32_t end) {
        const instruction& head = c_->instructions[at];
        const instruction& i = c_->instructions[end - 1];
        const op_call& called = p_->calls[i.target];
        const type_table& types = called.in->types();
        const type_id type = called.in->type(called.call);
        const bool one = types.is_tensor(type);
        const std::span<const type_id> each = one ? std::span(&type, 1) : types.fields(type);
        plan_.first_result[head.target] = static_cast<std::uint32_t>(plan_.storage_of.size());
        const auto outputs = c_->outputs(i);
        for (std::size_t n = 0; n < outputs.size(); ++n) {
            std::uint64_t bytes = n < each.size() ? bytes_of(types, each[n]) : 0;
            if (bytes == 0 && plan_.sizes.size() < seen_.size()) bytes = seen_[plan_.sizes.size()];
            plan_.sizes.push_back(bytes);
            const auto number = static_cast<std::uint32_t>(values_.size());
            plan_.storage_of.push_back(bytes == 0 ? storage::none : number);
            plan_.shares.push_back(0);
            if (bytes == 0) continue;
            value made{.memory = {.bytes = bytes, .first = at, .last = at, .begins = place_[at], .ends = place_[at]},
                       .same = number};
            if (n == 0 && end == at + 1 && i.inputs > 0) {
                const operand_id o = c_->inputs(i)[0];
                const type_id input = input_type(i, 0);
                if (memory_of(i) == result_memory::shares && !is_constant(o) && value_of_[o] != storage::none &&
                    types.is_tensor(input) && types.element(input) == types.element(each[0])) {
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
        plain_vector<std::uint64_t> begins(c_->instructions.size() + 1, 0);
        plain_vector<std::uint64_t> ends(c_->instructions.size() + 1, 0);
        const auto end = static_cast<std::uint32_t>(c_->instructions.size() - 1);
        for (std::uint32_t v = 0; v < values_.size(); ++v) {
            storage& s = values_[v].memory;
            if (values_[v].same != v) continue;
            if (s.leaves) {
                s.last = end;
                s.ends = {};
            }
            begins[s.first] += s.bytes;
            ends[s.last] += s.bytes;
        }
        for (std::size_t at = 0; at < c_->instructions.size(); ++at) {
            alive += begins[at];
            plan_.largest = std::max(plan_.largest, alive);
            alive -= ends[at];
        }
    }

    // Lets the result overwrite an operand that dies here, if permitted.
    void write_over(std::uint32_t at, std::uint32_t end) {
        const instruction& head = c_->instructions[at];
        if (head.what != opcode::call_op) return;
        const std::uint32_t made = plan_.storage_of[plan_.first_result[head.target]];
        if (made == storage::none || values_[made].same != made || values_[made].escapes) return;
        const auto inputs = c_->inputs(head);
        if (end > at + 1) {
            const op_chain& chain = p_->chains[head.chain - 1];
            if (!chain.kernel_first && chain.main_source.same()) try_over(at, end, made, inputs[chain.main]);
            return;
        }
        const op_call& called = p_->calls[head.target];
        // With unknown sizes, the operand may be smaller in another run, and read several times.
        if (bytes_of(called.in->types(), called.in->type(called.call)) == 0) return;
        if (head.outputs != 1 || memory_of(head) != result_memory::overwrites) return;
        for (std::size_t n = 0; n < inputs.size(); ++n)
            if (input_type(head, n) == called.in->type(called.call) && try_over(at, end, made, inputs[n])) return;
    }

    bool try_over(std::uint32_t at, std::uint32_t end, std::uint32_t made, operand_id operand) {
        if (is_constant(operand) || value_of_[operand] == storage::none) return false;
        const std::uint32_t over = root(values_[value_of_[operand]]);
        const value& v = values_[over];
        if (v.escapes || v.memory.leaves || v.memory.last != at || v.memory.bytes != values_[made].memory.bytes ||
            v.memory.ends != place_[at])
            return false;
        std::uint32_t uses = 0; // in a chain, other steps would read the overwritten values
        bool only = true;
        for_each_input(at, end, [&](operand_id o, opcode) {
            if (root(values_[value_of_[o]]) != over) return;
            ++uses;
            only = only && o == operand;
        });
        if (!only || (uses > 1 && end > at + 1)) return false;
        values_[made].same = over;
        if (values_[made].memory.last > at) values_[over].memory.ends = values_[made].memory.ends;
        join(values_[made], values_[over]);
        return true;
    }

    const program* p_;
    const code* c_;
    result_memory_finder find_;
    std::span<const std::uint64_t> seen_;  // indexed by result: bytes in earlier runs
    memory_plan plan_;                     // its storages are numbers until places are known
    plain_vector<std::uint32_t> value_of_; // indexed by slot
    plain_vector<branch_place> place_;     // indexed by instruction
    plain_vector<value> values_;
};

/// True if a plan has places for all results of a group of branches.
inline bool has_places(const program& p, const code& c, const branch_group& group, const memory_plan& plan) {
    for (std::uint32_t at = p.branch_parts[group.first_part]; at < group.end;) {
        const instruction& head = c.instructions[at];
        at += p.step_length(head);
        const std::uint32_t first = plan.first_result[head.target];
        for (std::uint32_t n = 0; n < c.instructions[at - 1].outputs; ++n)
            if (plan.storage_of[first + n] == storage::none) return false;
    }
    return true;
}

/// Plans the memory of a program: of its entry, if no function calls it.
///
/// Requires `find`, which returns the results that share memory; without it, plans nothing. With `find_concurrent`,
/// records concurrent branches in the program, unless that takes over 10 % more memory than the peak of live values.
/// `seen` has the bytes of results in earlier runs, by number in the plan.
///
/// Requires: the program is complete.
/// Cost:     linear in the function, and quadratic in the values with separate memory, a few thousand at most.
inline memory_plan plan_memory(program& p, result_memory_finder find, concurrent_finder find_concurrent = nullptr,
                               std::span<const std::uint64_t> seen = {}) {
    code& c = p.codes[p.entry];
    if (find == nullptr || p.boxed || c.as_constant != nowhere || c.instructions.empty()) return {};
    const auto placed = [&] {
        memory_plan plan = storage_finder(p, c, find, seen).take();
        if (!plan.storages.empty()) storage_placer{plan};
        return plan;
    };
    memory_plan plan = placed();
    if (find_concurrent == nullptr || plan.storages.empty()) return plan;
    branch_finder(p, c, find_concurrent).note();
    if (p.branch_groups.empty()) return plan;
    memory_plan with_branches = placed();
    const bool fits = with_branches.bytes() <= std::max(plan.bytes(), plan.largest + plan.largest / 10);
    for (instruction& i : c.instructions)
        if (i.branches != 0 && !(fits && has_places(p, c, p.branch_groups[i.branches - 1], with_branches)))
            i.branches = 0;
    return fits ? with_branches : plan;
}

} // namespace tutti::relay::inline TUTTI_FORM::detail
