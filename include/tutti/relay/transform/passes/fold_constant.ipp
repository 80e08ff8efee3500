#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/eval/bounded_calls.hpp>
#include <tutti/relay/eval/kernel_set.hpp>
#include <tutti/relay/eval/kernels/annotation.hpp>
#include <tutti/relay/eval/reference.hpp>
#include <tutti/relay/ir/bindings.hpp>
#include <tutti/relay/ir/language.hpp>
#include <tutti/relay/ir/rewrite.hpp>
#include <tutti/relay/ir/walk.hpp>
#include <tutti/relay/op/annotation.hpp>
#include <tutti/relay/op/call_inference.hpp>
#include <tutti/relay/transform/function_pass.hpp>
#include <tutti/relay/transform/passes/fold_constant.hpp>
#include <tutti/relay/transform/rewrite/shared_limit.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

/// False if a graph certainly has nothing to fold. Visits each expression once.
constexpr bool may_fold(const graph& g) {
    plain_vector<char> constant(g.size(), 0); // indexed by expression: 1 for a constant or a tuple of constants
    const auto are_constant = [&](std::span<const expr_id> operands) {
        for (const expr_id o : operands)
            if (constant[index(o)] == 0) return false;
        return true;
    };
    for (std::uint32_t i = 0; i < g.size(); ++i) {
        const expr_id e{i};
        switch (g.kind(e)) {
        case expr_kind::constant:
            constant[i] = 1;
            break;
        case expr_kind::tuple:
            constant[i] = are_constant(g.operands(e));
            break;
        case expr_kind::op:
            if (&g.op_definition(e) == &definition<op::shape_of> ||
                &g.op_definition(e) == &definition<op::ndarray_size>)
                return true;
            break;
        case expr_kind::call:
            if (g.called_op(e) != nullptr && g.operand_count(e) > 1 && are_constant(g.arguments(e))) return true;
            break;
        case expr_kind::projection:
            if (g.kind(g.operand(e, 0)) == expr_kind::tuple) return true;
            break;
        case expr_kind::let:
            if (constant[index(g.operand(e, 1))] != 0) return true;
            break;
        case expr_kind::conditional:
            if (constant[index(g.operand(e, 0))] != 0) return true;
            break;
        default:
            break;
        }
    }
    return false;
}

/// The rule of FoldConstant: constant expressions of the new graph become constants.
class constant_folder {
public:
    /// `calls` limits the calls of kernels, and is null if there is no limit.
    constexpr constant_folder(const rewriter& r, const kernel_set& kernels, bool fold_qnn, bounded_calls* calls,
                              const pass_notes& notes)
        : bindings_(r.from(), r.order())
        , left_alone_(in_primitive_functions(r.from(), r.order().back()))
        , kernels_(&kernels)
        , fold_qnn_(fold_qnn)
        , may_have_effects_(may_have_effects(r.from(), r.order().back()))
        , calls_(calls)
        , notes_(&notes) {}

    constexpr expr_id operator()(rewriter& r, expr_id e) {
        const expr_id made = left_alone_.contain(e) ? r.rebuild(e) : fold(r, e);
        if (r.to().kind(made) == expr_kind::constant && !bindings_.empty()) fold_variables(r, e, made);
        return made;
    }

private:
    // Replaces variables bound to a constant, and in turn variables bound to those variables.
    constexpr void fold_variables(rewriter& r, expr_id value, expr_id constant) {
        known_.assign(1, value);
        while (!known_.empty()) {
            const expr_id bound = known_.back();
            known_.pop_back();
            bindings_.for_each_variable(bound, [&](expr_id variable) {
                if (left_alone_.contain(variable) || r[variable] == constant) return;
                if (!notes_->may_apply(r.from(), variable, "let")) return;
                r.replace(variable, constant);
                known_.push_back(variable);
            });
        }
    }

    constexpr expr_id fold(rewriter& r, expr_id e) {
        const graph& from = r.from();
        switch (from.kind(e)) {
        case expr_kind::variable: // already replaced if another use of its value came first
            return r[e] != expr_id::none ? r[e] : r.rebuild(e);
        case expr_kind::call:
            return from.called_op(e) != nullptr ? fold_call(r, e) : r.rebuild(e);
        case expr_kind::projection: {
            const expr_id tuple = r[from.operand(e, 0)];
            const bool known = r.to().kind(tuple) == expr_kind::tuple && from.field(e) < r.to().operand_count(tuple);
            if (known && may_have_effects_ && !is_only_looked_at(r.to(), tuple)) return r.rebuild(e);
            if (!known) return r.rebuild(e); // InferType rejects other fields
            return notes_->may_apply(from, e, "field") ? r.to().operand(tuple, from.field(e)) : r.rebuild(e);
        }
        case expr_kind::let: // removed, unless a primitive function needs the variable
            return r.to().kind(r[from.operand(e, 0)]) == expr_kind::constant ? r[from.operand(e, 2)] : r.rebuild(e);
        case expr_kind::conditional: {
            const expr_id condition = r[from.operand(e, 0)];
            if (r.to().kind(condition) != expr_kind::constant) return r.rebuild(e);
            const tensor& value = r.to().constant_value(condition);
            if (value.type() != dtype::boolean || value.size() != 1) return r.rebuild(e); // InferType rejects it
            if (!notes_->may_apply(from, e, "if")) return r.rebuild(e);
            return r[from.operand(e, value.data<bool>()[0] ? 1 : 2)];
        }
        default:
            return r.rebuild(e);
        }
    }

    constexpr expr_id fold_call(rewriter& r, expr_id e) {
        const graph& from = r.from();
        graph& to = r.to();
        const auto arguments = from.arguments(e);
        const op_def& op = *from.called_op(e);
        if (arguments.empty()) return r.rebuild(e);
        if (op.stateful || (!fold_qnn_ && op.name.starts_with("qnn."))) {
            if (notes_->misses_heard() && is_all_constant(r, e))
                notes_->missed(from, e, op.stateful ? "has a state" : "is folded with fold_qnn only");
            return r.rebuild(e);
        }
        if (calls<op::shape_of>(from, e) || calls<op::ndarray_size>(from, e))
            if (const expr_id shape = fold_shape(r, e); shape != expr_id::none) {
                if (!notes_->may_apply(from, e, "folded")) return r.rebuild(e);
                notes_->applied(from, e, "folded");
                return shape;
            }
        inputs_.clear();
        for (const expr_id a : arguments)
            if (!collect(to, r[a])) {
                if (notes_->misses_heard()) note_parameter(r, e);
                return r.rebuild(e);
            }

        if (op_ != &op) {
            op_ = &op;
            its_kernels_ = kernels_->only(op);
        }
        const bool computable = computes(its_kernels_, op);
        const expr_id call = r.rebuild(e);
        const type_id type = computable ? infer_call(to, call, types_) : type_id::none;
        if (type == type_id::none || !has_known_shape(to.types(), type)) {
            notes_->missed(from, e, computable ? "the shape depends on values" : "there is no kernel for it");
            return call;
        }
        const bool one = to.types().kind(type) == type_kind::tensor;
        vector<tensor> results(one ? 1 : to.types().fields(type).size());
        if (!evaluate(op, {.program = &to,
                           .attributes = to.call_attributes(call),
                           .inputs = inputs_,
                           .type = type,
                           .results = results})) {
            notes_->missed(from, e,
                           refused_  ? "max_bytes or max_work is not enough for the result"
                           : failed_ ? "the kernel refuses its operands"
                                     : "the kernel does not know the case");
            return call;
        }
        if (!notes_->may_apply(from, e, "folded")) return call;
        notes_->applied(from, e, "folded");
        if (one) return to.constant(std::move(results[0]));
        vector<expr_id> fields;
        for (tensor& result : results) fields.push_back(to.constant(std::move(result)));
        return to.tuple(fields);
    }

    // True if all fields of a tuple are variables or constants: dropping such a field drops no side effect.
    static constexpr bool is_only_looked_at(const graph& g, expr_id tuple) {
        for (const expr_id field : g.operands(tuple))
            if (g.kind(field) != expr_kind::variable && g.kind(field) != expr_kind::constant) return false;
        return true;
    }

    // True if the call was evaluated within the limits. A kernel may refuse its operands, for example for an index out
    // of range. The call then stays, and fails at run time if it is reached.
    constexpr bool evaluate(const op_def& op, const invocation& call) {
        if (calls_ == nullptr) return compute(its_kernels_, op, call);
        const std::uint32_t before = calls_->refused();
        bool done = false;
        failed_ = false;
        try {
            done = (*calls_)(its_kernels_, op, call);
        } catch (const error&) {
            failed_ = true;
        }
        refused_ = calls_->refused() != before;
        return done;
    }

    static constexpr bool is_all_constant(const rewriter& r, expr_id e) {
        for (const expr_id a : r.from().arguments(e))
            if (r.to().kind(r[a]) != expr_kind::constant) return false;
        return true;
    }

    // Emits a remark if all arguments of a call are constants except one, which is a parameter. Requires: remarks are
    // enabled.
    constexpr void note_parameter(const rewriter& r, expr_id e) {
        const graph& from = r.from();
        if (parameters_.size() == 0) {
            parameters_.assign(from.size(), 0);
            for (const expr_id f : r.order())
                if (from.kind(f) == expr_kind::function)
                    for (const expr_id p : from.params(f)) parameters_[index(p)] = 1;
        }
        expr_id parameter = expr_id::none;
        std::size_t constants = 0;
        for (const expr_id a : from.arguments(e)) {
            if (r.to().kind(r[a]) == expr_kind::constant)
                ++constants;
            else if (parameters_[index(a)] != 0)
                parameter = a;
        }
        if (parameter != expr_id::none && constants != 0 && constants + 1 == from.arguments(e).size())
            notes_->missed(from, e,
                           "not constant, because of the parameter %" + std::string(from.variable_name(parameter)));
    }

    // Returns the shape or size of a tensor as a constant if the inferred type gives it, even if the tensor itself is
    // unknown; otherwise none.
    static constexpr expr_id fold_shape(rewriter& r, expr_id e) {
        const graph& from = r.from();
        const type_id type = from.type(from.arguments(e)[0]);
        const dtype element = get_attributes<shape_of_attributes>(from, from.call_attributes(e)).dtype;
        if (type == type_id::none || from.types().kind(type) != type_kind::tensor || element == dtype::none)
            return expr_id::none;
        const auto shape = from.types().shape(type);
        if (!is_static(shape)) return expr_id::none;
        return r.to().constant(calls<op::shape_of>(from, e) ? kernels::shape_tensor(shape, element)
                                                            : kernels::size_tensor(shape, element));
    }

    // True if the shapes of a tensor or a tuple of tensors do not depend on values.
    static constexpr bool has_known_shape(const type_table& types, type_id type) {
        if (types.is_tensor(type)) return is_static(types.shape(type));
        for (const type_id field : types.fields(type))
            if (!types.is_tensor(field) || !is_static(types.shape(field))) return false;
        return true;
    }

    // Appends the values and types of a constant, or of a tuple of constants, to the inputs. False for other
    // expressions.
    constexpr bool collect(graph& to, expr_id e) {
        if (to.kind(e) == expr_kind::constant) {
            inputs_.push_back(&to.constant_value(e));
            note(to, e, type_of_constant(to, *inputs_.back()));
            return true;
        }
        if (to.kind(e) != expr_kind::tuple) return false;
        plain_vector<type_id> fields;
        for (const expr_id field : to.operands(e)) {
            if (to.kind(field) != expr_kind::constant) return false;
            inputs_.push_back(&to.constant_value(field));
            fields.push_back(type_of_constant(to, *inputs_.back()));
        }
        note(to, e, to.types().tuple(fields));
        return true;
    }

    constexpr void note(const graph& to, expr_id e, type_id type) {
        if (types_.size() < to.size()) types_.resize(to.size(), type_id::none);
        types_[index(e)] = type;
    }

    bindings bindings_;
    plain_vector<expr_id> known_; // work list: expressions with a known value whose variables are not replaced yet
    enclosed_expressions left_alone_;
    plain_vector<type_id> types_; // indexed by new expression: the types of constants
    const kernel_set* kernels_;
    const op_def* op_ = nullptr; // the operator of the last call
    kernel_set its_kernels_{};
    bool fold_qnn_;
    bool may_have_effects_;
    bounded_calls* calls_;
    bool failed_ = false;          // the kernel of the last call threw
    bool refused_ = false;         // the last call exceeded the limits
    vector<const tensor*> inputs_; // pointers are valid until a constant is added
    const pass_notes* notes_;
    plain_vector<char> parameters_; // indexed by expression: true for a parameter; empty until needed
};

// Returns the size in bytes of all constants of a module.
inline std::uint64_t bytes_of_constants(const ir_module& m) {
    std::uint64_t bytes = 0;
    for (const auto& [name, f] : m)
        for (const tensor& t : f.graph.constants())
            bytes += static_cast<std::uint64_t>(t.size()) * kernel::bytes(t.type());
    return bytes;
}

// FoldConstant with its options.
class constant_folding {
public:
    constexpr constant_folding(const fold_limits& limits, const kernel_set& kernels)
        : limits_(limits), kernels_(&kernels) {}

    // Folds functions in sequence, with one limit for all of them.
    constexpr void fold(ir_module& m, module_context& ctx, bounded_calls* calls) const {
        const auto fold_one = [this, calls](const function& f, const pass_notes& notes) {
            if (!notes.misses_heard() && !may_fold(f.graph)) return function{};
            rewriter r(f);
            return r.rewrite(constant_folder(r, *kernels_, limits_.fold_qnn, calls, notes));
        };
        exchange_and_infer(m, ctx, transformed(m, pass_notes(ctx), skipping_unselected(fold_one)));
    }

    void fold_within(ir_module& m, module_context& ctx) const {
        const std::uint64_t there = bytes_of_constants(m);
        const std::uint64_t most = there > ~limits_.max_bytes ? ~std::uint64_t{0} : limits_.max_bytes + there;
        if (ctx.runs_at_once(m.size()) && !ctx.notes().used() && fold_at_once(m, ctx, most)) return;
        bounded_calls calls = calls_within(most);
        fold(m, ctx, &calls);
        internal::note_limit_used(calls.most_bytes_taken(), limits_.max_bytes);
    }

private:
    bounded_calls calls_within(std::uint64_t bytes) const {
        return {{"FoldConstant", "bytes of constants", "max_bytes", bytes},
                {"FoldConstant", "steps for a constant", "max_work", limits_.max_work}};
    }

    // Folds functions in parallel. If their constants together might exceed the limit, changes nothing and returns
    // false, because the limit applies to functions in sequence. Emits no remarks, since the result may be discarded.
    bool fold_at_once(ir_module& m, module_context& ctx, std::uint64_t most) const {
        std::uint64_t kept = 0, taken = 0;
        bool refused = false;
        vector<function> made = transformed(m, ctx, [&](const function& f, const pass_notes& notes) {
            if (is_left_alone(f) || !may_fold(f.graph) || notes.stop_requested()) return function{};
            bounded_calls calls = calls_within(most / 2);
            rewriter r(f);
            function folded = r.rewrite(constant_folder(r, *kernels_, limits_.fold_qnn, &calls, notes));
            __atomic_add_fetch(&kept, calls.bytes_taken(), __ATOMIC_RELAXED);
            __atomic_add_fetch(&taken, calls.most_bytes_taken(), __ATOMIC_RELAXED);
            if (calls.refused() != 0) __atomic_store_n(&refused, true, __ATOMIC_RELAXED);
            return folded;
        });
        if (refused || kept > most / 2) return false;
        internal::note_limit_used(taken, limits_.max_bytes);
        exchange_and_infer(m, ctx, std::move(made));
        return true;
    }

    fold_limits limits_;
    const kernel_set* kernels_;
};

TUTTI_CONSTEXPR void fold_constants(ir_module& m, module_context&& ctx, const fold_limits& limits,
                                    const kernel_set& kernels) {
    const constant_folding folding(limits, kernels);
#ifndef TUTTI_COMPILED
    if (__builtin_is_constant_evaluated()) return folding.fold(m, ctx, nullptr);
#endif
    folding.fold_within(m, ctx);
}

} // namespace detail

} // namespace tutti::relay::inline TUTTI_FORM
