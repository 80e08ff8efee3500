#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/testing/program_maker.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace tutti::relay::inline TUTTI_FORM::testing {

// Elementwise steps.

/// Calls a trigonometric, exponential or inverse function.
inline expr transcendental_call(program_maker& m, expr x) {
    using unary = expr (*)(expr);
    constexpr unary functions[]{relay::sin,   relay::cos,  relay::tan,  relay::asin,  relay::acos,
                                relay::atan,  relay::sinh, relay::cosh, relay::asinh, relay::acosh,
                                relay::atanh, relay::log2, relay::log10};
    return functions[m.choose.index(std::size(functions))](x);
}

inline expr unary_call(program_maker& m, const value& x) {
    const bool number = x.type != dtype::boolean;
    if (kernel::is_floating(x.type)) {
        switch (m.choose.below(14)) {
        case 0:
            return relay::sigmoid(x.e);
        case 1:
            return relay::exp(x.e);
        case 2:
            return relay::tanh(x.e);
        case 3:
            return relay::sqrt(x.e);
        case 4:
            return relay::rsqrt(x.e);
        case 5:
            return relay::log(x.e);
        case 6:
            return relay::erf(x.e);
        case 7:
            return m.choose.one_in(3) ? relay::isnan(x.e)
                                      : (m.choose.flip() ? relay::isinf(x.e) : relay::isfinite(x.e));
        case 8:
            return m.choose.flip() ? relay::fast_exp(x.e)
                                   : (m.choose.flip() ? relay::fast_tanh(x.e) : relay::fast_erf(x.e));
        case 9:
        case 10:
            return transcendental_call(m, x.e);
        default:
            break;
        }
    }
    switch (m.choose.below(9)) {
    case 0:
        return relay::nn::relu(x.e);
    case 1:
        return relay::negative(x.e);
    case 2:
        return relay::abs(x.e);
    case 3:
        return relay::copy(x.e);
    case 4:
        if (number) {
            const double low = static_cast<double>(m.choose.between(0, 6)) - 3;
            return relay::clip(x.e, {.a_min = low, .a_max = low + static_cast<double>(m.choose.between(0, 128))});
        }
        break;
    case 5:
        return m.choose.flip() ? relay::floor(x.e) : relay::ceil(x.e);
    case 6:
        return m.choose.flip() ? relay::round(x.e) : relay::trunc(x.e);
    case 7:
        return relay::nn::leaky_relu(x.e, {.alpha = static_cast<double>(m.choose.between(0, 4)) / 4});
    default:
        break;
    }
    return relay::annotation::stop_fusion(x.e);
}

inline void unary_step(program_maker& m) {
    const value x = m.any();
    const bool of_bool = x.type == dtype::boolean;
    m.give(m.of(unary_call(m, of_bool ? m.cast(x, dtype::int8) : x)));
}

inline expr arithmetic(program_maker& m, const value& a, const value& b) {
    switch (m.choose.below(7)) {
    case 0:
        return relay::add(a.e, b.e);
    case 1:
        return relay::multiply(a.e, b.e);
    case 2:
        return relay::subtract(a.e, b.e);
    case 3:
        return relay::maximum(a.e, b.e);
    case 4:
        return relay::minimum(a.e, b.e);
    default:
        return m.choose.flip() ? relay::add(b.e, a.e) : relay::multiply(b.e, a.e);
    }
}

/// Returns a second operand for `x`: an existing value, or a tensor that broadcasts.
inline value partner(program_maker& m, const value& x) {
    if (m.choose.one_in(3)) return m.fitting(x.type, x.shape);
    return m.operand(x.type, m.broadcastable(x.shape));
}

inline void binary_step(program_maker& m) {
    const value x = m.number();
    m.give(m.of(arithmetic(m, x, partner(m, x))));
}

/// Adds two successive operations with constants, which passes can combine.
inline void constants_step(program_maker& m) {
    value x = m.number();
    for (int i = 0; i < 2; ++i) x = m.of(arithmetic(m, x, m.constant(x.type, m.broadcastable(x.shape))));
    m.give(x);
}

inline void neutral_step(program_maker& m) {
    static constexpr double neutral[]{0, 1, 2, -1};
    const value x = m.number();
    const bool is_unsigned = x.type == dtype::uint8;
    const value c = m.scalar(x.type, neutral[m.choose.index(is_unsigned ? 3 : 4)]);
    m.give(m.of(arithmetic(m, x, c)));
}

inline void divide_step(program_maker& m) {
    const value x = m.number();
    static constexpr double divisors[]{2, 3, -4, 1, -1, 7, 0.5, 100};
    double by = divisors[m.choose.index(8)];
    if (x.type == dtype::uint8) by = by < 0 ? -by : by;
    if (!kernel::is_floating(x.type) && by == 0.5) by = 5;
    if (m.choose.one_in(3))
        m.give(m.of(relay::divide(x.e, m.constant(x.type, m.broadcastable(x.shape), elements::positive).e)));
    else
        m.give(m.of(relay::divide(x.e, m.scalar(x.type, by).e)));
}

/// Adds 1 / sqrt(x), for which there is also an operator.
inline void reciprocal_root_step(program_maker& m) {
    const value x = m.of(relay::abs(m.floating().e));
    const value root = m.of(relay::sqrt(m.choose.flip() ? relay::add(x.e, m.scalar(x.type, 1).e) : x.e));
    const value above = m.choose.flip() ? m.scalar(x.type, static_cast<double>(m.choose.between(1, 3))) : partner(m, x);
    m.give(m.of(relay::divide(above.e, root.e)));
}

inline void integer_step(program_maker& m) {
    using binary = expr (*)(expr, expr);
    constexpr binary operators[]{relay::floor_divide, relay::floor_mod,   relay::trunc_divide,
                                 relay::trunc_mod,    relay::mod,         relay::bitwise_and,
                                 relay::bitwise_or,   relay::bitwise_xor, relay::right_shift};
    const value x = m.integer();
    if (m.choose.flip())
        m.give(m.of(operators[m.choose.index(std::size(operators))](x.e, partner(m, x).e)));
    else if (m.choose.flip())
        m.give(m.of(relay::left_shift(x.e, m.scalar(x.type, static_cast<double>(m.choose.between(0, 9))).e)));
    else
        m.give(m.of(relay::power(x.e, m.scalar(x.type, static_cast<double>(m.choose.between(0, 4))).e)));
}

inline void power_step(program_maker& m) {
    const value x = m.of(relay::abs(m.floating().e));
    m.give(m.of(relay::power(x.e, m.scalar(x.type, static_cast<double>(m.choose.between(0, 8)) / 2 - 1).e)));
}

inline expr question(program_maker& m, const value& a, const value& b) {
    switch (m.choose.below(6)) {
    case 0:
        return relay::less(a.e, b.e);
    case 1:
        return relay::greater(a.e, b.e);
    case 2:
        return relay::less_equal(a.e, b.e);
    case 3:
        return relay::greater_equal(a.e, b.e);
    case 4:
        return relay::equal(a.e, b.e);
    default:
        return relay::not_equal(a.e, b.e);
    }
}

inline void compare_step(program_maker& m) {
    const value x = m.any();
    m.give(m.of(question(m, x, partner(m, x))));
}

inline void where_step(program_maker& m) {
    const value x = m.any();
    const value y = partner(m, x);
    const value c = m.fitting(dtype::boolean, m.choose.one_in(3) ? m.broadcastable(x.shape) : x.shape);
    m.give(m.of(m.choose.flip() ? relay::where(c.e, x.e, y.e) : relay::where(c.e, y.e, x.e)));
}

inline void logical_step(program_maker& m) {
    const value x = m.of_type(dtype::boolean);
    using binary = expr (*)(expr, expr);
    constexpr binary operators[]{relay::logical_and, relay::logical_or, relay::logical_xor, relay::bitwise_and};
    if (m.choose.one_in(4)) return m.give(m.of(m.choose.flip() ? relay::logical_not(x.e) : relay::bitwise_not(x.e)));
    m.give(m.of(operators[m.choose.index(std::size(operators))](x.e, partner(m, x).e)));
}

inline void cast_step(program_maker& m) {
    const value x = m.any();
    if (m.choose.one_in(4)) {
        const value like = m.any();
        return m.give(m.of(relay::cast_like(x.e, like.e)));
    }
    m.give(m.cast(x, m.choose.of(all_types)));
}

/// Adds several casts in sequence.
inline void cast_chain_step(program_maker& m) {
    if (m.choose.one_in(4)) { // casts any integers to float64, then to a type that may not hold them
        const value wide = m.operand(m.choose.of(integer_types), m.any_shape(1, 3), elements::any);
        return m.give(m.cast(m.cast(wide, dtype::float64), m.choose.of(integer_types)));
    }
    value x = m.any();
    const dtype first = x.type;
    for (std::int64_t n = m.choose.between(2, 3); n != 0; --n) x = m.cast(x, m.choose.of(all_types));
    if (m.choose.flip()) x = m.cast(x, first);
    m.give(x);
}

/// Adds a clip to about the range of a type, a cast to that type, and sometimes a cast back. Most values are outside
/// the type's range.
inline void saturating_step(program_maker& m) {
    const bool beyond = !m.choose.one_in(3);
    value x = beyond ? m.operand(m.choose.of(integer_types), m.any_shape(1, 3), elements::any) : m.number();
    const dtype first = x.type;
    const dtype narrow = m.choose.of(integer_types);
    const dtype held = m.choose.one_in(3) ? first : narrow;
    const relay::clip_attributes a{.a_min = lowest(held), .a_max = greatest(held) - (m.choose.one_in(4) ? 1 : 0)};
    const bool before = m.choose.flip();
    if (before) x = m.of(relay::clip(x.e, a));
    x = m.cast(x, narrow);
    if (!before) x = m.of(relay::clip(x.e, a));
    m.give(m.choose.flip() ? m.cast(x, first) : x);
}

inline void reinterpret_step(program_maker& m) {
    const value x = m.any();
    switch (x.type) {
    case dtype::int8:
        return m.give(m.of(relay::reinterpret(x.e, {.dtype = dtype::uint8})));
    case dtype::uint8:
        return m.give(m.of(relay::reinterpret(x.e, {.dtype = dtype::int8})));
    case dtype::float32:
        return m.give(m.of(relay::reinterpret(x.e, {.dtype = dtype::int32})));
    case dtype::float64:
        return m.give(m.of(relay::reinterpret(x.e, {.dtype = dtype::int64})));
    default:
        return cast_step(m);
    }
}

inline constexpr step elementwise_steps[]{
    unary_step,   unary_step,   binary_step,  binary_step,     binary_step,     constants_step,
    neutral_step, divide_step,  integer_step, power_step,      compare_step,    reciprocal_root_step,
    where_step,   logical_step, cast_step,    saturating_step, cast_chain_step, reinterpret_step,
};

} // namespace tutti::relay::inline TUTTI_FORM::testing
