#pragma once

#include <algorithm>
#include <type_traits>
#include <utility>

#include <tutti/pass/fwd.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/ir/rewrite.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/transform/fold_constant.hpp>
#include <tutti/relay/transform/function_pass.hpp>
#include <tutti/relay/transform/scalar_constant.hpp>

namespace tutti::relay {

namespace detail {

/// Whether an element is zero, of either sign.
template <class T>
constexpr bool has_zero(const tensor& t) {
    using number = std::conditional_t<std::is_same_v<T, kernel::float16>, float, T>;
    return std::ranges::any_of(t.elements<T>(), [](T x) { return static_cast<number>(x) == 0; });
}

/// Whether a tensor is of floating point and without a zero.
constexpr bool can_be_inverted(const tensor& t) {
    switch (t.type()) {
    case dtype::float16:
        return !has_zero<kernel::float16>(t);
    case dtype::float32:
        return !has_zero<float>(t);
    case dtype::float64:
        return !has_zero<double>(t);
    default:
        return false;
    }
}

} // namespace detail

/// Writes the division by a constant of floating point as the multiplication by one over it, which FoldConstant can compute.
///
/// Divisions by integers, and by constants with a zero in them, stay.
///
/// Requires: inferred types.
/// Cost:     linear in the graph and in the divisors.
/// Throws:   `tutti::error` without types; the module is as it was.
struct div_to_mul {
    static constexpr pass_info info{.name = "DivToMul", .opt_level = 0};
    using required = tutti::passes<infer_type, fold_constant>;

    template <class Context>
    constexpr void operator()(ir_module& m, Context& ctx) const {
        transform_functions(m, ctx, [](const function& f) {
            require_types(f, info);
            rewriter r(f.graph, f.root);
            const expr_id root = r.run([](rewriter& into, expr_id e) {
                const graph& from = into.from();
                if (!calls<op::divide>(from, e)) return into.rebuild(e);
                const expr_id divisor = from.arguments(e)[1];
                if (from.kind(divisor) != expr_kind::constant || !detail::can_be_inverted(from.constant_value(divisor)))
                    return into.rebuild(e);
                const expr one = scalar_constant(into.to(), from.constant_value(divisor).type(), 1);
                const expr inverse = divide(one, expr{&into.to(), into[divisor]});
                return multiply(expr{&into.to(), into[from.arguments(e)[0]]}, inverse).id;
            });
            return function{std::move(r.to()), root};
        });
    }
};

} // namespace tutti::relay
