#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/pipeline/decimal_options.hpp>
#include <tutti/pipeline/option_type.hpp>
#include <tutti/relay/ir/bindings.hpp>
#include <tutti/relay/ir/interning.hpp>
#include <tutti/relay/ir/language.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/rewrite.hpp>
#include <tutti/relay/op/attribute_edit.hpp>
#include <tutti/relay/op/call_inference.hpp>
#include <tutti/relay/op/cast.hpp>
#include <tutti/relay/transform/function_pass.hpp>
#include <tutti/relay/transform/passes/to_mixed_precision.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

/// How to change the precision of a function.
struct precision_change {
    const to_mixed_precision* options;
    std::size_t place;                         ///< index of the function in its module
    const internal::float32_calls* in_float32; ///< may be null
    bool keep_result;                          ///< keep the element types of a body that is a call or tuple
    bool is_named;                             ///< the function is called by name
};

/// Casts the arguments of calls to the element type of the computation.
class precision_changer {
public:
    constexpr precision_changer(const rewriter& r, const precision_change& how, const pass_notes& notes)
        : how_(how)
        , wanted_(how.options->mixed_precision_type)
        , kept_(how.keep_result ? r.from().body(r.order().back()) : expr_id::none)
        , notes_(&notes)
        , bindings_(r.from(), r.order()) {
        find_values(r, how.is_named);
    }

    constexpr expr_id operator()(rewriter& r, expr_id e) {
        const expr_id made = make(r, e);
        tell_variables(r, e, type(made));
        return made;
    }

private:
    // Sets the type of variables bound to `value`, and of their aliases, to `t`, which is the value's new type.
    constexpr void tell_variables(rewriter& r, expr_id value, type_id t) {
        retyped_.assign(1, value);
        while (!retyped_.empty()) {
            const expr_id bound = retyped_.back();
            retyped_.pop_back();
            bindings_.for_each_variable(bound, [&](expr_id variable) {
                const bool is_new = r[variable] == expr_id::none;
                const expr_id v = is_new ? r.rebuild(variable) : r[variable];
                r.replace(variable, v);
                r.to().set_annotation(v, t);
                if (is_new || type(v) != t) retyped_.push_back(variable);
                note(v, t);
            });
        }
    }

    constexpr expr_id make(rewriter& r, expr_id e) {
        const graph& from = r.from();
        graph& to = r.to();
        switch (from.kind(e)) {
        case expr_kind::variable: {
            if (r[e] != expr_id::none) return r[e]; // set when its value was visited
            const expr_id v = r.rebuild(e);
            note(v, from.annotation(e) != type_id::none ? from.annotation(e) : from.type(e));
            return v;
        }
        case expr_kind::call:
            return call(r, e);
        case expr_kind::function: {
            plain_vector<expr_id> params;
            plain_vector<type_id> types;
            for (const expr_id p : from.params(e)) {
                params.push_back(r[p]);
                types.push_back(type(r[p]));
            }
            expr_id body = r[from.body(e)];
            if (is_value(e)) body = cast_as(to, body, type(body), known_type(from, from.body(e)));
            // The body of a function used as a value is cast to its former type, and InferType needs the declared
            // result of a recursive function.
            const type_id result = is_value(e) ? from.result_annotation(e) : type_id::none;
            const expr_id f = to.function(params.all(), body, result, from.function_attributes(e), from.type_params(e));
            if (type(body) != type_id::none && std::find(types.begin(), types.end(), type_id::none) == types.end())
                note(f, to.types().function(types.all(), type(body)));
            return f;
        }
        default:
            break;
        }
        const expr_id made = from.kind(e) == expr_kind::conditional ? conditional(r, e) : r.rebuild(e);
        to.set_type(made, type_id::none);
        note(made, from.kind(e) == expr_kind::global ? from.type(e) : type_of(to, made));
        return e == kept_ && from.kind(e) == expr_kind::tuple ? fields_as_they_were(r, e, made) : made;
    }

    // Finds function literals that are used other than as callees. Other code depends on their types, which they keep.
    constexpr void find_values(const rewriter& r, bool named) {
        const graph& from = r.from();
        const expr_id root = r.order().back();
        if (named) values_.push_back(root);
        for (const expr_id e : r.order()) {
            const auto operands = from.operands(e);
            for (std::size_t i = from.kind(e) == expr_kind::call ? 1 : 0; i < operands.size(); ++i)
                if (from.kind(operands[i]) == expr_kind::function) values_.push_back(operands[i]);
        }
        std::sort(values_.begin(), values_.end());
    }
    constexpr bool is_value(expr_id function) const {
        return std::binary_search(values_.begin(), values_.end(), function);
    }

    static constexpr type_id known_type(const graph& g, expr_id e) {
        if (g.type(e) == type_id::none)
            throw error("ToMixedPrecision", "the type of a value that keeps its element type is not known",
                        "InferType before it");
        return g.type(e);
    }

    // Casts branches of different types to their former types.
    constexpr expr_id conditional(rewriter& r, expr_id e) {
        const graph& from = r.from();
        graph& to = r.to();
        expr_id branches[]{r[from.operand(e, 1)], r[from.operand(e, 2)]};
        if (type(branches[0]) == type(branches[1])) return r.rebuild(e);
        for (expr_id& b : branches) b = cast_as(to, b, type(b), known_type(from, e));
        return to.conditional(r[from.operand(e, 0)], branches[0], branches[1]);
    }

    // Returns a tuple of the fields of `made`, cast to the element types of `e`, or `made` if no cast is needed.
    constexpr expr_id fields_as_they_were(rewriter& r, expr_id e, expr_id made) {
        const graph& from = r.from();
        graph& to = r.to();
        plain_vector<dtype> wanted;
        bool all_same = true;
        for (std::size_t i = 0; i < from.operands(e).size(); ++i) {
            wanted.push_back(element_of(from, from.operand(e, i)));
            all_same = all_same && !differs(to, type(to.operand(made, i)), wanted.back());
        }
        if (all_same) return made;
        plain_vector<expr_id> fields;
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            const type_id was = type(to.operand(made, i));
            const expr_id field = to.projection(made, static_cast<std::uint32_t>(i));
            note(field, was);
            fields.push_back(cast_to(to, field, was, wanted[i]));
        }
        const expr_id cast = to.tuple(fields.all());
        note(cast, type_of(to, cast));
        return cast;
    }

    // Returns the element type of a tensor, or none for other types.
    static constexpr dtype element_of(const graph& g, expr_id e) {
        const type_id t = known_type(g, e);
        return g.types().is_tensor(t) ? g.types().element(t) : dtype::none;
    }

    // Computes an expression's type from the types of its operands. Returns none for calls, functions and variables.
    constexpr type_id type_of(graph& to, expr_id e) const {
        switch (to.kind(e)) {
        case expr_kind::constant:
            return type_of_constant(to, to.constant_value(e));
        case expr_kind::tuple: {
            plain_vector<type_id> fields;
            for (const expr_id o : to.operands(e)) fields.push_back(type(o));
            return std::find(fields.begin(), fields.end(), type_id::none) == fields.end()
                       ? to.types().tuple(fields.all())
                       : type_id::none;
        }
        case expr_kind::projection: {
            const type_id tuple = type(to.operand(e, 0));
            const bool known = tuple != type_id::none && to.types().kind(tuple) == type_kind::tuple;
            return known && to.field(e) < to.types().fields(tuple).size() ? to.types().fields(tuple)[to.field(e)]
                                                                          : type_id::none;
        }
        case expr_kind::let:
            return type(to.operand(e, 2));
        case expr_kind::conditional:
            return type(to.operand(e, 1));
        default:
            return type_id::none;
        }
    }

    constexpr expr_id call(rewriter& r, expr_id e) {
        const graph& from = r.from();
        graph& to = r.to();
        const op_def* op = from.called_op(e);
        if (op == nullptr) return call_of_function(r, e);
        precision_rule rule = op->precision;
        if (rule == precision_rule::unknown) {
            if (how_.options->missing_op_mode == 0)
                throw error("ToMixedPrecision, " + std::string(op->name), "has no precision rule",
                            "a missing_op_mode of 1 or 2");
            rule = precision_rule::follow;
        }
        const bool is_listed = stays_in_float32(from, e);
        if (is_listed && rule != precision_rule::as_it_is) rule = precision_rule::never;
        plain_vector<expr_id> operands{r[from.callee(e)]};
        for (const expr_id a : from.arguments(e)) operands.push_back(r[a]);
        if (rule == precision_rule::follow) {
            const auto ready = [&](expr_id a) {
                return to.kind(a) == expr_kind::variable || to.kind(a) == expr_kind::constant || is_mixed(to, type(a));
            };
            const bool all = std::all_of(operands.begin() + 1, operands.end(), ready);
            rule = all ? precision_rule::always : precision_rule::never;
        }
        if (rule == precision_rule::always && !notes_->may_apply(from, e, "computed in another type"))
            rule = precision_rule::never;
        if (notes_->heard()) note_rule(r, e, rule, is_listed);
        const dtype element = rule == precision_rule::always ? wanted_ : dtype::float32;
        for (std::size_t i = 1; i < operands.size(); ++i)
            operands[i] = rule == precision_rule::as_it_is
                              ? cast_as(to, operands[i], type(operands[i]), known_type(from, from.arguments(e)[i - 1]))
                              : cast_to(to, operands[i], type(operands[i]), element);
        attrs_id attributes = from.call_attributes(e);
        // A cast whose argument was just cast to the same type is dropped; otherwise each run would add a cast.
        if (op == &definition<op::cast> && operands[1] != r[from.arguments(e)[0]] &&
            type(operands[1]) == known_type(from, e))
            return operands[1];
        if (rule == precision_rule::always)
            attributes = with_result_type(to, *op, attributes, operands.size() > 1 ? type(operands[1]) : type_id::none);
        const expr_id made =
            to.call(operands[0], std::span<const expr_id>(operands.data() + 1, operands.size() - 1), attributes);
        to.copy_source(made, from, e);
        types_.resize(to.size(), type_id::none);
        const type_id t = infer_call(to, made, types_);
        note(made, t);
        if (e != kept_ || rule != precision_rule::always) return made;
        return cast_to(to, made, type(made), element_of(from, e));
    }

    constexpr bool stays_in_float32(const graph& from, expr_id e) const {
        if (how_.in_float32 != nullptr && (*how_.in_float32)(how_.place, e)) return true;
        const std::span<const std::string> names(how_.options->keep);
        return std::any_of(names.begin(), names.end(),
                           [&](const std::string& n) { return internal::is_named(from, e, n); });
    }

    // Emits a remark about the precision of a call that is or could be computed in the wanted type. Requires: remarks
    // are enabled.
    constexpr void note_rule(const rewriter& r, expr_id e, precision_rule rule, bool is_listed) {
        const graph& from = r.from();
        if (rule == precision_rule::always)
            return notes_->applied(from, e, "computed in another type",
                                   "computed in " + std::string(kernel::name(wanted_)));
        if (rule != precision_rule::never) return;
        bool some = false;
        for (const expr_id a : from.arguments(e)) some = some || is_mixed(r.to(), type(r[a]));
        if (some)
            notes_->missed(from, e,
                           is_listed ? "is kept in float32, as requested"
                           : from.called_op(e)->precision == precision_rule::never
                               ? "is always computed in float32"
                               : "is computed in float32, since not all arguments are in the lower precision");
    }

    // Casts a function's arguments to its parameter types.
    constexpr expr_id call_of_function(rewriter& r, expr_id e) {
        const graph& from = r.from();
        graph& to = r.to();
        const expr_id callee = r[from.callee(e)];
        type_id f = type(callee);
        if (f == type_id::none && from.kind(from.callee(e)) != expr_kind::function)
            f = known_type(from, from.callee(e));
        const bool known = f != type_id::none && to.types().kind(f) == type_kind::function;
        plain_vector<expr_id> arguments;
        for (const expr_id a : from.arguments(e)) {
            const expr_id given = r[a];
            const std::size_t i = arguments.size();
            if (!known)
                arguments.push_back(cast_to(to, given, type(given), dtype::float32));
            else if (i < to.types().params(f).size())
                arguments.push_back(cast_as(to, given, type(given), to.types().params(f)[i]));
            else
                arguments.push_back(given);
        }
        const expr_id made = to.call(callee, arguments.all(), from.call_attributes(e));
        to.copy_source(made, from, e);
        if (known) note(made, to.types().result(f));
        return made;
    }

    // Sets the attribute that gives the element type of the result, for operators that have one. An integer
    // type is kept, whether the attribute gives it or it defaults to the first argument's type.
    constexpr attrs_id with_result_type(graph& to, const op_def& op, attrs_id attributes, type_id first) const {
        attribute_edit edit(to, op, attributes);
        const bool product =
            edit.has("out_dtype") && (op.precision == precision_rule::always || op.name.starts_with("nn."));
        const bool creation = edit.has("shape") && edit.has("dtype");
        if (!product && !creation) return attributes;
        const std::string_view name = product ? "out_dtype" : "dtype";
        const bool known = first != type_id::none && to.types().is_tensor(first);
        const dtype was = edit.element(name) != dtype::none ? edit.element(name)
                          : known                           ? to.types().element(first)
                                                            : wanted_;
        if (kernel::is_floating(was)) edit.set(name, wanted_);
        return edit.commit();
    }

    // True if `wanted(part)` is true for some non-tuple part of a type. Visits each part once, because tuple types may
    // share members.
    template <class Wanted>
    constexpr bool any_part(const graph& to, type_id t, Wanted wanted) {
        if (t == type_id::none || to.types().kind(t) != type_kind::tuple) return wanted(t);
        ++walk_;
        plain_vector<type_id> open{t};
        while (!open.empty()) {
            const type_id each = open.back();
            open.pop_back();
            if (index(each) >= walked_.size()) walked_.resize(index(each) + 1, 0);
            if (std::exchange(walked_[index(each)], walk_) == walk_) continue;
            if (to.types().kind(each) == type_kind::tuple)
                for (const type_id field : to.types().fields(each)) open.push_back(field);
            else if (wanted(each))
                return true;
        }
        return false;
    }

    // True if all tensors in a type have the wanted element type.
    constexpr bool is_mixed(const graph& to, type_id t) {
        return !any_part(to, t, [&](type_id part) {
            return part == type_id::none || !to.types().is_tensor(part) || to.types().element(part) != wanted_;
        });
    }

    // True if `element` is a floating-point type, and a tensor in the type has a different floating-point type.
    constexpr bool differs(const graph& to, type_id t, dtype element) {
        if (!kernel::is_floating(element)) return false;
        return any_part(to, t, [&](type_id part) {
            return part != type_id::none && to.types().is_tensor(part) &&
                   kernel::is_floating(to.types().element(part)) && to.types().element(part) != element;
        });
    }

    struct opened_tuple {
        expr_id e;
        type_id type;
        type_id as;                 // the type to cast to; none if all tensors get one element type
        plain_vector<expr_id> made; // the fields converted so far
    };

    // Returns the expression with its floating-point tensors cast, or the expression itself if no cast is needed.
    constexpr expr_id cast_to(graph& to, expr_id e, type_id t, dtype element) {
        return cast_parts(to, e, t, element, type_id::none);
    }
    // Returns the expression with its tensors cast to the element types in `as`, a type of the same structure.
    constexpr expr_id cast_as(graph& to, expr_id e, type_id t, type_id as) {
        return cast_parts(to, e, t, dtype::none, as);
    }

    constexpr expr_id cast_parts(graph& to, expr_id e, type_id t, dtype element, type_id as) {
        vector<opened_tuple> path;
        const auto enter = [&](expr_id each, type_id type, type_id like) {
            const type_table& types = to.types();
            if (type == like || type == type_id::none || (like == type_id::none && !differs(to, type, element)))
                return each;
            if (like != type_id::none && types.kind(like) != types.kind(type)) return each;
            if (types.is_tensor(type)) {
                const dtype wanted = like == type_id::none ? element : types.element(like);
                return differs(to, type, wanted) ? cast_tensor(to, each, type, wanted) : each;
            }
            const bool opens = types.kind(type) == type_kind::tuple && !types.fields(type).empty() &&
                               (like == type_id::none || types.fields(like).size() == types.fields(type).size());
            if (!opens) return each;
            path.push_back({each, type, like, {}});
            return expr_id::none;
        };
        expr_id done = enter(e, t, as);
        while (!path.empty()) {
            opened_tuple& top = path.back();
            if (done != expr_id::none) top.made.push_back(done);
            const std::size_t next = top.made.size();
            if (next == to.types().fields(top.type).size()) {
                done = to.tuple(top.made);
                note(done, type_of(to, done));
                path.pop_back();
                continue;
            }
            const type_id type = to.types().fields(top.type)[next];
            const type_id like = top.as == type_id::none ? type_id::none : to.types().fields(top.as)[next];
            const expr_id field = to.projection(top.e, static_cast<std::uint32_t>(next));
            note(field, type);
            done = enter(field, type, like);
        }
        return done;
    }

    constexpr expr_id cast_tensor(graph& to, expr_id e, type_id t, dtype element) {
        const dtype was = to.types().element(t);
        const std::uint32_t place = casts_index_.find_or_add(
            hash_combine(index(e), static_cast<std::uint64_t>(element)),
            [&](std::uint32_t i) { return casts_[i].of == e && casts_[i].element == element; },
            [&] {
                const expr_id arguments[]{e};
                const expr_id made = add_call<op::cast>(to, arguments, {.dtype = element});
                const dims shape(to.types().shape(t));
                note(made, to.types().tensor(shape, element));
                casts_.push_back({e, element, made});
            });
        const expr_id made = casts_[place].made;
        casts_index_.find_or_add( // casting back returns the original expression
            hash_combine(index(made), static_cast<std::uint64_t>(was)),
            [&](std::uint32_t i) { return casts_[i].of == made && casts_[i].element == was; },
            [&] { casts_.push_back({made, was, e}); });
        return made;
    }

    constexpr type_id type(expr_id e) const { return index(e) < types_.size() ? types_[index(e)] : type_id::none; }
    constexpr void note(expr_id e, type_id t) {
        if (types_.size() <= index(e)) types_.resize(index(e) + 1, type_id::none);
        types_[index(e)] = t;
    }

    struct cast_made {
        expr_id of;
        dtype element;
        expr_id made;
    };

    precision_change how_;
    dtype wanted_;
    expr_id kept_; // a call or tuple that keeps its element types, or none
    const pass_notes* notes_;
    bindings bindings_;
    plain_vector<expr_id> retyped_;      // work list: variables with a new type whose aliases have the old one
    plain_vector<expr_id> values_;       // function literals that keep their types
    plain_vector<type_id> types_;        // indexed by new expression
    plain_vector<std::uint64_t> walked_; // indexed by type: the last walk that visited it
    std::uint64_t walk_ = 0;
    plain_vector<cast_made> casts_;
    intern_index casts_index_;
};

/// Emits a remark for each name that matches no called operator and no source of a call in the module.
constexpr void note_unknown_names(const ir_module& m, std::span<const std::string> names, const pass_notes& notes) {
    if (!notes.heard()) return;
    for (const std::string& n : names) {
        const auto has = [&](const ir_module::definition& each) {
            const graph& g = each.function.graph;
            for (std::uint32_t i = 0; i < g.size(); ++i) {
                const expr_id e{i};
                if (g.kind(e) == expr_kind::call && g.called_op(e) != nullptr && internal::is_named(g, e, n))
                    return true;
            }
            return false;
        };
        if (std::none_of(m.begin(), m.end(), has)) notes.missed("keep: no operator or node is named `" + n + "`");
    }
}

} // namespace detail

TUTTI_CONSTEXPR void internal::mix_precision(ir_module& m, module_context& ctx, const to_mixed_precision& options,
                                             bool keep_results, const float32_calls* others) {
    if (!kernel::is_floating(options.mixed_precision_type))
        throw error("ToMixedPrecision, mixed_precision_type", std::string(kernel::name(options.mixed_precision_type)),
                    "a floating-point type");
    if (options.missing_op_mode < 0 || options.missing_op_mode > 2)
        throw error("ToMixedPrecision, missing_op_mode", "out of range", "0, 1 or 2");
    detail::note_unknown_names(m, options.keep, ctx.notes());
    plain_vector<char> named(m.size() + 1, 0); // the last entry is for unknown names
    for (const auto& [name, f] : m)
        for (std::uint32_t i = 0; i < f.graph.size(); ++i)
            if (f.graph.kind(expr_id{i}) == expr_kind::global) named[m.place_of(f.graph.global_name(expr_id{i}))] = 1;
    detail::exchange_and_infer(
        m, ctx, transformed(m, ctx, [&](std::size_t place, const function& f, const pass_notes& notes) {
            if (is_left_alone(f)) return function{};
            if (has_general_values(f.graph)) {
                if (notes.heard())
                    notes.missed("left alone: it has values of data types, references or type parameters");
                return function{};
            }
            rewriter r(f);
            return r.rewrite(
                detail::precision_changer(r, {&options, place, others, keep_results, named[place] != 0}, notes));
        }));
}

} // namespace tutti::relay::inline TUTTI_FORM
