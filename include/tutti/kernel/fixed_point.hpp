#pragma once

#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/element.hpp>
#include <tutti/kernel/support/groups.hpp>
#include <tutti/kernel/support/strided.hpp>
#include <tutti/kernel/support/view.hpp>
#include <tutti/kernel/tensor.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace tutti::kernel {

/// A real factor for int32 elements: `multiplier * 2^(shift - 31)`.
struct fixed_point {
    std::int64_t multiplier = 0;
    std::int64_t shift = 0;

    constexpr fixed_point() = default;
    constexpr fixed_point(std::int64_t multiplier_, std::int64_t shift_) : multiplier(multiplier_), shift(shift_) {}

    /// Converts a number to the nearest factor with a multiplier of 31 bits.
    ///
    /// Requires: `factor` is finite.
    /// Source:   the reference, which scales the fraction to at least one half.
    constexpr explicit fixed_point(double factor) {
        if (factor == 0) return;
        double fraction = factor;
        for (; fraction >= 1 || fraction <= -1; fraction /= 2) ++shift;
        for (; fraction < 0.5 && fraction > -0.5; fraction *= 2) --shift;
        multiplier = static_cast<std::int64_t>(element::round{}(fraction * 2147483648.0));
        if (multiplier != std::int64_t{1} << 31) return;
        multiplier /= 2;
        ++shift;
    }

    /// Returns x times this factor. Halves are rounded up; intermediate results wrap at 64 bits.
    ///
    /// Requires: `shift` is from -32 to 31.
    constexpr std::int64_t operator()(std::int64_t x) const {
        return multiply_shifted(x, multiplier, shift > 0 ? shift : 0, shift < 0 ? -shift : 0);
    }

    /// Returns `x * 2^left * by / 2^(31 + right)`, rounded to the nearest integer, halves up.
    ///
    /// Requires: both shifts are from 0 to 32.
    static constexpr std::int64_t multiply_shifted(std::int64_t x, std::int64_t by, std::int64_t left,
                                                   std::int64_t right) {
        const auto total = static_cast<unsigned>(31 + right);
        const std::int64_t product = element::multiply{}(element::left_shift{}(x, left), by);
        return element::add{}(product, std::int64_t{1} << (total - 1)) >> total;
    }

    friend constexpr bool operator==(const fixed_point&, const fixed_point&) = default;
};

namespace detail {

constexpr void check_fixed_point(std::string_view kernel, const tensor& data) {
    if (data.type() != dtype::int32) fail_type(kernel, data, "int32");
    check_rank(kernel, data);
}

constexpr void check_shift(std::string_view kernel, std::int64_t shift, std::int64_t least, std::int64_t most) {
    if (shift < least || shift > most) fail(kernel, {"a shift by ", shift, " bits"}, {"from ", least, " to ", most});
}

} // namespace detail

/// Multiplies every int32 element by a factor. Halves are rounded up; results wrap.
///
/// Throws: tutti::error if the elements are not int32, or if the shift is not from -32 to 31.
constexpr void fixed_point_multiply(const tensor& data, const fixed_point& factor, tensor& out) {
    detail::check_fixed_point("fixed_point_multiply", data);
    detail::check_shift("fixed_point_multiply", factor.shift, -32, 31);
    detail::make_result("fixed_point_multiply", data.type(), data.shape(), out);
    const std::int32_t* from = data.data<std::int32_t>();
    std::int32_t* to = out.mutable_data<std::int32_t>();
    for (std::int64_t i = 0; i < data.size(); ++i) to[i] = static_cast<std::int32_t>(factor(from[i]));
}

/// Factors that vary along some axes of the data: int32 multipliers, optional left shifts and optional right shifts.
/// Each tensor has one element for every position along these axes, in row-major order.
struct fixed_point_factors {
    const tensor& multiplier;
    const tensor* left = nullptr;
    const tensor* right = nullptr;
};

/// Multiplies every element by the factor for its position along `axes`. Halves are rounded up; results wrap. Axes may
/// count from the end.
///
/// Throws: tutti::error if elements, multipliers or shifts are not int32, if the number of multipliers or shifts is
///         not the number of positions along the axes, if an axis does not exist or occurs twice, or if a shift is not
///         from 0 to 32.
constexpr void fixed_point_multiply_per_axis(const tensor& data, const fixed_point_factors& factors,
                                             std::span<const std::int64_t> axes, tensor& out) {
    constexpr std::string_view kernel = "fixed_point_multiply_per_axis";
    detail::check_fixed_point(kernel, data);
    extents strides(data.rank(), 0);
    axis_set seen{};
    std::int64_t places = 1;
    for (std::size_t i = axes.size(); i-- > 0;) {
        const std::size_t axis = detail::checked_axis(kernel, axes[i], data.rank());
        if (seen[axis]) detail::fail(kernel, {"axis ", axes[i], " twice"}, "each axis once");
        seen[axis] = true;
        strides[axis] = places;
        places *= data.shape()[axis];
    }
    const auto check = [&](const tensor* t, std::string_view what) {
        if (t == nullptr) return;
        if (t->type() != dtype::int32 || t->size() != places)
            detail::fail_pair(kernel, "data", data, what, *t, {places, " elements of type int32"});
        if (t == &factors.multiplier) return;
        for (const std::int32_t shift : t->elements<std::int32_t>()) detail::check_shift(kernel, shift, 0, 32);
    };
    check(&factors.multiplier, "the multiplier");
    check(factors.left, "the left shift");
    check(factors.right, "the right shift");
    detail::make_result(kernel, data.type(), data.shape(), out);
    if (out.size() == 0) return;
    const std::int32_t* from = data.data<std::int32_t>();
    const std::int32_t* by = factors.multiplier.data<std::int32_t>();
    std::int32_t* to = out.mutable_data<std::int32_t>();
    for (strided_rows<1> rows(data.shape(), {strides}); !rows.done(); rows.next())
        for (std::int64_t i = 0; i < rows.length(); ++i) {
            const std::int64_t place = rows.operand(0) + i * rows.step(0);
            const auto shift = [&](const tensor* t) {
                return t == nullptr ? std::int64_t{0} : t->data<std::int32_t>()[place];
            };
            const std::int64_t at = rows.result() + i;
            to[at] = static_cast<std::int32_t>(
                fixed_point::multiply_shifted(from[at], by[place], shift(factors.left), shift(factors.right)));
        }
}

} // namespace tutti::kernel
