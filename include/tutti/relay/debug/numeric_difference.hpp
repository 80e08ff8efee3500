#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/cast.hpp>
#include <tutti/kernel/dtype.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/numbers.hpp>
#include <tutti/kernel/tensor.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <type_traits>

namespace tutti::relay::inline TUTTI_FORM {

/// A difference between two tensors that should be equal.
struct numeric_difference {
    std::string element{};         ///< the index of the worst element: "[0, 3]"; empty if types or shapes differ
    std::string before{}, after{}; ///< the element's values, or the types and shapes
    double error = 0;              ///< distance between the values; NaN if undefined
    double allowed = 0;            ///< the allowed distance
    std::int64_t outside = 0;      ///< number of elements out of bounds
    std::int64_t elements = 0;     ///< number of all elements
};

namespace detail {

/// Returns `value` with nine significant digits.
inline std::string digits(double value) {
    if (value != value) return "nan"; // ignores the sign
    char text[40];
    std::snprintf(text, sizeof text, "%.9g", value);
    return text;
}

/// Reads the elements of a tensor as floating-point numbers. Copies the tensor only if the elements are narrow.
class real_elements {
    kernel::tensor kept_;
    const void* memory_;
    std::size_t size_;
    double (*read_)(const void*, std::size_t);

public:
    explicit real_elements(const kernel::tensor& t)
        : kept_(kernel::widened(t))
        , memory_(kept_.memory())
        , size_(static_cast<std::size_t>(t.size()))
        , read_(reader_of(kept_.type())) {}

    std::size_t size() const { return size_; }
    double operator[](std::size_t i) const { return read_(memory_, i); }

private:
    static double (*reader_of(kernel::dtype type))(const void*, std::size_t) {
        return kernel::with_element_type(type, []<class T>(std::type_identity<T>) {
            return +[](const void* memory, std::size_t i) {
                return static_cast<double>(static_cast<kernel::compute_type<T>>(static_cast<const T*>(memory)[i]));
            };
        });
    }
};

/// Returns an element with enough digits to identify it.
inline std::string element_text(const kernel::tensor& t, std::int64_t place) {
    if (kernel::is_narrow(t.type())) return digits(kernel::number::at(t, place).real());
    return kernel::with_element_type(t.type(), [&]<class T>(std::type_identity<T>) -> std::string {
        const T x = t.data<T>()[place];
        if constexpr (std::is_same_v<T, bool>) {
            return x ? "True" : "False";
        } else if constexpr (std::is_integral_v<T>) {
            return std::to_string(x);
        } else if constexpr (std::is_same_v<T, double>) {
            if (x != x) return digits(x);
            char text[40];
            std::snprintf(text, sizeof text, "%.17g", x);
            return text;
        } else {
            return digits(static_cast<double>(static_cast<float>(x)));
        }
    });
}

/// Converts a row-major position to indices: "[0, 3]".
inline std::string place_text(std::span<const std::int64_t> shape, std::int64_t place) {
    std::string text;
    for (std::size_t d = shape.size(); d-- > 0; place /= shape[d])
        text = std::to_string(place % shape[d]) + (text.empty() ? "" : ", ") + text;
    return "[" + text + "]";
}

/// A predicate that compares elements of two tensors of the same type. Integers are compared exactly, because distinct
/// 64-bit integers may be equal as doubles. NaN equals NaN.
class equal_elements {
    const unsigned char* a_;
    const unsigned char* b_;
    std::size_t bytes_;
    bool floating_;

public:
    equal_elements(const kernel::tensor& a, const kernel::tensor& b)
        : a_(static_cast<const unsigned char*>(a.memory()))
        , b_(static_cast<const unsigned char*>(b.memory()))
        , bytes_(kernel::bytes(a.type()))
        , floating_(kernel::is_floating(a.type())) {}

    /// True if element `i` is equal in both tensors. `a` and `b` are the two values as double.
    bool operator()(std::size_t i, double a, double b) const {
        return floating_ ? a == b || (std::isnan(a) && std::isnan(b))
                         : std::equal(a_ + i * bytes_, a_ + (i + 1) * bytes_, b_ + i * bytes_);
    }
};

} // namespace detail

/// Returns the worst difference between two tensors, or nothing if all differences are tolerated.
///
/// Any difference between integers counts. Floating-point numbers may differ by `relative` × the greater of two values:
/// the magnitude of the element in `before`, and the root mean square of the finite elements in `before`. NaN equals
/// NaN, and an infinity equals the same infinity. `noise` adds a tolerance per element, also for integers. Infinite
/// noise accepts any value.
inline std::optional<numeric_difference> differ(const kernel::tensor& before, const kernel::tensor& after,
                                                double relative, std::span<const double> noise = {}) {
    if (before.type() != after.type() || !std::ranges::equal(before.shape(), after.shape()))
        return numeric_difference{.before = kernel::text(before), .after = kernel::text(after)};
    const std::int64_t count = before.size();
    const detail::real_elements was(before);
    const detail::real_elements is(after);
    const bool floating = kernel::is_floating(before.type());
    const detail::equal_elements same(before, after);
    double mean = 0;
    if (floating) {
        double largest = 0; // a scale, so that squares do not overflow
        std::size_t finite = 0;
        for (std::size_t n = 0; n < was.size(); ++n)
            largest = std::isfinite(was[n]) ? std::max(largest, std::abs(was[n])) : largest;
        for (std::size_t n = 0; n < was.size() && largest != 0; ++n)
            if (const double x = was[n] / largest; std::isfinite(was[n])) mean += x * x, ++finite;
        if (finite != 0) mean = largest * std::sqrt(mean / static_cast<double>(finite));
    }
    numeric_difference found{.elements = count};
    double worst = 0; // the greatest ratio of error to tolerance
    for (std::int64_t i = 0; i < count; ++i) {
        const auto n = static_cast<std::size_t>(i);
        const double noisy = noise.empty() ? 0.0 : noise[n];
        const bool bounded = floating && std::isfinite(was[n]);
        const double allowed = (bounded ? relative * std::max(std::abs(was[n]), mean) : 0.0) + noisy;
        const double error = std::abs(was[n] - is[n]);
        if (same(n, was[n], is[n]) || noisy == std::numeric_limits<double>::infinity() ||
            (allowed > 0 && error <= allowed))
            continue;
        const double by =
            std::isfinite(error) && allowed > 0 ? error / allowed : std::numeric_limits<double>::infinity();
        if (found.outside++ != 0 && by <= worst) continue;
        worst = by;
        found.element = detail::place_text(before.shape(), i);
        found.before = detail::element_text(before, i);
        found.after = detail::element_text(after, i);
        found.error = std::isfinite(error) ? error : std::numeric_limits<double>::quiet_NaN();
        found.allowed = allowed;
    }
    if (found.outside == 0) return std::nullopt;
    return found;
}

/// Finds the first element that is finite in `before` and NaN or infinite in `after`, and counts such elements. The
/// types may differ.
inline std::optional<numeric_difference> lost_numbers(const kernel::tensor& before, const kernel::tensor& after) {
    if (!kernel::is_floating(after.type()) || !std::ranges::equal(before.shape(), after.shape())) return std::nullopt;
    const detail::real_elements was(before);
    const detail::real_elements is(after);
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    numeric_difference found{.error = none, .elements = before.size()};
    for (std::size_t n = 0; n < was.size(); ++n) {
        if (!std::isfinite(was[n]) || std::isfinite(is[n]) || found.outside++ != 0) continue;
        const auto place = static_cast<std::int64_t>(n);
        found.element = detail::place_text(before.shape(), place);
        found.before = detail::element_text(before, place);
        found.after = detail::element_text(after, place);
    }
    if (found.outside == 0) return std::nullopt;
    return found;
}

/// Returns a text such as "element [0, 3] is 0.51 and was 0.5: 0.01 apart; 8 of 10 elements are out of bounds". The
/// arguments may replace the words `is` and `was`.
inline std::string to_text(const numeric_difference& d, const std::string& is = "is", const std::string& was = "was") {
    std::string text = d.element.empty() ? "" : "element " + d.element + ' ';
    text += is + ' ' + d.after + " and " + was + ' ' + d.before;
    if (d.element.empty()) return text;
    if (d.error == d.error) text += ": " + detail::digits(d.error) + " apart";
    if (d.outside > 1)
        text += "; " + std::to_string(d.outside) + " of " + std::to_string(d.elements) + " elements are out of bounds";
    return text;
}

} // namespace tutti::relay::inline TUTTI_FORM
