#pragma once

#include <tutti/base/form.hpp>
#include <tutti/kernel/support/numbers.hpp>
#include <tutti/relay/ir/expr.hpp>
#include <tutti/relay/ir/graph.hpp>

#include <cstdint>
#include <limits>
#include <utility>

namespace tutti::relay::inline TUTTI_FORM {

/// Adds a rank-0 constant of element type `element`.
///
/// Requires: `element` is not `none`, and an integer type can hold the value.
constexpr expr scalar_constant(graph& g, dtype element, double value) {
    tensor t(element, {});
    kernel::number(value).put(t, 0);
    return {&g, g.constant(std::move(t))};
}

/// Returns the tensor's element at index `place` as the nearest double. Requires: the index is in range.
constexpr double number_at(const tensor& t, std::int64_t place) { return kernel::number::at(t, place).real(); }

/// Returns the absolute value; NaN for a NaN.
constexpr double magnitude(double x) { return x < 0 ? -x : x; }

/// Returns the distance from 1 to the next greater number of a floating-point type.
constexpr double unit_of(dtype type) {
    if (type == dtype::float16) return 0x1p-10;
    if (type == dtype::bfloat16) return 0x1p-7;
    return type == dtype::float32 ? 0x1p-23 : 0x1p-52;
}

/// The smallest positive normal number of a floating-point type, and the greatest finite number.
struct floating_range {
    double least;
    double greatest;
};
constexpr floating_range floating_range_of(dtype type) {
    if (type == dtype::float16) return {6.103515625e-05, 65504};
    if (type == dtype::bfloat16) return {std::numeric_limits<float>::min(), 0x1.FEp127};
    if (type == dtype::float32) return {std::numeric_limits<float>::min(), std::numeric_limits<float>::max()};
    return {std::numeric_limits<double>::min(), std::numeric_limits<double>::max()};
}

} // namespace tutti::relay::inline TUTTI_FORM
