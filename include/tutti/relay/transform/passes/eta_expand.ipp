#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/ir/ir_module.hpp>
#include <tutti/relay/ir/located_error.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/rewrite.hpp>
#include <tutti/relay/transform/function_pass.hpp>
#include <tutti/relay/transform/passes/eta_expand.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

/// The rule of EtaExpand: replaces a function of the module or a constructor by a function literal that calls it.
class global_expander {
public:
    /// Selects the kinds to expand. Calls are rebuilt in any case.
    constexpr global_expander(const ir_module& m, bool globals, bool constructors)
        : module_(&m)
        , globals_(globals)
        , constructors_(constructors)
        , expanded_(globals ? m.size() : 0, expr_id::none) {}

    /// Begins the next function. Each function needs its own literals.
    constexpr void start(const pass_notes& notes) {
        notes_ = &notes;
        for (const std::size_t place : used_) expanded_[place] = expr_id::none;
        used_.clear();
    }

    constexpr expr_id operator()(rewriter& r, expr_id e) {
        const graph& from = r.from();
        switch (from.kind(e)) {
        case expr_kind::global:
            return globals_ ? expand(r, e) : r.rebuild_typed(e);
        case expr_kind::constructor: // the call determines the constructor's type
            return r.rebuild_typed(e);
        case expr_kind::call: { // a new call without a type, as in the reference
            operands_.clear();
            for (const expr_id o : from.operands(e)) operands_.push_back(r[o]);
            for (std::size_t i = 1; i < operands_.size(); ++i) operands_[i] = value(r, from.operand(e, i));
            const expr_id made = r.to().add_like(from, e, operands_);
            if (is_constructor(from, from.callee(e))) r.to().set_type(made, from.type(e));
            return made;
        }
        default: {
            bool any = false;
            for (const expr_id o : from.operands(e)) any = any || is_constructor(from, o);
            if (!any) return r.rebuild_typed(e);
            vector<expr_id> operands;
            for (const expr_id o : from.operands(e)) operands.push_back(value(r, o));
            const expr_id made = r.to().add_like(from, e, operands);
            r.to().set_type(made, from.type(e));
            return made;
        }
        }
    }

private:
    static constexpr bool is_constructor(const graph& g, expr_id e) { return g.kind(e) == expr_kind::constructor; }

    // Returns the replacement of an operand used as a value.
    constexpr expr_id value(rewriter& r, expr_id e) {
        if (!is_constructor(r.from(), e)) return r[e];
        if (constructors_) return notes_->may_apply(r.from(), e, "expanded") ? expand_constructor(r, e) : r[e];
        notes_->missed(r.from(), e, "is used as a value, and expand_constructor is false");
        return r[e];
    }

    constexpr expr_id expand_constructor(rewriter& r, expr_id e) {
        const std::string_view name = r.from().global_name(e);
        const data_types& known = module_->data_types();
        const std::uint32_t c = known.find_constructor(name);
        if (c == data_types::none)
            refuse_at(r.from(), e,
                      error("EtaExpand: constructor " + std::string(name), "is not defined in the module"));
        notes_->applied(r.from(), e, "expanded");
        graph& to = r.to();
        const type_id type = known.constructor_type(c, to.types());
        const bool generic = to.types().kind(type) == type_kind::generic;
        const type_id function = generic ? to.types().members(type).back() : type;
        plain_vector<type_id> types;
        types.append(to.types().params(function));
        vector<expr_id> params;
        for (const type_id t : types) {
            params.push_back(to.variable("eta_expand_param", t));
            to.set_type(params.back(), t);
        }
        const type_id result = to.types().result(function);
        const expr_id call = to.call(r[e], params);
        to.set_type(call, result);
        plain_vector<type_id> variables;
        if (generic) variables.append(to.types().members(type).first(to.types().members(type).size() - 1));
        const type_id listed = generic ? to.types().tuple(variables.all()) : type_id::none;
        const expr_id made = to.function(params, call, result, attrs_id::none, listed);
        to.set_type(made, type);
        return made;
    }

    constexpr expr_id expand(rewriter& r, expr_id e) {
        const std::string_view name = r.from().global_name(e);
        const std::size_t place = module_->place_of(name);
        if (place == module_->size())
            refuse_at(r.from(), e, not_in_module("EtaExpand: @" + std::string(name), *module_, name));
        if (expanded_[place] != expr_id::none) return expanded_[place];
        if (!notes_->may_apply(r.from(), e, "expanded")) return r.rebuild_typed(e);
        notes_->applied(r.from(), e, "expanded");
        const function& target = module_->begin()[static_cast<std::ptrdiff_t>(place)].function;
        graph& to = r.to();
        vector<expr_id> params;
        plain_vector<type_id> types;
        bool declared = true;
        for (const expr_id p : target.graph.params(target.root)) {
            types.push_back(to.types().import(target.graph.types(), target.graph.annotation(p)));
            params.push_back(to.variable("eta_expand_param", types.back()));
            declared = declared && types.back() != type_id::none;
        }
        const type_id result = to.types().import(target.graph.types(), target.graph.result_annotation(target.root));
        const type_id listed = to.types().import(target.graph.types(), target.graph.type_params(target.root));
        const expr_id made = to.function(params, to.call(r.rebuild_typed(e), params), result, attrs_id::none, listed);
        if (declared && result != type_id::none && listed == type_id::none)
            to.set_type(made, to.types().function(types, result));
        used_.push_back(place);
        return expanded_[place] = made;
    }

    const ir_module* module_;
    const pass_notes* notes_ = nullptr;
    bool globals_;
    bool constructors_;
    plain_vector<expr_id> expanded_; // indexed by function of the module
    plain_vector<std::size_t> used_; // indices of the expanded functions
    vector<expr_id> operands_;
};

} // namespace detail

TUTTI_CONSTEXPR void eta_expand::operator()(ir_module& m, const pass_notes& notes) const {
    if (!expand_constructor && !expand_global_var)
        throw error("EtaExpand", "nothing is to be expanded", "expand_constructor or expand_global_var");
    detail::global_expander rule(m, expand_global_var, expand_constructor);
    vector<function> made = transformed(m, notes, [&](const function& f, const pass_notes& here) {
        rule.start(here);
        return rewriter(f).rewrite(rule);
    });
    exchange(m, made);
}

} // namespace tutti::relay::inline TUTTI_FORM
