#pragma once

#include <tutti/base/decimal.hpp>
#include <tutti/base/form.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/ir/dim.hpp>
#include <tutti/relay/text/parse/cursor.hpp>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

namespace tutti::relay::inline TUTTI_FORM::text {

/// Quotes a number for a message. Shortens a very long number.
inline std::string quoted(const number_text& n) {
    std::string out = "`";
    out += n.digits.substr(0, 40);
    if (n.digits.size() > 40) out += "...";
    out += n.suffix.substr(0, 20);
    out += '`';
    return out;
}

/// Returns the exponent d for which the number's magnitude is 10^d times a value in [0.1, 1). Reads only the first 18
/// digits of a written exponent.
///
/// Requires: `[-]digits[.digits][e[+-]digits]`, not zero.
inline std::int64_t decimal_magnitude(std::string_view number) {
    const std::size_t e = std::min(number.find('e'), number.size());
    const std::string_view mantissa = number.substr(0, e);
    const std::size_t point = std::min(mantissa.find('.'), e);
    const std::size_t first = mantissa.find_first_of("123456789");
    const auto places = static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first);
    std::string_view power = number.substr(std::min(e + 1, number.size()));
    const bool negative = power.starts_with('-');
    if (negative || power.starts_with('+')) power.remove_prefix(1);
    power.remove_prefix(std::min(power.find_first_not_of('0'), power.size()));
    std::int64_t exponent = 0;
    for (const char digit : power.substr(0, 18)) exponent = exponent * 10 + (digit - '0');
    return (places < 0 ? places + 1 : places) + (negative ? -exponent : exponent);
}

/// Returns the digits of an integer without sign and leading zeros.
inline std::string_view whole_digits(std::string_view number) {
    if (number.starts_with('-')) number.remove_prefix(1);
    number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
    return number;
}

/// Rejects an integer literal that its type cannot represent exactly. Literals with a fraction or exponent are rounded.
///
/// Throws: `syntax_error`.
inline void check_whole(const number_text& n, double value, place at, dtype type) {
    if (n.floating || n.digits.size() <= 2) return; // every type represents these
    char exact[400];
    const auto written = std::to_chars(exact, exact + sizeof(exact), value, std::chars_format::fixed, 0);
    const std::string_view nearest(exact, static_cast<std::size_t>(written.ptr - exact));
    if (whole_digits(n.digits) == whole_digits(nearest)) return;
    throw syntax_error{at, quoted(n) + " is not a value of " + std::string(kernel::name(type)),
                       quoted({nearest, n.suffix}) + ", the nearest one, or a decimal point to round it"};
}

/// Returns the value of a number with or without a fraction and exponent. Underflow yields 0.
///
/// Throws: `syntax_error` on overflow.
template <class T>
T read_floating(const number_text& n, place at, dtype type) {
    T value = 0;
    const char* const first = n.digits.data();
    if (tutti::internal::decimal_from_chars(first, first + n.digits.size(), value).ec == std::errc{})
        return std::isnan(value) ? std::numeric_limits<T>::quiet_NaN() : value; // the sign of a NaN has no meaning
    if (decimal_magnitude(n.digits) > 0)
        throw syntax_error{at, quoted(n) + " does not fit in " + std::string(kernel::name(type)), ""};
    return n.digits.starts_with('-') ? -T{0} : T{0};
}

/// Returns the digits from the first to the last nonzero digit. `decimal_magnitude` gives the position of the point.
inline std::string significant_digits(std::string_view number) {
    std::string digits;
    for (const char c : number.substr(0, number.find('e')))
        if (c >= '0' && c <= '9' && (c != '0' || !digits.empty())) digits += c;
    digits.erase(digits.find_last_not_of('0') + 1);
    return digits;
}

/// Compares a number as written with a nearby value, both without signs.
///
/// Requires: the value is finite and not zero; its digits end at most 149 places after the point.
inline std::strong_ordering compare_magnitude(std::string_view number, float value) {
    char exact[256];
    const auto written = std::to_chars(exact, exact + sizeof(exact), value, std::chars_format::fixed, 149);
    const std::string_view other(exact, static_cast<std::size_t>(written.ptr - exact));
    const auto order = decimal_magnitude(number) <=> decimal_magnitude(other);
    return order != 0 ? order : significant_digits(number) <=> significant_digits(other);
}

/// Returns the 16-bit float nearest to a number as written.
///
/// Throws: `syntax_error` on overflow, or for an integer that the type cannot represent.
/// Source: Boldo and Melquiond, "When double rounding is odd", 2004.
template <class Half>
Half read_half(const number_text& n, place at) {
    constexpr dtype type = kernel::dtype_of<Half>;
    float value = read_floating<float>(n, at, type);
    if (std::isfinite(value) && value != 0) {
        const auto order = compare_magnitude(n.digits.substr(n.digits.starts_with('-') ? 1 : 0), std::fabs(value));
        auto bits = std::bit_cast<std::uint32_t>(value);
        if (order < 0) --bits; // rounds towards zero
        if (order != 0) value = std::bit_cast<float>(bits | 1U);
    }
    const Half nearest(value);
    if (std::isinf(static_cast<float>(nearest)) && n.digits.find("inf") == std::string_view::npos)
        throw syntax_error{at, quoted(n) + " does not fit in " + std::string(kernel::name(type)),
                           type == dtype::float16 ? "at most 65504" : "at most 3.3895e38"};
    check_whole(n, static_cast<float>(nearest), at, type);
    return nearest;
}

/// Returns the value of an integer literal. Throws: `syntax_error` for a fraction or exponent, or if T cannot represent
/// it.
template <class T>
T read_integer(const number_text& n, place at, dtype type) {
    if (n.floating) throw syntax_error{at, quoted(n) + " is not an integer", "no decimal point or exponent"};
    T value = 0;
    const char* const end = n.digits.data() + n.digits.size();
    const auto [stopped, error] = std::from_chars(n.digits.data(), end, value);
    if (error != std::errc{} || stopped != end) {
        std::string expected;
        if (type == dtype::int32 && n.suffix.empty()) expected = quoted({n.digits, "i64"}) + " for an int64";
        throw syntax_error{at, quoted(n) + " does not fit in " + std::string(kernel::name(type)), expected};
    }
    return value;
}

/// Returns a dimension or an integer of a list, such as `3` or `5i64`. Throws: `syntax_error`.
inline dim read_dim(const number_text& n, place at) {
    const bool wide = n.suffix == "i64";
    if (!wide && !n.suffix.empty() && n.suffix != "i32")
        throw syntax_error{at, quoted(n) + " is not an integer", "an integer such as `5` or `5i64`"};
    const auto value = read_integer<std::int64_t>(n, at, dtype::int64);
    constexpr std::int64_t bound = std::int64_t{1} << 61;
    if (value >= bound || value <= -bound) throw syntax_error{at, quoted(n) + " is too large", "less than 2^61"};
    return wide ? dim::wide(value) : dim(value);
}

/// Returns a constant of rank 0, such as `1`, `1i64`, `1.5f` or `0f16`. Accepts more integer types than the printer
/// writes as literals, such as `1u8`.
///
/// Throws: `syntax_error`.
inline tensor read_constant(const number_text& n, place at) {
    struct suffix {
        std::string_view text;
        dtype type;
    };
    static constexpr suffix known[] = {
        {"", dtype::int32},      {"f", dtype::float32},     {"f16", dtype::float16}, {"f32", dtype::float32},
        {"f64", dtype::float64}, {"i8", dtype::int8},       {"i16", dtype::int16},   {"i32", dtype::int32},
        {"i64", dtype::int64},   {"u8", dtype::uint8},      {"u16", dtype::uint16},  {"u32", dtype::uint32},
        {"u64", dtype::uint64},  {"bf16", dtype::bfloat16},
    };
    for (const suffix& s : known) {
        if (s.text != n.suffix) continue;
        if (n.floating && n.suffix.empty())
            throw syntax_error{at, "the constant " + quoted(n) + " has no type suffix",
                               quoted({n.digits, "f"}) + ", or the suffix `f16` or `f64`"};
        return kernel::with_element_type(s.type, [&]<class T>(std::type_identity<T>) {
            if constexpr (kernel::is_half<T>) {
                return tensor::scalar(read_half<T>(n, at));
            } else if constexpr (std::is_floating_point_v<T>) {
                const T value = read_floating<T>(n, at, s.type);
                check_whole(n, value, at, s.type);
                return tensor::scalar(value);
            } else if constexpr (std::is_same_v<T, bool>) {
                return tensor();
            } else {
                return tensor::scalar(read_integer<T>(n, at, s.type));
            }
        });
    }
    throw syntax_error{at, "unknown suffix of the number " + quoted(n),
                       "f, f16, f64 or bf16, i8 to i64, u8 to u64, or none for an int32"};
}

} // namespace tutti::relay::inline TUTTI_FORM::text
