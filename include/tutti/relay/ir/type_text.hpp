#pragma once

#include <tutti/relay/ir/type_table.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tutti::relay {

/// Appends a number in decimal.
constexpr void append_number(std::string& out, std::int64_t value) {
    char digits[20];
    std::size_t first = sizeof(digits);
    auto rest = value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
    do digits[--first] = static_cast<char>('0' + rest % 10);
    while ((rest /= 10) != 0);
    if (value < 0) digits[--first] = '-';
    out.append(digits + first, sizeof(digits) - first);
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

/// The most characters that a type may have in a program's text. Types share their parts, so a type of sixty tuples can have
/// more than any memory holds.
inline constexpr std::size_t max_type_text = std::size_t{1} << 23;

/// Appends a type as Relay text has it: `Tensor[(1, ?), float32]`, `float32` for rank 0, `(A, B)`, `(A,)`, `fn (A) -> B`.
/// False if that takes more than `most` characters; then it is not written to its end.
///
/// Cost: linear in the text, or in `most`; no recursion.
constexpr bool append_type(std::string& out, const type_table& types, type_id id, std::size_t most = max_type_text) {
    const std::size_t start = out.size();
    std::vector<std::pair<type_id, std::size_t>> open; // a composite type, and how many of its members were written
    const auto enter = [&](type_id t) {
        if (t == type_id::none) {
            out += "?";
        } else if (types.kind(t) != type_kind::tensor) {
            out += types.kind(t) == type_kind::tuple ? "(" : "fn (";
            open.emplace_back(t, 0U);
        } else if (types.shape(t).empty()) {
            out += kernel::name(types.element(t));
        } else {
            out += "Tensor[(";
            const auto shape = types.shape(t);
            for (std::size_t i = 0; i < shape.size(); ++i) {
                if (i != 0) out += ", ";
                append_dim(out, shape[i]);
            }
            out += "), ";
            out += kernel::name(types.element(t));
            out += ']';
        }
    };
    enter(id);
    while (!open.empty() && out.size() - start <= most) {
        auto& [t, written] = open.back();
        const bool tuple = types.kind(t) == type_kind::tuple;
        const auto members = tuple ? types.fields(t) : types.params(t);
        if (written < members.size()) {
            if (written != 0) out += ", ";
            enter(members[written++]); // may invalidate t and written
        } else if (tuple) {
            out += members.size() == 1 ? ",)" : ")";
            open.pop_back();
        } else {
            const type_id result = types.result(t);
            out += ") -> ";
            open.pop_back();
            enter(result);
        }
    }
    return out.size() - start <= most;
}

/// The type as Relay text has it, for people: of one that takes more than a thousand characters the first ones and `...`.
constexpr std::string to_text(const type_table& types, type_id id) {
    constexpr std::size_t most = 1000;
    std::string out;
    if (!append_type(out, types, id, most)) {
        out.resize(most);
        out += "...";
    }
    return out;
}

} // namespace tutti::relay
