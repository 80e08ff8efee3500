#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/kernel/support/allowance.hpp>
#include <tutti/kernel/support/epilogue.hpp>
#include <tutti/parallel/executor.hpp>
#include <tutti/relay/eval/call_observer.hpp>
#include <tutti/relay/eval/call_results.hpp>
#include <tutti/relay/eval/call_space.hpp>
#include <tutti/relay/eval/cell_pool.hpp>
#include <tutti/relay/eval/chain_loops.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/eval/op_kernels.hpp>
#include <tutti/relay/eval/prepare_call.hpp>
#include <tutti/relay/eval/program.hpp>
#include <tutti/relay/eval/tensor_types.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/located_error.hpp>
#include <tutti/relay/ir/type_text.hpp>
#include <tutti/relay/op/invocation.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM::detail {

/// Steps counted against `evaluate_options::max_work`: per call, per element read and per element written.
inline constexpr std::uint64_t steps_of_call = 4096;
inline constexpr std::uint64_t steps_of_reading = 16;
inline constexpr std::uint64_t steps_of_writing = 64;

/// Runs a program's operator calls: provides memory for the results, calls the kernels and checks the results.
class op_caller {
public:
    /// Requires: the calls' graphs belong to the module; the module, the calls and the kernels outlive this object.
    op_caller(const ir_module& m, std::span<const op_call> calls, std::span<const op_kernels> kernels,
              memory_plan plan = {}, executor_ref on = {})
        : module_(&m)
        , calls_(calls)
        , kernels_(kernels)
        , on_(on)
        , results_(std::move(plan), calls.size())
        , states_(calls.size()) {
        std::size_t kernel_states = 0;
        for (std::size_t n = 0; n < calls.size(); ++n) {
            const op_kernels& own = kernels[calls[n].kernels];
            states_[n].first_kernel = static_cast<std::uint32_t>(kernel_states);
            kernel_states += own.rows.size();
            if (own.decode != nullptr)
                states_[n].decoded = own.decode(*calls[n].in, calls[n].in->call_attributes(calls[n].call));
        }
        kernel_states_.resize(kernel_states);
    }

    /// Prepares the call with index `number`; see `prepare_call`.
    void prepare(std::uint32_t number, std::span<const operand_id> operands, cell* const* constants) {
        call_state& state = states_[number];
        prepared_call made =
            prepare_call(calls_[number], rows_of(number), operands, constants, state.decoded.get(), on_);
        if (made.state == nullptr) return;
        state.first_row = static_cast<std::uint32_t>(made.row);
        kernel_states_[state.first_kernel + made.row].prepared = std::move(made.state);
    }

    /// The memory of the calls' results.
    call_results& results() { return results_; }
    const call_results& results() const { return results_; }
    executor_ref on() const { return on_; }

    /// Runs a call and returns the cells of its results. Each cell has one user and must be passed to
    /// `call_results::note`. The span is valid until the next call. The observer is notified before and after the call.
    ///
    /// Throws: `tutti::error` that names the operator if it has no kernel for the call, the kernel fails, or a result
    ///         does not have the inferred type; the observer's exceptions; `lacks_memory` if memory runs out while
    ///         other threads call operators.
    template <class Observer>
    std::span<cell*> call(call_space& space, cell_pool& pool, std::uint32_t number, const operand_values& inputs,
                          Observer& observer) {
        const op_call& called = calls_[number];
        const type_table& types = called.in->types();
        const type_id type = called.in->type(called.call);
        const bool one = types.is_tensor(type);
        const std::span<const type_id> result_types = one ? std::span(&type, 1) : types.fields(type);
        space.made.clear();
        for (std::size_t n = 0; n < result_types.size(); ++n) {
            cell* next = watches<Observer> ? nullptr : results_.planned(number, n);
            const std::uint32_t result = results_.plan().result(number, n);
            if (next == nullptr)
                next = results_.shares(number, n) ? pool.take_borrowing(result)
                                                  : pool.take(bytes_of(types, result_types[n]), result);
            space.made.push_back(next);
        }
        results_.exchange(space, number);
        const invocation call = invocation_of(number, space, inputs, {space.several.data(), result_types.size()});
        try {
            if constexpr (requires { observer.before_call(*called.op, call); }) observer.before_call(*called.op, call);
            invoke(number, call, result_types, space, pool);
            if constexpr (requires { observer.after_call(*called.op, call); }) observer.after_call(*called.op, call);
        } catch (...) {
            results_.exchange(space, number);
            if (space.alone) results_.give_back(space, pool, number, inputs);
            throw;
        }
        results_.exchange(space, number);
        for (std::size_t n = 0; n < result_types.size(); ++n) results_.settle(space, number, n, inputs);
        return {space.made.data(), space.made.size()};
    }

    /// Runs a chain on the inputs of the chain's step. Returns the cell of the result. The cell and the span are
    /// subject to the rules of `call`.
    ///
    /// Throws: as `call` does.
    std::span<cell*> call_chain(call_space& space, cell_pool& pool, const op_chain& chain,
                                const operand_values& inputs) {
        const operand_values first_inputs = inputs.first(chain.first_inputs);
        const op_call& called = calls_[chain.first_call];
        const type_table& types = called.in->types();
        const type_id type = called.in->type(called.call);
        const std::uint64_t size = bytes_of(types, type);
        space.steps.clear();
        for (const chain_link& link : chain.links) {
            space.steps.push_back(link.how);
            if (link.input == chain_link::no_input) continue;
            space.steps.back().other = carried(inputs[link.input]->value);
            space.steps.back().source = &link.source;
        }
        kernel::epilogue after(space.steps.all());
        space.made.clear();
        // A chain's result never shares memory, even if the first call's result may.
        cell* const planned = results_.planned(chain.first_call, 0);
        space.made.push_back(planned != nullptr ? planned
                                                : pool.take(size, results_.plan().result(chain.first_call, 0)));
        tensor& out = space.made[0]->value;
        try {
            const std::uint64_t elements = size / sizeof(float);
            for (const chain_link& link : chain.links)
                kernel::spend(steps_of_call +
                              steps_of_reading * elements * (link.input == chain_link::no_input ? 1 : 2) +
                              steps_of_writing * elements);
            if (chain.kernel_first) {
                invocation call = invocation_of(chain.first_call, space, first_inputs, {&out, 1});
                call.after = &after;
                invoke(chain.first_call, call, {&type, 1}, space, pool);
                if (out.is_shared()) { // the kernel's result shares an operand's memory
                    const tensor given = out;
                    make_result(types, type, out);
                    after.compute(carried(given), mutable_carried(out), 0, out.size());
                } else if (!after.taken()) {
                    apply(after.rest(), out, on_);
                }
            } else {
                make_result_of(called, space, pool, out);
                compute(after, chain.source, inputs[0]->value, out, on_);
            }
        } catch (...) {
            if (space.alone) results_.give_back(space, pool, chain.first_call, first_inputs);
            throw;
        }
        results_.settle(space, chain.first_call, 0, first_inputs);
        return {space.made.data(), 1};
    }

private:
    /// The state of one kernel for one call.
    struct kernel_state {
        std::shared_ptr<void> kept{};
        std::shared_ptr<void> prepared{};
    };

    struct call_state {
        std::uint32_t first_kernel = 0; // the index of the state of the call's first kernel
        std::uint32_t first_row = 0;    // the row of the first kernel that is tried
        decoded_attributes decoded{};
    };

    std::span<const kernel_row> rows_of(std::uint32_t number) const {
        return kernels_[calls_[number].kernels].rows.all();
    }

    /// Tries the kernels of a call in order until one supports the call. False if none does.
    bool run(std::uint32_t number, invocation& call) {
        const std::span<const kernel_row> rows = rows_of(number);
        const call_state& state = states_[number];
        for (std::size_t n = state.first_row; n < rows.size(); ++n) {
            kernel_state& own = kernel_states_[state.first_kernel + n];
            call.kept = &own.kept;
            call.prepared = own.prepared.get();
            if (rows[n].run(call)) return true;
        }
        return false;
    }

    void forget_states() {
        for (kernel_state& s : kernel_states_) s = {};
        for (call_state& s : states_) s.first_row = 0;
    }

    invocation invocation_of(std::uint32_t number, call_space& space, const operand_values& inputs,
                             std::span<tensor> results) {
        const op_call& called = calls_[number];
        space.read(inputs);
        return {.program = called.in,
                .attributes = called.in->call_attributes(called.call),
                .decoded = states_[number].decoded.get(),
                .inputs = space.inputs.all(),
                .type = called.in->type(called.call),
                .results = results,
                .on = on_,
                .expression = called.call};
    }

    static void make_result(const type_table& types, type_id type, tensor& out) {
        kernel::extents shape;
        for (const dim d : types.shape(type)) shape.push_back(d.value());
        out.reset(types.element(type), shape);
    }

    void make_result_of(const op_call& called, const call_space& space, cell_pool& pool, tensor& out) {
        try {
            within_allowance(space, pool, [&] {
                make_result(called.in->types(), called.in->type(called.call), out);
                return true;
            });
        } catch (const error& e) {
            locate(called, e);
        }
    }

    // Counts the call and the elements that it reads and writes. Kernels that do more work also call `kernel::spend`.
    static void spend_elements(const invocation& call) {
        std::uint64_t steps = steps_of_call;
        for (const tensor* t : call.inputs) steps += steps_of_reading * static_cast<std::uint64_t>(t->size());
        for (const tensor& t : call.results) steps += steps_of_writing * static_cast<std::uint64_t>(t.size());
        kernel::spend(steps);
    }

    // Calls `compute`. If memory runs out, frees unused memory and calls `compute` again.
    template <class F>
    bool within_allowance(const call_space& space, cell_pool& pool, const F& compute) {
        try {
            return compute();
        } catch (const kernel::beyond_allowance&) {
            if (!space.alone) throw lacks_memory{};
            forget_states();
            pool.forget_free();
        }
        return compute();
    }

    void invoke(std::uint32_t number, invocation call, std::span<const type_id> result_types, const call_space& space,
                cell_pool& pool) {
        const op_call& called = calls_[number];
        const type_table& types = called.in->types();
        try {
            if (rows_of(number).empty()) throw error(std::string(called.op->name), "has no kernel");
            if (!within_allowance(space, pool, [&] { return run(number, call); }))
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
    std::span<const op_kernels> kernels_;
    executor_ref on_;
    call_results results_;
    vector<call_state> states_; // indexed by call
    vector<kernel_state> kernel_states_;
};

} // namespace tutti::relay::inline TUTTI_FORM::detail
