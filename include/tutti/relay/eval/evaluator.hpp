#pragma once

#include <tutti/error.hpp>
#include <tutti/nearest.hpp>
#include <tutti/relay/eval/cell_pool.hpp>
#include <tutti/relay/eval/leaves.hpp>
#include <tutti/relay/eval/lowering.hpp>
#include <tutti/relay/eval/program.hpp>
#include <tutti/relay/eval/reference.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/located_error.hpp>
#include <tutti/relay/ir/type_text.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/op/verify.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tutti::relay {

/// What an evaluator is told once.
struct evaluate_options {
    /// The function to evaluate.
    std::string_view entry = "main";
    /// How many calls of functions may be open at once: a recursion that does not end becomes an error there.
    std::size_t max_depth = 250'000;
};

/// A tensor that an evaluator takes. A parameter that is a tuple is several of them: `x.0`, `x.1`, ….
struct parameter {
    std::string name; ///< without `%`
    type_id type;     ///< in the evaluator's `types()`
};

/// An input for the parameter of that name.
struct named_input {
    std::string_view name; ///< without `%`
    const tensor* value = nullptr;
};

/// Sees no operator call.
struct no_observer {};

namespace detail {

/// Runs programs. Its values and frames are on the heap: nothing recurses.
class machine {
public:
    machine(ir_module m, const evaluate_options& options, kernel_function (*find)(const op_def&))
        : module_(std::make_unique<ir_module>(std::move(m)))
        , entry_(options.entry)
        , max_depth_(options.max_depth) {
        relay::verify(*module_);
        infer_types(*module_);
        program_ = lower(*module_, entry_, find);
        kept_.resize(program_.calls.size());
        shares_.resize(program_.calls.size(), 0);
        const function& f = *module_->find(entry_);
        const type_leaves leaves(f.graph.types());
        for (const expr_id v : f.graph.params(f.root))
            leaves.for_each(std::string(f.graph.variable_name(v)), f.graph.type(v),
                            [&](const std::string& name, type_id type) { add_parameter(name, type); });
        leaves.for_each(
            "result", f.graph.type(f.graph.body(f.root)), [&](const std::string& name, type_id type) {
                if (!types().is_tensor(type))
                    throw error(at_entry() + name, "is of type " + to_text(types(), type), "tensors");
                results_.emplace_back();
            });
        for (const program_constant& c : program_.constants) {
            cell* made = pool_.permanent();
            if (c.value != nullptr)
                made->value = *c.value;
            else
                made->code = c.code;
            constants_.push_back(made);
        }
    }

    const type_table& types() const { return module_->find(entry_)->graph.types(); }
    std::span<const parameter> parameters() const { return parameters_; }
    const ir_module& module() const { return *module_; }

    template <class Observer>
    std::span<const tensor> run(std::span<const tensor* const> inputs, Observer& observer) {
        check_inputs(inputs);
        for (tensor& r : results_) forget(r);
        pool_.rewind();
        for (std::size_t i = 0; i < inputs.size(); ++i)
            arguments_[i]->value.share(*inputs[i], inputs[i]->shape());
        const cleaner clean{this};
        enter(program_.entry, nullptr);
        for (cell* a : arguments_) push(a);
        complete(nullptr);
        while (!frames_.empty()) step(observer);
        return results_;
    }

private:
    struct frame {
        const code* in;
        std::size_t next; // the next step
        std::size_t base; // of its slots on the stack
    };

    // However a run ends: nothing of it is left on the stack, and the inputs are the caller's alone again.
    struct cleaner {
        machine* m;
        ~cleaner() {
            for (cell*& c : m->stack_)
                if (c != nullptr) m->pool_.release(c);
            m->stack_.clear();
            m->frames_.clear();
            m->leaving_.clear();
            for (cell* a : m->arguments_) forget(a->value);
        }
    };

    std::string at_entry() const { return "@" + entry_ + ": "; }

    static void forget(tensor& t) {
        const std::int64_t nothing[]{0};
        t.share(tensor{}, nothing);
    }

    void add_parameter(const std::string& name, type_id type) {
        if (!types().is_tensor(type))
            throw error(at_entry() + "parameter %" + name, "is of type " + to_text(types(), type),
                        "a tensor");
        parameters_.push_back({name, type});
        arguments_.push_back(pool_.permanent());
    }

    bool is_of(const tensor& t, const type_table& types, type_id type) const {
        const auto shape = types.shape(type);
        if (t.type() != types.element(type) || t.rank() != shape.size()) return false;
        for (std::size_t i = 0; i < shape.size(); ++i)
            if (!shape[i].is_any() && shape[i].value() != t.shape()[i]) return false;
        return true;
    }

    static std::string type_of(const tensor& t) {
        if (t.empty()) return "an empty tensor";
        type_table types;
        std::vector<dim> shape;
        for (const std::int64_t d : t.shape()) shape.push_back(d);
        return to_text(types, types.tensor(shape, t.type()));
    }

    void check_inputs(std::span<const tensor* const> inputs) const {
        if (inputs.size() != parameters_.size())
            throw error("@" + entry_, "is given " + std::to_string(inputs.size()) + " inputs",
                        std::to_string(parameters_.size()));
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            if (is_of(*inputs[i], types(), parameters_[i].type)) continue;
            throw error(at_entry() + "parameter %" + parameters_[i].name, "is given " + type_of(*inputs[i]),
                        to_text(types(), parameters_[i].type));
        }
    }

    // Calls.

    void push(cell* c) {
        stack_.push_back(c);
        ++c->users;
    }

    /// Opens a frame whose first slots are then pushed; `complete` makes the others.
    void enter(std::uint32_t target, const code* from) {
        const code& c = program_.codes[target];
        constexpr std::size_t most_values = std::size_t{1} << 27;
        if (frames_.size() >= max_depth_ || stack_.size() + c.slots > most_values)
            throw error("@" + (from != nullptr ? from->name : c.name),
                        "a call in it is " + std::to_string(frames_.size() + 1) + " calls deep, with " +
                            std::to_string(stack_.size() + c.slots) + " values",
                        "no more than " + std::to_string(max_depth_) + " calls and 2^27 values");
        frames_.push_back({&c, 0, stack_.size()});
    }

    void complete(cell* closure) {
        const frame& f = frames_.back();
        const code& c = *f.in;
        stack_.resize(f.base + c.slots, nullptr);
        const auto put = [&](operand slot, cell* value) {
            stack_[f.base + slot] = value;
            ++value->users;
        };
        for (std::size_t i = 0; i < c.captured.size(); ++i) put(c.captured[i], closure->captured[i]);
        if (c.self != nowhere) put(c.self, closure != nullptr ? closure : at(c.as_constant));
    }

    cell*& slot(operand o) { return stack_[frames_.back().base + o]; }
    cell* at(operand o) { return is_constant(o) ? constants_[o & ~constant_bit] : slot(o); }

    void put(operand o, cell* value) {
        if (o == nowhere)
            pool_.release(value);
        else
            slot(o) = value;
    }

    void release(const code& c, const instruction& i) {
        for (const operand o : c.released_by(i)) pool_.release(std::exchange(slot(o), nullptr));
    }

    template <class Observer>
    void step(Observer& observer) {
        frame& f = frames_.back();
        const code& c = *f.in;
        const instruction& i = c.instructions[f.next++];
        const auto inputs = c.inputs(i);
        switch (i.what) {
        case opcode::call_op:
            call_op(c, i, observer);
            release(c, i);
            break;
        case opcode::call_code:
            call(c, i, i.target, inputs, nullptr);
            break;
        case opcode::call_closure: {
            cell* closure = at(inputs.front());
            call(c, i, closure->code, inputs.subspan(1), closure);
            break;
        }
        case opcode::make_closure:
            leaving_.clear();
            for (const operand o : inputs) leaving_.push_back(at(o));
            put(c.outputs(i).front(), pool_.take_closure(i.target, leaving_));
            leaving_.clear();
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
            if (!at(inputs.front())->value.elements<bool>().front()) f.next = i.target;
            release(c, i);
            break;
        case opcode::release:
            release(c, i);
            break;
        case opcode::leave:
            leave(c, i);
            break;
        }
    }

    void call(const code& c, const instruction& i, std::uint32_t target, std::span<const operand> arguments,
              cell* closure) {
        const std::size_t base = frames_.back().base;
        enter(target, &c);
        for (const operand o : arguments)
            push(is_constant(o) ? constants_[o & ~constant_bit] : stack_[base + o]);
        complete(closure);
        for (const operand o : c.released_by(i)) pool_.release(std::exchange(stack_[base + o], nullptr));
    }

    void leave(const code& c, const instruction& i) {
        for (const operand o : c.inputs(i)) {
            leaving_.push_back(at(o));
            ++leaving_.back()->users;
        }
        release(c, i);
        stack_.resize(frames_.back().base);
        frames_.pop_back();
        if (frames_.empty()) {
            for (std::size_t n = 0; n < results_.size(); ++n) {
                results_[n].share(leaving_[n]->value, leaving_[n]->value.shape());
                pool_.release(leaving_[n]);
            }
        } else {
            const frame& f = frames_.back();
            const auto outputs = f.in->outputs(f.in->instructions[f.next - 1]);
            for (std::size_t n = 0; n < outputs.size(); ++n) put(outputs[n], leaving_[n]);
        }
        leaving_.clear();
    }

    // Operators.

    template <class Observer>
    void call_op(const code& c, const instruction& i, Observer& observer) {
        const op_call& called = program_.calls[i.target];
        const graph& g = *called.in;
        const auto outputs = c.outputs(i);
        const type_id type = g.type(called.call);
        const bool one = g.types().is_tensor(type);
        inputs_.clear();
        for (const operand o : c.inputs(i)) inputs_.push_back(&at(o)->value);
        made_.clear();
        for (std::size_t n = 0; n < outputs.size(); ++n)
            made_.push_back(shared_before(i.target, n)
                                ? pool_.take_borrowing()
                                : pool_.take(bytes_of(g.types(), one ? type : g.types().fields(type)[n])));
        if (!one) {
            several_.resize(std::max(several_.size(), outputs.size()));
            for (std::size_t n = 0; n < outputs.size(); ++n) std::swap(several_[n], made_[n]->value);
        }
        const invocation call{.program = &g,
                              .attributes = g.call_attributes(called.call),
                              .inputs = inputs_,
                              .type = type,
                              .results = one ? std::span(&made_.front()->value, 1)
                                             : std::span(several_).first(outputs.size()),
                              .kept = &kept_[i.target]};
        try {
            if constexpr (requires { observer.before_call(*called.op, call); })
                observer.before_call(*called.op, call);
            invoke(called, call);
            if constexpr (requires { observer.after_call(*called.op, call); })
                observer.after_call(*called.op, call);
        } catch (...) {
            for (std::size_t n = 0; n < outputs.size(); ++n) {
                if (!one) std::swap(several_[n], made_[n]->value);
                settle(c, i, n, nullptr);
                pool_.release(made_[n]);
            }
            throw;
        }
        for (std::size_t n = 0; n < outputs.size(); ++n) {
            if (!one) std::swap(several_[n], made_[n]->value);
            settle(c, i, n, &g);
        }
        // Only now, so that the next run, which knows who shares, finds as many cells.
        for (std::size_t n = 0; n < outputs.size(); ++n) put(outputs[n], made_[n]);
    }

    /// What is to be known of a result's memory: how much it is, or whose.
    void settle(const code& c, const instruction& i, std::size_t n, const graph* g) {
        cell* made = made_[n];
        if (!made->value.is_shared()) {
            made->capacity = made->value.capacity();
            return;
        }
        cell* owner = nullptr;
        for (const operand o : c.inputs(i))
            if (at(o)->value.same_elements(made->value)) owner = at(o);
        if (g != nullptr) shares_[i.target] |= bit_of(n);
        made_[n] = pool_.shared(made, owner, made_.size() - n);
    }

    static std::uint64_t bit_of(std::size_t result) {
        return std::uint64_t{1} << std::min<std::size_t>(result, 63);
    }
    bool shared_before(std::uint32_t call, std::size_t result) const {
        return (shares_[call] & bit_of(result)) != 0;
    }

    static std::size_t bytes_of(const type_table& types, type_id type) {
        if (!types.is_tensor(type)) return 0;
        const dim count = element_count(types.shape(type));
        return count.is_any() ? 0
                              : static_cast<std::size_t>(count.value()) * kernel::bytes(types.element(type));
    }

    void invoke(const op_call& called, const invocation& call) {
        const graph& g = *called.in;
        try {
            if (called.kernel == nullptr) throw error(std::string(called.op->name), "has no kernel");
            if (!called.kernel(call))
                throw error(std::string(called.op->name), "has no kernel for this case: " + of_inputs(call));
            const auto refuse = [&](const tensor& made, type_id type) {
                if (!is_of(made, g.types(), type))
                    throw error(std::string(called.op->name), "its kernel made " + type_of(made),
                                to_text(g.types(), type));
            };
            if (g.types().is_tensor(call.type)) return refuse(call.results.front(), call.type);
            for (std::size_t n = 0; n < call.results.size(); ++n)
                refuse(call.results[n], g.types().fields(call.type)[n]);
        } catch (const error& e) {
            locate(called, e);
        }
    }

    static std::string of_inputs(const invocation& call) {
        std::string text = "of";
        for (std::size_t i = 0; i < call.inputs.size(); ++i)
            text += (i == 0 ? " " : ", ") + type_of(call.input(i));
        return text;
    }

    [[noreturn]] void locate(const op_call& called, const error& e) const {
        std::string name;
        for (const auto& [each, f] : *module_)
            if (&f.graph == called.in) name = "@" + each + ": ";
        try {
            throw_at(*called.in, called.call, e);
        } catch (const error& located) {
            throw_within(name, located);
        }
    }

    std::unique_ptr<ir_module> module_;
    std::string entry_;
    std::size_t max_depth_;
    program program_;
    std::vector<parameter> parameters_;
    cell_pool pool_;
    std::vector<cell*> arguments_; // by parameter
    std::vector<cell*> constants_;
    std::vector<std::shared_ptr<void>> kept_; // by operator's call
    std::vector<std::uint64_t>
        shares_; // by operator's call: which of its results shared an input's memory, one bit each
    std::vector<tensor> results_;

    std::vector<cell*> stack_;
    std::vector<frame> frames_;
    std::vector<const tensor*> inputs_; // of the operator's call
    std::vector<cell*> made_;           // by it
    std::vector<tensor> several_;       // its results, if they are not one
    std::vector<cell*> leaving_;        // values on their way from a frame to another
};

} // namespace detail

/// Computes what a module's function computes, for any number of inputs one after the other.
///
/// The module is verified, its types are inferred, and it is made flat once. Every value's memory is used
/// again after its last use, and in the next run: a run with inputs of the same shapes as the one before
/// allocates nothing. Inputs and constants are never copied.
///
/// `Kernels` computes the operators.
///
/// Cost: that of the kernels, and about 50 ns for each of their calls; memory for the values that are needed
/// at the same time.
template <kernel_set Kernels = kernels::reference>
class evaluator {
public:
    /// Throws: `tutti::error` if the module is not in order, or the function takes or gives something else
    /// than tensors and tuples.
    explicit evaluator(ir_module m, const evaluate_options& options = {})
        : machine_(std::move(m), options, &Kernels::find) {}

    /// The tensors to give, in order.
    std::span<const parameter> parameters() const { return machine_.parameters(); }
    /// The table of the parameters' types.
    const type_table& types() const { return machine_.types(); }
    /// The module, with types.
    const ir_module& module() const { return machine_.module(); }

    /// The function's result for these inputs, by position. Tuples' fields come one after the other. The
    /// results are valid until the next run; a copy stays what it is.
    ///
    /// An observer's `before_call(const op_def&, const invocation&)` and `after_call(…)`, if it has them, see
    /// every call of an operator.
    ///
    /// Throws: `tutti::error` that names the parameter if an input does not fit; that names the operator if
    /// there is no kernel for a call,
    ///         or the kernel refuses it; if calls are too deep.
    template <class Observer = no_observer>
    std::span<const tensor> run(std::span<const tensor* const> inputs, Observer&& observer = {}) {
        return machine_.run(inputs, observer);
    }
    template <class Observer = no_observer>
    std::span<const tensor> run(std::span<const tensor> inputs, Observer&& observer = {}) {
        inputs_.clear();
        for (const tensor& t : inputs) inputs_.push_back(&t);
        return machine_.run(inputs_, observer);
    }
    /// The same for inputs by name, in any order.
    ///
    /// Throws: `tutti::error` that names an input that is no parameter's, or a parameter that has none, or
    /// has two.
    template <class Observer = no_observer>
    std::span<const tensor> run(std::span<const named_input> inputs, Observer&& observer = {}) {
        inputs_.assign(parameters().size(), nullptr);
        for (const named_input& given : inputs) place(given);
        for (std::size_t i = 0; i < inputs_.size(); ++i)
            if (inputs_[i] == nullptr)
                throw error("parameter %" + parameters()[i].name, "is given no input",
                            to_text(types(), parameters()[i].type));
        return machine_.run(inputs_, observer);
    }

private:
    void place(const named_input& given) {
        std::size_t at = parameters().size();
        for (std::size_t i = parameters().size(); i-- > 0;) {
            if (parameters()[i].name != given.name) continue;
            if (at != parameters().size())
                throw error("input %" + std::string(given.name), "is the name of several parameters",
                            "inputs by position");
            at = i;
        }
        if (at == parameters().size()) {
            nearest_name meant(given.name);
            for (const parameter& p : parameters()) meant.offer(p.name);
            throw error("input %" + std::string(given.name), "there is no such parameter",
                        meant.found().empty() ? std::string() : "%" + std::string(meant.found()));
        }
        if (inputs_[at] != nullptr) throw error("input %" + std::string(given.name), "is given twice");
        inputs_[at] = given.value;
    }

    detail::machine machine_;
    std::vector<const tensor*> inputs_;
};

} // namespace tutti::relay
