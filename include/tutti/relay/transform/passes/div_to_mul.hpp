#pragma once

#include <tutti/pass/fwd.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/ir/rewrite.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/transform/function_pass.hpp>
#include <tutti/relay/transform/passes/fold_constant.hpp>

#include <optional>
#include <type_traits>
#include <utility>

namespace tutti::relay {

namespace detail {

/// One over each element, or nothing if one of them is zero or they are not of floating point.
constexpr std::optional<tensor> inverse_of(const tensor& t) {
    if (!kernel::is_floating(t.type())) return std::nullopt;
    tensor inverse;
    inverse.reset(t.type(), t.shape());
    const auto invert = [&]<class T, class Number>(std::type_identity<T>, std::type_identity<Number>) {
        const T* from = t.data<T>();
        T* to = inverse.mutable_data<T>();
        for (const T* end = from + t.size(); from != end; ++from) {
            const auto x = static_cast<Number>(*from);
            if (x == 0) return false;
            *to++ = T(1 / x);
        }
        return true;
    };
    constexpr std::type_identity<float> f32;
    constexpr std::type_identity<double> f64;
    const bool inverted = t.type() == dtype::float64   ? invert(f64, f64)
                          : t.type() == dtype::float32 ? invert(f32, f32)
                                                       : invert(std::type_identity<kernel::float16>{}, f32);
    return inverted ? std::optional(std::move(inverse)) : std::nullopt;
}

} // namespace detail

/// Writes the division by a constant of floating point as the multiplication by one over it.
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
                const expr_id divisor = into[from.arguments(e)[1]];
                if (into.to().kind(divisor) != expr_kind::constant) return into.rebuild(e);
                auto inverse = detail::inverse_of(into.to().constant_value(divisor));
                if (!inverse) return into.rebuild(e);
                const expr factor{&into.to(), into.to().constant(*std::move(inverse))};
                return multiply(expr{&into.to(), into[from.arguments(e)[0]]}, factor).id;
            });
            return function{std::move(r.to()), root};
        });
    }
};

} // namespace tutti::relay
