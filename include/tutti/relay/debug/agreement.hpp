#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/dtype.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/debug/numeric_difference.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>

namespace tutti::relay::inline TUTTI_FORM {

/// The accepted distance from an expected floating-point element e: `absolute` + `relative` × |e|, as in NumPy's
/// `allclose`. Integers must be equal.
struct closeness {
    double relative = 1e-3;
    double absolute = 1e-5;
};

/// Measures of the agreement between a tensor and an expected tensor of the same shape.
///
/// The distance is 0 between equal elements, between two NaNs, and between infinities of the same sign. It is infinite
/// if elements differ and either is NaN or infinite. `mean`, `cosine` and `signal_to_noise` cover only pairs of finite
/// elements.
struct agreement {
    std::int64_t elements = 0;
    std::int64_t outside = 0; ///< number of elements beyond the accepted distance
    double largest = 0;       ///< the largest distance
    double mean = 0;          ///< the mean distance
    double cosine = 1;        ///< cosine of the angle between the tensors as vectors; NaN if only one is zero
    /// Signal-to-noise ratio in dB: 10 log10(s / d), where s and d are the sums of squares of the expected elements
    /// and of the distances; infinity if all elements are equal.
    double signal_to_noise = std::numeric_limits<double>::infinity();
    std::string place{};               ///< index of the least close element, "[0, 3]"; empty if all are equal
    std::string element{}, expected{}; ///< the values at `place`
};

/// Compares two tensors element by element.
///
/// Requires: equal types and shapes.
/// Cost:     linear in the number of elements.
inline agreement agreement_of(const kernel::tensor& value, const kernel::tensor& expected,
                              const closeness& close = {}) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const detail::real_elements is(value), wanted(expected);
    const detail::equal_elements same(value, expected);
    const bool floating = kernel::is_floating(expected.type());
    agreement found{.elements = expected.size()};
    double distances = 0, products = 0, of_value = 0, of_expected = 0, of_distances = 0;
    double worst = 0;        // the greatest ratio of a distance to the accepted distance
    std::int64_t place = -1; // index of the element with this ratio
    std::size_t compared = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const double a = is[i], b = wanted[i];
        double distance = 0;
        if (!same(i, a, b)) {
            distance = std::abs(a - b);
            if (!std::isfinite(distance)) distance = infinity;
            if (distance == 0) distance = 1; // distinct integers that are equal as doubles
            const double accepted = floating && std::isfinite(b) ? close.absolute + close.relative * std::abs(b) : 0;
            found.outside += distance > accepted;
            found.largest = std::max(found.largest, distance);
            const double ratio = accepted > 0 ? distance / accepted : infinity;
            if (place < 0 || ratio > worst) {
                worst = ratio;
                place = static_cast<std::int64_t>(i);
            }
        }
        if (!std::isfinite(a) || !std::isfinite(b)) continue;
        ++compared;
        distances += distance;
        of_distances += distance * distance;
        products += a * b;
        of_value += a * a;
        of_expected += b * b;
    }
    if (place >= 0) {
        found.place = detail::place_text(expected.shape(), place);
        found.element = detail::element_text(value, place);
        found.expected = detail::element_text(expected, place);
    }
    if (compared != 0) found.mean = distances / static_cast<double>(compared);
    if (of_distances != 0) {
        found.cosine = products / std::sqrt(of_value) / std::sqrt(of_expected);
        found.signal_to_noise = 10 * std::log10(of_expected / of_distances);
    }
    return found;
}

/// Returns "largest difference 1.2e-06, mean 3.1e-07, cosine 1, signal to noise 123.4 dB", or "equal".
inline std::string to_text(const agreement& a) {
    if (a.place.empty()) return "equal";
    char text[160];
    std::snprintf(text, sizeof text, "largest difference %.3g, mean %.3g, cosine %.9g, signal to noise %.1f dB",
                  a.largest, a.mean, a.cosine, a.signal_to_noise);
    return text;
}

} // namespace tutti::relay::inline TUTTI_FORM
