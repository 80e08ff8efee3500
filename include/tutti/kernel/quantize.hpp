#pragma once

#include <tutti/kernel/support/blocks.hpp>
#include <tutti/kernel/support/check.hpp>
#include <tutti/kernel/support/convert.hpp>
#include <tutti/kernel/support/element.hpp>
#include <tutti/kernel/support/groups.hpp>
#include <tutti/kernel/tensor.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tutti::kernel {

/// Parameters of a quantised tensor: element q represents `scale * (q - zero_point)`.
///
/// The scale is of floating point, the zero point of type int8 to int32, uint8 or uint16. Each contains one element, or
/// one for each index along `axis`. The axis may count from the end.
struct quantization {
    const tensor& scale;
    const tensor& zero_point;
    std::int64_t axis = -1;
};

/// Rounding of halves in requantize: up, or away from zero.
enum class rounding : std::uint8_t { upward, to_nearest };

/// Arithmetic of requantize: integers with a 31-bit ratio, or floating point.
enum class requantize_arithmetic : std::uint8_t { fixed_point, float32, float64 };

struct requantize_options {
    kernel::rounding rounding = kernel::rounding::upward;
    requantize_arithmetic arithmetic = requantize_arithmetic::fixed_point;
};

namespace detail {

/// True for int8 to int32, uint8 and uint16. For these types, the difference of two elements times a 31-bit factor fits
/// in 64 bits.
constexpr bool is_quantized(dtype type) { return is_integer(type) && bytes(type) <= 4 && type != dtype::uint32; }

constexpr void check_quantized(std::string_view kernel, const tensor& t) {
    if (!is_quantized(t.type())) fail_type(kernel, t, "int8, int16, int32, uint8 or uint16");
    check_rank(kernel, t);
}

/// Unmarks the axis in `reduced` if the scale or zero point is per channel.
constexpr void keep_channels(std::string_view kernel, const tensor& data, const tensor& parameter, std::int64_t axis,
                             axis_set& reduced) {
    if (parameter.size() == 1 && parameter.rank() <= 1) return;
    const std::size_t at = checked_axis(kernel, axis, data.rank());
    if (parameter.rank() != 1 || parameter.shape()[0] != data.shape()[at])
        fail_pair(kernel, "data", data, "a scale or zero point", parameter,
                  {"one element, or ", data.shape()[at], ", as many as axis ", at, " has"});
    reduced[at] = false;
}

constexpr void check_scale(std::string_view kernel, const tensor& scale) {
    if (!is_floating(scale.type())) fail(kernel, {"the scale is ", scale}, "a floating-point scale");
}

constexpr void check_zero_point(std::string_view kernel, const tensor& zero_point) {
    if (!is_quantized(zero_point.type()))
        fail(kernel, {"the zero point is ", zero_point}, "one of type int8, int16, int32, uint8 or uint16");
}

/// Checks scale and zero point. Returns all axes except the one along which scale or zero point vary.
constexpr axis_set channels_of(std::string_view kernel, const tensor& data, const quantization& q) {
    check_scale(kernel, q.scale);
    check_zero_point(kernel, q.zero_point);
    axis_set reduced;
    reduced.fill(true);
    keep_channels(kernel, data, q.scale, q.axis, reduced);
    keep_channels(kernel, data, q.zero_point, q.axis, reduced);
    return reduced;
}

/// Returns the scale (`scale_at`) or the zero point (`zero_at`) of a channel.
constexpr float scale_at(std::string_view kernel, const tensor& scale, std::int64_t channel) {
    const std::int64_t at = scale.size() == 1 ? 0 : channel;
    float narrow = 0;
    double wide = 0;
    const float s = scale.type() == dtype::float64 ? convert<float>(*read_block(scale, at, 1, &wide))
                                                   : *read_block(scale, at, 1, &narrow);
    if (!(s > 0) || !element::isfinite{}(s)) fail(kernel, {"a scale of ", s}, "a positive number");
    return s;
}
constexpr std::int64_t zero_at(const tensor& zero_point, std::int64_t channel) {
    std::int64_t zero = 0;
    return *read_block(zero_point, zero_point.size() == 1 ? 0 : channel, 1, &zero);
}

/// Reads the scale and the zero point of each channel at the current position of `g`.
constexpr void read_channels(std::string_view kernel, const quantization& q, const groups& g, float* scale,
                             std::int64_t* zero) {
    for (std::int64_t i = 0; i < g.count(); ++i) {
        scale[i] = scale_at(kernel, q.scale, g.first() + i);
        zero[i] = zero_at(q.zero_point, g.first() + i);
    }
}

constexpr void check_target(std::string_view kernel, dtype type) {
    if (!is_quantized(type)) fail(kernel, {"to elements of type ", type}, "int8, int16, int32, uint8 or uint16");
}

/// The ratio of two scales, as a factor for integers of at most 33 bits.
/// Source: the reference's fixed-point multiplication, which rounds the ratio to 31 bits.
class integer_factor {
public:
    constexpr integer_factor() = default;
    /// Requires: the ratio is positive and finite.
    constexpr integer_factor(double ratio, requantize_options options) : ratio_(ratio), options_(options) {
        int exponent = 0;
        for (; ratio >= 1; ratio /= 2) ++exponent;
        for (; ratio < 0.5; ratio *= 2) --exponent;
        multiplier_ = static_cast<std::int64_t>(element::round{}(ratio * 2147483648.0));
        drop_ = 31 - exponent;
    }

    /// Returns x times the ratio, rounded, then clamped to [-2^53, 2^53].
    constexpr std::int64_t operator()(std::int64_t x) const {
        if (options_.arithmetic == requantize_arithmetic::float32)
            return whole(static_cast<double>(static_cast<float>(x) * static_cast<float>(ratio_)));
        if (options_.arithmetic == requantize_arithmetic::float64 || drop_ <= 0)
            return whole(static_cast<double>(x) * ratio_);
        if (drop_ > 64) return 0;
        const bool mirrored = options_.rounding == rounding::to_nearest && x < 0;
        const std::int64_t product = (mirrored ? -x : x) * multiplier_;
        const std::int64_t above = drop_ > 63 ? (product < 0 ? -1 : 0) : product >> drop_;
        const std::int64_t rounded = std::clamp(above + ((product >> (drop_ - 1)) & 1), -limit, limit);
        return mirrored ? -rounded : rounded;
    }

private:
    static constexpr std::int64_t limit = std::int64_t{1} << 53;

    constexpr std::int64_t whole(double x) const {
        const double rounded = options_.rounding == rounding::upward ? element::floor{}(x + 0.5) : element::round{}(x);
        return std::clamp(convert<std::int64_t>(rounded), -limit, limit);
    }

    double ratio_ = 1;
    requantize_options options_{};
    std::int64_t multiplier_ = 0;
    int drop_ = 0;
};

} // namespace detail

/// Computes `round(data / scale) + zero_point`, clamped to the range of `type`. Rounds halves away from zero; NaN
/// yields the greatest value, as in the reference.
///
/// Throws: tutti::error if the data is not float32, if the type is not int8 to int32, uint8 or uint16, if a scale is
///         not positive, or if scale or zero point do not fit the data.
constexpr void quantize(const tensor& data, const quantization& q, dtype type, tensor& out) {
    if (data.type() != dtype::float32) detail::fail_type("quantize", data, "float32");
    detail::check_target("quantize", type);
    detail::check_rank("quantize", data);
    const axis_set channels = detail::channels_of("quantize", data, q);
    detail::make_result("quantize", type, data.shape(), out);
    const integer_range range = values_of(type);
    float scale[detail::block_length];
    std::int64_t zero[detail::block_length];
    std::int64_t made[detail::block_length];
    constexpr std::int64_t limit = std::int64_t{1} << 53;
    for (detail::groups g(data.shape(), channels); !g.done(); g.next()) {
        detail::read_channels("quantize", q, g, scale, zero);
        for (auto p = g.pieces(); !p.done(); p.next()) {
            const float* x = data.data<float>() + p.first();
            for (std::int64_t i = 0; i < p.length(); ++i) {
                const float exact = x[i] / scale[i * g.step()];
                const auto steps = convert<std::int64_t>(element::round{}(exact));
                const std::int64_t moved = std::clamp(steps, -limit, limit) + zero[i * g.step()];
                made[i] = exact != exact ? range.greatest : std::clamp(moved, range.least, range.greatest);
            }
            detail::write_block<std::int64_t>(made, p.length(), out, p.first());
        }
    }
}

/// Computes `scale * (data - zero_point)` in float32.
///
/// Throws: tutti::error if the data is not int8 to int32, uint8 or uint16, if a scale is not positive, or if scale or
///         zero point do not fit the data.
constexpr void dequantize(const tensor& data, const quantization& q, tensor& out) {
    detail::check_quantized("dequantize", data);
    const axis_set channels = detail::channels_of("dequantize", data, q);
    detail::make_result("dequantize", dtype::float32, data.shape(), out);
    float scale[detail::block_length];
    std::int64_t zero[detail::block_length];
    std::int64_t room[detail::block_length];
    for (detail::groups g(data.shape(), channels); !g.done(); g.next()) {
        detail::read_channels("dequantize", q, g, scale, zero);
        for (auto p = g.pieces(); !p.done(); p.next()) {
            const std::int64_t* x = detail::read_block(data, p.first(), p.length(), +room);
            float* to = out.mutable_data<float>() + p.first();
            for (std::int64_t i = 0; i < p.length(); ++i)
                to[i] = static_cast<float>(x[i] - zero[i * g.step()]) * scale[i * g.step()];
        }
    }
}

/// Converts elements between quantisations: `round(from.scale / to.scale * (data - from.zero_point)) + to.zero_point`,
/// clamped to the range of `type`. `to` has one scale and one zero point.
///
/// Throws: tutti::error if data or type are not int8 to int32, uint8 or uint16, if a scale is not positive, or if
///         scales or zero points do not fit the data.
constexpr void requantize(const tensor& data, const quantization& from, const quantization& to,
                          const requantize_options& options, dtype type, tensor& out) {
    detail::check_quantized("requantize", data);
    detail::check_target("requantize", type);
    const axis_set channels = detail::channels_of("requantize", data, from);
    if (to.scale.size() != 1 || to.zero_point.size() != 1)
        detail::fail_pair("requantize", "the new scale", to.scale, "the new zero point", to.zero_point,
                          "one element each");
    detail::check_scale("requantize", to.scale);
    detail::check_zero_point("requantize", to.zero_point);
    detail::make_result("requantize", type, data.shape(), out);
    const integer_range range = values_of(type);
    const auto new_scale = static_cast<double>(detail::scale_at("requantize", to.scale, 0));
    const std::int64_t new_zero = detail::zero_at(to.zero_point, 0);
    detail::integer_factor factor[detail::block_length];
    float scale[detail::block_length];
    std::int64_t zero[detail::block_length];
    std::int64_t room[detail::block_length];
    std::int64_t made[detail::block_length];
    for (detail::groups g(data.shape(), channels); !g.done(); g.next()) {
        detail::read_channels("requantize", from, g, scale, zero);
        for (std::int64_t i = 0; i < g.count(); ++i) factor[i] = {static_cast<double>(scale[i]) / new_scale, options};
        for (auto p = g.pieces(); !p.done(); p.next()) {
            const std::int64_t* x = detail::read_block(data, p.first(), p.length(), +room);
            for (std::int64_t i = 0; i < p.length(); ++i)
                made[i] =
                    std::clamp(factor[i * g.step()](x[i] - zero[i * g.step()]) + new_zero, range.least, range.greatest);
            detail::write_block<std::int64_t>(made, p.length(), out, p.first());
        }
    }
}

} // namespace tutti::kernel
