#pragma once

#include <tutti/pass/fwd.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/ir/rewrite.hpp>
#include <tutti/relay/op/annotation.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/norm.hpp>
#include <tutti/relay/op/reduce.hpp>
#include <tutti/relay/op/shape.hpp>
#include <tutti/relay/transform/function_pass.hpp>
#include <tutti/relay/transform/rewrite/scalar_constant.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace tutti::relay {

namespace detail {

/// The rule of SimplifyInference: normalisations, written out.
class normalization_writer {
public:
    constexpr expr_id operator()(rewriter& r, expr_id e) const {
        const graph& from = r.from();
        if (from.kind(e) == expr_kind::projection) {
            const expr_id tuple = from.operand(e, 0);
            if (from.field(e) != 0) return r.rebuild(e);
            if (calls<op::nn::batch_norm>(from, tuple)) return batch_norm(r, tuple);
            if (calls<op::nn::dropout>(from, tuple)) return r[from.arguments(tuple)[0]];
        }
        if (calls<op::nn::instance_norm>(from, e)) return instance_norm(r, e);
        if (calls<op::nn::l2_normalize>(from, e)) return l2_normalize(r, e);
        return r.rebuild(e);
    }

private:
    static constexpr expr argument(rewriter& r, expr_id call, std::size_t i) {
        return {&r.to(), r[r.from().arguments(call)[i]]};
    }

    // Attributes hold a double, but the constant is the reference's, which is rounded to float32 first.
    static constexpr expr epsilon(rewriter& r, expr_id data, double value) {
        const graph& from = r.from();
        return scalar_constant(r.to(), from.types().element(from.type(data)), static_cast<float>(value));
    }

    // An axis, from the front, and how many there are.
    struct place {
        std::size_t rank;
        std::int64_t axis;

        constexpr expr expand(expr vector) const {
            return {vector.graph, expand_to_axis(*vector.graph, vector.id, rank, axis)};
        }
    };
    static constexpr place channels(const graph& g, expr_id data, std::int64_t axis) {
        const std::size_t rank = shape_of(g, data).size();
        return {rank, axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis};
    }

    static constexpr expr_id batch_norm(rewriter& r, expr_id e) {
        const graph& from = r.from();
        const expr_id data = from.arguments(e)[0];
        const auto a = get_attributes<batch_norm_attributes>(from, from.call_attributes(e));
        const place at = channels(from, data, a.axis);

        const expr deviation = sqrt(add(argument(r, e, 4), epsilon(r, data, a.epsilon)));
        expr scale = divide(scalar_constant(r.to(), from.types().element(from.type(data)), 1), deviation);
        if (a.scale) scale = multiply(scale, argument(r, e, 1));
        expr shift = multiply(negative(argument(r, e, 3)), scale);
        if (a.center) shift = add(shift, argument(r, e, 2));
        return add(multiply(argument(r, e, 0), at.expand(scale)), at.expand(shift)).id;
    }

    static constexpr expr_id instance_norm(rewriter& r, expr_id e) {
        const graph& from = r.from();
        const auto a = get_attributes<instance_norm_attributes>(from, from.call_attributes(e));
        const place at = channels(from, from.arguments(e)[0], a.axis);
        dims axes;
        for (std::size_t i = 1; i < at.rank; ++i)
            if (static_cast<std::int64_t>(i) != at.axis) axes.push_back(static_cast<std::int64_t>(i));

        const expr data = argument(r, e, 0);
        const expr average = mean(data, {.axis = axes, .keepdims = true});
        const expr spread = variance(data, average, {.axis = axes, .keepdims = true});
        expr out = divide(subtract(data, average), sqrt(add(spread, epsilon(r, from.arguments(e)[0], a.epsilon))));
        if (a.scale) out = multiply(out, at.expand(argument(r, e, 1)));
        if (a.center) out = add(out, at.expand(argument(r, e, 2)));
        return out.id;
    }

    static constexpr expr_id l2_normalize(rewriter& r, expr_id e) {
        const graph& from = r.from();
        const auto a = get_attributes<l2_normalize_attributes>(from, from.call_attributes(e));
        const expr data = argument(r, e, 0);
        const expr squares = sum(multiply(data, data), {.axis = a.axis.value, .keepdims = true});
        return divide(data, sqrt(maximum(squares, epsilon(r, from.arguments(e)[0], a.eps)))).id;
    }
};

} // namespace detail

/// Writes normalisations as the arithmetic that they are when nothing is trained: nn.batch_norm (where only the normalised data
/// is used), nn.instance_norm and nn.l2_normalize; takes away nn.dropout.
///
/// Requires: inferred types.
/// Cost:     linear in the graph.
/// Throws:   `tutti::error` without types; the module is as it was.
struct simplify_inference {
    static constexpr pass_info info{.name = "SimplifyInference", .opt_level = 0};
    using required = tutti::passes<infer_type>;

    template <class Context>
    constexpr void operator()(ir_module& m, Context& ctx) const {
        transform_functions(m, ctx, [](const function& f) {
            require_types(f, info);
            rewriter r(f.graph, f.root);
            const expr_id root = r.run(detail::normalization_writer{});
            return function{std::move(r.to()), root};
        });
    }
};

} // namespace tutti::relay
