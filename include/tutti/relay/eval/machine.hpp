#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/limit.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/kernel/support/allowance.hpp>
#include <tutti/parallel/executor.hpp>
#include <tutti/relay/eval/cell_pool.hpp>
#include <tutti/relay/eval/op_caller.hpp>
#include <tutti/relay/eval/plan_memory.hpp>
#include <tutti/relay/eval/program.hpp>
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

/// Runs a program. Values and frames are on the heap, so that nested calls in the program need no recursion.
class machine {
public:
    /// Makes a machine for a program. `max_depth` limits the number of open calls of functions.
    ///
    /// Requires: the program was lowered from `m`, and its entry takes and returns tensors; `m` outlives the machine.
    machine(program p, const ir_module& m, std::size_t max_depth, executor_ref on = {})
        : program_(std::move(p))
        , max_depth_(max_depth)
        , ops_(m, program_.calls, program_.kernels, std::move(program_.memory), on) {
        const code& entry = program_.codes[program_.entry];
        for (std::uint32_t i = 0; i < entry.params; ++i) arguments_.push_back(pool_.permanent());
        if (!program_.boxed) results_.resize(entry.steps.back().inputs); // the last step returns the results
        for (const program_constant& c : program_.constants) {
            cell* made = pool_.permanent();
            if (c.value != nullptr)
                made->value = *c.value;
            else
                made->code = c.code;
            constants_.push_back(made);
        }
        std::size_t most_branches = 0;
        for (const fork& f : program_.forks) most_branches = std::max(most_branches, f.branches.size());
        branches_.resize(most_branches);
        for (branch& each : branches_) each.space.alone = false;
        if (!program_.boxed) return;
        for (const bool value : {false, true}) {
            truths_[value ? 1 : 0] = pool_.permanent();
            truths_[value ? 1 : 0]->value = tensor::scalar(value);
        }
    }

    /// Prepares the program's calls (see `prepare_function`).
    void prepare() {
        for (const code& c : program_.codes)
            for (const step& s : c.single)
                if (s.what == opcode::call_op) ops_.prepare(s.target, c.inputs(s), constants_.data());
    }

    /// The structure of the last run's results, if the program has composite values; otherwise empty.
    std::span<const value_part> parts() const { return parts_.all(); }

    const program& lowered() const { return program_; }
    /// The plan of the entry's memory.
    const memory_plan& plan() const { return ops_.results().plan(); }
    /// The bytes of memory for values that are not planned, and the peak of the bytes of such live values.
    std::uint64_t unplanned_bytes() const { return pool_.bytes(); }
    std::uint64_t most_unplanned_alive() const { return pool_.most_alive(); }

    /// Evaluates the program. The results are valid until the next run. The observer sees the operator calls.
    ///
    /// Requires: one input per parameter, of the parameter's type.
    /// Throws:   `tutti::error` if calls are nested too deeply; the exceptions of `op_caller::call`.
    template <class Observer>
    std::span<const tensor> run(std::span<const tensor* const> inputs, Observer& observer) {
        for (tensor& r : results_) r.clear();
        pool_.rewind();
        if constexpr (!watches<Observer>) ops_.results().begin();
        single_ = watches<Observer>;
        for (std::size_t i = 0; i < inputs.size(); ++i) arguments_[i]->value.share(*inputs[i], inputs[i]->shape());
        const cleaner clean{this};
        enter(program_.entry, nullptr);
        for (cell* a : arguments_) push(a);
        complete(nullptr);
        while (!frames_.empty()) run_step(observer);
        if constexpr (!watches<Observer>)
            if (ops_.results().has_outgrown()) [[unlikely]]
                plan_again();
        return results_;
    }

private:
    // A branch of a fork at run time. Working memory belongs to the branch, not to the thread, so that branches need no
    // more memory after the first run.
    struct branch {
        std::uint32_t next = 0; // the next step
        std::exception_ptr failed{};
        call_space space{};
    };

    struct frame {
        const code* in;
        const step* steps;
        std::size_t next; // the next step
        std::size_t base; // the stack index of the frame's first slot
    };

    // Cleans up after a run, however the run ends. Removes all values from the stack and releases the inputs. Allocates
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
        memory_plan plan = plan_memory(program_, false, ops_.results().seen());
        pool_.keep_turns([&](std::uint32_t result) {
            return plan.buffer_of[result] != buffer::none ? cell_pool::elsewhere : ops_.results().seen()[result];
        });
        ops_.results().replace(std::move(plan));
    }

    void push(cell* c) {
        stack_.push_back(c);
        ++c->users;
    }

    /// Opens a frame. The caller pushes the frame's first slots, and `complete` adds the remaining slots.
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
        frames_.push_back({&c, single_ ? c.single.data() : c.steps.data(), 0, stack_.size()});
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

    void release(const code& c, const step& s) {
        cell** const slots = stack_.data() + frames_.back().base;
        for (const operand_id o : c.released_by(s)) pool_.release(std::exchange(slots[o], nullptr));
    }

    /// Computes a step that calls operators. Returns the results; the caller passes them to `call_results::note`.
    template <class Observer>
    std::span<cell*> compute(call_space& space, const code& c, const step& s, Observer& observer) {
        const operand_values inputs = values(c.inputs(s));
        if (s.what == opcode::call_op) return ops_.call(space, pool_, s.target, inputs, observer);
        return ops_.call_chain(space, pool_, program_.chains[s.target], inputs);
    }

    /// Puts a step's results in their slots, and releases its operands.
    void finish(const code& c, const step& s, std::span<cell* const> made) {
        const std::uint32_t call = program_.first_call(s);
        const auto outputs = c.outputs(s);
        for (std::size_t n = 0; n < made.size(); ++n)
            put(outputs[n], ops_.results().note(pool_, call, n, made.size(), values(c.inputs(s)), made[n]));
        release(c, s);
    }

    /// Runs the branches of a fork concurrently.
    ///
    /// A branch that throws stops. When all branches are done, the first exception in program order is rethrown. A
    /// branch that lacked memory resumes when the other branches are done. Results are noted, and operands released,
    /// only when all branches are done, because other branches may still read the operands.
    void run_branches(frame& f, const code& c, const fork& parts) {
        const std::size_t count = parts.branches.size();
        kernel::detail::account* const taken = kernel::allowance::taken_here();
        no_observer nobody;
        const auto run = [&](call_space& space, std::size_t n) {
            for (std::uint32_t& next = branches_[n].next; next < parts.end(n); ++next) {
                const step& s = c.steps[next];
                const std::span<cell*> made = compute(space, c, s, nobody);
                for (std::size_t r = 0; r < made.size(); ++r) slot(c.outputs(s)[r]) = made[r];
            }
        };
        for (std::size_t n = 0; n < count; ++n) {
            branches_[n].next = parts.branches[n];
            branches_[n].failed = nullptr;
        }
        for_each_index(ops_.on(), count, [&](std::size_t n) {
            const kernel::allowance::use here(taken);
            try {
                run(branches_[n].space, n);
            } catch (const lacks_memory&) { // resumes below
            } catch (const kernel::beyond_allowance&) {
            } catch (...) {
                branches_[n].failed = std::current_exception();
            }
        });
        for (std::size_t n = 0; n < count; ++n) {
            if (branches_[n].failed) std::rethrow_exception(std::exchange(branches_[n].failed, nullptr));
            run(space_, n);
        }
        for (std::uint32_t at = parts.branches[0]; at < parts.join; ++at) {
            const step& s = c.steps[at];
            listed_.clear();
            for (const operand_id o : c.outputs(s)) listed_.push_back(slot(o));
            finish(c, s, listed_.all());
        }
        f.next = parts.join;
    }

    template <class Observer>
    void run_step(Observer& observer) {
        frame& f = frames_.back();
        const code& c = *f.in;
        const step& s = f.steps[f.next++];
        const auto inputs = c.inputs(s);
        switch (s.what) {
        case opcode::call_op:
        case opcode::call_chain:
            finish(c, s, compute(space_, c, s, observer));
            break;
        case opcode::fork:
            if (ops_.results().is_planned()) run_branches(f, c, program_.forks[s.target]);
            break;
        case opcode::call_code:
            call(c, s, s.target, inputs, nullptr);
            break;
        case opcode::call_closure: {
            cell* closure = at(inputs.front());
            call(c, s, closure->code, inputs.subspan(1), closure);
            break;
        }
        case opcode::make_closure:
            put(c.outputs(s).front(), pool_.take_closure(s.target, listed(values(inputs))));
            release(c, s);
            break;
        case opcode::move: {
            const auto outputs = c.outputs(s);
            for (std::size_t n = 0; n < inputs.size(); ++n) {
                if (outputs[n] == nowhere) continue;
                slot(outputs[n]) = at(inputs[n]);
                ++slot(outputs[n])->users;
            }
            release(c, s);
            break;
        }
        case opcode::jump:
            f.next = s.target;
            break;
        case opcode::jump_unless:
            if (!at(inputs.front())->value.data<bool>()[0]) f.next = s.target;
            release(c, s);
            break;
        case opcode::release:
            release(c, s);
            break;
        case opcode::leave:
            leave(c, s);
            break;
        case opcode::field: {
            cell* const taken = at(inputs.front())->captured[s.target];
            ++taken->users;
            put(c.outputs(s).front(), taken);
            release(c, s);
            break;
        }
        case opcode::matches: {
            cell* const answer = truths_[fits(at(inputs.front()), s.target, {}) ? 1 : 0];
            ++answer->users;
            put(c.outputs(s).front(), answer);
            release(c, s);
            break;
        }
        case opcode::unpack:
            fits(at(inputs.front()), s.target, c.outputs(s));
            release(c, s);
            break;
        case opcode::ref_write: {
            cell* const written = at(inputs[1]);
            ++written->users;
            pool_.release(std::exchange(at(inputs.front())->captured[0], written));
            release(c, s);
            break;
        }
        case opcode::fail:
            throw error("@" + c.name, "the value matches no clause of a match", "a clause for it");
        }
    }

    void call(const code& c, const step& s, std::uint32_t target, std::span<const operand_id> arguments,
              cell* closure) {
        const std::size_t base = frames_.back().base;
        kernel::spend(steps_of_call);
        enter(target, &c);
        for (const operand_id o : arguments) push(is_constant(o) ? constants_[o & ~constant_bit] : stack_[base + o]);
        complete(closure);
        for (const operand_id o : c.released_by(s)) pool_.release(std::exchange(stack_[base + o], nullptr));
    }

    // True if a value fits the pattern that begins at index `pattern`. If `outputs` is not empty, stores the values of
    // the pattern's variables in the slots `outputs`.
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

    // Stores the tensors in a value as the results, and the structure of the value as the parts.
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

    void leave(const code& c, const step& s) {
        const auto leaving = listed(values(c.inputs(s)));
        for (cell* value : leaving) ++value->users;
        release(c, s);
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
            const auto outputs = f.in->outputs(f.steps[f.next - 1]);
            for (std::size_t n = 0; n < outputs.size(); ++n) put(outputs[n], leaving[n]);
        }
    }

    program program_;
    std::size_t max_depth_;
    op_caller ops_;
    cell_pool pool_;
    plain_vector<cell*> arguments_; // indexed by parameter
    plain_vector<cell*> constants_;
    vector<tensor> results_;
    bool single_ = false; // true if the run has an observer, and so executes `code::single`
    plain_vector<cell*> stack_;
    plain_vector<frame> frames_;
    plain_vector<cell*> listed_;
    call_space space_;
    vector<branch> branches_;        // branches of the running fork
    cell* truths_[2]{};              // false and true; null unless the program is boxed
    plain_vector<value_part> parts_; // structure of the result, if the program has composite values
};

} // namespace tutti::relay::inline TUTTI_FORM::detail
