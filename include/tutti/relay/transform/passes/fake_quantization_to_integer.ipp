#pragma once

#include <tutti/base/error.hpp>
#include <tutti/base/form.hpp>
#include <tutti/base/limit.hpp>
#include <tutti/relay/ir/copy.hpp>
#include <tutti/relay/ir/rewrite.hpp>
#include <tutti/relay/ir/walk.hpp>
#include <tutti/relay/op/qnn.hpp>
#include <tutti/relay/transform/function_pass.hpp>
#include <tutti/relay/transform/passes/div_to_mul.hpp>
#include <tutti/relay/transform/passes/fake_quantization_to_integer.hpp>
#include <tutti/relay/transform/passes/infer_type.hpp>
#include <tutti/relay/transform/rewrite/integer_rules.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

/// The options of FakeQuantizationToInteger, and the state of one run.
struct integer_terms {
    bool hard_fail = false;
    bool conv2d = false;
    bool as_reference = false;
    budget* made = nullptr; ///< limit on new expressions
    pass_notes notes{};

    /// Returns the terms for one function.
    constexpr integer_terms in(const pass_notes& about, budget& most) const {
        return {hard_fail, conv2d, as_reference, &most, about};
    }

    constexpr const integer_rule* rule_of(const op_def* op) const {
        return op == &definition<op::nn::conv2d> && !conv2d ? nullptr : integer_rule_of(op);
    }
};

/// Returns the quantisation of the argument of a qnn.dequantize.
constexpr affine_type affine_type_of(const rewriter& r, expr_id dequantize) {
    const graph& g = r.from();
    const auto arguments = g.arguments(dequantize);
    const auto several = [&](expr_id e) {
        const auto count = element_count(shape_of(g, e));
        return !count || *count != 1;
    };
    return {.scale = r[arguments[1]],
            .zero_point = r[arguments[2]],
            .type = element_of(g, arguments[0]),
            .axis = get_attributes<dequantize_attributes>(g, g.call_attributes(dequantize)).axis,
            .several = several(arguments[1]) || several(arguments[2])};
}

/// Rewrites the expressions between qnn.dequantize calls and one qnn.quantize call to integer operators.
class integer_region {
public:
    constexpr integer_region(const function& f, const integer_terms& terms)
        : terms_(&terms), stamps_(f.graph.size(), 0), places_(f.graph.size()) {}

    /// Returns the replacement of a qnn.quantize, or none if the call stays.
    constexpr expr_id operator()(rewriter& r, expr_id quantize) {
        const graph& g = r.from();
        if (!collect(g, quantize)) return expr_id::none;
        if (!has_rules(g)) return expr_id::none;
        find_direct(g);
        terms_->made->take(order_.size());
        const affine_type out = wanted_by(r, quantize);
        types_ = plain_vector<affine_type>();
        for (const expr_id e : order_)
            if (!make(r, e, out)) return expr_id::none;
        return close(r, quantize, out);
    }

private:
    struct place {
        expr_id made = expr_id::none;
        std::uint32_t first = 0; // index of the expression's first type
        std::uint32_t count = 0;
        bool direct = true; // the values are in the required range, or later clipped to that range
    };

    constexpr place& at(expr_id e) { return places_[index(e)]; }
    static constexpr bool is_leaf(const graph& g, expr_id e) {
        return g.kind(e) == expr_kind::constant || calls<op::qnn::dequantize>(g, e);
    }
    static constexpr std::span<const expr_id> inputs(const graph& g, expr_id e) {
        if (is_leaf(g, e)) return {};
        return g.kind(e) == expr_kind::call ? g.arguments(e) : g.operands(e);
    }

    // Collects the region, operands before users. False if it has no call, or contains an expression that is not data
    // flow.
    constexpr bool collect(const graph& g, expr_id quantize) {
        ++stamp_;
        order_ = plain_vector<expr_id>();
        bool flows = true;
        bool some = false;
        const auto enter = [&](expr_id e) {
            if (!flows || stamps_[index(e)] == stamp_) return false;
            stamps_[index(e)] = stamp_;
            const expr_kind kind = g.kind(e);
            flows = kind == expr_kind::constant || kind == expr_kind::tuple || kind == expr_kind::projection ||
                    g.called_op(e) != nullptr;
            some = some || kind == expr_kind::call;
            at(e) = {};
            return flows;
        };
        const auto input = [&](expr_id e, std::uint32_t i) {
            const auto all = inputs(g, e);
            return flows && i < all.size() ? all[i] : expr_id::none;
        };
        walk(g.arguments(quantize)[0], input, enter, [&](expr_id e) { order_.push_back(e); });
        return flows && some;
    }

    constexpr bool has_rules(const graph& g) {
        bool quantized = false;
        expr_id without = expr_id::none;
        for (const expr_id e : order_) {
            if (g.kind(e) != expr_kind::call) continue;
            if (is_leaf(g, e))
                quantized = true;
            else if (without == expr_id::none && terms_->rule_of(g.called_op(e)) == nullptr)
                without = e;
        }
        if (without == expr_id::none) return true;
        return refuse(g, without, "there is no integer operator for it", quantized);
    }

    constexpr void find_direct(const graph& g) {
        for (std::size_t i = order_.size(); i-- > 0;) {
            const expr_id e = order_[i];
            if (is_leaf(g, e)) continue;
            const integer_rule* rule = terms_->rule_of(g.called_op(e));
            const bool passes = at(e).direct && (rule == nullptr || rule->monotone);
            for (const expr_id input : inputs(g, e)) at(input).direct = at(input).direct && passes;
        }
    }

    static constexpr affine_type wanted_by(const rewriter& r, expr_id quantize) {
        const graph& g = r.from();
        const auto a = get_attributes<quantize_attributes>(g, g.call_attributes(quantize));
        const auto arguments = g.arguments(quantize);
        const auto several = [&](expr_id e) {
            const auto count = element_count(shape_of(g, e));
            return !count || *count != 1;
        };
        return {.scale = r[arguments[1]],
                .zero_point = r[arguments[2]],
                .type = a.out_dtype,
                .axis = a.axis,
                .several = several(arguments[1]) || several(arguments[2])};
    }

    constexpr bool make(rewriter& r, expr_id e, const affine_type& out) {
        const graph& g = r.from();
        place& p = at(e);
        p.first = static_cast<std::uint32_t>(types_.size());
        if (g.kind(e) == expr_kind::constant) {
            p.made = r[e];
        } else if (is_leaf(g, e)) {
            p.made = r[g.arguments(e)[0]];
            types_.push_back(affine_type_of(r, e));
            p.count = 1;
        } else if (g.kind(e) == expr_kind::tuple) {
            plain_vector<expr_id> fields;
            for (const expr_id field : g.operands(e)) {
                if (at(field).count != 1) return refuse(g, e, "a field of it is not quantised");
                fields.push_back(at(field).made);
                const affine_type type = types_[at(field).first];
                types_.push_back(type);
            }
            p.made = r.to().tuple(fields.all());
            p.count = static_cast<std::uint32_t>(fields.size());
        } else if (g.kind(e) == expr_kind::projection) {
            const place& tuple = at(g.operand(e, 0));
            if (g.field(e) >= tuple.count) return refuse(g, e, "its field is not quantised");
            const affine_type type = types_[tuple.first + g.field(e)];
            types_.push_back(type);
            p.made = r.to().projection(tuple.made, g.field(e));
            p.count = 1;
        } else {
            return make_call(r, e, out);
        }
        return true;
    }

    constexpr bool make_call(rewriter& r, expr_id e, const affine_type& out) {
        const graph& g = r.from();
        plain_vector<integer_call::argument> arguments;
        bool any = false;
        for (const expr_id a : g.arguments(e)) {
            const place& p = at(a);
            arguments.push_back({p.made, p.count == 0 ? nullptr : types_.all().data() + p.first, p.count});
            any = any || p.count != 0;
        }
        if (!any) return refuse(g, e, "none of its arguments is quantised");
        const bool known = at(e).direct || terms_->as_reference;
        integer_call c(r, e, arguments.all(), known ? &out : nullptr, terms_->as_reference);
        const bool first_only = g.arguments(e).size() == 1;
        if ((first_only && !c.is_quantized(0)) || !terms_->rule_of(g.called_op(e))->make(c))
            return refuse(g, e, c.why());
        if (!r.to().has_source(c.made())) r.to().copy_source(c.made(), g, e);
        at(e).made = c.made();
        at(e).first = static_cast<std::uint32_t>(types_.size());
        at(e).count = static_cast<std::uint32_t>(c.made_types().size());
        types_.append(c.made_types().data(), c.made_types().size());
        return true;
    }

    // Converts the result to the required quantisation.
    constexpr expr_id close(rewriter& r, expr_id quantize, const affine_type& out) {
        const graph& g = r.from();
        const place& p = at(g.arguments(quantize)[0]);
        if (p.count != 1) return refuse(g, quantize, "its argument is not quantised"), expr_id::none;
        const integer_call::argument result[]{{p.made, types_.all().data() + p.first, 1}};
        integer_call c(r, quantize, result, &out, terms_->as_reference);
        const affine_type& t = c.type(0);
        if (c.same(t, out) &&
            (!t.several || terms_->as_reference || axis_of(g, quantize, t) == axis_of(g, quantize, out)))
            return p.made;
        if (out.several && !terms_->as_reference)
            return refuse(g, quantize, "its scales differ along an axis"), expr_id::none;
        return c.requantized(c[0], t, out, out.type).id;
    }
    static constexpr std::int64_t axis_of(const graph& g, expr_id quantize, const affine_type& t) {
        return t.axis < 0 ? t.axis + static_cast<std::int64_t>(shape_of(g, quantize).size()) : t.axis;
    }

    // Abandons the region because of `e`, which is one of its expressions. With `hard_fail`, throws `tutti::error`.
    constexpr bool refuse(const graph& g, expr_id e, std::string_view why, bool near_miss = true) const {
        if (terms_->hard_fail) {
            std::string where = "FakeQuantizationToInteger";
            if (const op_def* op = g.called_op(e)) (where += ", ") += op->name;
            throw error(std::move(where), std::string(why), "what can be computed in integers, or hard_fail=False");
        }
        if (near_miss) terms_->notes.missed(g, e, why);
        return false;
    }

    const integer_terms* terms_;
    plain_vector<std::uint32_t> stamps_; // indexed by expression: the last region that contains the expression
    plain_vector<place> places_;
    plain_vector<expr_id> order_;
    plain_vector<affine_type> types_;
    std::uint32_t stamp_ = 0;
};

/// Rewrites single calls on results of qnn.dequantize to calls on integers, each followed by a new qnn.dequantize.
class integer_operations {
public:
    constexpr integer_operations(const function& f, const integer_terms& terms)
        : terms_(&terms), types_(f.graph.size()), data_(f.graph.size(), expr_id::none) {}

    constexpr expr_id operator()(rewriter& r, expr_id e) {
        const graph& g = r.from();
        if (calls<op::qnn::dequantize>(g, e)) {
            types_[index(e)] = affine_type_of(r, e);
            data_[index(e)] = r[g.arguments(e)[0]];
            return r.rebuild(e);
        }
        const integer_rule* rule = terms_->rule_of(g.called_op(e));
        if (rule == nullptr || !rule->alone || !g.types().is_tensor(g.type(e))) return r.rebuild(e);
        plain_vector<integer_call::argument> arguments;
        bool any = false;
        for (const expr_id a : g.arguments(e)) {
            const bool quantized = data_[index(a)] != expr_id::none;
            if (!quantized && g.kind(a) != expr_kind::constant) return r.rebuild(e);
            if (quantized)
                arguments.push_back({data_[index(a)], &types_[index(a)], 1});
            else
                arguments.push_back({r[a], nullptr, 0});
            any = any || quantized;
        }
        if (!any) return r.rebuild(e);
        terms_->made->take(2);
        integer_call c(r, e, arguments.all(), nullptr, terms_->as_reference);
        if (!c.is_quantized(0) || !rule->make(c)) {
            terms_->notes.missed(g, e, c.why());
            return r.rebuild(e);
        }
        if (!terms_->notes.may_apply(g, e, "computed in integers")) return r.rebuild(e);
        const affine_type t = c.made_types()[0];
        types_[index(e)] = t;
        data_[index(e)] = c.made();
        if (!r.to().has_source(c.made())) r.to().copy_source(c.made(), g, e);
        terms_->notes.applied(g, e, "computed in integers");
        return qnn::dequantize({&r.to(), c.made()}, c.scale(t), {.axis = t.axis}).id;
    }

private:
    const integer_terms* terms_;
    plain_vector<affine_type> types_; // indexed by expression: the quantisation if this is or becomes a qnn.dequantize
    plain_vector<expr_id> data_;      // indexed by expression: the data of that qnn.dequantize, or none
};

// Returns a transformation that converts the regions of a function.
constexpr auto regions(const integer_terms& of_all) {
    return [&of_all](const function& f, const pass_notes& notes, budget& made_here) {
        const integer_terms terms = of_all.in(notes, made_here);
        integer_region region(f, terms);
        return rewriter(f).rewrite([&](rewriter& r, expr_id e) {
            if (!calls<op::qnn::quantize>(r.from(), e)) return r.rebuild(e);
            const expr_id made = region(r, e);
            if (made == expr_id::none || !notes.may_apply(r.from(), e, "computed in integers")) return r.rebuild(e);
            notes.applied(r.from(), e, "computed in integers");
            return made;
        });
    };
}

} // namespace detail

TUTTI_CONSTEXPR void fake_quantization_to_integer::apply(ir_module& m, module_context&& ctx) const {
    budget made({info.name, "expressions made", "max_nodes", max_nodes}, expression_count(m));
    const detail::integer_terms terms{.hard_fail = hard_fail, .conv2d = conv2d, .as_reference = as_reference};
    if (!use_qat) return transform_functions_within(m, ctx, info, made, detail::regions(terms));
    ir_module before = m;
    try {
        transform_functions_within(m, ctx, info, made, detail::regions(terms));
        transform_functions_within(m, ctx, info, made,
                                   [&](const function& f, const pass_notes& notes, budget& made_here) {
                                       const detail::integer_terms here = terms.in(notes, made_here);
                                       return rewriter(f).rewrite(detail::integer_operations(f, here));
                                   });
    } catch (...) {
        m = std::move(before);
        throw;
    }
}

} // namespace tutti::relay::inline TUTTI_FORM
