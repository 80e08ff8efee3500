#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/limit.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/ir/copy.hpp>
#include <tutti/relay/ir/equal.hpp>
#include <tutti/relay/ir/hash.hpp>
#include <tutti/relay/ir/interning.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/match.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/rewrite.hpp>
#include <tutti/relay/ir/type_text.hpp>
#include <tutti/relay/ir/walk.hpp>
#include <tutti/relay/op/op_def.hpp>
#include <tutti/relay/transform/function_pass.hpp>
#include <tutti/relay/transform/passes/lambda_lift.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

/// A function literal to be lifted to a function of the module.
struct lifted_literal {
    expr_id function = expr_id::none;
    expr_id variable = expr_id::none; // the variable of a let that binds it, if any
    vector<expr_id> captured{};       // variables that it captures, in the order of first use
    vector<expr_id> callers{};        // variables inside it that refer to itself or to an enclosing literal
    std::string name{};               // the name of the new function
    std::uint32_t kind = 0;           // index of its literal_kind; equal literals may share a kind, and thus a function
    bool is_generic = false;          // it uses type parameters of enclosing functions; lifting makes them its own
};

/// The literals of a function, inner ones first, and their captured variables.
class lifted_literals {
public:
    /// Finds the literals and their captured variables. Deducts the number of captured variables from `copied`.
    constexpr lifted_literals(const graph& g, expr_id root, budget& copied)
        : g_(&g), copied_(&copied), place_(g.size(), none) {
        const plain_vector<expr_id> order = post_order(g, root);
        const enclosed_expressions primitive = in_primitive_functions(g, root);
        for (const expr_id e : order) {
            if (e == root || g.kind(e) != expr_kind::function || primitive.contain(e)) continue;
            place_[index(e)] = static_cast<std::uint32_t>(all_.size());
            all_.push_back({.function = e});
        }
        if (all_.empty()) return;
        for (const expr_id e : order) {
            if (g.kind(e) != expr_kind::let || at(g.operand(e, 1)) == none) continue;
            all_[at(g.operand(e, 1))].variable = g.operand(e, 0);
            place_[index(g.operand(e, 0))] = at(g.operand(e, 1));
        }
        met_.assign(g.size(), none);
        captured_.assign(g.size(), none);
        for (std::uint32_t i = static_cast<std::uint32_t>(all_.size()); i-- > 0;) find_captured(i); // outer ones first
    }

    constexpr vector<lifted_literal>& all() { return all_; }

    /// Returns the literal that an expression is or that a variable is bound to, or null if there is none.
    constexpr const lifted_literal* find(expr_id e) const { return at(e) == none ? nullptr : &all_[at(e)]; }

private:
    static constexpr std::uint32_t none = 0xFFFFFFFFU;

    constexpr std::uint32_t at(expr_id e) const { return place_[index(e)]; }

    // Finds the variables that a literal captures. A literal that refers to an enclosing literal, through the variable
    // bound to it, needs the captures of the enclosing literal too.
    constexpr void find_captured(std::uint32_t i) {
        lifted_literal& l = all_[i];
        const auto capture = [&](expr_id variable) {
            if (std::exchange(captured_[index(variable)], i) != i) l.captured.push_back(variable);
        };
        for_each_free_variable(i, [&](expr_id variable) {
            const std::uint32_t bound = at(variable);
            if (bound == none || bound < i)
                return capture(variable); // bound to no literal or to an earlier one: an ordinary value
            l.callers.push_back(variable);
            if (bound != i)
                for (const expr_id needed : all_[bound].captured) capture(needed);
        });
        copied_->take(l.captured.size());
    }

    template <class F>
    constexpr void for_each_free_variable(std::uint32_t i, F&& f) {
        const auto enter = [&](expr_id e) {
            if (std::exchange(met_[index(e)], i) == i) return false;
            if (g_->kind(e) == expr_kind::variable) f(e);
            if (g_->kind(e) == expr_kind::let) met_[index(g_->operand(e, 0))] = i;
            if (g_->kind(e) == expr_kind::match)
                for_each_bound(*g_, e, [&](std::size_t place) { met_[index(g_->operand(e, place))] = i; });
            if (g_->kind(e) == expr_kind::function)
                for (const expr_id p : g_->params(e)) met_[index(p)] = i;
            return g_->operand_count(e) != 0;
        };
        walk(*g_, all_[i].function, enter, [](expr_id) {});
    }

    const graph* g_;
    budget* copied_;
    vector<lifted_literal> all_;
    plain_vector<std::uint32_t> place_;    // indexed by literal, and by variable bound to a literal: index in all_
    plain_vector<std::uint32_t> met_;      // indexed by expression: the last literal that contained it
    plain_vector<std::uint32_t> captured_; // indexed by variable: the last literal that captured it
};

/// Lifts the literals of a module's functions, one function after another.
class lambda_lifter {
public:
    constexpr lambda_lifter(const ir_module& m, const limit& copied)
        : module_(&m), copied_(copied, expression_count(m)) {}

    /// Returns the changed function, or one without a root if nothing changed.
    constexpr function lift(const function& f, const pass_notes& notes) {
        if (notes.misses_heard()) note_primitive(f, notes);
        lifted_literals literals(f.graph, f.root, copied_);
        if (literals.all().empty() || !notes.may_apply("lifted")) return {};
        require_types(f, {.name = "LambdaLift"});
        name(f.graph, literals);
        rewriter r(f);
        params_.assign(f.graph.size(), expr_id::none);
        function scratch;
        copier copies(r.to(), scratch.graph);
        return r.rewrite([&](rewriter& into, expr_id e) {
            const expr_id rebuilt = into.rebuild_typed(e);
            const lifted_literal* l = f.graph.kind(e) == expr_kind::function ? literals.find(e) : nullptr;
            if (l == nullptr) return rebuilt;
            if (notes.heard()) notes.applied(f.graph, e, "lifted", "becomes @" + l->name);
            if (!std::exchange(kinds_[l->kind].is_lifted, true))
                lifted_.push_back({l->name, lifted(into, copies, literals, *l, rebuilt)});
            const expr_id value = reference(into.to(), *l, [&](expr_id variable) { return into[variable]; });
            if (!l->is_generic || !l->captured.empty()) into.to().set_type(value, f.graph.type(e));
            return value;
        });
    }

    /// Returns the functions made from literals, with unique names.
    constexpr vector<ir_module::definition>& lifted() { return lifted_; }

private:
    static constexpr void note_primitive(const function& f, const pass_notes& notes) {
        const enclosed_expressions primitive = in_primitive_functions(f.graph, f.root);
        for (const expr_id e : post_order(f.graph, f.root))
            if (e != f.root && f.graph.kind(e) == expr_kind::function && primitive.contain(e))
                notes.missed(f.graph, e, "a primitive function and its contents stay");
    }

    // A group of literals that share one function: the first literal, and the number in the function's name.
    struct literal_kind {
        std::uint64_t number;
        const graph* from;
        expr_id first;
        bool is_lifted = false;
    };

    // Names the literals by their hashes. Equal literals may share a name; different literals never do.
    constexpr void name(const graph& g, lifted_literals& literals) {
        function alone;
        copier copies(g, alone.graph);
        for (lifted_literal& l : literals.all()) {
            alone = {};
            copies.retarget(alone.graph);
            alone.root = copies.copy(l.function);
            copied_.take(alone.graph.size());
            l.is_generic = !type_params_around(g, alone.graph).empty();
            std::uint64_t hash = structural_hash(alone);
            while (!give_number(g, l, alone, hash >> 1)) ++hash;
        }
    }

    // Returns the type parameters of surrounding functions that a copied literal of `from` uses and does not bind.
    static constexpr plain_vector<type_id> type_params_around(const graph& from, const graph& made) {
        plain_vector<type_id> found;
        const type_table& types = made.types();
        for (std::uint32_t i = 0; i < types.size(); ++i) {
            const type_id t{i};
            if (types.kind(t) != type_kind::variable) continue;
            const auto is_bound = [&](const graph& g) {
                for (std::uint32_t n = 0; n < g.size(); ++n) {
                    const expr_id e{n};
                    if (g.kind(e) != expr_kind::function || g.type_params(e) == type_id::none) continue;
                    for (const type_id v : g.types().fields(g.type_params(e)))
                        if (g.types().name(v) == types.name(t) && g.types().number(v) == types.number(t)) return true;
                }
                return false;
            };
            if (is_bound(from) && !is_bound(made)) found.push_back(t);
        }
        return found;
    }

    // Reserves `number` for the literal's name. False if a different function has taken the number.
    constexpr bool give_number(const graph& g, lifted_literal& l, const function& alone, std::uint64_t number) {
        l.name = "lifted_name";
        append_number(l.name, static_cast<std::int64_t>(number));
        if (module_->find(l.name) != nullptr) return false;
        const auto known = static_cast<std::uint32_t>(kinds_.size());
        l.kind = places_.find_or_add(
            number, [&](std::uint32_t i) { return kinds_[i].number == number; },
            [&] { kinds_.push_back({number, &g, l.function}); });
        if (l.kind == known) return true;
        if (!l.captured.empty() || !l.callers.empty()) return false;
        const literal_kind& other = kinds_[l.kind];
        function first;
        first.root = copier(*other.from, first.graph).copy(other.first);
        return structural_equal(alone, first);
    }

    static constexpr plain_vector<type_id> copied_fields(const type_table& types, type_id tuple) {
        plain_vector<type_id> fields;
        fields.append(types.fields(tuple));
        return fields;
    }

    // Returns the replacement of a literal: the lifted function, or a call of it with the captured variables.
    template <class Variable>
    static constexpr expr_id reference(graph& g, const lifted_literal& l, Variable&& variable) {
        const expr_id global = g.global(l.name);
        if (l.captured.empty()) return global;
        vector<expr_id> arguments;
        for (const expr_id c : l.captured) arguments.push_back(variable(c));
        return g.call(global, arguments);
    }

    // Returns the function for the literal. If the literal captures variables, the function takes them and returns the
    // literal.
    constexpr function lifted(rewriter& r, copier& copies, const lifted_literals& literals, const lifted_literal& l,
                              expr_id literal) {
        const graph& from = r.from();
        function made;
        copies.retarget(made.graph);
        vector<expr_id> params;
        for (const expr_id c : l.captured) {
            const type_id type = made.graph.types().import(from.types(), from.type(c));
            params.push_back(made.graph.variable(from.variable_name(c), type));
            made.graph.set_type(params.back(), type);
            params_[index(c)] = params.back();
            copies.replace(r[c], params.back());
        }
        for (const expr_id c : l.callers) {
            const expr_id value =
                reference(made.graph, *literals.find(c), [&](expr_id variable) { return params_[index(variable)]; });
            const lifted_literal& caller = *literals.find(c);
            if (!caller.is_generic || !caller.captured.empty())
                made.graph.set_type(value, made.graph.types().import(from.types(), from.type(c)));
            copies.replace(r[c], value);
        }
        made.root = copies.copy(literal);
        graph& g = made.graph;
        type_id listed = type_id::none;
        if (l.is_generic) listed = g.types().tuple(type_params_around(from, g).all());
        if (params.empty() && l.is_generic) { // the literal's own type parameters come last
            plain_vector<type_id> all;
            all.append(g.types().fields(listed));
            if (g.type_params(made.root) != type_id::none) {
                const plain_vector<type_id> own = copied_fields(g.types(), g.type_params(made.root));
                all.append(own.all());
            }
            g.set_type_params(made.root, g.types().tuple(all.all()));
            g.set_type(made.root, type_id::none);
        }
        if (params.empty()) return made;
        const plain_vector<attr_value> closure{attr_value::of(g.strings().add("Closure")), attr_value::of(dim(1))};
        made.root = g.function(params, made.root, g.type(made.root), g.attrs().add(closure), listed);
        return made;
    }

    const ir_module* module_;
    budget copied_;
    plain_vector<expr_id> params_; // indexed by variable: its parameter in the lifted literal
    vector<ir_module::definition> lifted_;
    plain_vector<literal_kind> kinds_;
    intern_index places_; // indexes kinds_ by number
};

} // namespace detail

TUTTI_CONSTEXPR void lambda_lift::operator()(ir_module& m, const pass_notes& notes) const {
    detail::lambda_lifter lifter(
        m, {info.name, "expressions of literals beyond the size of the program", "max_nodes", max_nodes});
    vector<function> made = transformed(m, notes, [&](const function& f, const pass_notes& here) {
        if (has_attribute(f.graph, f.root, "Compiler") || has_attribute(f.graph, f.root, "Closure")) return function{};
        return lifter.lift(f, here);
    });
    exchange(m, made);
    try {
        m.set(std::move(lifter.lifted()));
    } catch (...) { // out of memory
        exchange(m, made);
        throw;
    }
}

} // namespace tutti::relay::inline TUTTI_FORM
