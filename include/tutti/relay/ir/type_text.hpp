#pragma once

#include <tutti/base/form.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/type_table.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>

namespace tutti::relay::inline TUTTI_FORM {

namespace detail {

// Indexed by number of digits: the least number with more digits, or 0 if there is none.
inline constexpr auto least_of_digits = [] {
    struct {
        std::uint64_t of[20] = {};
    } made;
    for (std::uint64_t i = 1, power = 10; i < 20; ++i, power *= 10) made.of[i] = power;
    return made;
}();

// The digits of the numbers 0 to 99, two for each.
inline constexpr auto two_digits = [] {
    struct {
        char of[200] = {};
    } made;
    for (int i = 0; i < 100; ++i) {
        made.of[2 * i] = static_cast<char>('0' + i / 10);
        made.of[2 * i + 1] = static_cast<char>('0' + i % 10);
    }
    return made;
}();

constexpr char* write_two_digits(char* end, std::size_t value) {
    const char tens = two_digits.of[value * 2], ones = two_digits.of[value * 2 + 1];
    end -= 2;
    end[0] = tens;
    end[1] = ones;
    return end;
}

template <class Number>
constexpr char* write_decimal(char* end, Number value) {
    for (; value >= 100; value /= 100) end = write_two_digits(end, static_cast<std::size_t>(value % 100));
    if (value >= 10) return write_two_digits(end, static_cast<std::size_t>(value));
    *--end = static_cast<char>('0' + value);
    return end;
}

} // namespace detail

/// Returns the number of decimal digits of a number.
constexpr std::size_t decimal_digits(std::uint64_t value) {
    const std::size_t few =
        std::size_t{static_cast<unsigned>(std::bit_width(value))} * 1233 / 4096; // may be too small by one
    return few + (value >= detail::least_of_digits.of[few] ? 1 : 0);
}

/// Writes a number in decimal so that its last digit precedes `end`. Returns a pointer to the first digit.
constexpr char* write_decimal(char* end, std::uint64_t value) {
    if (value >> 32 == 0) return detail::write_decimal(end, static_cast<std::uint32_t>(value));
    return detail::write_decimal(end, value);
}

/// Appends a number in decimal.
constexpr void append_number(std::string& out, std::int64_t value) {
    char digits[20];
    char* first = write_decimal(digits + 20,
                                value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value));
    if (value < 0) *--first = '-';
    out.append(first, static_cast<std::size_t>(digits + 20 - first));
}

/// Appends a dimension: `3`, `3i64`, `?`.
constexpr void append_dim(std::string& out, dim d) {
    if (d.is_any()) {
        out += '?';
        return;
    }
    append_number(out, d.value());
    if (d.is_wide()) out += "i64";
}

/// Largest number of characters in the printed form of a type. Types share their members, so sixty nested tuples could
/// print as more text than memory can hold.
inline constexpr std::size_t max_type_text = std::size_t{1} << 23;

/// Appends a tensor's type.
constexpr void append_tensor_type(std::string& out, const type_table& types, type_id t) {
    const auto shape = types.shape(t);
    if (shape.empty()) {
        out += kernel::name(types.element(t));
        return;
    }
    out += "Tensor[(";
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (i != 0) out += ", ";
        append_dim(out, shape[i]);
    }
    out += "), ";
    out += kernel::name(types.element(t));
    out += ']';
}

/// Appends a type in Relay's syntax: `Tensor[(1, ?), float32]`, `float32` for rank 0, `(A, B)`, `(A,)`, `fn (A) -> B`,
/// `fn [A](A) -> A`, `List[A]`, `ref(A)`, `_`. Returns false if that takes more than `most` characters; the appended
/// text is then incomplete.
///
/// Cost: linear in the text, or in `most`; no recursion.
constexpr bool append_type(std::string& out, const type_table& types, type_id id, std::size_t most = max_type_text) {
    const std::size_t start = out.size();
    struct open_type { // a composite type, and the number of its members written so far
        type_id type;
        std::size_t written;
    };
    plain_vector<open_type> open;
    bool behind_params = false; // true after a generic type's parameters: its function omits `fn`
    const auto enter = [&](type_id t) {
        if (t == type_id::none) {
            out += "?";
            return;
        }
        switch (types.kind(t)) {
        case type_kind::tensor:
            append_tensor_type(out, types, t);
            return;
        case type_kind::variable:
            out += types.name(t);
            return;
        case type_kind::incomplete:
            out += '_';
            return;
        case type_kind::tuple:
            out += '(';
            break;
        case type_kind::function:
            out += behind_params ? "(" : "fn (";
            behind_params = false;
            break;
        case type_kind::generic:
            out += "fn [";
            break;
        case type_kind::data:
            out += types.name(t);
            out += '[';
            break;
        case type_kind::reference:
            out += "ref(";
            break;
        }
        open.push_back({t, 0});
    };
    enter(id);
    while (!open.empty() && out.size() - start <= most) {
        auto& [t, written] = open.back();
        const type_kind kind = types.kind(t);
        const auto members = types.members(t);
        const bool has_last = kind == type_kind::function || kind == type_kind::generic;
        if (written < members.size() - has_last) {
            if (written != 0) out += ", ";
            enter(members[written++]); // may invalidate `t` and `written`
        } else if (has_last && written + 1 == members.size()) {
            out += kind == type_kind::function ? ") -> " : "]";
            ++written;
            const type_id last = members.back();
            behind_params = kind == type_kind::generic;
            if (kind == type_kind::function) open.pop_back(); // a chain of results adds no depth
            enter(last);
        } else {
            out += kind == type_kind::data ? "]" : kind == type_kind::tuple && members.size() == 1 ? ",)" : ")";
            if (kind == type_kind::generic) out.pop_back();
            open.pop_back();
        }
    }
    return out.size() - start <= most;
}

/// Returns a type in Relay's syntax for messages. A longer text ends in `...` after a thousand characters.
constexpr std::string to_text(const type_table& types, type_id id) {
    constexpr std::size_t most = 1000;
    std::string out;
    if (!append_type(out, types, id, most)) {
        out.resize(most);
        out += "...";
    }
    return out;
}

} // namespace tutti::relay::inline TUTTI_FORM
