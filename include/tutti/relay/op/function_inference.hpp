#pragma once

#include <tutti/error.hpp>
#include <tutti/relay/ir/bindings.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/located_error.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/type_agreement.hpp>
#include <tutti/relay/ir/type_text.hpp>
#include <tutti/relay/ir/walk.hpp>
#include <tutti/relay/op/call_inference.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tutti::relay {

/// Finds the type of every expression of one function; the function is changed only by `commit`.
///
/// Types run forward from the parameters' annotations; a type relation may also give its type to a variable
/// that has none, so what could not be known at first is asked again as long as something new is learnt.
///
/// Cost: linear in the graph for each such round, of which there is one if types only run forward. No
/// recursion.
class function_inference {
public:
    /// `type_of_global(name, table)` gives the type of a function of the module, as a type of that table, or
    /// none.
    ///
    /// Throws: `tutti::error` that names the operator, the argument and the types if something does not fit.
    template <class TypeOfGlobal>
    constexpr function_inference(function& f, const TypeOfGlobal& type_of_global)
        : f_(&f)
        , g_(&f.graph)
        , types_(f.graph.size(), type_id::none)
        , order_(post_order(f.graph, f.root))
        , bindings_(f.graph, order_) {
        try {
            infer(type_of_global);
        } catch (const error& e) {
            throw_at(*g_, looked_at_, e);
        }
    }

    /// Writes the types into the function; variables and functions without annotation get them as annotations
    /// too.
    constexpr void commit() {
        for (const expr_id e : order_) {
            const type_id type = types_[index(e)];
            g_->set_type(e, type);
            if (g_->kind(e) == expr_kind::variable) {
                if (g_->annotation(e) == type_id::none) g_->set_annotation(e, type);
            } else if (g_->kind(e) == expr_kind::function && g_->result_annotation(e) == type_id::none) {
                g_->set_result_annotation(e, g_->types().result(type));
            }
        }
    }

    /// The function's own type.
    constexpr type_id type() const { return types_[index(f_->root)]; }

private:
    constexpr type_id& type_of(expr_id e) { return types_[index(e)]; }
    constexpr std::string text(type_id t) const { return to_text(g_->types(), t); }

    template <class TypeOfGlobal>
    constexpr void infer(const TypeOfGlobal& type_of_global) {
        plain_vector<expr_id> pending = learn(order_, type_of_global);
        if (!pending.empty()) {
            while (!pending.empty()) {
                const plain_vector<expr_id> asked = std::exchange(pending, {});
                pending = learn(asked.all(), type_of_global);
                if (pending.size() == asked.size()) refuse_unknown(pending[0]);
            }
            check_calls();
        }
        check_result();
    }

    // Returns the expressions whose types are still not known.
    template <class TypeOfGlobal>
    constexpr plain_vector<expr_id> learn(std::span<const expr_id> expressions, const TypeOfGlobal& type_of_global) {
        for (const expr_id e : expressions) {
            looked_at_ = e;
            if (type_of(e) == type_id::none) type_of(e) = find(e, type_of_global);
            if (type_of(e) != type_id::none) bind(e);
        }
        plain_vector<expr_id> unknown;
        for (const expr_id e : expressions)
            if (is_unknown(e)) unknown.push_back(e);
        if (unknown.empty()) return unknown;
        // A use may have told the type of a variable that a let binds to another variable, or that another is
        // bound to.
        for (const expr_id e : order_) {
            if (g_->kind(e) != expr_kind::let) continue;
            type_id& variable = type_of(g_->operand(e, 0));
            type_id& value = type_of(g_->operand(e, 1));
            if (variable == type_id::none)
                variable = value;
            else if (value == type_id::none && g_->kind(g_->operand(e, 1)) == expr_kind::variable)
                value = variable;
        }
        plain_vector<expr_id> still;
        for (const expr_id e : unknown)
            if (is_unknown(e)) still.push_back(e);
        return still;
    }

    constexpr bool is_unknown(expr_id e) { return type_of(e) == type_id::none && g_->kind(e) != expr_kind::op; }

    // What is learnt of a variable is learnt of those that it is bound to, too: a chain of them takes no more rounds than one.
    constexpr void bind(expr_id value) {
        bind_once(value);
        while (!learnt_.empty()) {
            const expr_id variable = learnt_.back();
            learnt_.pop_back();
            bind_once(variable);
        }
    }

    constexpr void bind_once(expr_id value) {
        bindings_.for_each_variable(value, [&](expr_id variable) {
            type_id& known = type_of(variable);
            if (known == type_id::none) known = g_->annotation(variable);
            if (known == type_id::none) {
                known = type_of(value);
                learnt_.push_back(variable);
            } else if (!same(type_of(variable), type_of(value))) {
                throw error(variable_text(variable), "the value's type is " + text(type_of(value)),
                            text(type_of(variable)));
            } else {
                type_of(variable) = common(type_of(variable), type_of(value));
            }
        });
    }

    template <class TypeOfGlobal>
    constexpr type_id find(expr_id e, const TypeOfGlobal& type_of_global) {
        switch (g_->kind(e)) {
        case expr_kind::variable:
            return g_->annotation(e);
        case expr_kind::global:
            return type_of_global(g_->global_name(e), g_->types());
        case expr_kind::constant:
            return type_of_constant(*g_, g_->constant_value(e));
        case expr_kind::op:
            return type_id::none;
        case expr_kind::call:
            return g_->called_op(e) != nullptr ? infer_call(*g_, e, {types_.data(), types_.size()}) : type_of_call(e);
        case expr_kind::function:
            return type_of_function(e);
        case expr_kind::tuple:
            return type_of_tuple(e);
        case expr_kind::projection:
            return type_of_projection(e);
        case expr_kind::let:
            return type_of(g_->operand(e, 2));
        case expr_kind::conditional:
            return type_of_conditional(e);
        }
        return type_id::none;
    }

    constexpr type_id type_of_call(expr_id e) {
        const expr_id callee = g_->callee(e);
        const auto arguments = g_->arguments(e);
        if (g_->kind(callee) == expr_kind::function) { // its parameters may learn from the arguments
            const auto params = g_->params(callee);
            for (std::size_t i = 0; i < params.size() && i < arguments.size(); ++i)
                if (type_of(params[i]) == type_id::none) type_of(params[i]) = type_of(arguments[i]);
        }
        const type_id type = type_of(callee);
        if (type == type_id::none) return type_id::none;
        if (g_->types().kind(type) != type_kind::function)
            throw error("call", "the callee is of type " + text(type), "a function");
        const auto params = g_->types().params(type);
        if (params.size() != arguments.size()) {
            std::string problem = "called with ";
            append_number(problem, static_cast<std::int64_t>(arguments.size()));
            throw error("call of " + text(type), problem + " arguments");
        }
        for (std::size_t i = 0; i < params.size(); ++i) {
            type_id& given = type_of(arguments[i]);
            if (given == type_id::none && g_->kind(arguments[i]) == expr_kind::variable) given = params[i];
            if (given == type_id::none) return type_id::none;
            if (same(given, params[i])) continue;
            std::string where = "call, argument ";
            append_number(where, static_cast<std::int64_t>(i));
            throw error(std::move(where), "is of type " + text(given), text(params[i]));
        }
        return g_->types().result(type);
    }

    constexpr type_id type_of_function(expr_id e) {
        const type_id body = type_of(g_->body(e));
        const type_id declared = g_->result_annotation(e);
        type_id result = declared != type_id::none ? declared : body;
        if (result == type_id::none) return type_id::none;
        if (body != type_id::none && !same(body, result))
            throw error("function", "the body is of type " + text(body), text(result) + " as the function declares");
        if (body != type_id::none) result = common(result, body);
        plain_vector<type_id> params;
        for (const expr_id p : g_->params(e)) {
            if (type_of(p) == type_id::none) return type_id::none;
            params.push_back(type_of(p));
        }
        return g_->types().function(params.all(), result);
    }

    constexpr type_id type_of_tuple(expr_id e) {
        plain_vector<type_id> fields;
        for (const expr_id f : g_->operands(e)) {
            if (type_of(f) == type_id::none) return type_id::none;
            fields.push_back(type_of(f));
        }
        return g_->types().tuple(fields.all());
    }

    constexpr type_id type_of_projection(expr_id e) {
        const type_id type = type_of(g_->operand(e, 0));
        if (type == type_id::none) return type_id::none;
        std::string where = "field ";
        append_number(where, g_->field(e));
        if (g_->types().kind(type) != type_kind::tuple)
            throw error(std::move(where), "of a value of type " + text(type), "a tuple");
        const auto fields = g_->types().fields(type);
        if (g_->field(e) >= fields.size())
            throw error(std::move(where), "of a tuple of type " + text(type), "a smaller number");
        return fields[g_->field(e)];
    }

    constexpr type_id type_of_conditional(expr_id e) {
        const type_id condition = type_of(g_->operand(e, 0));
        if (condition != type_id::none && condition != g_->types().tensor({}, dtype::boolean))
            throw error("if, condition", "is of type " + text(condition), "bool");
        const type_id then = type_of(g_->operand(e, 1));
        const type_id otherwise = type_of(g_->operand(e, 2));
        if (then == type_id::none || otherwise == type_id::none) return then == type_id::none ? otherwise : then;
        if (!same(then, otherwise))
            throw error("if", "the branches are of types " + text(then) + " and " + text(otherwise), "one type");
        return common(then, otherwise);
    }

    constexpr bool same(type_id a, type_id b) const { return agree(g_->types(), a, b); }
    // What is said of a value that is of either type, or that two places speak of: as in the reference, not more than both say.
    constexpr type_id common(type_id a, type_id b) { return a == b ? a : common_type(g_->types(), a, b); }

    // Calls and lets were judged by what was known at the time.
    constexpr void check_calls() {
        for (const expr_id e : order_) {
            looked_at_ = e;
            if (g_->kind(e) == expr_kind::let) bind(g_->operand(e, 1));
            if (g_->kind(e) != expr_kind::call) continue;
            const type_id found =
                g_->called_op(e) != nullptr ? infer_call(*g_, e, {types_.data(), types_.size()}) : type_of_call(e);
            if (!same(found, type_of(e))) throw error("call", "is of type " + text(found), text(type_of(e)));
        }
    }

    // A conditional takes the type of the branch that is known (a recursive function's other branch is not,
    // at first).
    constexpr void check_result() {
        for (const expr_id e : order_) {
            looked_at_ = e;
            if (g_->kind(e) == expr_kind::conditional) type_of_conditional(e);
            if (g_->kind(e) == expr_kind::function) type_of_function(e);
        }
    }

    constexpr std::string variable_text(expr_id variable) const {
        return "%" + std::string(g_->variable_name(variable));
    }

    [[noreturn]] void refuse_unknown(expr_id e) {
        looked_at_ = e;
        if (g_->kind(e) == expr_kind::variable)
            throw error(variable_text(e), "has no type", "an annotation or a use that says it");
        if (g_->kind(e) == expr_kind::global)
            throw error("@" + std::string(g_->global_name(e)), "has no type",
                        "a function of the module, annotated if it is recursive");
        throw error("type inference", "the type of an expression cannot be found",
                    "annotations where the program starts");
    }

    function* f_;
    graph* g_;
    plain_vector<type_id> types_;
    std::vector<expr_id> order_;
    bindings bindings_;
    plain_vector<expr_id> learnt_;      // variables whose types were just learnt from their values
    expr_id looked_at_ = expr_id::none; // for errors to say where they are
};

} // namespace tutti::relay
