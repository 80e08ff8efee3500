#pragma once

#include <tutti/pass/pass_info.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/transform/passes/fold_constant.hpp>
#include <tutti/relay/transform/rule_pass.hpp>

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

constexpr expr_id multiply_by_inverse(rewriter& r, expr_id call) {
    const expr divisor = argument(r, call, 1);
    if (r.to().kind(divisor.id) != expr_kind::constant) return expr_id::none;
    auto inverse = inverse_of(r.to().constant_value(divisor.id));
    if (!inverse) return expr_id::none;
    const expr factor{&r.to(), r.to().constant(*std::move(inverse))};
    return multiply(argument(r, call, 0), factor).id;
}

} // namespace detail

/// Writes the division by a constant of floating point as the multiplication by one over it.
///
/// Divisions by integers, and by constants with a zero in them, stay.
///
/// Requires: inferred types.
/// Cost:     linear in the graph and in the divisors.
/// Throws:   `tutti::error` without types; the module is as it was.
struct div_to_mul : rule_pass<div_to_mul, fold_constant> {
    static constexpr pass_info info{.name = "DivToMul", .opt_level = 0};
    static constexpr call_rule rules[]{on_call<op::divide>(&detail::multiply_by_inverse)};
};

} // namespace tutti::relay
