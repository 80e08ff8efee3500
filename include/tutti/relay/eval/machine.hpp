#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/limit.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/kernel/support/allowance.hpp>
#include <tutti/parallel/executor.hpp>
#include <tutti/relay/eval/cell_pool.hpp>
#include <tutti/relay/eval/op_caller.hpp>
#include <tutti/relay/eval/program.hpp>
#include <tutti/relay/eval/storages.hpp>
#include <tutti/relay/eval/value_parts.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/plain_vector.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::detail {

/// Runs a program. Its values and frames are on the heap: nothing recurses.
class machine {
public:
    /// `max_depth` limits the open calls of functions.
    ///
    /// Requires: the program was made from `m`, which outlives the machine; its entry takes and returns tensors.
    machine(program p, const ir_module& m, std::size_t max_depth, executor_ref on = {})
        : program_(std::move(p)), max_depth_(max_depth), ops_(m, program_.calls, std::move(program_.memory), on) {
        const code& entry = program_.codes[program_.entry];
        for (std::uint32_t i = 0; i < entry.params; ++i) arguments_.push_back(pool_.permanent());
        if (!program_.boxed) results_.resize(entry.instructions.back().inputs); // the instruction that leaves the entry
        for (const program_constant& c : program_.constants) {
            cell* made = pool_.permanent();
            if (c.value != nullptr)
                made->value = *c.value;
            else
                made->code = c.code;
            constants_.push_back(made);
        }
        std::uint32_t most_parts = 0;
        for (const branch_group& g : program_.branch_groups) most_parts = std::max(most_parts, g.parts);
        branches_.resize(most_parts);
        for (branch& each : branches_) each.space.alone = false;
        if (!program_.boxed) return;
        for (const bool value : {false, true}) {
            truths_[value ? 1 : 0] = pool_.permanent();
            truths_[value ? 1 : 0]->value = tensor::scalar(value);
        }
    }

    /// Prepares the program's calls with the set's kernels: see `prepare_function`.
    void prepare(prepare_finder find) {
        if (find == nullptr) return;
        for (const code& c : program_.codes)
            for (const instruction& i : c.instructions)
                if (i.what == opcode::call_op) ops_.prepare(i.target, c.inputs(i), constants_.data(), find);
    }

    /// The structure of the last run's results, if the program has composite values; otherwise empty.
    std::span<const value_part> parts() const { return parts_.all(); }

    const program& lowered() const { return program_; }
    /// The planned places of values.
    const memory_plan& plan() const { return ops_.plan(); }
    /// The bytes of values without a planned place, and their peak.
    std::uint64_t unplanned_bytes() const { return pool_.bytes(); }
    std::uint64_t most_unplanned_alive() const { return pool_.most_alive(); }

    /// Evaluates the program; the results are valid until the next run. The observer sees the operator calls.
    ///
    /// Requires: one input per parameter, of its type.
    /// Throws:   `tutti::error` if calls are too deep, and like `op_caller`.
    template <class Observer>
    std::span<const tensor> run(std::span<const tensor* const> inputs, Observer& observer) {
        for (tensor& r : results_) r.clear();
        pool_.rewind();
        if constexpr (!watches<Observer>) ops_.begin();
        for (std::size_t i = 0; i < inputs.size(); ++i) arguments_[i]->value.share(*inputs[i], inputs[i]->shape());
        const cleaner clean{this};
        enter(program_.entry, nullptr);
        for (cell* a : arguments_) push(a);
        complete(nullptr);
        while (!frames_.empty()) step(observer);
        if constexpr (!watches<Observer>)
            if (ops_.has_outgrown()) [[unlikely]]
                plan_again();
        return results_;
    }

private:
    // A part of a group of branches at run time. Its working memory belongs to the part, not the thread, so that it
    // suffices from the first run on.
    struct branch {
        std::uint32_t next = 0; // instruction
        std::exception_ptr failed{};
        call_space space{};
    };

    struct frame {
        const code* in;
        std::size_t next; // the next step
        std::size_t base; // of its slots on the stack
    };

    // However a run ends, its values are removed from the stack, and the inputs belong to the caller again. Allocates
    // nothing, because the run may have ended for lack of memory.
    struct cleaner {
        machine* m;
        ~cleaner() {
            for (cell*& c : m->stack_)
                if (c != nullptr) m->pool_.release(c);
            m->stack_.clear();
            m->frames_.clear();
            for (cell* a : m->arguments_) a->value.clear();
        }
    };

    // Plans memory again, with the observed sizes of results whose types do not determine them.
    [[gnu::noinline]] void plan_again() {
        memory_plan plan = plan_memory(program_, program_.find_memory, nullptr, ops_.seen());
        pool_.keep_turns([&](std::uint32_t result) {
            return plan.storage_of[result] != storage::none ? cell_pool::elsewhere : ops_.seen()[result];
        });
        ops_.replace(std::move(plan));
    }

    void push(cell* c) {
        stack_.push_back(c);
        ++c->users;
    }

    /// Opens a frame, whose first slots the caller pushes; `complete` adds the others.
    void enter(std::uint32_t target, const code* from) {
        const code& c = program_.codes[target];
        constexpr std::size_t most_values = std::size_t{1} << 24;
        const bool too_deep = frames_.size() >= max_depth_;
        if (too_deep || stack_.size() + c.slots > most_values)
            throw error("@" + (from != nullptr ? from->name : c.name),
                        "a call in it is " + std::to_string(frames_.size() + 1) + " calls deep, with " +
                            std::to_string(stack_.size() + c.slots) + " values",
                        too_deep ? "no more than " + std::to_string(max_depth_) + " calls, or a larger max_depth"
                                 : "no more than 2^24 values");
        frames_.push_back({&c, 0, stack_.size()});
    }

    void complete(cell* closure) {
        const frame& f = frames_.back();
        const code& c = *f.in;
        stack_.resize(f.base + c.slots, nullptr);
        const auto bring = [&](operand_id slot, cell* value) {
            stack_[f.base + slot] = value;
            ++value->users;
        };
        for (std::size_t i = 0; i < c.captured.size(); ++i) bring(c.captured[i], closure->captured[i]);
        if (c.self != nowhere) bring(c.self, closure != nullptr ? closure : at(c.as_constant));
    }

    cell*& slot(operand_id o) { return stack_[frames_.back().base + o]; }
    cell* at(operand_id o) { return is_constant(o) ? constants_[o & ~constant_bit] : slot(o); }

    operand_values values(std::span<const operand_id> operands) const {
        return {operands, stack_.data() + frames_.back().base, constants_.data()};
    }

    /// Copies the values to a list that is valid until the next call.
    std::span<cell* const> listed(operand_values all) {
        listed_.clear();
        for (std::size_t n = 0; n < all.size(); ++n) listed_.push_back(all[n]);
        return listed_.all();
    }

    void put(operand_id o, cell* value) {
        if (o == nowhere)
            pool_.release(value);
        else
            slot(o) = value;
    }

    void release(const code& c, const instruction& i) {
        cell** const slots = stack_.data() + frames_.back().base;
        for (const operand_id o : c.released_by(i)) pool_.release(std::exchange(slots[o], nullptr));
    }

    /// Returns the results of a step that calls operators; the caller notes them.
    template <class Observer>
    std::span<cell*> compute(call_space& space, const code& c, const instruction* first, Observer& observer) {
        if (first->chain == 0 || watches<Observer>)
            return ops_.call(space, pool_, first->target, values(c.inputs(*first)), observer);
        const op_chain& chain = program_.chains[first->chain - 1];
        const std::span<const chain_step> steps(program_.chain_steps.data() + chain.first_step, chain.steps);
        space.others.clear();
        for (const chain_step& s : steps)
            space.others.push_back(s.input == chain_step::no_input ? nullptr
                                                                   : at(c.inputs(first[s.instruction])[s.input]));
        return ops_.call_chain(space, pool_, chain, steps, first->target, values(c.inputs(*first)));
    }

    void release_step(const code& c, const instruction* first, std::uint32_t count) {
        for (const instruction* i = first; i < first + count; ++i)
            for (const operand_id o : c.released_by(*i))
                if (cell* dead = std::exchange(slot(o), nullptr); dead != nullptr) pool_.release(dead);
    }

    template <class Observer>
    void run_step(frame& f, const code& c, const instruction* first, Observer& observer) {
        const std::uint32_t count = watches<Observer> ? 1 : program_.step_length(*first);
        const std::span<cell*> made = compute(space_, c, first, observer);
        const auto outputs = c.outputs(first[count - 1]);
        for (std::size_t n = 0; n < made.size(); ++n)
            put(outputs[n], ops_.note(pool_, first->target, n, made.size(), values(c.inputs(*first)), made[n]));
        release_step(c, first, count);
        f.next += count - 1;
    }

    /// Runs the parts of a group concurrently. A part that throws stops; when all parts are done, the first exception
    /// in program order is thrown. A part that lacked memory resumes when the others are done.
    ///
    /// Results are noted, and operands released, only when all parts are done, since other parts may still read them.
    void run_branches(frame& f, const code& c, const branch_group& group) {
        const std::span<const std::uint32_t> begins(program_.branch_parts.data() + group.first_part, group.parts);
        kernel::detail::account* const taken = kernel::allowance::taken_here();
        no_observer nobody;
        const auto run = [&](call_space& space, std::size_t part) {
            const std::uint32_t end = part + 1 == begins.size() ? group.end : begins[part + 1];
            for (std::uint32_t& next = branches_[part].next; next < end;) {
                const instruction* first = &c.instructions[next];
                const std::span<cell*> made = compute(space, c, first, nobody);
                const std::uint32_t count = program_.step_length(*first);
                for (std::size_t n = 0; n < made.size(); ++n) slot(c.outputs(first[count - 1])[n]) = made[n];
                next += count;
            }
        };
        for (std::size_t part = 0; part < begins.size(); ++part) {
            branches_[part].next = begins[part];
            branches_[part].failed = nullptr;
        }
        for_each_index(ops_.on(), begins.size(), [&](std::size_t part) {
            const kernel::allowance::use here(taken);
            try {
                run(branches_[part].space, part);
            } catch (const lacks_memory&) { // resumes below
            } catch (const kernel::beyond_allowance&) {
            } catch (...) {
                branches_[part].failed = std::current_exception();
            }
        });
        for (std::size_t part = 0; part < begins.size(); ++part) {
            if (branches_[part].failed) std::rethrow_exception(std::exchange(branches_[part].failed, nullptr));
            run(space_, part);
        }
        for (std::uint32_t at = begins[0]; at < group.end;) {
            const instruction* first = &c.instructions[at];
            const std::uint32_t count = program_.step_length(*first);
            const auto outputs = c.outputs(first[count - 1]);
            for (std::size_t n = 0; n < outputs.size(); ++n)
                put(outputs[n],
                    ops_.note(pool_, first->target, n, outputs.size(), values(c.inputs(*first)), slot(outputs[n])));
            release_step(c, first, count);
            at += count;
        }
        f.next = group.end;
    }

    template <class Observer>
    void step(Observer& observer) {
        frame& f = frames_.back();
        const code& c = *f.in;
        const instruction& i = c.instructions[f.next++];
        const auto inputs = c.inputs(i);
        switch (i.what) {
        case opcode::call_op: {
            if constexpr (!watches<Observer>) {
                if (i.branches != 0 && ops_.is_planned()) {
                    run_branches(f, c, program_.branch_groups[i.branches - 1]);
                    break;
                }
            }
            run_step(f, c, &i, observer);
            break;
        }
        case opcode::call_code:
            call(c, i, i.target, inputs, nullptr);
            break;
        case opcode::call_closure: {
            cell* closure = at(inputs.front());
            call(c, i, closure->code, inputs.subspan(1), closure);
            break;
        }
        case opcode::make_closure:
            put(c.outputs(i).front(), pool_.take_closure(i.target, listed(values(inputs))));
            release(c, i);
            break;
        case opcode::move: {
            const auto outputs = c.outputs(i);
            for (std::size_t n = 0; n < inputs.size(); ++n) {
                if (outputs[n] == nowhere) continue;
                slot(outputs[n]) = at(inputs[n]);
                ++slot(outputs[n])->users;
            }
            release(c, i);
            break;
        }
        case opcode::jump:
            f.next = i.target;
            break;
        case opcode::jump_unless:
            if (!at(inputs.front())->value.data<bool>()[0]) f.next = i.target;
            release(c, i);
            break;
        case opcode::release:
            release(c, i);
            break;
        case opcode::leave:
            leave(c, i);
            break;
        case opcode::field: {
            cell* const taken = at(inputs.front())->captured[i.target];
            ++taken->users;
            put(c.outputs(i).front(), taken);
            release(c, i);
            break;
        }
        case opcode::matches: {
            cell* const answer = truths_[fits(at(inputs.front()), i.target, {}) ? 1 : 0];
            ++answer->users;
            put(c.outputs(i).front(), answer);
            release(c, i);
            break;
        }
        case opcode::unpack:
            fits(at(inputs.front()), i.target, c.outputs(i));
            release(c, i);
            break;
        case opcode::ref_write: {
            cell* const written = at(inputs[1]);
            ++written->users;
            pool_.release(std::exchange(at(inputs.front())->captured[0], written));
            release(c, i);
            break;
        }
        case opcode::fail:
            throw error("@" + c.name, "the value matches no clause of a match", "a clause for it");
        }
    }

    void call(const code& c, const instruction& i, std::uint32_t target, std::span<const operand_id> arguments,
              cell* closure) {
        const std::size_t base = frames_.back().base;
        kernel::spend(steps_of_call);
        enter(target, &c);
        for (const operand_id o : arguments) push(is_constant(o) ? constants_[o & ~constant_bit] : stack_[base + o]);
        complete(closure);
        for (const operand_id o : c.released_by(i)) pool_.release(std::exchange(stack_[base + o], nullptr));
    }

    // True if a value fits the pattern that begins at `pattern`; if `outputs` is not empty, binds the pattern's
    // variables to it.
    bool fits(cell* value, std::size_t pattern, std::span<const operand_id> outputs) {
        listed_.clear();
        listed_.push_back(value);
        std::size_t bound = 0;
        for (std::size_t place = pattern; !listed_.empty(); ++place) {
            const pattern_part& p = program_.patterns[place];
            cell* const now = listed_.back();
            listed_.pop_back();
            if (p.what == pattern_part::anything) continue;
            if (p.what == pattern_part::bound) {
                if (bound == outputs.size()) continue;
                ++now->users;
                put(outputs[bound++], now);
                continue;
            }
            if (now->code != p.what) return false;
            for (std::size_t n = now->captured.size(); n-- > 0;) listed_.push_back(now->captured[n]);
        }
        return true;
    }

    // Stores the tensors of a value as the results, and its structure as the parts.
    void take_apart(cell* value) {
        constexpr limit most{"evaluation", "parts of the result", {}, std::size_t{1} << 20};
        parts_.clear();
        results_.clear();
        plain_vector<cell*> rest{value};
        while (!rest.empty()) {
            cell* const now = rest.back();
            rest.pop_back();
            most.check(parts_.size() + rest.size() + 1);
            const auto fields = static_cast<std::uint32_t>(now->captured.size());
            using kind = value_part::kind;
            if (now->code == cell::no_code) {
                parts_.push_back({kind::tensor});
                results_.emplace_back();
                results_.back().share(now->value, now->value.shape());
            } else if (now->code == program_.tuple || now->code == program_.reference) {
                parts_.push_back({now->code == program_.tuple ? kind::tuple : kind::reference, fields});
            } else if (now->code - program_.first_constructor < program_.tuple - program_.first_constructor &&
                       fields == program_.codes[now->code].params) {
                parts_.push_back({kind::constructor, fields, program_.codes[now->code].name});
            } else {
                throw error("@" + program_.codes[program_.entry].name, "returns a value that contains a function",
                            "values of tensors");
            }
            for (std::size_t n = fields; n-- > 0;) rest.push_back(now->captured[n]);
        }
    }

    void leave(const code& c, const instruction& i) {
        const auto leaving = listed(values(c.inputs(i)));
        for (cell* value : leaving) ++value->users;
        release(c, i);
        stack_.resize(frames_.back().base);
        frames_.pop_back();
        if (frames_.empty() && program_.boxed) {
            cell* const value = leaving[0];
            take_apart(value);
            pool_.release(value);
        } else if (frames_.empty()) {
            for (std::size_t n = 0; n < results_.size(); ++n) {
                results_[n].share(leaving[n]->value, leaving[n]->value.shape());
                pool_.release(leaving[n]);
            }
        } else {
            const frame& f = frames_.back();
            const auto outputs = f.in->outputs(f.in->instructions[f.next - 1]);
            for (std::size_t n = 0; n < outputs.size(); ++n) put(outputs[n], leaving[n]);
        }
    }

    program program_;
    std::size_t max_depth_;
    op_caller ops_;
    cell_pool pool_;
    plain_vector<cell*> arguments_; // by parameter
    plain_vector<cell*> constants_;
    vector<tensor> results_;
    plain_vector<cell*> stack_;
    plain_vector<frame> frames_;
    plain_vector<cell*> listed_;
    call_space space_;
    vector<branch> branches_;        // of the running group
    cell* truths_[2]{};              // if there are matches
    plain_vector<value_part> parts_; // structure of the result, if the program has composite values
};

} // namespace tutti::relay::inline TUTTI_FORM::detail
