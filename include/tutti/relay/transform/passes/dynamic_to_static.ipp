#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/ir/bindings.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/rewrite.hpp>
#include <tutti/relay/op/attribute_edit.hpp>
#include <tutti/relay/op/dim_math.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/op/module_inference.hpp>
#include <tutti/relay/op/op_def.hpp>
#include <tutti/relay/transform/passes/dynamic_to_static.hpp>
#include <tutti/relay/transform/passes/fold_constant.hpp>
#include <tutti/relay/transform/passes/infer_type.hpp>
#include <tutti/relay/transform/rewrite/pass_notes.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

/// The rule of DynamicToStatic: an operator with arguments in place of attributes becomes the operator of the same name
/// with attributes if these arguments are constants.
class static_operators {
public:
    /// Prepares the rewriting of `f`. `keeps_result` is true if InferType uses the declared result type of `f` to type
    /// other functions.
    constexpr static_operators(const function& f, bool keeps_result, const pass_notes& notes)
        : notes_(&notes)
        , root_(f.root)
        , keeps_result_(keeps_result)
        , bindings_(f.graph, post_order(f.graph, f.root))
        , used_(bindings_.empty() ? 0 : f.graph.size(), 0) {}

    constexpr expr_id operator()(rewriter& r, expr_id e) {
        const graph& from = r.from();
        if (!used_.empty())
            for (const expr_id o : from.operands(e)) used_[index(o)] = 1;
        if (from.kind(e) == expr_kind::function && !is_recursive(e) &&
            !is_known(from.types(), from.result_annotation(e))) {
            // Without a declared result type, InferType may find a more precise one. A recursive function needs its
            // declared type.
            operands_.clear();
            for (const expr_id o : from.operands(e)) operands_.push_back(r[o]);
            const std::span<const expr_id> params(operands_.data(), operands_.size() - 1);
            return r.to().function(params, operands_.back(), type_id::none, from.function_attributes(e),
                                   from.type_params(e));
        }
        const expr_id made = from.called_op(e) != nullptr ? make(r, e) : expr_id::none;
        if (made == expr_id::none || !notes_->may_apply(from, e, "made static")) return r.rebuild(e);
        changed_ = true;
        notes_->applied(from, e, "made static");
        return made;
    }

    /// Emits a remark with the reason why a call stays dynamic. Requires: remarks are enabled.
    static constexpr void note_left(const graph& g, expr_id e, bool typed, const pass_notes& notes) {
        const op_def* op = g.called_op(e);
        if (op == nullptr || op->static_form.attributes.empty()) return;
        for (std::size_t i = 0; i < op->static_form.attributes.size(); ++i) {
            const std::size_t place = op->static_form.first + i;
            if (g.kind(g.arguments(e)[place]) != expr_kind::constant)
                return notes.missed(g, e, "its argument " + std::string(op->arguments[place]) + " is not constant");
        }
        if (op->static_form.fits != nullptr && !op->static_form.fits(g, e))
            return notes.missed(
                g, e, "its constants have values that " + std::string(op->static_form.op->name) + " does not accept");
        notes.missed(g, e,
                     typed ? "a constant cannot become an attribute: it has no element"
                           : "a branch of an if would be ill-typed");
    }

    /// True if any call changed.
    constexpr bool changed() const { return changed_; }

private:
    // True if a function is recursive. The value of a let is visited before its body, so a variable with a use at that
    // point is used in its own value.
    constexpr bool is_recursive(expr_id function) const {
        bool found = keeps_result_ && function == root_;
        bindings_.for_each_variable(function, [&](expr_id variable) { found = found || used_[index(variable)] != 0; });
        return found;
    }

    // True if all tensors in a type have known sizes. Computed for all types at once, because nested types may be
    // exponential in size.
    constexpr bool is_known(const type_table& types, type_id type) {
        for (std::uint32_t i = static_cast<std::uint32_t>(known_.size()); i < types.size(); ++i) {
            const type_id t{i};
            bool known = !types.is_tensor(t) || is_static(types.shape(t));
            for (const type_id part : types.members(t)) known = known && known_[index(part)] != 0;
            known_.push_back(known ? 1 : 0);
        }
        return type != type_id::none && known_[index(type)] != 0;
    }

    // Returns the static call; none for other operators or unknown arguments.
    constexpr expr_id make(rewriter& r, expr_id e) {
        const graph& g = r.from();
        const op_def& op = *g.called_op(e);
        const static_form& form = op.static_form;
        if (form.attributes.empty()) return expr_id::none;
        const auto arguments = g.arguments(e);
        for (const expr_id a : arguments.subspan(form.first, form.attributes.size()))
            if (g.kind(a) != expr_kind::constant) return expr_id::none;
        if (form.fits != nullptr && !form.fits(g, e)) return expr_id::none;
        const attribute_edit given(r.to(), op, g.call_attributes(e));
        attribute_edit made(r.to(), *form.op, attrs_id::none);
        operands_.clear();
        for (std::size_t i = 0; i < arguments.size(); ++i)
            if (i - form.first >= form.attributes.size() || form.attributes[i - form.first].empty())
                operands_.push_back(r[arguments[i]]);
        for (const attr_field& f : form.op->attributes) {
            std::size_t i = 0;
            while (i < form.attributes.size() && form.attributes[i] != f.name) ++i;
            if (i != form.attributes.size()) {
                const plain_vector<attr_value> said = values(f.type, g.constant_value(arguments[form.first + i]));
                if (said.empty()) return expr_id::none;
                made.set(f.name, said.all());
            } else if (given.has(f.name) && f.name != form.dropped) {
                made.set(f.name, given.values(f.name));
            }
        }
        return r.to().call(r.to().op(*form.op), operands_, made.commit());
    }

    // Converts a tensor to the values of an attribute. Empty if the tensor is empty but the attribute is one number.
    static constexpr plain_vector<attr_value> values(attr_type type, const tensor& t) {
        const bool floating = type == attr_type::floating || type == attr_type::floatings;
        plain_vector<attr_value> all;
        for_each_element(t, [&](auto x) {
            all.push_back(floating ? attr_value::of(static_cast<double>(x)) : attr_value::of(integer(x)));
        });
        if (type == attr_type::integer || type == attr_type::number || type == attr_type::floating) {
            if (!all.empty()) all.shorten(1);
            return all;
        }
        const std::size_t row = type == attr_type::lists ? 2 : 1; // each list is a pair
        plain_vector<attr_value> list{attr_value::list(all.size() / row)};
        for (std::size_t i = 0; i + row <= all.size(); i += row) {
            if (row == 2) list.push_back(attr_value::list(2));
            list.append(all.part(i, row));
        }
        return list;
    }

    // Limits a number, for example the end of a slice, to the largest dimension.
    template <class T>
    static constexpr dim integer(T x) {
        if constexpr (std::is_floating_point_v<T>) {
            constexpr T most = static_cast<T>(largest_dim);
            if (x != x) throw error("DynamicToStatic", "an argument that gives a shape is not a number");
            return x >= most ? largest_dim : x <= -most ? -largest_dim : static_cast<std::int64_t>(x);
        } else if constexpr (std::is_unsigned_v<T>) {
            return static_cast<std::uint64_t>(x) > std::uint64_t{largest_dim} ? largest_dim
                                                                              : static_cast<std::int64_t>(x);
        } else {
            return kernel::limited(x);
        }
    }

    template <class F>
    static constexpr void for_each_element(const tensor& t, F&& f) {
        kernel::with_element_type(t.type(), [&]<class T>(std::type_identity<T>) {
            const T* const elements = t.data<T>();
            for (std::int64_t i = 0; i < t.size(); ++i) {
                if constexpr (kernel::is_half<T>)
                    f(static_cast<float>(elements[i]));
                else
                    f(elements[i]);
            }
        });
    }

    const pass_notes* notes_;
    expr_id root_;
    bool keeps_result_;
    bindings bindings_;
    plain_vector<char> used_; // indexed by expression: used by a visited expression; empty without lets
    vector<expr_id> operands_;
    plain_vector<char> known_; // indexed by type
    bool changed_ = false;
};

/// Returns a flag for each function of a module: 1 if InferType needs the function's declared type, because a caller in
/// a cycle is typed first.
constexpr plain_vector<char> typed_by_declaration(const ir_module& m) {
    plain_vector<char> typed(m.size(), 0);
    plain_vector<char> declares(m.size(), 0);
    for (const std::size_t i : callees_first(m)) {
        const graph& g = m.begin()[static_cast<std::ptrdiff_t>(i)].function.graph;
        const bool names_any = kinds_of(g).has(expr_kind::global);
        for (std::uint32_t e = 0; names_any && e < g.size(); ++e)
            if (g.kind(expr_id{e}) == expr_kind::global) {
                const std::size_t callee = m.place_of(g.global_name(expr_id{e}));
                if (callee != m.size() && typed[callee] == 0) declares[callee] = 1;
            }
        typed[i] = 1;
    }
    return declares;
}

/// Makes the calls of a module static where the arguments are constant. Returns true if any call changed.
constexpr bool make_static(ir_module& m, const pass_notes& notes) {
    bool changed = false;
    const plain_vector<char> declares = typed_by_declaration(m);
    std::size_t i = 0;
    for (auto& [name, f] : m) {
        const pass_notes here = notes.in(name);
        static_operators rule(f, declares[i++] != 0, here);
        f = rewriter(f).rewrite(rule);
        changed = changed || rule.changed();
    }
    return changed;
}

/// True if the module stays well-typed when calls become static. A branch that does not run for
/// the known sizes may be ill-typed.
TUTTI_CONSTEXPR bool branches_stay_typed(const ir_module& m) {
    bool any = false;
    for (const auto& [name, f] : m) any = any || kinds_of(f.graph).has(expr_kind::conditional);
    if (!any) return true;
    try {
        ir_module made = m;
        if (make_static(made, {})) infer_types(made);
        return true;
    } catch (const error&) {
        return false;
    }
}

} // namespace detail

TUTTI_CONSTEXPR void dynamic_to_static::apply(ir_module& m, module_context&& ctx) const {
    const pass_notes& notes = ctx.notes();
    ir_module made = m;
    bool changed = true;
    bool typed = true;
    for (int round = 0; changed && round < most_rounds; ++round) {
        ctx.run(infer_type{}, made);
        ctx.run(fold_constant{}, made);
        typed = detail::branches_stay_typed(made);
        changed = typed && detail::make_static(made, notes);
    }
    ctx.run(infer_type{}, made);
    if (notes.misses_heard())
        for (const auto& [name, f] : made)
            for (const expr_id e : post_order(f.graph, f.root))
                detail::static_operators::note_left(f.graph, e, typed, notes.in(name));
    m = std::move(made);
}

} // namespace tutti::relay::inline TUTTI_FORM
