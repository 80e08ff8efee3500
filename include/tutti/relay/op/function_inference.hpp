#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/relay/ir/bindings.hpp>
#include <tutti/relay/ir/data_types.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/located_error.hpp>
#include <tutti/relay/ir/match.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/verify.hpp>
#include <tutti/relay/ir/walk.hpp>
#include <tutti/relay/op/call_inference.hpp>
#include <tutti/relay/op/known_types.hpp>
#include <tutti/relay/op/match_coverage.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

/// Infers the type of every expression of one function. Only `commit` changes the function.
///
/// Types propagate forward from the parameters' annotations. A type relation may also set the type of a variable, so
/// inference repeats until no new types are found.
///
/// Cost: linear in the graph per round; one round if types only propagate forward. No recursion.
class function_inference : known_types {
public:
    /// Infers the types. `type_of_global(name, table)` returns the type of a function of the module as a type of
    /// `table`, or none. `known` holds the module's data types.
    ///
    /// Throws: `tutti::error` that names the operator, the argument and the types if the types do not fit.
    template <class TypeOfGlobal>
    constexpr function_inference(function& f, const TypeOfGlobal& type_of_global, const data_types& known)
        : known_types(f.graph), f_(&f), data_types_(&known) {
        if (infer_forward(type_of_global)) return;
        begin_again();
        try {
            infer(type_of_global);
        } catch (const error& e) {
            throw_at(*g_, looked_at_, e);
        }
    }

    /// Stores the types in the function. Variables and functions without annotations also get annotations.
    constexpr void commit() {
        for (const expr_id e : order_) commit(e);
        for (std::uint32_t i = 0; i < forward_.size(); ++i)
            if (forward_[i] != 0) commit(expr_id{i});
    }

    /// Returns the function's type.
    constexpr type_id type() const { return types_[index(f_->root)]; }

private:
    constexpr void commit(expr_id e) {
        const type_id type = types_[index(e)];
        g_->set_type(e, type);
        if (g_->kind(e) == expr_kind::variable) {
            if (is_open(g_->annotation(e))) g_->set_annotation(e, type);
        } else if (g_->kind(e) == expr_kind::function && is_open(g_->result_annotation(e))) {
            g_->set_result_annotation(e, g_->types().result(function_of(type)));
        }
    }

    // Infers types in the order of ids, which is fastest. Any order gives the same types if each type follows from the
    // types of the operands. False if a type does not, or if types do not fit. Inference in post-order then finds the
    // first error.
    template <class TypeOfGlobal>
    constexpr bool infer_forward(const TypeOfGlobal& type_of_global) {
        using enum expr_kind;
        kind_set kinds;
        forward_ = for_each_from(*g_, f_->root, [&](expr_id e) { kinds.add(g_->kind(e)); });
        if (kinds.has(let, match, constructor, ref_create, ref_read, ref_write)) return false;
        try {
            for (std::uint32_t i = 0; i < forward_.size(); ++i) {
                if (forward_[i] == 0) continue;
                const expr_id e{i};
                const expr_kind kind = g_->kind(e);
                type_id type = kind == call ? calls_.known(*g_, e, types_.all()) : type_id::none;
                if (type == type_id::none) type = find(e, type_of_global);
                if (type == type_id::none && kind != op) return false;
                types_[i] = type;
            }
        } catch (const error&) {
            return false;
        }
        return !uses_unifier_;
    }

    constexpr void begin_again() {
        forget_types();
        forward_ = {};
        order_ = post_order(*g_, f_->root);
        joins_ = joins_of(*g_, order_);
        bindings_ = bindings(*g_, order_);
    }

    // Returns the functions, conditionals and matches among the expressions.
    static constexpr plain_vector<expr_id> joins_of(const graph& g, std::span<const expr_id> order) {
        plain_vector<expr_id> joins;
        for (const expr_id e : order) {
            const expr_kind kind = g.kind(e);
            if (kind == expr_kind::function || kind == expr_kind::conditional || kind == expr_kind::match)
                joins.push_back(e);
        }
        return joins;
    }

    template <class TypeOfGlobal>
    constexpr void infer(const TypeOfGlobal& type_of_global) {
        note_patterns();
        plain_vector<expr_id> pending = learn(order_, type_of_global);
        if (!pending.empty()) {
            while (!pending.empty()) {
                const plain_vector<expr_id> asked = std::exchange(pending, {});
                unifier_.begin_round();
                pending = learn(asked.all(), type_of_global);
                if (pending.size() == asked.size() && !unifier_.has_learnt() && !give_incomplete(pending[0]))
                    refuse_unknown(pending[0]);
            }
            resolve_all();
            check_calls();
        }
        resolve_all();
        check_result();
    }

    // Gives unannotated parameters incomplete types, which uses of the function can determine. Called when no other
    // type can be found. False if there are no such parameters, or if this has been done before.
    constexpr bool give_incomplete(expr_id unknown) {
        looked_at_ = unknown;
        if (std::exchange(incomplete_given_, true)) return false;
        bool any = false;
        for (const expr_id e : joins_) {
            if (g_->kind(e) != expr_kind::function || e == f_->root) continue;
            for (const expr_id p : g_->params(e))
                if (type_of(p) == type_id::none) {
                    type_of(p) = unifier_.fresh();
                    uses_unifier_ = any = true;
                }
        }
        return any;
    }

    // Replaces incomplete types with their solutions. An unsolved type is an error, unless the function's result does
    // not depend on the type.
    constexpr void resolve_all() {
        if (!uses_unifier_) return;
        for (const expr_id e : order_) {
            if (type_of(e) == type_id::none || !g_->types().is_incomplete(type_of(e))) continue;
            looked_at_ = e;
            type_of(e) = unifier_.resolve(type_of(e));
            if (!g_->types().is_incomplete(type_of(e))) continue;
            if (needed_.empty()) needed_ = needed_through_lets(*g_, f_->root, order_);
            if (needed_[index(e)] != 0)
                throw error(describe(*g_, e), "is of type " + text(type_of(e)) + ", part of which cannot be inferred",
                            "an annotation or a use that determines it");
        }
    }

    // Infers types from the types known so far. Returns the expressions whose types are still unknown.
    template <class TypeOfGlobal>
    constexpr plain_vector<expr_id> learn(std::span<const expr_id> expressions, const TypeOfGlobal& type_of_global) {
        bool all_known = true;
        for (const expr_id e : expressions) {
            looked_at_ = e;
            if (type_of(e) == type_id::none) type_of(e) = find(e, type_of_global);
            if (type_of(e) != type_id::none)
                bind(e);
            else if (g_->kind(e) != expr_kind::op)
                all_known = false;
        }
        if (uses_unifier_) check_joins();
        plain_vector<expr_id> unknown;
        if (all_known) return unknown;
        for (const expr_id e : expressions)
            if (is_unknown(e)) unknown.push_back(e);
        if (unknown.empty()) return unknown;
        // If a let binds a variable to another variable, the known type of either determines the other's type.
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

    // Passes the value's type on to the variables bound to it, and from these to further variables, in a single round.
    constexpr void bind(expr_id value) {
        if (bindings_.empty()) return;
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
            return type_of_variable(e);
        case expr_kind::global:
            return type_of_global(g_->global_name(e), g_->types());
        case expr_kind::constructor:
            return type_of_constructor(g_->global_name(e));
        case expr_kind::match:
            return type_of_match(e);
        case expr_kind::ref_create:
            return is_none(0, e) ? type_id::none : g_->types().reference(type_of(g_->operand(e, 0)));
        case expr_kind::ref_read:
            return is_none(0, e) ? type_id::none : referred(e);
        case expr_kind::ref_write:
            return type_of_write(e);
        case expr_kind::constant:
            return type_of_constant(*g_, g_->constant_value(e));
        case expr_kind::op:
            return type_id::none;
        case expr_kind::call:
            return type_of_any_call(e);
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

    constexpr type_id type_of_any_call(expr_id e) {
        const op_def* const op = g_->called_op(e);
        if (op == nullptr) return type_of_call(e);
        if (uses_unifier_) return type_of_open_call(e, *op);
        return calls_.infer(*g_, e, *op, {types_.data(), types_.size()});
    }

    // Infers a call with arguments of incomplete types, which relations do not support. The relation sees these types
    // as unknown. They are then unified with the types that the relation sets.
    constexpr type_id type_of_open_call(expr_id e, const op_def& op) {
        struct hidden {
            expr_id e;
            type_id type;
        };
        plain_vector<hidden> open;
        for (const expr_id a : g_->arguments(e)) {
            if (type_of(a) == type_id::none || !g_->types().is_incomplete(type_of(a))) continue;
            type_of(a) = unifier_.resolve(type_of(a));
            if (!g_->types().is_incomplete(type_of(a))) continue;
            open.push_back({a, type_of(a)});
            type_of(a) = type_id::none;
        }
        const type_id made = infer_call(*g_, e, op, {types_.data(), types_.size()});
        for (const hidden& h : open) {
            const type_id said = std::exchange(type_of(h.e), h.type);
            if (said != type_id::none && said != h.type && !same(h.type, said))
                throw error("call", "an argument is of type " + text(h.type), text(said));
        }
        return made;
    }

    constexpr type_id type_of_call(expr_id e) {
        const expr_id callee = g_->callee(e);
        const auto arguments = g_->arguments(e);
        if (g_->kind(callee) == expr_kind::function) { // the arguments may determine the parameters' types
            const auto params = g_->params(callee);
            for (std::size_t i = 0; i < params.size() && i < arguments.size(); ++i)
                if (type_of(params[i]) == type_id::none) type_of(params[i]) = type_of(arguments[i]);
        }
        type_id type = type_of(callee);
        if (type == type_id::none) return type_id::none;
        if (!g_->types().is_plain(type)) type = called_type(type, arguments);
        if (type == type_id::none) return type_id::none;
        if (g_->types().kind(type) != type_kind::function)
            throw error("call", "the callee is of type " + text(type), "a function");
        plain_vector<type_id> params;
        params.append(g_->types().params(type));
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
        return resolved(g_->types().result(type));
    }

    // Returns the function type of a generic or incomplete callee for these arguments, or none if a type is unknown.
    constexpr type_id called_type(type_id type, std::span<const expr_id> arguments) {
        uses_unifier_ = true;
        type = unifier_.known(type);
        if (g_->types().kind(type) == type_kind::generic) return unifier_.instance(type);
        if (g_->types().kind(type) != type_kind::incomplete) return type;
        plain_vector<type_id> given;
        for (const expr_id a : arguments) {
            if (type_of(a) == type_id::none) return type_id::none;
            given.push_back(type_of(a));
        }
        const type_id function = g_->types().function(given.all(), unifier_.fresh());
        unifier_.unify(type, function);
        return function;
    }

    constexpr type_id type_of_constructor(std::string_view name) {
        const std::uint32_t c = data_types_->find_constructor(name);
        if (c == data_types::none)
            throw error("constructor " + std::string(name), "is not defined", "a constructor of a type of the module");
        return data_types_->constructor_type(c, g_->types());
    }

    // Returns the type of the value to which the reference in operand 0 refers.
    constexpr type_id referred(expr_id e) {
        const type_id given = resolved(type_of(g_->operand(e, 0)));
        if (g_->types().kind(given) == type_kind::reference) return g_->types().members(given)[0];
        uses_unifier_ = true;
        const type_id value = unifier_.fresh();
        if (!unifier_.unify(given, g_->types().reference(value)))
            throw error(describe(*g_, e), "is of a value of type " + text(given), "a reference");
        return value;
    }

    constexpr type_id type_of_write(expr_id e) {
        if (is_none(0, e)) return type_id::none;
        const type_id wanted = referred(e);
        type_id& given = type_of(g_->operand(e, 1));
        if (given == type_id::none && g_->kind(g_->operand(e, 1)) == expr_kind::variable) given = wanted;
        if (given != type_id::none && !same(given, wanted))
            throw error(describe(*g_, e), "the value is of type " + text(given), text(wanted));
        return given == type_id::none ? given : g_->types().tuple({});
    }

    // Matches. The type of the data determines the types of the patterns' variables.

    constexpr void note_patterns() {
        for (const expr_id e : joins_) {
            if (g_->kind(e) != expr_kind::match) continue;
            if (match_of_.empty()) match_of_.assign(g_->size(), expr_id::none);
            for_each_bound(*g_, e, [&](std::size_t i) { match_of_[index(g_->operand(e, i))] = e; });
        }
    }

    constexpr type_id type_of_variable(expr_id e) {
        if (is_open(g_->annotation(e)) && g_->annotation(e) != type_id::none) uses_unifier_ = true;
        if (match_of_.empty() || match_of_[index(e)] == expr_id::none) return g_->annotation(e);
        bind_patterns(match_of_[index(e)]);
        return type_of(e) != type_id::none ? type_of(e) : g_->annotation(e);
    }

    constexpr void bind_patterns(expr_id e) {
        if (is_none(0, e)) return;
        plain_vector<type_id> rest; // types for the remaining parts of the pattern, in reverse order
        for_each_clause(*g_, e, [&](const match_clause& c) {
            rest.clear();
            rest.push_back(type_of(g_->operand(e, 0)));
            std::size_t variable = c.first_variable;
            for (auto pattern = c.pattern; !pattern.empty(); pattern = pattern.subspan(pattern_head(pattern))) {
                const type_id t = rest.back();
                rest.pop_back();
                if (kind_of_pattern(pattern) == pattern_kind::variable)
                    bind_variable(g_->operand(e, variable++), t);
                else if (kind_of_pattern(pattern) != pattern_kind::wildcard)
                    add_fields(e, pattern, t, rest);
            }
        });
    }

    constexpr void bind_variable(expr_id variable, type_id t) {
        const type_id declared = g_->annotation(variable);
        if (declared != type_id::none && !same(declared, t))
            throw error(variable_text(variable), "the value's type is " + text(resolved(t)), text(declared));
        type_id& known = type_of(variable);
        if (known == type_id::none)
            known = declared != type_id::none ? declared : t;
        else if (!same(known, t))
            throw error(variable_text(variable), "the value's type is " + text(resolved(t)), text(known));
        if (g_->types().is_incomplete(known)) uses_unifier_ = true;
    }

    // Appends the types of the pattern's fields to `rest`, in reverse order. The pattern is for values of type `t`.
    constexpr void add_fields(expr_id e, std::span<const attr_value> pattern, type_id t, plain_vector<type_id>& rest) {
        plain_vector<type_id> fields;
        type_id made = type_id::none;
        if (kind_of_pattern(pattern) == pattern_kind::tuple) {
            t = unifier_.known(t);
            const bool known = g_->types().kind(t) == type_kind::tuple;
            if (known && g_->types().fields(t).size() == pattern_fields(pattern)) {
                fields.append(g_->types().fields(t));
            } else {
                uses_unifier_ = true;
                for (std::size_t i = 0; i < pattern_fields(pattern); ++i) fields.push_back(unifier_.fresh());
            }
            made = g_->types().tuple(fields.all());
        } else {
            type_id function = type_of_constructor(g_->strings()[pattern[1].string()]);
            if (!g_->types().is_plain(function)) {
                uses_unifier_ = true;
                function = unifier_.instance(function);
            }
            fields.append(g_->types().params(function));
            made = g_->types().result(function);
        }
        if (!same(made, t))
            throw error(describe(*g_, e), "a pattern is for values of type " + text(resolved(made)), text(resolved(t)));
        for (std::size_t i = fields.size(); i-- > 0;) rest.push_back(fields[i]);
    }

    constexpr type_id type_of_match(expr_id e) {
        bind_patterns(e);
        type_id all = type_id::none;
        for_each_clause(*g_, e, [&](const match_clause& c) {
            const type_id body = type_of(g_->operand(e, c.body));
            if (body == type_id::none) return;
            if (all != type_id::none && !same(all, body))
                throw error(describe(*g_, e), "the clauses are of types " + text(all) + " and " + text(body),
                            "one type");
            all = all == type_id::none ? body : common(all, body);
        });
        if (g_->operand_count(e) == 1) { // no clauses
            uses_unifier_ = true;
            return unifier_.fresh();
        }
        return all;
    }

    constexpr type_id type_of_function(expr_id e) {
        const type_id body = type_of(g_->body(e));
        const type_id declared = g_->result_annotation(e);
        type_id result = declared != type_id::none ? declared : body;
        if (result == type_id::none && incomplete_given_) result = unifier_.fresh();
        if (result == type_id::none) return type_id::none;
        if (body != type_id::none && !same(body, result))
            throw error("function", "the body is of type " + text(body), text(result) + " as the function declares");
        if (body != type_id::none) result = common(result, body);
        plain_vector<type_id> params;
        for (const expr_id p : g_->params(e)) {
            if (type_of(p) == type_id::none) return type_id::none;
            params.push_back(type_of(p));
        }
        const type_id function = g_->types().function(params.all(), result);
        const type_id variables = g_->type_params(e);
        if (variables == type_id::none) return function;
        uses_unifier_ = true;
        plain_vector<type_id> bound;
        bound.append(g_->types().fields(variables));
        return g_->types().generic(bound.all(), function);
    }

    // Unifies the types of functions, conditionals and matches with those of their bodies, branches and clauses.
    constexpr void check_joins() {
        for (const expr_id e : joins_) {
            if (type_of(e) == type_id::none) continue;
            looked_at_ = e;
            type_id found = type_id::none;
            if (g_->kind(e) == expr_kind::conditional) found = type_of_conditional(e);
            if (g_->kind(e) == expr_kind::match) found = type_of_match(e);
            const bool function = g_->kind(e) == expr_kind::function;
            if (function) found = type_of(g_->body(e));
            const type_id known = function ? g_->types().result(function_of(type_of(e))) : type_of(e);
            if (found != type_id::none && !same(known, found))
                throw error(describe(*g_, e), "is of type " + text(found), text(known));
        }
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
        type_id type = type_of(g_->operand(e, 0));
        if (type == type_id::none) return type_id::none;
        type = unifier_.known(type);
        if (g_->types().kind(type) == type_kind::incomplete) return type_id::none;
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
        if (condition != type_id::none && condition != g_->types().tensor({}, dtype::boolean) &&
            !(g_->types().is_incomplete(condition) && same(condition, g_->types().tensor({}, dtype::boolean))))
            throw error("if, condition", "is of type " + text(condition), "bool");
        const type_id then = type_of(g_->operand(e, 1));
        const type_id otherwise = type_of(g_->operand(e, 2));
        if (then == type_id::none || otherwise == type_id::none) return then == type_id::none ? otherwise : then;
        if (!same(then, otherwise))
            throw error("if", "the branches are of types " + text(then) + " and " + text(otherwise), "one type");
        return common(then, otherwise);
    }

    // Rechecks calls and lets, which were first checked with less information.
    constexpr void check_calls() {
        for (const expr_id e : order_) {
            looked_at_ = e;
            if (g_->kind(e) == expr_kind::let) bind(g_->operand(e, 1));
            if (g_->kind(e) != expr_kind::call) continue;
            const type_id found = type_of_any_call(e);
            if (!same(found, type_of(e))) throw error("call", "is of type " + text(found), text(type_of(e)));
        }
    }

    // Rechecks conditionals, matches and functions. A conditional first takes the type of its known branch, because in
    // a recursive function, the type of the other branch is unknown at first.
    constexpr void check_result() {
        for (const expr_id e : joins_) {
            looked_at_ = e;
            if (g_->kind(e) == expr_kind::conditional) type_of_conditional(e);
            if (g_->kind(e) == expr_kind::match) check_match(e);
            if (g_->kind(e) == expr_kind::function) type_of_function(e);
        }
    }

    constexpr void check_match(expr_id e) {
        type_of_match(e);
        if (!is_complete(*g_, e)) return;
        if (std::string missing = match_coverage(*g_, e, *data_types_).missing(); !missing.empty())
            throw error(describe(*g_, e), "has no clause for " + missing, "one, or `match?`");
    }

    [[noreturn, gnu::cold, gnu::noinline]] void refuse_unknown(expr_id e) {
        looked_at_ = e;
        if (g_->kind(e) == expr_kind::variable)
            throw error(variable_text(e), "has no type", "an annotation or a use that determines it");
        if (g_->kind(e) == expr_kind::global)
            throw error("@" + std::string(g_->global_name(e)), "has no type",
                        "a function of the module, annotated if it is recursive");
        throw error("type inference", "the type of an expression cannot be inferred",
                    "annotations at the start of the program");
    }

    function* f_;
    const data_types* data_types_;
    call_inference calls_;
    bool incomplete_given_ = false;  // true once unannotated parameters have incomplete types
    plain_vector<char> forward_;     // indexed by expression: true if in the function; set by `infer_forward`
    plain_vector<char> needed_;      // indexed by expression: true if the result depends on it; filled when needed
    plain_vector<expr_id> match_of_; // the match of each pattern variable; empty if there are no matches
    plain_vector<expr_id> order_;
    plain_vector<expr_id> joins_; // expressions whose types must agree with those of their parts
    bindings bindings_;
    plain_vector<expr_id> learnt_;      // variables that just got types from their values
    expr_id looked_at_ = expr_id::none; // the expression that errors refer to
};

} // namespace tutti::relay::inline TUTTI_FORM
