#pragma once

#include <tutti/kernel/blocked/common/vectors.hpp>

#include <cstddef>
#include <limits>

// Functions of float32 on vectors of any width. Results do not depend on the width, because products are rounded before
// they are added. Each function states its maximum error over all of float32 in units in the last place (ulp), which
// test/kernel/blocked/float/math.cpp checks. NaN yields NaN; limits at infinity and at poles are exact.

namespace tutti::kernel::blocked {

namespace detail {

template <class V>
using ints_of = decltype(V{} < V{});

/// Evaluates a polynomial. The first coefficient belongs to the highest power.
template <class V, std::size_t N>
[[gnu::always_inline]] inline V polynomial(const V& x, const float (&coefficients)[N]) {
    V sum = V{} + coefficients[0];
#pragma GCC unroll 16
    for (std::size_t i = 1; i < N; ++i) sum = rounded_product(sum, x) + coefficients[i];
    return sum;
}

/// Returns 2^n. Requires: -126 <= n <= 127.
template <class V>
[[gnu::always_inline]] inline V power_of_two(const ints_of<V>& n) {
    return (V)((n + 127) << 23);
}

template <class V>
[[gnu::always_inline]] inline V absolute(const V& x) {
    return (V)((ints_of<V>)x & std::numeric_limits<int>::max());
}

/// Returns x with the sign of `sign`. Requires: x is not negative.
template <class V>
[[gnu::always_inline]] inline V signed_as(const V& x, const V& sign) {
    return (V)((ints_of<V>)x | ((ints_of<V>)sign & std::numeric_limits<int>::min()));
}

} // namespace detail

/// Returns e^x, within 1.1 ulp.
///
/// Splits x into n ln 2 + r, where ln 2 is a sum of two constants: n times the first constant is exact. Subnormal
/// results are rounded once.
template <class V>
[[gnu::always_inline]] inline V exp(const V& given) {
    V x = given < -105.F ? V{} - 105.F : given; // NaN stays
    x = x > 90.F ? V{} + 90.F : x;
    constexpr float shift = 12582912.F; // 1.5 * 2^23: a number added to it is rounded to an integer
    const V shifted = rounded_product(x, V{} + 1.44269504F) + shift;
    const V whole = shifted - shift;
    const auto n = (detail::ints_of<V>)shifted - 0x4B400000;
    const V r = x - rounded_product(whole, V{} + 0.693359375F) - rounded_product(whole, V{} - 2.12194440e-4F);
    const V p = detail::polynomial(r, {1.979036935e-04F, 1.394468495e-03F, 8.333497155e-03F, 4.166629469e-02F,
                                       1.666666587e-01F, 5.000000068e-01F});
    const V y = rounded_product(rounded_product(r, r), p) + r + 1.F;
    const auto half = n >> 1;
    return y * detail::power_of_two<V>(half) * detail::power_of_two<V>(n - half);
}

/// Returns the natural logarithm, within 1 ulp.
template <class V>
[[gnu::always_inline]] inline V log(const V& given) {
    using ints = detail::ints_of<V>;
    const ints small = given < std::numeric_limits<float>::min();
    const V x = small ? given * 0x1p23F : given;
    // x = 2^e m, m from sqrt(1/2) to sqrt(2).
    const ints shifted = (ints)x - 0x3F3504F3;
    const ints e = (shifted >> 23) - (small & 23);
    const V t = (V)((shifted & 0x007FFFFF) + 0x3F3504F3) - 1.F;
    const V exponent = __builtin_convertvector(e, V);
    const V p = detail::polynomial(t, {6.746633934e-02F, -1.167564553e-01F, 1.188816173e-01F, -1.240558993e-01F,
                                       1.421955258e-01F, -1.666799581e-01F, 2.000211865e-01F, -2.500000960e-01F,
                                       3.333331260e-01F});
    const V square = rounded_product(t, t);
    const V rest = rounded_product(rounded_product(square, t), p) + rounded_product(exponent, V{} - 2.12194440e-4F) -
                   rounded_product(square, V{} + 0.5F);
    const V y = rest + t + rounded_product(exponent, V{} + 0.693359375F);
    constexpr float infinity = std::numeric_limits<float>::infinity();
    const V bounded = given < infinity ? y : given;
    const V at_zero = given == 0.F ? V{} - infinity : bounded;
    return given < 0.F ? V{} + std::numeric_limits<float>::quiet_NaN() : at_zero;
}

/// Returns the hyperbolic tangent, within 2 ulp.
template <class V>
[[gnu::always_inline]] inline V tanh(const V& x) {
    const V a = detail::absolute(x);
    const V z = rounded_product(x, x);
    const V p = detail::polynomial(
        z, {-5.709955400e-03F, 2.064460055e-02F, -5.374178856e-02F, 1.333147259e-01F, -3.333328332e-01F});
    const V near_zero = rounded_product(rounded_product(z, p), x) + x;
    const V far = 1.F - 2.F / (blocked::exp(V(a + a)) + 1.F);
    return detail::signed_as(a < 0.625F ? near_zero : far, x);
}

/// Returns 1 / (1 + e^-x), within 3 ulp.
template <class V>
[[gnu::always_inline]] inline V sigmoid(const V& x) {
    const V e = blocked::exp(V(-detail::absolute(x)));
    const V large = 1.F / (1.F + e);
    return x < 0.F ? V(e * large) : large;
}

/// Returns the error function, within 2 ulp.
template <class V>
[[gnu::always_inline]] inline V erf(const V& x) {
    const V a = detail::absolute(x);
    const V z = rounded_product(x, x);
    const V p = detail::polynomial(z, {7.889123182e-05F, -8.020842373e-04F, 5.189535462e-03F, -2.685444466e-02F,
                                       1.128360018e-01F, -3.761262714e-01F, 1.283791661e-01F});
    const V near_zero = rounded_product(p, x) + x; // 2 / sqrt(pi) is 1 plus the last coefficient
    const V t = a > 4.F ? V{} + 4.F : a;
    const V q = detail::polynomial(t, {-2.169728609e-05F, 4.414688248e-04F, -4.205266005e-03F, 2.521028974e-02F,
                                       -1.084220211e-01F, -6.332164692e-01F, -1.129580275e+00F, 1.884601475e-04F});
    const V far = 1.F - blocked::exp(q);
    return detail::signed_as(a < 1.F ? near_zero : far, x);
}

} // namespace tutti::kernel::blocked
