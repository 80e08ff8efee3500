#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/op/op_def.hpp>

#include <cstddef>
#include <span>

namespace tutti::relay::inline TUTTI_FORM {

/// The axis of a tensor that determines an unknown size.
struct size_origin {
    expr_id tensor;
    std::size_t axis;

    friend constexpr bool operator==(const size_origin&, const size_origin&) = default;
};

namespace detail {

/// Traces a size from results to arguments, through operators that declare `shape_from`.
class size_tracer {
public:
    constexpr explicit size_tracer(const graph& g) : g_(&g) {}

    /// Returns the tensor and the axis from which a size originates. Requires: the size is `?`.
    constexpr size_origin trace(size_origin at) {
        while (steps_ != 0) {
            --steps_;
            const size_origin next = step(at);
            if (next == at) break;
            at = next;
        }
        return at;
    }

private:
    // Limit on the calls visited for one answer. Beyond this limit, sizes count as different.
    static constexpr int most_steps = 64;

    constexpr bool is_tensor(expr_id e) const {
        const type_id t = g_->type(e);
        return t != type_id::none && g_->types().is_tensor(t);
    }

    constexpr size_origin step(size_origin at) {
        const op_def* op = g_->called_op(at.tensor);
        if (op == nullptr || op->shape_from == shape_source::other) return at;
        const auto arguments = g_->arguments(at.tensor);
        if (op->shape_from == shape_source::broadcast) return step_broadcast(at, arguments);
        const std::size_t source = op->shape_from == shape_source::first ? 0 : 1;
        if (source >= arguments.size() || !is_tensor(arguments[source])) return at;
        const auto shape = shape_of(*g_, arguments[source]);
        return at.axis < shape.size() && shape[at.axis].is_any() ? size_origin{arguments[source], at.axis} : at;
    }

    // An unknown size of the result equals the size of those arguments that have `?` along the axis, if all of these
    // sizes have the same origin.
    constexpr size_origin step_broadcast(size_origin at, std::span<const expr_id> arguments) {
        const std::size_t behind = shape_of(*g_, at.tensor).size() - at.axis;
        size_origin only = at;
        bool several = false;
        for (const expr_id a : arguments) {
            if (!is_tensor(a)) return at;
            const auto shape = shape_of(*g_, a);
            if (behind > shape.size() || !shape[shape.size() - behind].is_any()) continue;
            const size_origin one{a, shape.size() - behind};
            several = several || !(only == at || only == one);
            only = one;
        }
        if (!several) return only;
        bool first = true;
        for (const expr_id a : arguments) {
            const auto shape = shape_of(*g_, a);
            if (behind > shape.size() || !shape[shape.size() - behind].is_any()) continue;
            const size_origin one = trace({a, shape.size() - behind});
            if (!first && !(one == only)) return at;
            only = one;
            first = false;
        }
        return only;
    }

    const graph* g_;
    int steps_ = most_steps;
};

} // namespace detail

/// True if two axes have the same size for all inputs: the same number, or `?` from the same axis of the same tensor.
///
/// Two unknown sizes need not be equal, although both print as `?`. Elementwise calls keep the sizes of their argument.
/// A broadcasting call keeps the size of its only argument with `?` along the axis. Operators declare this behaviour
/// with `op_def::shape_from`.
///
/// Requires: both sizes belong to tensors that have types and are computed in the same scope of `g`.
/// Cost:     visits a fixed number of calls; beyond that, sizes count as different.
constexpr bool provably_same_size(const graph& g, size_origin a, size_origin b) {
    const dim x = shape_of(g, a.tensor)[a.axis];
    const dim y = shape_of(g, b.tensor)[b.axis];
    if (!x.is_any() || !y.is_any()) return x.same_number(y);
    return a == b || detail::size_tracer(g).trace(a) == detail::size_tracer(g).trace(b);
}

/// True if two tensors have the same shape for all inputs; see `provably_same_size`.
constexpr bool provably_same_shape(const graph& g, expr_id a, expr_id b) {
    const std::size_t rank = shape_of(g, a).size();
    if (rank != shape_of(g, b).size()) return false;
    for (std::size_t i = 0; i < rank; ++i)
        if (!provably_same_size(g, {a, i}, {b, i})) return false;
    return true;
}

/// True if two expressions have the same type for all inputs, including unknown sizes.
/// Values other than tensors count as different unless they are the same expression.
///
/// Rules that replace an expression by another must check this instead of comparing types.
///
/// Requires: both expressions have types.
constexpr bool provably_same_type(const graph& g, expr_id a, expr_id b) {
    if (a == b) return true;
    const type_id type = g.type(a);
    if (type != g.type(b)) return false;
    return g.types().is_tensor(type) && (is_static(g.types().shape(type)) || provably_same_shape(g, a, b));
}

} // namespace tutti::relay::inline TUTTI_FORM
