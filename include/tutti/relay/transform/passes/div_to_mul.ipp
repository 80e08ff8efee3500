#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/transform/passes/div_to_mul.hpp>
#include <tutti/relay/transform/rewrite/scalar_constant.hpp>
#include <tutti/relay/transform/rule_pass.hpp>

#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

/// Returns the reciprocals of all elements. Returns nothing if the elements are not floating-point, if one is zero, or
/// if the reciprocal of a finite element is not a finite normal number. The reference does not check reciprocals.
constexpr std::optional<tensor> inverse_of(const tensor& t, bool as_reference) {
    if (!kernel::is_floating(t.type())) return std::nullopt;
    tensor inverse;
    inverse.reset(t.type(), t.shape());
    const floating_range range = floating_range_of(t.type());
    const auto invert = [&]<class T, class Number>(std::type_identity<T>, std::type_identity<Number>) {
        const T* from = t.data<T>();
        T* to = inverse.mutable_data<T>();
        for (const T* end = from + t.size(); from != end; ++from) {
            const auto x = static_cast<Number>(*from);
            if (x == 0) return false;
            const T y(1 / x);
            const auto size = magnitude(static_cast<double>(static_cast<Number>(y)));
            const bool fits = (size >= range.least && size <= range.greatest) || x - x != 0;
            if (!fits && !as_reference) return false;
            *to++ = y;
        }
        return true;
    };
    constexpr std::type_identity<float> f32;
    constexpr std::type_identity<double> f64;
    const bool inverted = t.type() == dtype::float64   ? invert(f64, f64)
                          : t.type() == dtype::float32 ? invert(f32, f32)
                          : t.type() == dtype::float16 ? invert(std::type_identity<kernel::float16>{}, f32)
                                                       : invert(std::type_identity<kernel::bfloat16>{}, f32);
    return inverted ? std::optional(std::move(inverse)) : std::nullopt;
}

template <bool AsReference>
constexpr expr_id multiply_by_inverse(rewriter& r, expr_id call) {
    const expr divisor = argument(r, call, 1);
    if (r.to().kind(divisor.id) != expr_kind::constant) return expr_id::none;
    auto inverse = inverse_of(r.to().constant_value(divisor.id), AsReference);
    if (!inverse) return expr_id::none;
    const expr factor{&r.to(), r.to().constant(*std::move(inverse))};
    return multiply(argument(r, call, 0), factor).id;
}

constexpr std::string_view why_not_inverted(const graph& g, expr_id call) {
    const expr_id divisor = g.arguments(call)[1];
    if (g.kind(divisor) != expr_kind::constant) return {};
    if (!kernel::is_floating(g.constant_value(divisor).type())) return "the reciprocal of an integer is not an integer";
    return "an element of the divisor is zero, or its reciprocal is infinite or subnormal";
}

inline constexpr call_rule division_rules[]{{.op = &definition<op::divide>,
                                             .replace = &multiply_by_inverse<false>,
                                             .reference = &multiply_by_inverse<true>,
                                             .why_left = &why_not_inverted}};

} // namespace detail

TUTTI_CONSTEXPR std::span<const call_rule> div_to_mul::rules() { return detail::division_rules; }

TUTTI_CONSTEXPR void div_to_mul::apply(ir_module& m, module_context&& ctx) const {
    run_rules(
        m, ctx, info, [](const function& f, const rewrite_terms& terms) { return apply_rules(f, rules(), terms); },
        as_reference);
}

} // namespace tutti::relay::inline TUTTI_FORM
