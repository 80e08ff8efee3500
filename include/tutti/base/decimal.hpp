#pragma once

#include <tutti/base/folder.hpp>

#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <string_view>

namespace tutti {

namespace detail {

// A decimal number as digits and an exponent. It has no decimal point, so strtod reads it in every locale. The first
// 768 digits determine how a double is rounded; beyond them, it only matters whether any digit is nonzero.
class plain_decimal {
    static constexpr std::size_t most_digits = 800;

    char text_[most_digits + 32];
    std::size_t size_ = 0;
    std::size_t digits_ = 0;
    long long power_ = 0;

    constexpr void add(char digit, bool behind_point) {
        if (digits_ == most_digits) {
            if (digit != '0') text_[size_ - 1] = '1'; // records that a dropped digit is nonzero
            power_ += behind_point ? 0 : 1;
            return;
        }
        power_ -= behind_point ? 1 : 0;
        if (digits_ == 0 && digit == '0') return;
        text_[size_++] = digit;
        ++digits_;
    }

public:
    constexpr explicit plain_decimal(bool negative) {
        if (negative) text_[size_++] = '-';
    }

    // Reads digits with an optional point and exponent. Returns the end of the number, or `first` if there is no digit.
    constexpr const char* read(const char* const first, const char* const last) {
        const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
        const char* at = first;
        bool any = false, point = false;
        for (; at != last && (is_digit(*at) || (*at == '.' && !point)); ++at) {
            if (*at == '.') {
                point = true;
            } else {
                any = true;
                add(*at, point);
            }
        }
        if (!any) return first;
        if (at == last || (*at != 'e' && *at != 'E')) return at;
        const char* e = at + 1;
        const bool negative = e != last && *e == '-';
        if (e != last && (*e == '-' || *e == '+')) ++e;
        if (e == last || !is_digit(*e)) return at;
        constexpr long long bound = 1LL << 40; // outside the exponent range of every type
        long long exponent = 0;
        for (; e != last && is_digit(*e); ++e) exponent = exponent < bound ? exponent * 10 + (*e - '0') : exponent;
        power_ += negative ? -exponent : exponent;
        return e;
    }

    constexpr bool is_zero() const { return digits_ == 0; }

    // Returns the number in C syntax.
    const char* text() {
        if (digits_ == 0) text_[size_++] = '0';
        text_[size_++] = 'e';
        const auto written = std::to_chars(text_ + size_, text_ + sizeof text_ - 1, digits_ == 0 ? 0 : power_);
        *written.ptr = '\0';
        return text_;
    }
};

// Returns the length of `inf`, `infinity`, `nan` or `nan(word)` at the front of the text, ignoring case; 0 if the text
// begins with none of them.
constexpr std::size_t special_size(std::string_view text) {
    const auto begins = [text](std::string_view word) {
        if (text.size() < word.size()) return false;
        for (std::size_t i = 0; i < word.size(); ++i)
            if ((text[i] | 0x20) != word[i]) return false;
        return true;
    };
    if (begins("inf")) return begins("infinity") ? 8 : 3;
    if (!begins("nan")) return 0;
    if (text.size() < 4 || text[3] != '(') return 3;
    std::size_t i = 4;
    const auto is_word = [](char c) {
        return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '_';
    };
    while (i < text.size() && is_word(text[i])) ++i;
    return i < text.size() && text[i] == ')' ? i + 1 : 3;
}

template <std::floating_point T>
std::from_chars_result floating_from_chars(const char* const first, const char* const last, T& value) {
    const bool negative = first != last && *first == '-';
    const char* const start = first + (negative ? 1 : 0);
    if (const std::size_t size = special_size({start, static_cast<std::size_t>(last - start)})) {
        using limits = std::numeric_limits<T>;
        const T special = (*start | 0x20) == 'i' ? limits::infinity() : limits::quiet_NaN();
        value = negative ? -special : special;
        return {start + size, std::errc{}};
    }
    plain_decimal decimal(negative);
    const char* const end = decimal.read(start, last);
    if (end == start) return {first, std::errc::invalid_argument};
    T read;
    if constexpr (std::same_as<T, float>)
        read = std::strtof(decimal.text(), nullptr);
    else if constexpr (std::same_as<T, double>)
        read = std::strtod(decimal.text(), nullptr);
    else
        read = std::strtold(decimal.text(), nullptr);
    const T most = std::numeric_limits<T>::max();
    if (read > most || read < -most || (read == 0 && !decimal.is_zero())) return {end, std::errc::result_out_of_range};
    value = read;
    return {end, std::errc{}};
}

} // namespace detail

namespace internal {

/// Reads a floating-point number like `std::from_chars`, which libc++ 19 lacks for floating point.
template <std::floating_point T>
std::from_chars_result decimal_from_chars(const char* first, const char* last, T& value) {
    if constexpr (requires { std::from_chars(first, last, value); })
        return std::from_chars(first, last, value);
    else
        return detail::floating_from_chars(first, last, value);
}

} // namespace internal

} // namespace tutti
