#pragma once

#include <tutti/base/form.hpp>
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

TUTTI_SHARED_BEGIN
namespace tutti::relay::inline TUTTI_FORM::detail {

// Element type rules of SimplifyExpr. Source: the corresponding rules of the reference.

/// The range of an integer type.
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

/// True if `element` is an integer type whose range is from `least` to `greatest`.
constexpr bool is_range_of(dtype element, double least, double greatest) {
    const integer_range all = range_of(element);
    return !kernel::is_floating(element) && !kernel::is_narrow(element) && least == all.least &&
           greatest == all.greatest;
}

/// Replaces cast_like by a cast to the known type.
struct cast_as_another {
    static constexpr std::string_view name = "cast_as_another";
    static constexpr auto pattern = patterns::call<op::cast_like>(patterns::_x, patterns::_);
    static constexpr expr_id replace(rule_site& s) {
        return s.call<op::cast>({s[patterns::_x]}, {.dtype = s.element()});
    }
};

/// Removes a cast to the same type.
struct cast_to_the_same {
    static constexpr std::string_view name = "cast_to_the_same";
    static constexpr auto pattern = patterns::call<op::cast>(patterns::_x);
    static constexpr bool holds(const rule_match& m) { return provably_same_type(m.from, m[patterns::_x], m.root); }
    static constexpr expr_id replace(rule_site& s) { return s[patterns::_x]; }
};

/// Removes the first of two casts if the first keeps all values.
struct cast_of_a_wider {
    static constexpr std::string_view name = "cast_of_a_wider";
    static constexpr auto pattern = patterns::call<op::cast>(patterns::_y(patterns::call<op::cast>(patterns::_x)));

    static constexpr bool holds(const rule_match& m) {
        const dtype from = element_of(m.from, m[patterns::_x]);
        const dtype through = element_of(m.from, m[patterns::_y]);
        const dtype to = element_of(m.from, m.root);
        if (from != through && (from == dtype::bfloat16 || through == dtype::bfloat16 || kernel::is_narrow(from) ||
                                kernel::is_narrow(through) || kernel::is_narrow(to)))
            return false;
        if (m.as_reference) return rank(from) <= rank(through) && kernel::bits(from) <= kernel::bits(through);
        return widens(from, through) && goes_straight(from, through, to);
    }
    static constexpr expr_id replace(rule_site& s) {
        return s.call<op::cast>({s[patterns::_x]}, {.dtype = s.element()});
    }

private:
    // Returns the rank of a type in the reference's order: signed integers, unsigned integers and bool, floating point.
    static constexpr int rank(dtype t) {
        if (kernel::is_floating(t)) return 2;
        return t == dtype::boolean || t >= dtype::uint8 ? 1 : 0;
    }

    // True if a cast keeps all values. The reference treats signed integers as narrower than unsigned ones, which loses
    // the sign, and all integers as narrower than floating-point numbers of the same width, which rounds them.
    static constexpr bool widens(dtype from, dtype to) {
        if (rank(from) == rank(to)) return kernel::bits(from) <= kernel::bits(to);
        return rank(to) == 2 && rank(from) < 2 && kernel::bits(from) < kernel::bits(to);
    }

    // True if a direct cast from `from` to `to` gives the same values as two casts by way of `through`. Casts wrap
    // integers but saturate floating-point numbers. The reference does not check this.
    static constexpr bool goes_straight(dtype from, dtype through, dtype to) {
        if (rank(from) == 2 || rank(through) != 2 || rank(to) == 2 || to == dtype::boolean) return true;
        const integer_range values = range_of(from);
        const integer_range held = range_of(to);
        return held.least <= values.least && values.greatest <= held.greatest;
    }
};

/// Removes two integer casts after a clip if the second cast returns to the clip's type, and the clip has the range of
/// the first cast's type.
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

/// Removes a clip after a cast to an integer type if the clip has the range of the type.
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

/// Sorting commutes with dequantisation if all elements have the same quantisation, and distinct ones stay distinct.
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
    // True if distinct integers of this type become distinct float32 numbers in the same order. Within 2^22 of
    // the zero point, adjacent integers stay distinct, since their distance exceeds the rounding error, unless the
    // float32 numbers are subnormal or infinite. The reference does not check this.
    static constexpr bool stay_apart(dtype type, double scale, double zero) {
        constexpr double most = 4194304;
        const integer_range all = range_of(type);
        const floating_range range = floating_range_of(dtype::float32);
        return zero - all.least <= most && all.greatest - zero <= most && scale >= range.least &&
               scale * most <= range.greatest;
    }
};

} // namespace tutti::relay::inline TUTTI_FORM::detail
TUTTI_SHARED_END
