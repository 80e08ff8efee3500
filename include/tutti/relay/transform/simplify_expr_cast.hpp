#pragma once

#include <cstddef>
#include <limits>
#include <type_traits>

#include <tutti/relay/op/cast.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/qnn.hpp>
#include <tutti/relay/op/reduce.hpp>
#include <tutti/relay/transform/pattern_rules.hpp>

namespace tutti::relay::detail {

// The rules of SimplifyExpr about element types. Source: the reference's rules of the same purpose.

constexpr dtype element_of(const graph& g, expr_id e) { return g.types().element(g.type(e)); }

/// The least and the greatest finite value of an element type.
struct value_range {
    double least = 0;
    double greatest = 0;

    constexpr bool contains(const value_range& other) const {
        return least <= other.least && greatest >= other.greatest;
    }
};
constexpr value_range range_of(dtype element) {
    return kernel::with_element_type(element, []<class T>(std::type_identity<T>) -> value_range {
        if constexpr (std::is_same_v<T, kernel::float16>)
            return {-65504, 65504};
        else
            return {static_cast<double>(std::numeric_limits<T>::lowest()),
                    static_cast<double>(std::numeric_limits<T>::max())};
    });
}

/// cast_like says no more than a cast to the type that it has.
struct cast_as_another {
    static constexpr auto pattern = patterns::call<op::cast_like>(patterns::_x, patterns::_);
    static constexpr expr_id replace(rule_site& s) {
        return s.call<op::cast>({s[patterns::_x]}, {.dtype = s.element()});
    }
};

/// A cast to the type that it has.
struct cast_to_the_same {
    static constexpr auto pattern = patterns::call<op::cast>(patterns::_x);
    static constexpr bool holds(const rule_match& m) {
        return m.from.type(m[patterns::_x]) == m.from.type(m.root);
    }
    static constexpr expr_id replace(rule_site& s) { return s[patterns::_x]; }
};

/// Of two casts the first may go if it keeps all values.
struct cast_of_a_wider {
    static constexpr auto pattern =
        patterns::call<op::cast>(patterns::_y(patterns::call<op::cast>(patterns::_x)));

    static constexpr bool holds(const rule_match& m) {
        return widens(element_of(m.from, m[patterns::_x]), element_of(m.from, m[patterns::_y]));
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

    // The reference takes a signed integer for narrower than an unsigned one, which loses its sign.
    static constexpr bool widens(dtype from, dtype to) {
        if (bits(from) > bits(to)) return false;
        return rank(from) == rank(to) || (rank(from) < rank(to) && rank(to) == 2);
    }
};

/// Of the casts behind a clip those to types go that hold all of what it leaves.
struct casts_of_a_clip {
    static constexpr auto pattern =
        patterns::chain<op::cast>(patterns::_y(patterns::call<op::clip>(patterns::_x)));

    // The casts that stay, the last one first.
    static constexpr small_vector<dtype, 6> kept(const rule_match& m) {
        const graph& g = m.from;
        const auto a = get_attributes<clip_attributes>(g, g.call_attributes(m[patterns::_y]));
        small_vector<dtype, 6> types;
        for (const expr_id e : m.how.calls())
            if (e != m[patterns::_y] && !range_of(element_of(g, e)).contains({a.a_min, a.a_max}))
                types.push_back(element_of(g, e));
        const dtype last = types.empty() ? element_of(g, m[patterns::_y]) : types[0];
        if (last == element_of(g, m.root)) return types;
        small_vector<dtype, 6> all{element_of(g, m.root)};
        for (const dtype t : types) all.push_back(t);
        return all;
    }
    static constexpr bool holds(const rule_match& m) { return kept(m).size() + 1 < m.how.calls().size(); }

    static constexpr expr_id replace(rule_site& s) {
        const auto types = kept(s.old());
        expr_id made = s[patterns::_y];
        for (std::size_t i = types.size(); i-- > 0;) made = s.call<op::cast>({made}, {.dtype = types[i]});
        return made;
    }
};

/// A clip that leaves everything that the type can hold, unless it belongs to quantised arithmetic before it.
struct clip_to_all {
    static constexpr auto pattern = patterns::call<op::clip>(patterns::_x);

    static constexpr bool holds(const rule_match& m) {
        const graph& g = m.from;
        if (calls<op::qnn::requantize>(g, m[patterns::_x]) || calls<op::qnn::add>(g, m[patterns::_x]))
            return false;
        const auto a = get_attributes<clip_attributes>(g, g.call_attributes(m.root));
        return value_range{a.a_min, a.a_max}.contains(range_of(element_of(g, m.root)));
    }
    static constexpr expr_id replace(rule_site& s) { return s[patterns::_x]; }
};

/// The greatest element stays where it is if all are dequantised alike.
struct greatest_of_dequantized {
    static constexpr auto pattern = patterns::call<op::argmax>(
        patterns::call<op::qnn::dequantize>(patterns::_x, patterns::_a, patterns::_b));

    static constexpr bool holds(const rule_match& m) {
        return shape_of(m.from, m[patterns::_a]).empty() && shape_of(m.from, m[patterns::_b]).empty();
    }
    static constexpr expr_id replace(rule_site& s) { return s.call_like_root({s[patterns::_x]}); }
};

} // namespace tutti::relay::detail
