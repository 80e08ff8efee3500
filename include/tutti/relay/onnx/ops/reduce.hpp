#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/onnx/node_context.hpp>
#include <tutti/relay/onnx/ops/dynamic_shape.hpp>
#include <tutti/relay/onnx/rule.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/dyn.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/reduce.hpp>
#include <tutti/relay/op/reshape.hpp>
#include <tutti/relay/op/tuple.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace tutti::relay::inline TUTTI_FORM::onnx {

namespace detail {

/// A reduction along some axes.
using reduction = expr (*)(node_context&, expr, const reduce_attributes&);

template <expr (*Make)(expr, const reduce_attributes&)>
expr plainly(node_context&, expr x, const reduce_attributes& a) {
    return Make(x, a);
}
inline expr square(expr x) { return relay::multiply(x, x); }
inline expr itself(expr x) { return x; }
// Subtracts the maximum first to avoid overflow.
inline expr log_of_sum_of_exp(node_context&, expr x, const reduce_attributes& a) {
    reduce_attributes kept = a;
    kept.keepdims = true;
    const expr sum = relay::log(relay::sum(relay::exp(relay::subtract(x, relay::max(x, kept))), a));
    return relay::add(sum, relay::max(x, a));
}

// Reduces along axes that are known only at run time. Fills each reduced axis with the result, then keeps the axis's
// first element. The result replaces an empty axis. It is appended to an axis of unknown size, which may be empty, so
// that there is an element to keep. If the axis is not reduced, the final slice removes this element.
template <reduction Reduce>
expr reduce_dynamically(node_context& c, expr x, expr axes, bool keep) {
    const dims shape = c.shape(x);
    const auto rank = static_cast<std::int64_t>(shape.size());
    const expr mask = axis_mask(c, axes, shape.size());
    const expr sizes = shape_list(c, x);
    for (std::int64_t i = 0; i < rank; ++i) {
        const dim size = shape[static_cast<std::size_t>(i)];
        const expr reduced = Reduce(c, x, {.axis = dims{i}, .keepdims = true});
        const expr is_one = relay::take(mask, c.number(static_cast<double>(i), dtype::int64), {.axis = dim(0)});
        if (size.is_any()) x = relay::concatenate(c.tuple({x, reduced}), {.axis = static_cast<int>(i)});
        x = size.same_number(0) ? reduced : relay::where(is_one, reduced, x);
    }
    const expr end = relay::where(mask, c.number(1, dtype::int64), sizes);
    const auto all = static_cast<std::size_t>(rank);
    const expr kept = relay::dyn::strided_slice(x, c.list(dims(all, 0)), end, c.list(dims(all, 1)));
    if (keep) return kept;
    return relay::dyn::reshape(kept, sizes_left(c, sizes, mask, rank - c.size(axes, 0)));
}

// Returns the least or greatest elements. Bools are compared as numbers.
template <expr (*Make)(expr, const reduce_attributes&)>
expr extreme(node_context& c, expr x, const reduce_attributes& a) {
    if (c.element(x) != dtype::boolean) return Make(x, a);
    return c.cast_to(Make(c.cast_to(x, dtype::uint8), a), dtype::boolean);
}

// Reduces `Before(x)` and returns `After` of the result. Requires: reducing several axes together gives the same result
// as reducing them one by one.
template <reduction Reduce, expr (*Before)(expr) = itself, expr (*After)(expr) = itself>
expr import_reduce(node_context& c) {
    const expr x = Before(c.input(0));
    reduce_attributes a{.keepdims = c.flag("keepdims", true)};
    std::optional<dims> axes = c.integers("axes");
    if (c.has(1)) axes = c.known_integers(1);
    if (c.has(1) && !all_known(axes)) {
        if (c.size(c.input(1), 0) != 0) return After(reduce_dynamically<Reduce>(c, x, c.input(1), a.keepdims));
        axes = dims{};
    }
    if (axes && axes->empty()) axes.reset();
    if (!axes && c.flag("noop_with_empty_axes")) return After(x);
    a.axis = axes;
    return After(Reduce(c, x, a));
}

template <expr (*Make)(expr, const arg_reduce_attributes&)>
expr import_arg_reduce(node_context& c) {
    const std::int64_t axis = c.axis_of(c.integer("axis", 0), c.rank(c.input(0)));
    const expr place = Make(
        c.input(0),
        {.axis = dims{axis}, .keepdims = c.flag("keepdims", true), .select_last_index = c.flag("select_last_index")});
    return c.cast_to(place, dtype::int64);
}

} // namespace detail

/// Reductions.
inline constexpr import_rule reduce_rules[]{
    {"ArgMax", detail::import_arg_reduce<relay::argmax>},
    {"ArgMin", detail::import_arg_reduce<relay::argmin>},
    {"ReduceL1", detail::import_reduce<detail::plainly<relay::sum>, relay::abs>},
    {"ReduceL2", detail::import_reduce<detail::plainly<relay::sum>, detail::square, relay::sqrt>},
    {"ReduceLogSum", detail::import_reduce<detail::plainly<relay::sum>, detail::itself, relay::log>},
    {"ReduceLogSumExp", detail::import_reduce<detail::log_of_sum_of_exp>},
    {"ReduceMax", detail::import_reduce<detail::extreme<relay::max>>},
    {"ReduceMean", detail::import_reduce<detail::plainly<relay::mean>>},
    {"ReduceMin", detail::import_reduce<detail::extreme<relay::min>>},
    {"ReduceProd", detail::import_reduce<detail::plainly<relay::prod>>},
    {"ReduceSum", detail::import_reduce<detail::plainly<relay::sum>>},
    {"ReduceSumSquare", detail::import_reduce<detail::plainly<relay::sum>, detail::square>},
};

} // namespace tutti::relay::inline TUTTI_FORM::onnx
