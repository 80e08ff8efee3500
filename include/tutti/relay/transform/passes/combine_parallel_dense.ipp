#pragma once

#include <tutti/base/form.hpp>
#include <tutti/base/vector.hpp>
#include <tutti/relay/op/dense.hpp>
#include <tutti/relay/op/repeat.hpp>
#include <tutti/relay/op/shape.hpp>
#include <tutti/relay/transform/function_pass.hpp>
#include <tutti/relay/transform/passes/combine_parallel_dense.hpp>
#include <tutti/relay/transform/passes/combine_parallel_op.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

constexpr bool supports_dense(const graph& g, expr_id call) {
    return is_static(shape_of(g, g.arguments(call)[1])) && !shape_of(g, call).back().is_any();
}
constexpr dense_attributes dense_attributes_of(const graph& g, expr_id call) {
    return get_attributes<dense_attributes>(g, g.call_attributes(call));
}

/// Dense layers side by side: the weights are concatenated along the units.
struct parallel_dense : along_one_axis {
    using op = relay::op::nn::dense;

    static constexpr bool supports(const graph& g, expr_id call) { return supports_dense(g, call); }
    static constexpr std::uint64_t key(const graph& g, expr_id call) {
        const expr_id weight = g.arguments(call)[1];
        return hash_combine(static_cast<std::uint64_t>(element_of(g, weight)),
                            static_cast<std::uint64_t>(shape_of(g, weight)[1].value()));
    }
    static constexpr bool together(const graph& g, expr_id call, expr_id other) {
        const expr_id a = g.arguments(call)[1];
        const expr_id b = g.arguments(other)[1];
        return dense_attributes_of(g, call).out_dtype == dense_attributes_of(g, other).out_dtype &&
               shape_of(g, a)[1].same_number(shape_of(g, b)[1]) && same_element(g, a, b);
    }

    static constexpr expr_id combine(graph& g, const parallel_branches& branches) {
        const expr_id first = branches[0][0];
        std::int64_t units = 0;
        for (const parallel_branch& b : branches) units += shape_of(g, g.arguments(b[0])[1])[0].value();
        dense_attributes a = dense_attributes_of(g, first);
        a.units.value = dim(units);
        const expr_id data = g.arguments(first)[0];
        return add_call<op>(g, {data, concatenate_branches(g, branches, 0, 1, 0)}, a);
    }

    static constexpr std::size_t axis(const graph& g, expr_id call) { return shape_of(g, call).size() - 1; }

    // True if the i-th arguments of two calls have equal element types, and equal shapes except for known sizes along
    // the units. The arguments may broadcast along the units.
    static constexpr bool fits(const graph& g, expr_id call, expr_id other, std::size_t i, std::size_t axis) {
        const expr_id a = g.arguments(call)[i];
        const expr_id b = g.arguments(other)[i];
        const auto x = shape_of(g, a);
        const auto y = shape_of(g, b);
        if (!same_element(g, a, b) || x.size() != y.size()) return false;
        const auto at = argument_axis(g, call, i, axis);
        if (!at) return same_numbers(x, y);
        return !x[*at].is_any() && !y[*at].is_any() && same_but_along(x, y, *at);
    }
    static constexpr expr_id follow(graph& g, const parallel_branches& branches, std::size_t depth, std::size_t i,
                                    std::size_t axis) {
        const auto at = argument_axis(g, branches[0][depth], i, axis);
        vector<expr_id> parts;
        for (const parallel_branch& b : branches) {
            const std::size_t behind = shape_of(g, b[depth]).size() - axis;
            const std::int64_t units = shape_of(g, b[depth])[axis].value();
            expr_id part = g.arguments(b[depth])[i];
            const auto shape = shape_of(g, part);
            const bool stretches = !at || (units > 1 && shape[*at].same_number(1));
            if (!at)
                part = add_call<relay::op::expand_dims>(
                    g, {part},
                    {.axis = shape.empty() ? -1 : 0, .num_newaxis = static_cast<std::int64_t>(behind - shape.size())});
            if (stretches)
                part = add_call<relay::op::repeat>(
                    g, {part}, {.repeats = dim(units), .axis = dim(static_cast<std::int64_t>(at.value_or(0)))});
            parts.push_back(part);
        }
        return add_call<relay::op::concatenate>(g, {g.tuple(parts)},
                                                {.axis = static_cast<std::int64_t>(at.value_or(0))});
    }

    static constexpr vector<expr_id> parts(graph& g, expr_id combined, const parallel_branches& branches,
                                           std::size_t depth, std::size_t axis) {
        return slices_of(g, combined, branches, depth, axis, shape_of(g, branches[0][depth]).size());
    }
};

/// Stacked dense layers of one size, as one nn.batch_matmul.
struct stacked_dense {
    using op = relay::op::nn::dense;

    static constexpr bool supports(const graph& g, expr_id call) {
        return supports_dense(g, call) && shape_of(g, g.arguments(call)[0]).size() == 2;
    }
    static constexpr std::uint64_t key(const graph& g, expr_id call) {
        std::uint64_t hash = 0;
        for (const dim d : shape_of(g, g.arguments(call)[1]))
            hash = hash_combine(hash, static_cast<std::uint64_t>(d.value()));
        return hash;
    }
    static constexpr bool together(const graph& g, expr_id call, expr_id other) {
        const expr_id a = g.arguments(call)[1];
        const expr_id b = g.arguments(other)[1];
        return dense_attributes_of(g, call).out_dtype == dense_attributes_of(g, other).out_dtype &&
               same_numbers(shape_of(g, a), shape_of(g, b)) && same_element(g, a, b);
    }

    static constexpr expr_id stacked(graph& g, const vector<expr_id>& parts) {
        return add_call<relay::op::stack>(g, {g.tuple(parts)}, {.axis = 0});
    }
    static constexpr expr_id combine(graph& g, const parallel_branches& branches) {
        expr_id factors[2]{};
        for (std::size_t i = 0; i < 2; ++i) {
            vector<expr_id> parts;
            for (const parallel_branch& b : branches) parts.push_back(g.arguments(b[0])[i]);
            factors[i] = stacked(g, parts);
        }
        return add_call<relay::op::nn::batch_matmul>(
            g, {factors[0], factors[1]},
            {.out_dtype = dense_attributes_of(g, branches[0][0]).out_dtype, .transpose_b = true});
    }

    static constexpr std::size_t axis(const graph&, expr_id) { return 0; }

    // Stacking changes axes counted from the front, but not those counted from the end. A stacked bias_add would no
    // longer have a vector argument.
    static constexpr std::optional<std::size_t> followed(const graph& g, expr_id call, std::size_t chained,
                                                         std::size_t axis) {
        const bool same_rank = shape_of(g, call).size() == shape_of(g, g.arguments(call)[chained]).size();
        bool stays = works_by_element(g, call) && same_rank;
        if (calls<relay::op::expand_dims>(g, call))
            stays = get_attributes<expand_dims_attributes>(g, g.call_attributes(call)).axis < 0;
        if (calls<relay::op::repeat>(g, call)) {
            const auto a = get_attributes<repeat_attributes>(g, g.call_attributes(call));
            stays = a.axis && a.axis->value() < 0;
        }
        return stays ? std::optional(axis) : std::nullopt;
    }
    static constexpr bool fits(const graph& g, expr_id call, expr_id other, std::size_t i, std::size_t) {
        const expr_id a = g.arguments(call)[i];
        const expr_id b = g.arguments(other)[i];
        return same_element(g, a, b) && same_numbers(shape_of(g, a), shape_of(g, b));
    }
    static constexpr expr_id follow(graph& g, const parallel_branches& branches, std::size_t depth, std::size_t i,
                                    std::size_t) {
        vector<expr_id> parts;
        for (const parallel_branch& b : branches) {
            const expr_id part = g.arguments(b[depth])[i];
            const auto fewer = static_cast<std::int64_t>(shape_of(g, b[depth]).size()) -
                               static_cast<std::int64_t>(shape_of(g, part).size());
            parts.push_back(fewer > 0 ? add_call<relay::op::expand_dims>(g, {part}, {.axis = 0, .num_newaxis = fewer})
                                      : part);
        }
        return stacked(g, parts);
    }

    static constexpr vector<expr_id> parts(graph& g, expr_id combined, const parallel_branches& branches, std::size_t,
                                           std::size_t) {
        const expr_id all = add_call<relay::op::split>(
            g, {combined}, {.indices_or_sections = one_or_more(static_cast<std::int64_t>(branches.size())), .axis = 0});
        vector<expr_id> each;
        for (std::uint32_t i = 0; i < branches.size(); ++i)
            each.push_back(add_call<relay::op::squeeze>(g, {g.projection(all, i)}, {.axis = dims{0}}));
        return each;
    }
};

} // namespace detail

TUTTI_CONSTEXPR void combine_parallel_dense::apply(ir_module& m, module_context&& ctx) const {
    transform_functions(m, ctx, info, [&](const function& f, const pass_notes& notes) {
        const std::size_t least = detail::least_branches(min_num_branches);
        if (to_batch) return detail::parallel_combiner(f, detail::stacked_dense{}, least, notes).run();
        return detail::parallel_combiner(f, detail::parallel_dense{}, least, notes).run();
    });
}

} // namespace tutti::relay::inline TUTTI_FORM
