#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/kernel/support/allowance.hpp>
#include <tutti/kernel/support/epilogue.hpp>
#include <tutti/parallel/executor.hpp>
#include <tutti/relay/eval/call_observer.hpp>
#include <tutti/relay/eval/cell_pool.hpp>
#include <tutti/relay/eval/kernel_entry.hpp>
#include <tutti/relay/eval/kernel_set.hpp>
#include <tutti/relay/eval/planned_memory.hpp>
#include <tutti/relay/eval/program.hpp>
#include <tutti/relay/eval/tensor_types.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/located_error.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/type_text.hpp>
#include <tutti/relay/op/invocation.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::detail {

/// The values of operands in place: valid until the stack grows.
struct operand_values {
    std::span<const operand_id> operands;
    cell* const* slots;     ///< of the frame
    cell* const* constants; ///< of the program

    std::size_t size() const { return operands.size(); }
    cell* operator[](std::size_t n) const {
        const operand_id o = operands[n];
        return is_constant(o) ? constants[o & ~constant_bit] : slots[o];
    }
};

/// The working memory of a thread that calls operators.
struct call_space {
    plain_vector<const tensor*> inputs;        ///< of the call
    plain_vector<cell*> made;                  ///< by it
    plain_vector<kernel::epilogue_step> steps; ///< of a chain
    plain_vector<cell*> others;                ///< their other operands by step, or null
    vector<tensor> several;                    ///< the results of a call in progress
    bool alone = true;                         ///< no other thread calls operators now
};

/// Thrown if a call lacks memory while others run: it is repeated when they are done.
struct lacks_memory {};

/// The cost of calls and of elements read and written, for `evaluate_options::max_work`.
inline constexpr std::uint64_t steps_of_call = 4096;
inline constexpr std::uint64_t steps_of_reading = 16;
inline constexpr std::uint64_t steps_of_writing = 64;

/// Calls the kernels of a program's operators with cells of a pool, and checks their results.
///
/// Remembers facts from earlier runs by call: the kernel's state, and which results share an input's memory and need
/// none.
class op_caller {
public:
    /// Requires: the module and the calls, whose graphs are the module's, outlive this.
    op_caller(const ir_module& m, std::span<const op_call> calls, memory_plan plan = {}, executor_ref on = {})
        : module_(&m)
        , calls_(calls)
        , on_(on)
        , planned_(std::move(plan))
        , seen_(planned_.plan().sizes)
        , states_(calls.size()) {
        for (std::size_t n = 0; n < calls.size(); ++n) states_[n].run = calls[n].kernel;
    }

    /// Prepares the call with this number and these operands; the constants among them are in the list.
    ///
    /// Cost: the cost of the set's `prepare_function`, if there is one.
    void prepare(std::uint32_t number, std::span<const operand_id> operands, cell* const* constants,
                 prepare_finder find) {
        const op_call& called = calls_[number];
        const prepare_function how = called.op->evaluate == nullptr ? find(*called.op) : nullptr;
        if (how == nullptr) return;
        const graph& g = *called.in;
        plain_vector<const tensor*> inputs;
        vector<tensor> without;
        plain_vector<type_id> rest;
        for (const expr_id a : g.arguments(called.call)) {
            rest.push_back(g.type(a));
            while (!rest.empty()) {
                const type_id t = rest.back();
                rest.pop_back();
                if (g.types().kind(t) == type_kind::tuple)
                    for (std::size_t n = g.types().fields(t).size(); n-- > 0;) rest.push_back(g.types().fields(t)[n]);
                else
                    without.push_back(without_elements(g.types(), t));
            }
        }
        if (without.size() != operands.size()) return;
        std::uint64_t known = 0;
        for (std::size_t n = 0; n < operands.size(); ++n) {
            const bool constant = is_constant(operands[n]);
            inputs.push_back(constant ? &constants[operands[n] & ~constant_bit]->value : &without[n]);
            if (constant && n < 64) known |= std::uint64_t{1} << n;
        }
        try {
            prepared_call made = how({.program = &g,
                                      .attributes = g.call_attributes(called.call),
                                      .inputs = inputs.all(),
                                      .type = g.type(called.call),
                                      .on = on_,
                                      .expression = called.call,
                                      .constants = known});
            if (made.state == nullptr) return;
            states_[number].prepared = std::move(made.state);
            if (made.run != nullptr) states_[number].run = made.run;
        } catch (const error&) {
            // The kernel reports errors when the call is run; a lack of memory means no preparation.
        }
    }

    /// Makes the planned memory ready for a run without an observer.
    void begin() { planned_.begin(); }
    const memory_plan& plan() const { return planned_.plan(); }

    /// Runs a call and returns the cells of its results, each with one user, to be passed to `note`; valid until the
    /// next call. The observer sees the call.
    ///
    /// Throws: `tutti::error` that names the operator if it has no kernel for the call, the kernel fails, or a result
    ///         does not have the inferred type; the observer's exceptions; `lacks_memory`.
    template <class Observer>
    std::span<cell*> call(call_space& space, cell_pool& pool, std::uint32_t number, const operand_values& inputs,
                          Observer& observer) {
        const op_call& called = calls_[number];
        const graph& g = *called.in;
        const type_id type = g.type(called.call);
        const bool one = g.types().is_tensor(type);
        const std::span<const type_id> result_types = one ? std::span(&type, 1) : g.types().fields(type);
        const std::size_t results = result_types.size();
        space.inputs.clear();
        for (std::size_t n = 0; n < inputs.size(); ++n) space.inputs.push_back(&inputs[n]->value);
        plain_vector<cell*>& made = space.made;
        made.clear();
        for (std::size_t n = 0; n < results; ++n) {
            cell* next = watches<Observer> ? nullptr : planned_.at(number, n);
            if (next == nullptr)
                next = shared_before(number, n)
                           ? pool.take_borrowing(plan().result(number, n))
                           : pool.take(bytes_of(g.types(), result_types[n]), plan().result(number, n));
            made.push_back(next);
        }
        vector<tensor>& several = space.several;
        several.resize(std::max(several.size(), results));
        const std::uint64_t copied = states_[number].copies; // those are copied
        const auto swap_results = [&] {
            for (std::size_t n = 0; n < results; ++n)
                if ((copied & bit_of(n)) == 0) std::swap(several[n], made[n]->value);
        };
        swap_results();
        const invocation call{.program = &g,
                              .attributes = g.call_attributes(called.call),
                              .inputs = space.inputs.all(),
                              .type = type,
                              .results = {several.data(), results},
                              .kept = &states_[number].kept,
                              .prepared = states_[number].prepared.get(),
                              .on = on_,
                              .expression = called.call};
        try {
            if constexpr (requires { observer.before_call(*called.op, call); }) observer.before_call(*called.op, call);
            invoke(number, call, result_types, space, pool);
            if constexpr (requires { observer.after_call(*called.op, call); }) observer.after_call(*called.op, call);
        } catch (...) {
            swap_results();
            if (space.alone) give_back(space, pool, number, inputs);
            throw;
        }
        swap_results();
        for (std::size_t n = 0; n < results; ++n) settle(space, number, n, inputs);
        return {made.data(), made.size()};
    }

    /// Runs a chain like `call`. `number` is the first instruction's call, `inputs` its inputs; the working memory has
    /// the steps' other operands.
    ///
    /// Throws: like `call`.
    std::span<cell*> call_chain(call_space& space, cell_pool& pool, const op_chain& chain,
                                std::span<const chain_step> steps, std::uint32_t number, const operand_values& inputs) {
        const std::span<cell* const> others = space.others.all();
        space.steps.clear();
        for (std::size_t n = 0; n < steps.size(); ++n) {
            space.steps.push_back(steps[n].how);
            if (others[n] == nullptr) continue;
            space.steps.back().other = carried(others[n]->value);
            space.steps.back().source = &steps[n].source;
        }
        kernel::epilogue after(space.steps.all());
        const op_call& called = calls_[number];
        const type_table& types = called.in->types();
        const type_id type = called.in->type(called.call);
        cell* const planned = planned_.at(number, 0);
        space.made.clear();
        space.made.push_back(planned != nullptr ? planned : pool.take(bytes_of(types, type), plan().result(number, 0)));
        tensor& out = space.made[0]->value;
        try {
            const std::uint64_t elements = bytes_of(types, type) / sizeof(float);
            for (std::size_t n = 0; n < steps.size(); ++n)
                kernel::spend(steps_of_call + steps_of_reading * elements * (others[n] == nullptr ? 1 : 2) +
                              steps_of_writing * elements);
            if (chain.kernel_first) {
                space.inputs.clear();
                for (std::size_t n = 0; n < inputs.size(); ++n) space.inputs.push_back(&inputs[n]->value);
                invoke(number,
                       {.program = called.in,
                        .attributes = called.in->call_attributes(called.call),
                        .inputs = space.inputs.all(),
                        .type = type,
                        .results = {&out, 1},
                        .kept = &states_[number].kept,
                        .prepared = states_[number].prepared.get(),
                        .after = &after,
                        .on = on_,
                        .expression = called.call},
                       {&type, 1}, space, pool);
                if (out.is_shared()) { // it shares an input's memory
                    const tensor given = out;
                    make_result(types, type, out);
                    after.compute(carried(given), mutable_carried(out), 0, out.size());
                } else if (!after.taken()) {
                    apply(after.rest(), out);
                }
            } else {
                compute_steps(called, chain, inputs[chain.main]->value, after, out, space, pool);
            }
        } catch (...) {
            if (space.alone) give_back(space, pool, number, inputs);
            throw;
        }
        settle(space, number, 0, inputs);
        return {space.made.data(), 1};
    }

    /// Records the memory of a call's result: its size, or the input that it shares. Returns the result's cell, which
    /// may be a new one if the first cannot share. For calls in parallel, this waits until they are done.
    cell* note(cell_pool& pool, std::uint32_t number, std::size_t result, std::size_t results,
               const operand_values& inputs, cell* made) {
        see_size(plan().result(number, result), made->value);
        if (!made->shares) {
            made->capacity = made->value.capacity();
            if (made->storage == storage::none)
                pool.note_alive(*made, static_cast<std::size_t>(made->value.size()) * bytes(made->value.type()));
            return made;
        }
        states_[number].shares |= bit_of(result);
        return pool.shared(made, owner_of(made->value, inputs), results - result);
    }

    /// The bytes of results so far, by number in the plan, and true if that is new information for the plan.
    std::span<const std::uint64_t> seen() const { return seen_.all(); }
    bool has_outgrown() const { return outgrown_; }
    /// Sets the plan and memory for the next runs. Requires: cells of the previous one are unused.
    void replace(memory_plan plan) {
        planned_ = planned_memory(std::move(plan));
        planned_.begin();
        outgrown_ = false;
    }

    /// True if values are in planned memory in this run.
    bool is_planned() const { return planned_.is_there(); }
    executor_ref on() const { return on_; }

private:
    struct call_state {
        kernel_function run = nullptr;
        std::shared_ptr<void> kept{};
        std::shared_ptr<void> prepared{};
        std::uint64_t shares = 0; // bit mask of results that shared an input's memory
        std::uint64_t copies = 0; // bit mask of results that are copied because they must not share
    };

    /// A tensor of this type and shape without accessible elements; `empty()` if these are unknown.
    static tensor without_elements(const type_table& types, type_id t) {
        if (!types.is_tensor(t) || lane_count(types.element(t)) != 1) return {};
        vector<std::int64_t> shape;
        for (const dim d : types.shape(t)) {
            if (d.is_any()) return {};
            shape.push_back(d.value());
        }
        if (kernel::checked_element_count(shape) < 0) return {};
        return tensor::referring(types.element(t), std::move(shape), nullptr, 0);
    }

    /// The elements of a chain: float32, or int32 stored as such.
    static const float* carried(const tensor& t) { return static_cast<const float*>(t.memory()); }
    static float* mutable_carried(tensor& t) { return static_cast<float*>(t.mutable_memory()); }

    static void make_result(const type_table& types, type_id type, tensor& out) {
        kernel::extents shape;
        for (const dim d : types.shape(type)) shape.push_back(d.value());
        out.reset(types.element(type), shape);
    }

    void apply(const kernel::epilogue& after, tensor& out) const {
        constexpr std::int64_t most = 16'384; // for a lane
        float* const to = mutable_carried(out);
        const std::int64_t all = out.size();
        const auto blocks = static_cast<std::size_t>((all + most - 1) / most);
        const auto run = [&](std::size_t block) {
            const std::int64_t first = static_cast<std::int64_t>(block) * most;
            after.apply(to + first, first, std::min(most, all - first));
        };
        for_each_index(on_, blocks, run, coarse_grain(on_, blocks));
    }

    // A chain of steps without a kernel.
    void compute_steps(const op_call& called, const op_chain& chain, const tensor& main, const kernel::epilogue& after,
                       tensor& out, const call_space& space, cell_pool& pool) {
        constexpr std::int64_t at_once = 512;
        constexpr std::int64_t most = 32 * at_once; // for a lane
        try {
            within_allowance(space, pool, [&] {
                make_result(called.in->types(), called.in->type(called.call), out);
                return true;
            });
            float* const to = mutable_carried(out);
            const std::int64_t all = out.size();
            const auto blocks = static_cast<std::size_t>((all + most - 1) / most);
            const auto run = [&](std::size_t block) {
                const std::int64_t end = std::min(all, static_cast<std::int64_t>(block + 1) * most);
                for (std::int64_t i = static_cast<std::int64_t>(block) * most; i < end; i += at_once) {
                    const std::int64_t n = std::min(at_once, end - i);
                    after.compute(chain.main_source.read(carried(main), i, n, to + i), to + i, i, n);
                }
            };
            for_each_index(on_, blocks, run, coarse_grain(on_, blocks));
        } catch (const error& e) {
            locate(called, e);
        }
    }

    void see_size(std::uint32_t result, const tensor& made) {
        if (result == storage::none) return;
        const std::uint64_t bytes = static_cast<std::uint64_t>(made.size()) * kernel::bytes(made.type());
        if (bytes <= seen_[result]) return;
        seen_[result] = bytes;
        outgrown_ = true;
    }

    static cell* owner_of(const tensor& shared, const operand_values& inputs) {
        cell* owner = nullptr;
        for (std::size_t i = 0; i < inputs.size(); ++i)
            if (inputs[i]->value.same_elements(shared)) owner = inputs[i];
        return owner;
    }

    /// Moves a separately computed result to its place, and copies one that shares memory planned for another value; it
    /// is copied in later runs too.
    void settle(call_space& space, std::uint32_t number, std::size_t n, const operand_values& inputs) {
        cell* const made = space.made[n];
        bool apart = (states_[number].copies & bit_of(n)) != 0;
        if (!apart && made->value.is_shared()) {
            const cell* owner = owner_of(made->value, inputs);
            apart = owner != nullptr && owner->storage != storage::none && !planned_.outlasts(*owner, *made);
            if (apart) {
                states_[number].copies |= bit_of(n);
                space.several.resize(std::max(space.several.size(), n + 1));
                std::swap(space.several[n], made->value);
            }
        }
        if (apart) copy(space.several[n], made->value);
        made->shares = made->value.is_shared(); // read now, because others may share it later
    }

    // Releases the results of a failed call.
    void give_back(call_space& space, cell_pool& pool, std::uint32_t number, const operand_values& inputs) {
        for (cell* each : space.made) each->shares = each->value.is_shared();
        for (std::size_t n = 0; n < space.made.size(); ++n)
            pool.release(note(pool, number, n, space.made.size(), inputs, space.made[n]));
    }

    static void copy(tensor& from, tensor& to) {
        if (!from.empty()) {
            to.reset(from.type(), from.shape());
            std::memcpy(to.mutable_memory(), from.memory(), static_cast<std::size_t>(from.size()) * bytes(from.type()));
        }
        from.clear();
    }

    static std::uint64_t bit_of(std::size_t result) { return std::uint64_t{1} << std::min<std::size_t>(result, 63); }
    bool shared_before(std::uint32_t call, std::size_t result) const {
        return (states_[call].shares & bit_of(result)) != 0;
    }

    // The call, and the elements read and written; kernels that compute more report that themselves.
    static void spend_elements(const invocation& call) {
        std::uint64_t steps = steps_of_call;
        for (const tensor* t : call.inputs) steps += steps_of_reading * static_cast<std::uint64_t>(t->size());
        for (const tensor& t : call.results) steps += steps_of_writing * static_cast<std::uint64_t>(t.size());
        kernel::spend(steps);
    }

    // Calls the kernel, and again after freeing unused memory if there was not enough.
    template <class F>
    bool within_allowance(const call_space& space, cell_pool& pool, const F& compute) {
        try {
            return compute();
        } catch (const kernel::beyond_allowance&) {
            if (!space.alone) throw lacks_memory{};
            for (std::size_t n = 0; n < states_.size(); ++n) {
                states_[n].kept.reset();
                states_[n].prepared.reset();
                states_[n].run = calls_[n].kernel;
            }
            pool.forget_free();
        }
        return compute();
    }

    void invoke(std::uint32_t number, invocation call, std::span<const type_id> result_types, const call_space& space,
                cell_pool& pool) {
        const op_call& called = calls_[number];
        const type_table& types = called.in->types();
        try {
            if (called.kernel == nullptr) throw error(std::string(called.op->name), "has no kernel");
            if (!within_allowance(space, pool, [&] {
                    call.prepared = states_[number].prepared.get();
                    return states_[number].run(call);
                }))
                throw error(std::string(called.op->name), "has no kernel for this case: " + of_inputs(call));
            for (std::size_t n = 0; n < result_types.size(); ++n)
                if (!is_of(call.results[n], types, result_types[n]))
                    throw error(std::string(called.op->name), "its kernel returned " + type_said(call.results[n]),
                                to_text(types, result_types[n]));
            spend_elements(call);
        } catch (const error& e) {
            locate(called, e);
        }
    }

    static std::string of_inputs(const invocation& call) {
        std::string text = "of";
        for (std::size_t i = 0; i < call.inputs.size(); ++i) text += (i == 0 ? " " : ", ") + type_said(call.input(i));
        return text;
    }

    [[noreturn, gnu::cold, gnu::noinline]] void locate(const op_call& called, const error& e) const {
        std::string name;
        for (const auto& [each, f] : *module_)
            if (&f.graph == called.in) name = "@" + each + ": ";
        try {
            throw_at(*called.in, called.call, e);
        } catch (const error& located) {
            throw_within(name, located);
        }
    }

    const ir_module* module_;
    std::span<const op_call> calls_;
    executor_ref on_;
    planned_memory planned_;
    plain_vector<std::uint64_t> seen_; // by the result's number in the plan
    bool outgrown_ = false;
    vector<call_state> states_; // indexed by call
};

} // namespace tutti::relay::inline TUTTI_FORM::detail
