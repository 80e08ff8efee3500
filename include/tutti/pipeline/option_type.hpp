#pragma once

#include <tutti/base/described.hpp>
#include <tutti/pass/on_limit.hpp>
#include <tutti/pipeline/words.hpp>

#include <concepts>
#include <cstddef>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

namespace tutti {

/// Defines how a type is read and written as the value of a pass's option. Specialise it for your types.
///
/// It is defined for bool, integers, floating point, strings (`std::string`), lists of these (`std::vector`), and
/// enumerations with `option_words`. To read or write floating point at run time, include
/// `pipeline/decimal_options.hpp`, as `<tutti/runtime.hpp>` does.
///
/// Example:
/// ```
/// template <>
/// struct tutti::option_type<color> {
///     static constexpr bool read(std::string_view word, color& value); // false if invalid; value is unspecified then
///     static constexpr void write(const color& value, auto& out);      // calls out.append(std::string_view) and
///                                                                      // out.push_back(char)
///     static constexpr void describe(auto& out);                       // appends "a color"
///     static constexpr bool accepts(std::string_view word);            // only if read cannot run at compile time
/// };
/// ```
template <class T>
struct option_type;

namespace detail {

/// Clause: `T` can be the type of an option with a single value.
template <class T>
concept option_value = requires(T& value, std::string_view word) {
    { option_type<T>::read(word, value) } -> std::same_as<bool>;
};

/// True if a word can be read as a `T`.
template <option_value T>
constexpr bool accepts_word(std::string_view word) {
    if constexpr (requires { option_type<T>::accepts(word); }) {
        return option_type<T>::accepts(word);
    } else {
        T value{};
        return option_type<T>::read(word, value);
    }
}

} // namespace detail

/// The words for an enumeration's values. Specialise it to allow options of this enumeration.
///
/// Example:
/// `template <> inline constexpr std::array tutti::option_words<mode>{option_word{"keep", mode::keep},
/// option_word{"drop", mode::drop}};`
template <class E>
inline constexpr std::nullptr_t option_words = nullptr;

/// A word, and the value that it stands for.
template <class E>
struct option_word {
    std::string_view word;
    E value;
};

template <>
inline constexpr option_word<on_limit> option_words<on_limit>[] {
    {"warn", on_limit::warn}, {"fail", on_limit::fail}, { "silent", on_limit::silent }
};

namespace internal {

/// Reads a decimal integer. False if the word is invalid or too large.
template <class T>
constexpr bool read_integer(std::string_view word, T& value) {
    const bool negative = word.starts_with('-');
    if (negative) word.remove_prefix(1);
    if (word.empty()) return false;
    using limits = std::numeric_limits<T>;
    // the greatest magnitude, which is one more for negative numbers
    const auto most = static_cast<unsigned long long>(limits::max()) + (negative && std::is_signed_v<T> ? 1U : 0U);
    unsigned long long magnitude = 0;
    for (const char c : word) {
        const auto digit = static_cast<unsigned>(c - '0');
        if (digit > 9 || magnitude > (most - digit) / 10) return false;
        magnitude = magnitude * 10 + digit;
    }
    if (negative && !std::is_signed_v<T> && magnitude != 0) return false;
    value = static_cast<T>(negative ? 0 - magnitude : magnitude);
    return true;
}

} // namespace internal

namespace detail {

template <class T>
concept integer_option = std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char>;

template <class T>
concept worded_option =
    std::is_enum_v<T> && !std::same_as<std::remove_cvref_t<decltype(option_words<T>)>, std::nullptr_t>;

/// The underlying type of an enumeration, promoted so that values are written as numbers, not as characters.
template <class E>
using number_of = decltype(+std::underlying_type_t<E>{});

/// A type that owns a string.
template <class T>
concept text_option = std::convertible_to<const T&, std::string_view> && requires(T& text) {
    text.clear();
    text.push_back('a');
};

/// A type with a list of values.
template <class T>
concept list_option = !text_option<T> &&
                      requires(T& list, typename T::value_type value) {
                          list.clear();
                          list.push_back(std::move(value));
                          list.begin() != list.end();
                      } && option_value<typename T::value_type> &&
                      (text_option<typename T::value_type> || !requires { typename T::value_type::value_type; });

/// A type that maps arbitrary names to values, such as a map or a list of pairs.
template <class T>
concept keyed_option = requires(T& map, typename T::value_type entry) {
    requires text_option<std::remove_const_t<decltype(entry.first)>>;
    requires option_value<decltype(entry.second)>;
    map.insert(map.end(), std::move(entry));
};

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Reads a decimal in constant evaluation: at most 15 digits, multiplied or divided by a power of ten up to 10^22.
///
/// The digits and the power of ten are exact in a double. Their product or quotient is therefore rounded only once, as
/// by `std::from_chars`.
template <class T>
constexpr bool read_digits(std::string_view word, T& value) {
    T digits = 0;
    int count = 0, power = 0, seen = 0;
    bool point = false;
    std::size_t i = 0;
    for (; i < word.size() && (is_digit(word[i]) || (word[i] == '.' && !point)); ++i) {
        if (word[i] == '.') {
            point = true;
            continue;
        }
        digits = digits * 10 + static_cast<T>(word[i] - '0');
        ++seen;
        if (count > 0 || word[i] != '0') ++count;
        if (point) --power;
    }
    if (seen == 0) return false;
    if (i < word.size() && (word[i] == 'e' || word[i] == 'E')) {
        ++i;
        const bool plus = i < word.size() && word[i] == '+';
        if (plus) ++i;
        int exponent = 0;
        if (plus && i < word.size() && word[i] == '-') return false;
        if (!internal::read_integer(word.substr(i), exponent) || exponent > 999 || exponent < -999) return false;
        power += exponent;
        i = word.size();
    }
    if (i != word.size() || count > 15 || power > 22 || power < -22) return false;
    T scale = 1;
    for (int n = power < 0 ? -power : power; n > 0; --n) scale *= 10;
    value = power < 0 ? digits / scale : digits * scale;
    return true;
}

constexpr bool same_letters(std::string_view word, std::string_view lower) {
    if (word.size() != lower.size()) return false;
    for (std::size_t i = 0; i < word.size(); ++i)
        if (word[i] != lower[i] && word[i] != lower[i] - 'a' + 'A') return false;
    return true;
}

/// Reads a decimal in constant evaluation. False if the value might differ from that of `std::from_chars`.
template <std::floating_point T>
constexpr bool read_decimal(std::string_view word, T& value) {
    const bool negative = word.starts_with('-');
    if (negative) word.remove_prefix(1);
    if (same_letters(word, "inf") || same_letters(word, "infinity")) {
        value = std::numeric_limits<T>::infinity();
    } else if (same_letters(word, "nan")) {
        value = std::numeric_limits<T>::quiet_NaN();
    } else if constexpr (std::numeric_limits<T>::digits < std::numeric_limits<double>::digits) {
        double wide = 0;
        if (!read_digits(word, wide)) return false;
        using limits = std::numeric_limits<T>;
        if (wide > double{limits::max()} || (wide != 0 && wide < double{limits::min()})) return false;
        value = static_cast<T>(wide);
        // if `wide`, which is itself rounded, is exactly halfway between two values, the nearer value is unknown
        const double rest = wide - static_cast<double>(value);
        const double other = wide + rest;
        const bool is_integer = wide < 9007199254740992.0 && static_cast<double>(static_cast<long long>(wide)) == wide;
        if (rest != 0 && !is_integer && static_cast<double>(static_cast<T>(other)) == other) return false;
    } else if (!read_digits(word, value)) {
        return false;
    }
    if (negative) value = -value;
    return true;
}

template <std::integral T>
constexpr void write_number(T value, auto& out) {
    char text[20];
    char* at = text + sizeof text;
    auto rest = static_cast<unsigned long long>(value);
    if (value < 0) rest = 0 - rest;
    do *--at = static_cast<char>('0' + rest % 10);
    while (rest /= 10);
    if (value < 0) out.append(std::string_view("-"));
    out.append(std::string_view(at, static_cast<std::size_t>(text + sizeof text - at)));
}

// Functions that read and write decimals at run time. They are defined in decimal_options.hpp, because they need the
// large <charconv>, and constant evaluation does not call them.
template <std::floating_point T>
bool read_decimal_at_run_time(std::string_view word, T& value);
template <std::floating_point T>
void write_decimal(T value, auto& out);

} // namespace detail

template <>
struct option_type<bool> {
    static constexpr bool read(std::string_view word, bool& value) {
        value = word == "True";
        return value || word == "False";
    }
    static constexpr void write(bool value, auto& out) { out.append(std::string_view(value ? "True" : "False")); }
    static constexpr void describe(auto& out) { out.append(std::string_view("True or False")); }
};

template <detail::integer_option T>
struct option_type<T> {
    static constexpr bool read(std::string_view word, T& value) { return internal::read_integer(word, value); }
    static constexpr void write(T value, auto& out) { detail::write_number(value, out); }
    static constexpr void describe(auto& out) {
        if constexpr (sizeof(T) == 8 && std::is_signed_v<T>) {
            out.append(std::string_view("an integer"));
        } else {
            out.append(std::string_view("an integer from "));
            write(std::numeric_limits<T>::min(), out);
            out.append(std::string_view(" to "));
            write(std::numeric_limits<T>::max(), out);
        }
    }
};

template <int Least, int Most>
struct option_type<int_from<Least, Most>> {
    static constexpr bool read(std::string_view word, int_from<Least, Most>& value) {
        int given = 0;
        if (!internal::read_integer(word, given) || given < Least || given > Most) return false;
        value = given;
        return true;
    }
    static constexpr void write(int_from<Least, Most> value, auto& out) {
        detail::write_number(value < Least ? Least : value > Most ? Most : value.value, out);
    }
    static constexpr void describe(auto& out) {
        out.append(std::string_view("an integer from "));
        detail::write_number(Least, out);
        out.append(std::string_view(" to "));
        detail::write_number(Most, out);
    }
};

template <std::floating_point T>
struct option_type<T> {
    static constexpr bool read(std::string_view word, T& value) {
        if (std::is_constant_evaluated()) return detail::read_decimal(word, value);
        return detail::read_decimal_at_run_time(word, value);
    }
    static constexpr void write(T value, auto& out) { detail::write_decimal(value, out); }
    static constexpr void describe(auto& out) { out.append(std::string_view("a decimal")); }
};

template <detail::text_option T>
struct option_type<T> {
    static constexpr bool read(std::string_view word, T& value) {
        if (word.starts_with('[')) return false;
        value.clear();
        internal::read_word(word, value);
        return true;
    }
    static constexpr bool accepts(std::string_view word) { return !word.starts_with('['); }
    static constexpr void write(const T& value, auto& out) { internal::write_word(value, out); }
    static constexpr void describe(auto& out) { out.append(std::string_view("a word")); }
};

/// Options of an enumeration with words. A value with a word is written and read only as that word. Any other value is
/// written and read as its number.
template <detail::worded_option E>
struct option_type<E> {
    static constexpr bool read(std::string_view word, E& value) {
        for (const auto& each : option_words<E>)
            if (internal::stands_for(word, each.word)) {
                value = each.value;
                return true;
            }
        return read_number(word, value);
    }
    static constexpr void write(E value, auto& out) {
        for (const auto& each : option_words<E>)
            if (each.value == value) return internal::write_word(each.word, out);
        detail::write_number(static_cast<detail::number_of<E>>(value), out);
    }
    static constexpr void describe(auto& out) {
        bool first = true;
        for (const auto& each : option_words<E>) {
            if (!first) out.append(std::string_view(" or "));
            internal::write_word(each.word, out);
            first = false;
        }
    }

private:
    static constexpr bool read_number(std::string_view word, E& value) {
        detail::number_of<E> number{};
        if (!internal::read_integer(word, number)) return false;
        // without a fixed underlying type, a number may be outside the enumeration's range
        if constexpr (!requires { E{detail::number_of<E>{}}; })
            if (std::is_constant_evaluated()) return false;
        for (const auto& each : option_words<E>)
            if (static_cast<detail::number_of<E>>(each.value) == number) return false;
        value = static_cast<E>(number);
        return static_cast<detail::number_of<E>>(value) == number;
    }
};

template <detail::list_option T>
struct option_type<T> {
    using element = typename T::value_type;

    static constexpr bool read(std::string_view list, T& value) {
        value.clear();
        return internal::for_each_element(list, [&](std::string_view word) {
            element next{};
            const bool done = option_type<element>::read(word, next);
            if (done) value.push_back(std::move(next));
            return done;
        });
    }
    static constexpr bool accepts(std::string_view list) {
        return internal::for_each_element(list,
                                          [](std::string_view word) { return detail::accepts_word<element>(word); });
    }
    static constexpr void write(const T& value, auto& out) {
        out.push_back('[');
        bool first = true;
        for (const auto& each : value) {
            if (!first) out.push_back(',');
            option_type<element>::write(each, out);
            first = false;
        }
        out.push_back(']');
    }
    static constexpr void describe(auto& out) {
        out.append(std::string_view("a list [a,b] of each "));
        option_type<element>::describe(out);
    }
};

} // namespace tutti
