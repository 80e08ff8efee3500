#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/create.hpp>
#include <tutti/relay/op/dense.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/same_type.hpp>
#include <tutti/relay/op/shape.hpp>
#include <tutti/relay/transform/rewrite/pattern_rules.hpp>
#include <tutti/relay/transform/rewrite/scalar_constant.hpp>

#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM::detail {

// Arithmetic rules of SimplifyExpr. Source: the corresponding rules of the reference.

/// Adds a scalar constant of element type `element` and sets its type.
constexpr expr_id scalar_like(rule_site& s, dtype element, double value) {
    const expr_id made = scalar_constant(s.to(), element, value).id;
    s.to().set_type(made, type_of_constant(s.to(), s.to().constant_value(made)));
    return made;
}

/// x + x = 2 x. As in the reference, 2 x uses a copy of x that no other user of x shares. The reference infers the type
/// of 2 x separately, which copies x.
struct add_to_itself {
    static constexpr std::string_view name = "add_to_itself";
    static constexpr auto pattern = patterns::call<op::add>(patterns::_x, patterns::_x);
    // False for bool, which cannot hold 2, and for elements with lanes, which cannot be constants.
    static constexpr bool holds(const rule_match& m) {
        const dtype type = element_of(m.from, m.root);
        return type != dtype::boolean && kernel::lane_count(type) == 1;
    }
    static constexpr expr_id replace(rule_site& s) {
        return s.call<op::multiply>({s.copy(s[patterns::_x]), scalar_like(s, s.element(), 2)});
    }
};

/// y / sqrt(x) = y rsqrt(x).
struct divide_by_root {
    static constexpr std::string_view name = "divide_by_root";
    static constexpr auto pattern = patterns::call<op::divide>(patterns::_y, patterns::call<op::sqrt>(patterns::_x));
    static constexpr expr_id replace(rule_site& s) {
        return s.call<op::multiply>({s[patterns::_y], s.call<op::rsqrt>({s[patterns::_x]})});
    }
};

/// x + 0 = x - 0 = 1 x = x / 1 = x if x has the type of the result. For floating point, the added zero must be -0, and
/// the subtracted zero +0.
struct neutral_operand {
    static constexpr std::string_view name = "neutral_operand";
    static constexpr auto zeros =
        patterns::call<op::zeros>() | patterns::call<op::zeros_like>(patterns::_) | patterns::constant(patterns::_c);
    static constexpr auto ones =
        patterns::call<op::ones>() | patterns::call<op::ones_like>(patterns::_) | patterns::constant(patterns::_c);
    static constexpr auto pattern =
        patterns::call<op::add>(patterns::_x, zeros) | patterns::call<op::multiply>(patterns::_x, ones) |
        patterns::call<op::subtract>(patterns::_x, zeros) | patterns::call<op::divide>(patterns::_x, ones);

    static constexpr bool holds(const rule_match& m) {
        const graph& g = m.from;
        const bool addition = calls<op::add>(g, m.root);
        const bool sum = addition || calls<op::subtract>(g, m.root);
        bool is_negative = false;
        if (const expr_id c = m[patterns::_c]; c != expr_id::none) {
            const tensor& value = g.constant_value(c);
            if (value.rank() != 0) return false;
            const double number = number_at(value, 0);
            if (number != (sum ? 0 : 1)) return false;
            is_negative = std::bit_cast<std::uint64_t>(number) >> 63 != 0;
        }
        // -0 + 0 and -0 - -0 are +0, not -0; the reference drops these zeros too.
        if (sum && kernel::is_floating(element_of(g, m.root)) && is_negative != addition && !m.as_reference)
            return false;
        return provably_same_type(g, m[patterns::_x], m.root);
    }
    static constexpr expr_id replace(rule_site& s) { return s[patterns::_x]; }
};

/// Replaces an operand whose elements are all equal by a scalar if the other operand has the type of the result.
struct full_operand {
    static constexpr std::string_view name = "full_operand";
    static constexpr auto broadcasts = [](const op_def& op) { return op.shape_from == shape_source::broadcast; };
    static constexpr auto full =
        patterns::_a(patterns::call<op::full>(patterns::scalar(patterns::_c)) |
                     patterns::call<op::full_like>(patterns::_, patterns::scalar(patterns::_c)));
    static constexpr auto ones = patterns::_b(patterns::call<op::ones>() | patterns::call<op::ones_like>(patterns::_));
    static constexpr auto zeros = patterns::call<op::zeros>() | patterns::call<op::zeros_like>(patterns::_);
    static constexpr auto equal = patterns::_y(full | ones | zeros);
    static constexpr auto pattern =
        patterns::call_if(broadcasts, equal, patterns::_x) | patterns::call_if(broadcasts, patterns::_x, equal);

    static constexpr bool holds(const rule_match& m) {
        const graph& g = m.from;
        const type_id type = g.type(m.root);
        const expr_id value = m[patterns::_c];
        return provably_same_type(g, m[patterns::_x], m.root) && kernel::lane_count(g.types().element(type)) == 1 &&
               (value == expr_id::none || g.constant_value(value).type() == g.types().element(type));
    }

    static constexpr expr_id replace(rule_site& s) {
        const expr_id value =
            s.has(patterns::_a) ? s[patterns::_c] : scalar_like(s, s.element(), s.has(patterns::_b) ? 1 : 0);
        const bool left = s.from().operand(s.root(), 2) == s.old()[patterns::_x];
        return left ? s.call_like_root({value, s[patterns::_x]}) : s.call_like_root({s[patterns::_x], value});
    }
};

/// The least nonzero and the greatest absolute value of the elements.
struct magnitudes {
    double least = std::numeric_limits<double>::infinity();
    double greatest = 0;
};
constexpr magnitudes magnitudes_of(const tensor& t) {
    magnitudes m;
    for (std::int64_t i = 0; i < t.size(); ++i) {
        const double x = magnitude(number_at(t, i));
        if (x != 0 && x < m.least) m.least = x;
        if (!(x <= m.greatest)) m.greatest = x; // also if x is NaN
    }
    return m;
}

/// True if the constants `_a` and `_b` may be combined. For floating point, their sum and product must be finite. If
/// `product` is set, their product must not be subnormal: (1e-30 x) 1e-30 may be nonzero where 1e-60 is 0, and 0 x is
/// NaN for an infinite x.
constexpr bool constants_fit(const rule_match& m, bool product) {
    const dtype type = element_of(m.from, m.root);
    if (!kernel::is_floating(type)) return true;
    const magnitudes a = magnitudes_of(m.from.constant_value(m[patterns::_a]));
    const magnitudes b = magnitudes_of(m.from.constant_value(m[patterns::_b]));
    const floating_range range = floating_range_of(type);
    return a.greatest + b.greatest <= range.greatest && a.greatest * b.greatest <= range.greatest &&
           (!product || a.least * b.least >= range.least);
}

/// (x + a) b = x b + a b, where a b is a constant.
struct factor_after_sum {
    static constexpr std::string_view name = "factor_after_sum";
    static constexpr auto pattern = patterns::call<op::multiply>(
        patterns::call<op::add>(patterns::_x, patterns::constant(patterns::_a)), patterns::constant(patterns::_b));

    static constexpr bool holds(const rule_match& m) {
        return m.from.kind(m[patterns::_x]) != expr_kind::constant && (m.as_reference || constants_fit(m, false));
    }

    static constexpr expr_id replace(rule_site& s) {
        const expr_id known = s.evaluate<op::multiply>(s[patterns::_a], s[patterns::_b]);
        if (known == expr_id::none) return known;
        return s.call<op::add>({s.call<op::multiply>({s[patterns::_x], s[patterns::_b]}), known});
    }
};

/// Returns the position in `t` of the element that broadcasting `t` to `shape` copies to position `place`.
constexpr std::int64_t place_before_broadcast(std::int64_t place, std::span<const std::int64_t> shape,
                                              const tensor& t) {
    std::int64_t from = 0;
    std::int64_t stride = 1;
    for (std::size_t i = 1; i <= t.shape().size(); ++i) {
        const std::int64_t size = t.shape()[t.shape().size() - i];
        const std::int64_t all = shape[shape.size() - i];
        if (size != 1) from += place % all * stride;
        place /= all;
        stride *= size;
    }
    return from;
}

/// True if the rounding error of `a` + `b` is at most the rounding error of `b` itself, element by element. Then
/// x + (a + b) is as precise as (x + a) + b, even where x is close to -a.
constexpr bool sum_keeps_digits(const tensor& a, const tensor& b, const tensor& sum) {
    const double unit = unit_of(sum.type());
    for (std::int64_t i = 0; i < sum.size(); ++i) {
        const double x = number_at(a, place_before_broadcast(i, sum.shape(), a));
        const double y = number_at(b, place_before_broadcast(i, sum.shape(), b));
        // Knuth, "The Art of Computer Programming", volume 2, 4.2.2, theorem B: x + y is exactly high + low.
        const double high = x + y;
        const double of_x = high - y;
        const double low = (x - of_x) + (y - (high - of_x));
        if (magnitude((high - number_at(sum, i)) + low) > unit * magnitude(y)) return false;
    }
    return true;
}

/// (x a) b = x (a b), and (x + a) + b = x + (a + b).
struct two_constants {
    static constexpr std::string_view name = "two_constants";
    template <class Op>
    static constexpr auto twice = patterns::call<Op>(patterns::call<Op>(patterns::_x, patterns::constant(patterns::_a)),
                                                     patterns::constant(patterns::_b));
    static constexpr auto pattern = twice<op::multiply> | twice<op::add>;

    static constexpr bool holds(const rule_match& m) {
        const bool product = calls<op::multiply>(m.from, m.root);
        return m.from.kind(m[patterns::_x]) != expr_kind::constant && (m.as_reference || constants_fit(m, product));
    }

    static constexpr expr_id replace(rule_site& s) {
        const bool sum = calls<op::add>(s.from(), s.root());
        const expr_id known = sum ? s.evaluate<op::add>(s[patterns::_a], s[patterns::_b])
                                  : s.evaluate<op::multiply>(s[patterns::_a], s[patterns::_b]);
        if (known == expr_id::none) return known;
        const graph& g = s.to();
        if (sum && !s.old().as_reference && kernel::is_floating(s.element()) &&
            !sum_keeps_digits(g.constant_value(s[patterns::_a]), g.constant_value(s[patterns::_b]),
                              g.constant_value(known)))
            return s.leave("the sum of the constants would lose digits");
        return s.call_like_root({s[patterns::_x], known});
    }
};

} // namespace tutti::relay::inline TUTTI_FORM::detail
TUTTI_SHARED_END
