#pragma once

#include <tutti/kernel/bfloat16.hpp>

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

// Operations on one element, or on a pair of elements. Integers wrap (two's complement); floating point follows
// IEEE 754. Cases that C++ leaves undefined are defined here, once for all kernels.

namespace tutti::kernel {

/// The unsigned type in which integers T are added and multiplied: its overflow is defined, and it is never promoted to
/// int.
template <std::integral T>
using modular_type = std::conditional_t<sizeof(T) < 4, std::uint32_t, std::make_unsigned_t<T>>;

/// Converts an element to its compute type.
template <class T>
constexpr compute_type<T> widen(T x) {
    return static_cast<compute_type<T>>(x);
}

namespace element {

struct add {
    template <class T>
    constexpr T operator()(T a, T b) const {
        if constexpr (std::integral<T>)
            return static_cast<T>(static_cast<modular_type<T>>(a) + static_cast<modular_type<T>>(b));
        else
            return a + b;
    }
};

struct subtract {
    template <class T>
    constexpr T operator()(T a, T b) const {
        if constexpr (std::integral<T>)
            return static_cast<T>(static_cast<modular_type<T>>(a) - static_cast<modular_type<T>>(b));
        else
            return a - b;
    }
};

struct multiply {
    template <class T>
    constexpr T operator()(T a, T b) const {
        if constexpr (std::integral<T>)
            return static_cast<T>(static_cast<modular_type<T>>(a) * static_cast<modular_type<T>>(b));
        else
            return a * b;
    }
};

/// The quotient. For integers, rounds toward zero; x / 0 is 0, and the least value / -1 wraps to itself.
struct divide {
    template <class T>
    constexpr T operator()(T a, T b) const {
        if constexpr (std::integral<T>) {
            if (b == 0) return 0;
            if constexpr (std::is_signed_v<T>)
                if (b == -1) return subtract{}(T{0}, a);
            return static_cast<T>(a / b);
        } else {
            return a / b;
        }
    }
};

/// The exact remainder of truncated division, with the sign of a. For integers, x mod 0 is x.
struct mod {
    template <class T>
    constexpr T operator()(T a, T b) const {
        if constexpr (std::integral<T>)
            return subtract{}(a, multiply{}(divide{}(a, b), b));
        else
            return std::fmod(a, b);
    }
};

// `maximum` and `minimum` are NaN if either operand is, as in IEEE 754-2019. Comparisons with NaN are false, so
// `a > b ? a : b`, like the vector instructions, yields b if either operand is NaN. The test `a != a` is true if a is
// NaN, and then selects a.

/// The larger operand; NaN if either operand is NaN. For zeros of different signs, either zero.
struct maximum {
    template <class T>
    constexpr T operator()(T a, T b) const {
        if constexpr (std::integral<T>)
            return a > b ? a : b;
        else
            return a > b || a != a ? a : b;
    }
};

/// The smaller operand; NaN if either operand is NaN. For zeros of different signs, either zero.
struct minimum {
    template <class T>
    constexpr T operator()(T a, T b) const {
        if constexpr (std::integral<T>)
            return a < b ? a : b;
        else
            return a < b || a != a ? a : b;
    }
};

/// The power a^b: `std::pow` for floating point. Integers wrap. An integer with a negative exponent yields 1 / a^-b by
/// the rules of `divide`, thus 0 if a is 0.
struct power {
    template <class T>
    constexpr T operator()(T a, T b) const {
        if constexpr (std::integral<T>) {
            if constexpr (std::is_signed_v<T>)
                if (b < 0) return a == 1 || (a == -1 && b % 2 == 0) ? T{1} : a == -1 ? T{-1} : T{0};
            T result = 1;
            for (auto left = static_cast<modular_type<T>>(b); left != 0; left >>= 1) {
                if ((left & 1U) != 0) result = multiply{}(result, a);
                a = multiply{}(a, a);
            }
            return result;
        } else {
            return std::pow(a, b);
        }
    }
};

/// a * 2^b, wrapped to the type; 0 if b is negative or at least the number of bits of the type.
struct left_shift {
    template <std::integral T>
    constexpr T operator()(T a, T b) const {
        if (b < T{0} || b >= T{64}) return 0;
        return static_cast<T>(static_cast<std::uint64_t>(a) << static_cast<unsigned>(b));
    }
};

/// a / 2^b rounded down: 0 or -1 if b is at least the number of bits of the type. 0 if b is negative.
struct right_shift {
    template <std::integral T>
    constexpr T operator()(T a, T b) const {
        if (b < T{0}) return 0;
        if (b >= T{sizeof(T) * 8}) return a < T{0} ? static_cast<T>(-1) : T{0};
        return static_cast<T>(a >> static_cast<unsigned>(b));
    }
};

struct bitwise_and {
    constexpr auto operator()(std::integral auto a, decltype(a) b) const { return static_cast<decltype(a)>(a & b); }
};

struct bitwise_or {
    constexpr auto operator()(std::integral auto a, decltype(a) b) const { return static_cast<decltype(a)>(a | b); }
};

struct bitwise_xor {
    constexpr auto operator()(std::integral auto a, decltype(a) b) const { return static_cast<decltype(a)>(a ^ b); }
};

struct bitwise_not {
    constexpr auto operator()(std::integral auto a) const { return static_cast<decltype(a)>(~a); }
};

// Comparisons. If an operand is NaN, `not_equal` is true and all others are false.

struct equal {
    constexpr bool operator()(auto a, decltype(a) b) const { return a == b; }
};

struct not_equal {
    constexpr bool operator()(auto a, decltype(a) b) const { return a != b; }
};

struct less {
    constexpr bool operator()(auto a, decltype(a) b) const { return a < b; }
};

struct less_equal {
    constexpr bool operator()(auto a, decltype(a) b) const { return a <= b; }
};

struct greater {
    constexpr bool operator()(auto a, decltype(a) b) const { return a > b; }
};

struct greater_equal {
    constexpr bool operator()(auto a, decltype(a) b) const { return a >= b; }
};

struct logical_and {
    constexpr bool operator()(bool a, bool b) const { return a && b; }
};

struct logical_or {
    constexpr bool operator()(bool a, bool b) const { return a || b; }
};

struct logical_not {
    constexpr bool operator()(bool a) const { return !a; }
};

/// The negated value. For integers, 0 - x: the least value and unsigned values wrap. For floating point, x with the
/// opposite sign, including NaN and zero.
struct negative {
    template <class T>
    constexpr T operator()(T x) const {
        if constexpr (std::integral<T>)
            return subtract{}(T{0}, x);
        else
            return -x;
    }
};

/// The absolute value. The least integer wraps to itself; NaN and zero lose their sign.
struct abs {
    template <class T>
    constexpr T operator()(T x) const {
        if constexpr (std::signed_integral<T>)
            return x < 0 ? subtract{}(T{0}, x) : x;
        else if constexpr (std::integral<T>)
            return x;
        else {
            using bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
            return std::bit_cast<T>(std::bit_cast<bits>(x) & (std::numeric_limits<bits>::max() >> 1));
        }
    }
};

/// The larger of x and 0; +0 for a zero of either sign. NaN stays NaN.
struct relu {
    constexpr auto operator()(auto x) const { return x <= decltype(x){0} ? decltype(x){0} : x; }
};

/// x, or slope * x if x is negative; NaN stays NaN.
struct leaky_relu {
    template <class T>
    constexpr T operator()(T x, T slope) const {
        const T scaled = multiply{}(x, slope); // always computed, so that the loop has no branch
        return x < T{0} ? scaled : x;
    }
};

/// Clamps x to [low, high]; the result is high if high is less than low. NaN stays NaN. Requires: no bound is NaN.
struct clip {
    constexpr auto operator()(auto x, decltype(x) low, decltype(x) high) const {
        const auto at_least = x < low ? low : x;
        return at_least > high ? high : at_least;
    }
};

/// -1, 0 or 1; 0 for a zero of either sign. NaN stays NaN.
struct sign {
    template <class T>
    constexpr T operator()(T x) const {
        if constexpr (std::unsigned_integral<T>)
            return x > 0 ? T{1} : T{0};
        else
            return x > T{0} ? T{1} : x < T{0} ? T{-1} : x == T{0} ? T{0} : x;
    }
};

struct isnan {
    constexpr bool operator()(std::floating_point auto x) const { return x != x; }
};

/// True if neither infinite nor NaN.
struct isfinite {
    constexpr bool operator()(std::floating_point auto x) const {
        return abs{}(x) <= std::numeric_limits<decltype(x)>::max();
    }
};

struct isinf {
    constexpr bool operator()(std::floating_point auto x) const {
        return abs{}(x) > std::numeric_limits<decltype(x)>::max();
    }
};

/// The square root; NaN below zero. Constant evaluation uses Newton's method. Its result is correctly rounded for
/// float, and within one ulp for double.
struct sqrt {
    template <std::floating_point T>
    constexpr T operator()(T x) const {
        if (!__builtin_is_constant_evaluated()) return std::sqrt(x);
        if (x < 0) return std::numeric_limits<T>::quiet_NaN();
        if (!(x > 0) || x > std::numeric_limits<T>::max()) return x;
        double scaled = static_cast<double>(x);
        double scale = 1;
        for (; scaled > 4; scaled /= 4) scale *= 2;
        for (; scaled < 1; scaled *= 4) scale /= 2;
        double root = 1.5;
        for (int i = 0; i < 6; ++i) root = (root + scaled / root) / 2;
        return static_cast<T>(root * scale);
    }
};

/// 1 / sqrt(x).
struct rsqrt {
    constexpr auto operator()(std::floating_point auto x) const { return 1 / sqrt{}(x); }
};

struct exp {
    constexpr auto operator()(std::floating_point auto x) const { return std::exp(x); }
};

struct log {
    constexpr auto operator()(std::floating_point auto x) const { return std::log(x); }
};

struct log2 {
    constexpr auto operator()(std::floating_point auto x) const { return std::log2(x); }
};

struct log10 {
    constexpr auto operator()(std::floating_point auto x) const { return std::log10(x); }
};

struct sin {
    constexpr auto operator()(std::floating_point auto x) const { return std::sin(x); }
};

struct cos {
    constexpr auto operator()(std::floating_point auto x) const { return std::cos(x); }
};

struct tan {
    constexpr auto operator()(std::floating_point auto x) const { return std::tan(x); }
};

struct asin {
    constexpr auto operator()(std::floating_point auto x) const { return std::asin(x); }
};

struct acos {
    constexpr auto operator()(std::floating_point auto x) const { return std::acos(x); }
};

struct atan {
    constexpr auto operator()(std::floating_point auto x) const { return std::atan(x); }
};

struct sinh {
    constexpr auto operator()(std::floating_point auto x) const { return std::sinh(x); }
};

struct cosh {
    constexpr auto operator()(std::floating_point auto x) const { return std::cosh(x); }
};

struct tanh {
    constexpr auto operator()(std::floating_point auto x) const { return std::tanh(x); }
};

struct asinh {
    constexpr auto operator()(std::floating_point auto x) const { return std::asinh(x); }
};

struct acosh {
    constexpr auto operator()(std::floating_point auto x) const { return std::acosh(x); }
};

struct atanh {
    constexpr auto operator()(std::floating_point auto x) const { return std::atanh(x); }
};

struct erf {
    constexpr auto operator()(std::floating_point auto x) const { return std::erf(x); }
};

/// 1 / (1 + e^-x); 0 and 1 at the infinities.
struct sigmoid {
    constexpr auto operator()(std::floating_point auto x) const { return 1 / (1 + std::exp(-x)); }
};

/// Rounds toward zero. Integers, infinities and NaN are unchanged, as in `floor`, `ceil` and `round`.
struct trunc {
    template <class T>
    constexpr T operator()(T x) const {
        if constexpr (std::integral<T>)
            return x;
        else {
            if (!__builtin_is_constant_evaluated()) return std::trunc(x);
            constexpr T whole = T{1} / std::numeric_limits<T>::epsilon(); // numbers from here on have no fraction
            return x > -whole && x < whole ? static_cast<T>(static_cast<std::int64_t>(x)) : x;
        }
    }
};

struct floor {
    template <class T>
    constexpr T operator()(T x) const {
        if constexpr (std::integral<T>)
            return x;
        else {
            if (!__builtin_is_constant_evaluated()) return std::floor(x);
            const T t = trunc{}(x);
            return t > x ? t - 1 : t;
        }
    }
};

struct ceil {
    template <class T>
    constexpr T operator()(T x) const {
        if constexpr (std::integral<T>)
            return x;
        else {
            if (!__builtin_is_constant_evaluated()) return std::ceil(x);
            const T t = trunc{}(x);
            return t < x ? t + 1 : t;
        }
    }
};

/// Rounds halves away from zero, as in the reference's compiled code.
struct round {
    template <class T>
    constexpr T operator()(T x) const {
        if constexpr (std::integral<T>)
            return x;
        else {
            if (!__builtin_is_constant_evaluated()) return std::round(x);
            const T t = trunc{}(x);
            const T rest = x - t; // exact
            return rest >= T{0.5} ? t + 1 : rest <= T{-0.5} ? t - 1 : t;
        }
    }
};

/// The quotient rounded toward zero; integers as in `divide`.
struct trunc_divide {
    template <class T>
    constexpr T operator()(T a, T b) const {
        return trunc{}(divide{}(a, b));
    }
};

/// The remainder of `trunc_divide`: a - trunc(a / b) * b.
struct trunc_mod {
    template <class T>
    constexpr T operator()(T a, T b) const {
        return subtract{}(a, multiply{}(trunc_divide{}(a, b), b));
    }
};

/// The quotient rounded down; for integers, x / 0 is 0, and the least value / -1 wraps to itself.
struct floor_divide {
    template <class T>
    constexpr T operator()(T a, T b) const {
        if constexpr (std::integral<T>) {
            const T toward_zero = divide{}(a, b);
            const bool exact = b == 0 || subtract{}(a, multiply{}(toward_zero, b)) == 0;
            return exact || (a < 0) == (b < 0) ? toward_zero : static_cast<T>(toward_zero - 1);
        } else {
            return floor{}(a / b);
        }
    }
};

/// The remainder of `floor_divide`, with the sign of b: a - floor(a / b) * b. For integers, x mod 0 is x.
struct floor_mod {
    template <class T>
    constexpr T operator()(T a, T b) const {
        return subtract{}(a, multiply{}(floor_divide{}(a, b), b));
    }
};

} // namespace element
} // namespace tutti::kernel
