#pragma once

#include <tutti/relay/op/cast.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/index.hpp>
#include <tutti/relay/op/qnn.hpp>
#include <tutti/relay/op/reduce.hpp>
#include <tutti/relay/op/same_type.hpp>
#include <tutti/relay/transform/rewrite/pattern_rules.hpp>
#include <tutti/relay/transform/rewrite/scalar_constant.hpp>

#include <cstddef>
#include <limits>
#include <string_view>
#include <type_traits>

namespace tutti::relay::detail {

// The rules of SimplifyExpr about element types. Source: the reference's rules of the same purpose.

/// What an integer type holds.
struct integer_range {
    double least;
    double greatest;
};
constexpr integer_range range_of(dtype integer) {
    return kernel::with_element_type(integer, []<class T>(std::type_identity<T>) {
        if constexpr (std::is_integral_v<T>)
            return integer_range{static_cast<double>(std::numeric_limits<T>::lowest()),
                                 static_cast<double>(std::numeric_limits<T>::max())};
        else
            return integer_range{};
    });
}

/// Whether the range from `least` to `greatest` is just what an integer type holds.
constexpr bool is_range_of(dtype element, double least, double greatest) {
    const integer_range all = range_of(element);
    return !kernel::is_floating(element) && least == all.least && greatest == all.greatest;
}

/// cast_like says no more than a cast to the type that it has.
struct cast_as_another {
    static constexpr std::string_view name = "cast_as_another";
    static constexpr auto pattern = patterns::call<op::cast_like>(patterns::_x, patterns::_);
    static constexpr expr_id replace(rule_site& s) {
        return s.call<op::cast>({s[patterns::_x]}, {.dtype = s.element()});
    }
};

/// A cast to the type that it has.
struct cast_to_the_same {
    static constexpr std::string_view name = "cast_to_the_same";
    static constexpr auto pattern = patterns::call<op::cast>(patterns::_x);
    static constexpr bool holds(const rule_match& m) { return provably_same_type(m.from, m[patterns::_x], m.root); }
    static constexpr expr_id replace(rule_site& s) { return s[patterns::_x]; }
};

/// Of two casts the first may go if it keeps all values.
struct cast_of_a_wider {
    static constexpr std::string_view name = "cast_of_a_wider";
    static constexpr auto pattern = patterns::call<op::cast>(patterns::_y(patterns::call<op::cast>(patterns::_x)));

    static constexpr bool holds(const rule_match& m) {
        const dtype from = element_of(m.from, m[patterns::_x]);
        const dtype through = element_of(m.from, m[patterns::_y]);
        if (from != through && (from == dtype::bfloat16 || through == dtype::bfloat16)) return false;
        if (m.as_reference) return rank(from) <= rank(through) && bits(from) <= bits(through);
        return widens(from, through) && goes_straight(from, through, element_of(m.from, m.root));
    }
    static constexpr expr_id replace(rule_site& s) {
        return s.call<op::cast>({s[patterns::_x]}, {.dtype = s.element()});
    }

private:
    // Signed integers, unsigned ones with the booleans, and floating-point numbers, in the reference's order.
    static constexpr int rank(dtype t) {
        if (kernel::is_floating(t)) return 2;
        return t == dtype::boolean || t >= dtype::uint8 ? 1 : 0;
    }
    static constexpr std::size_t bits(dtype t) { return t == dtype::boolean ? 1 : 8 * kernel::bytes(t); }

    // The reference takes a signed integer for narrower than an unsigned one, which loses its sign, and any integer for
    // narrower than a floating-point number of as many bits, which rounds it.
    static constexpr bool widens(dtype from, dtype to) {
        if (rank(from) == rank(to)) return bits(from) <= bits(to);
        return rank(to) == 2 && rank(from) < 2 && bits(from) < bits(to);
    }

    // Whether a cast does to the values the same from either type: from integers it wraps, from floating-point numbers it saturates.
    // The reference does not ask.
    static constexpr bool goes_straight(dtype from, dtype through, dtype to) {
        if (rank(from) == 2 || rank(through) != 2 || rank(to) == 2 || to == dtype::boolean) return true;
        const integer_range values = range_of(from);
        const integer_range held = range_of(to);
        return held.least <= values.least && values.greatest <= held.greatest;
    }
};

/// Of integers: two casts behind a clip go if the second leads back to the clip's type and the clip leaves just
/// what the first one's type holds.
struct casts_of_a_clip {
    static constexpr std::string_view name = "casts_of_a_clip";
    static constexpr auto pattern = patterns::call<op::cast>(
        patterns::_y(patterns::call<op::cast>(patterns::_x(patterns::call<op::clip>(patterns::_)))));

    static constexpr bool holds(const rule_match& m) {
        const graph& g = m.from;
        const expr_id clip = m[patterns::_x];
        const auto a = get_attributes<clip_attributes>(g, g.call_attributes(clip));
        const dtype element = element_of(g, clip);
        return !kernel::is_floating(element) && element == element_of(g, m.root) &&
               is_range_of(element_of(g, m[patterns::_y]), a.a_min, a.a_max);
    }
    static constexpr expr_id replace(rule_site& s) { return s[patterns::_x]; }
};

/// A clip behind a cast to an integer type goes if it leaves just what the type holds.
struct clip_of_a_cast {
    static constexpr std::string_view name = "clip_of_a_cast";
    static constexpr auto pattern = patterns::call<op::clip>(patterns::_x(patterns::call<op::cast>(patterns::_)));

    static constexpr bool holds(const rule_match& m) {
        const graph& g = m.from;
        const auto a = get_attributes<clip_attributes>(g, g.call_attributes(m.root));
        return is_range_of(element_of(g, m.root), a.a_min, a.a_max);
    }
    static constexpr expr_id replace(rule_site& s) { return s[patterns::_x]; }
};

/// The order of elements stays as it is if all are dequantised alike, and no two of them to one number.
template <class Op>
struct order_of_dequantized {
    static constexpr std::string_view name = std::is_same_v<Op, op::argmax>   ? "argmax_of_dequantized"
                                             : std::is_same_v<Op, op::argmin> ? "argmin_of_dequantized"
                                                                              : "argsort_of_dequantized";
    static constexpr auto pattern =
        patterns::call<Op>(patterns::call<op::qnn::dequantize>(patterns::_x, patterns::_a, patterns::_b));

    static constexpr bool holds(const rule_match& m) {
        const graph& g = m.from;
        const expr_id scale = m[patterns::_a];
        const expr_id zero = m[patterns::_b];
        if (!shape_of(g, scale).empty() || !shape_of(g, zero).empty()) return false;
        if (m.as_reference) return true;
        return g.kind(scale) == expr_kind::constant && g.kind(zero) == expr_kind::constant &&
               stay_apart(element_of(g, m[patterns::_x]), number_at(g.constant_value(scale), 0),
                          number_at(g.constant_value(zero), 0));
    }
    static constexpr expr_id replace(rule_site& s) { return s.call_like_root({s[patterns::_x]}); }

private:
    // Whether integers of that type become different numbers of float32 in the same order. Neighbours do if they are at most 2^22
    // from the zero point, where they differ by more than the rounding of either, and neither becomes subnormal or infinite. The
    // reference does not ask.
    static constexpr bool stay_apart(dtype type, double scale, double zero) {
        constexpr double most = 4194304;
        const integer_range all = range_of(type);
        const floating_range range = floating_range_of(dtype::float32);
        return zero - all.least <= most && all.greatest - zero <= most && scale >= range.least &&
               scale * most <= range.greatest;
    }
};

} // namespace tutti::relay::detail
