#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/create.hpp>
#include <tutti/relay/op/dense.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/transform/pattern_rules.hpp>
#include <tutti/relay/transform/scalar_constant.hpp>

namespace tutti::relay::detail {

// The rules of SimplifyExpr about arithmetic. Source: the reference's rules of the same purpose.

/// The value of a tensor of one element.
constexpr double only_value(const tensor& t) {
    return kernel::with_element_type(t.type(), [&]<class T>(std::type_identity<T>) {
        if constexpr (std::is_same_v<T, kernel::float16>)
            return static_cast<double>(static_cast<float>(t.elements<T>()[0]));
        else
            return static_cast<double>(t.elements<T>()[0]);
    });
}

/// Adds a constant of the match's element type, with its type.
constexpr expr_id scalar_like(rule_site& s, dtype element, double value) {
    const expr_id made = scalar_constant(s.to(), element, value).id;
    s.to().set_type(made, type_of_constant(s.to(), s.to().constant_value(made)));
    return made;
}

/// x + x is 2 x. As in the reference, what else uses a part of x does not share it with 2 x any more: there,
/// the type of 2 x is inferred on its own, which copies it.
struct add_to_itself {
    static constexpr auto pattern = patterns::call<op::add>(patterns::_x, patterns::_x);
    static constexpr expr_id replace(rule_site& s) {
        return s.call<op::multiply>({s.copy(s[patterns::_x]), scalar_like(s, s.element(), 2)});
    }
};

/// y / sqrt(x) is y rsqrt(x).
struct divide_by_root {
    static constexpr auto pattern =
        patterns::call<op::divide>(patterns::_y, patterns::call<op::sqrt>(patterns::_x));
    static constexpr expr_id replace(rule_site& s) {
        return s.call<op::multiply>({s[patterns::_y], s.call<op::rsqrt>({s[patterns::_x]})});
    }
};

/// x + 0, x - 0, 1 x and x / 1 are x where that has the type of the result.
struct neutral_operand {
    static constexpr auto zeros = patterns::call<op::zeros>() | patterns::call<op::zeros_like>(patterns::_) |
                                  patterns::constant(patterns::_c);
    static constexpr auto ones = patterns::call<op::ones>() | patterns::call<op::ones_like>(patterns::_) |
                                 patterns::constant(patterns::_c);
    static constexpr auto pattern =
        patterns::call<op::add>(patterns::_x, zeros) | patterns::call<op::multiply>(patterns::_x, ones) |
        patterns::call<op::subtract>(patterns::_x, zeros) | patterns::call<op::divide>(patterns::_x, ones);

    static constexpr bool holds(const rule_match& m) {
        const graph& g = m.from;
        if (const expr_id c = m[patterns::_c]; c != expr_id::none) {
            const tensor& value = g.constant_value(c);
            const bool sum = calls<op::add>(g, m.root) || calls<op::subtract>(g, m.root);
            if (value.rank() != 0 || only_value(value) != (sum ? 0 : 1)) return false;
        }
        return g.type(m[patterns::_x]) == g.type(m.root);
    }
    static constexpr expr_id replace(rule_site& s) { return s[patterns::_x]; }
};

/// A tensor of equal elements beside one of the result's type is only their value.
struct full_operand {
    // `bias_add` broadcasts, but takes no scalar.
    static constexpr auto broadcasts = [](const op_def& op) {
        return op.pattern == fusion_pattern::broadcast && &op != &definition<op::nn::bias_add>;
    };
    static constexpr auto full =
        patterns::_a(patterns::call<op::full>(patterns::scalar(patterns::_c)) |
                     patterns::call<op::full_like>(patterns::_, patterns::scalar(patterns::_c)));
    static constexpr auto ones =
        patterns::_b(patterns::call<op::ones>() | patterns::call<op::ones_like>(patterns::_));
    static constexpr auto zeros = patterns::call<op::zeros>() | patterns::call<op::zeros_like>(patterns::_);
    static constexpr auto equal = patterns::_y(full | ones | zeros);
    static constexpr auto pattern = patterns::call_if(broadcasts, equal, patterns::_x) |
                                    patterns::call_if(broadcasts, patterns::_x, equal);

    static constexpr bool holds(const rule_match& m) {
        return m.from.type(m[patterns::_x]) == m.from.type(m.root);
    }

    static constexpr expr_id replace(rule_site& s) {
        const expr_id value =
            s.has(patterns::_a) ? s[patterns::_c] : scalar_like(s, s.element(), s.has(patterns::_b) ? 1 : 0);
        const bool left = s.from().operand(s.root(), 2) == s.old()[patterns::_x];
        return left ? s.call_like_root({value, s[patterns::_x]}) : s.call_like_root({s[patterns::_x], value});
    }
};

/// (x + a) b is x b + a b, of which the latter is known.
struct factor_after_sum {
    static constexpr auto pattern =
        patterns::call<op::multiply>(patterns::call<op::add>(patterns::_x, patterns::constant(patterns::_a)),
                                     patterns::constant(patterns::_b));

    static constexpr bool holds(const rule_match& m) {
        return m.from.kind(m[patterns::_x]) != expr_kind::constant;
    }

    static constexpr expr_id replace(rule_site& s) {
        const expr_id known = s.evaluate<op::multiply>(s[patterns::_a], s[patterns::_b]);
        if (known == expr_id::none) return known;
        return s.call<op::add>({s.call<op::multiply>({s[patterns::_x], s[patterns::_b]}), known});
    }
};

/// (x a) b is x (a b), and (x + a) + b is x + (a + b).
struct two_constants {
    template <class Op>
    static constexpr auto twice = patterns::call<Op>(patterns::call<Op>(patterns::_x,
                                                                        patterns::constant(patterns::_a)),
                                                     patterns::constant(patterns::_b));
    static constexpr auto pattern = twice<op::multiply> | twice<op::add>;

    static constexpr bool holds(const rule_match& m) {
        return m.from.kind(m[patterns::_x]) != expr_kind::constant;
    }

    static constexpr expr_id replace(rule_site& s) {
        const bool sum = calls<op::add>(s.from(), s.root());
        const expr_id known = sum ? s.evaluate<op::add>(s[patterns::_a], s[patterns::_b])
                                  : s.evaluate<op::multiply>(s[patterns::_a], s[patterns::_b]);
        return known == expr_id::none ? known : s.call_like_root({s[patterns::_x], known});
    }
};

/// The pattern of factor · v · w.
template <class Factor, class V, class W>
constexpr auto product_of(Factor factor, V v, W w) {
    return patterns::call<op::multiply>(factor, patterns::call<op::multiply>(v, w)) |
           patterns::call<op::multiply>(v, patterns::call<op::multiply>(factor, w));
}

/// a x² + b x y + c y² is a (x + p y) (x + q y) if p and q are real (of integers, if they are integers).
struct binomial {
    static constexpr auto a = patterns::scalar(patterns::_a);
    static constexpr auto b = patterns::scalar(patterns::_b);
    static constexpr auto c = patterns::scalar(patterns::_c);
    static constexpr auto xx = product_of(a, patterns::_x, patterns::_x) | //
                               patterns::call<op::multiply>(patterns::_x, patterns::_x);
    static constexpr auto xy =
        product_of(b, patterns::_x, patterns::_y) |
        patterns::call<op::multiply>(patterns::_y, patterns::call<op::multiply>(b, patterns::_x)) |
        patterns::call<op::multiply>(patterns::_x, patterns::_y);
    static constexpr auto yy = product_of(c, patterns::_y, patterns::_y) | //
                               patterns::call<op::multiply>(patterns::_y, patterns::_y);
    static constexpr auto pattern = patterns::call<op::add>(patterns::call<op::add>(xy, xx), yy) |
                                    patterns::call<op::add>(patterns::call<op::add>(xy, yy), xx) |
                                    patterns::call<op::add>(patterns::call<op::add>(xx, yy), xy);

    // The factors in front, and p and q; x and y change places if only y² has a factor of 1.
    struct roots {
        bool swapped = false;
        double a = 1;
        double first = 0;
        double second = 0;
    };

    static constexpr std::optional<roots> solve(const rule_match& m) {
        const graph& g = m.from;
        const dtype element = g.types().element(g.type(m.root));
        if (element != dtype::int32 && element != dtype::float32 && element != dtype::float64)
            return std::nullopt;
        const auto factor = [&](expr_id e) {
            return e == expr_id::none ? 1.0 : only_value(g.constant_value(e));
        };
        roots r{.a = factor(m[patterns::_a])};
        const double middle = factor(m[patterns::_b]);
        double last = factor(m[patterns::_c]);
        r.swapped = last == 1 && r.a > 1;
        if (r.swapped) std::swap(r.a, last);
        const double square = middle * middle - 4 * r.a * last;
        if (r.a == 0 || !(square >= 0) || square > std::numeric_limits<double>::max()) return std::nullopt;
        // The reference has the two roots for one if the square is below 1e-4, however small the factors are.
        const double root = square < 1e-4 && square <= 1e-6 * middle * middle ? 0 : square_root(square);
        r.first = (middle + root) / (2 * r.a);
        r.second = (middle - root) / (2 * r.a);
        const auto fits = [](double x) { return x == static_cast<double>(static_cast<std::int32_t>(x)); };
        if (element == dtype::int32 &&
            (std::max({r.first, -r.first, r.second, -r.second}) > 1e9 || !fits(r.first) || !fits(r.second)))
            return std::nullopt;
        return r;
    }
    static constexpr bool holds(const rule_match& m) { return solve(m).has_value(); }

    static constexpr expr_id replace(rule_site& s) {
        const roots r = *solve(s.old());
        const expr_id x = r.swapped ? s[patterns::_y] : s[patterns::_x];
        const expr_id y = r.swapped ? s[patterns::_x] : s[patterns::_y];
        const auto sum = [&](double factor) {
            return s.call<op::add>({x, s.call<op::multiply>({y, scalar_like(s, s.element(), factor)})});
        };
        const expr_id first = sum(r.first);
        const expr_id second = r.first == r.second ? first : sum(r.second);
        return s.call<op::multiply>(
            {scalar_like(s, s.element(), r.a), s.call<op::multiply>({first, second})});
    }

private:
    // Newton's method in constant evaluation, where std::sqrt is not. Requires: x >= 0.
    static constexpr double square_root(double x) {
        if (!std::is_constant_evaluated()) return std::sqrt(x);
        if (x == 0) return 0;
        double root = x < 1 ? 1 : x;
        for (double next = (root + x / root) / 2; next < root; next = (root + x / root) / 2) root = next;
        return root;
    }
};

} // namespace tutti::relay::detail
