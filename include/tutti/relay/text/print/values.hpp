#pragma once

#include <tutti/base/decimal.hpp>
#include <tutti/base/form.hpp>
#include <tutti/kernel/tensor.hpp>
#include <tutti/relay/ir/graph.hpp>
#include <tutti/relay/ir/plain_vector.hpp>
#include <tutti/relay/ir/type_text.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::text {

/// True if an expression is always written in place, never bound to a number.
constexpr bool always_inline(expr_kind kind) {
    return kind == expr_kind::variable || kind == expr_kind::global || kind == expr_kind::constant ||
           kind == expr_kind::op || kind == expr_kind::constructor;
}
/// True if an expression is written as its operands alone, one after another.
constexpr bool has_operands_only(expr_kind kind) {
    return kind == expr_kind::call || kind == expr_kind::tuple || kind == expr_kind::projection;
}

/// Digits of floating-point numbers: six as in the reference, or as many as the value needs.
enum class digits : std::uint8_t { six, all };

/// Appends a number with six significant digits, like `%g` in C. If these do not preserve the value, `digits::all`
/// selects the shortest form that does. Returns true if the value reads back unchanged.
///
/// Requires: T is float or double.
template <class T>
bool append_floating(std::string& out, T value, digits wanted = digits::six) {
    if (std::isnan(value)) { // `%g` may write the sign of a NaN, which has no meaning
        out += "nan";
        return true;
    }
    std::array<char, 32> text{};
    char* const first = text.data();
    char* const last = first + text.size();
    char* end = std::to_chars(first, last, value, std::chars_format::general, 6).ptr;
    T read = 0;
    tutti::internal::decimal_from_chars(first, end, read);
    const bool whole = read == value || wanted == digits::all;
    if (whole && read != value) end = std::to_chars(first, last, value).ptr;
    out.append(first, end);
    return whole;
}

/// Appends a string in quotes with C escapes.
inline void append_quoted(std::string& out, std::string_view value) {
    out += '"';
    for (const char c : value) {
        switch (c) {
        case '"':
            out += "\\\"";
            break;
        case '\\':
            out += "\\\\";
            break;
        case '\n':
            out += "\\n";
            break;
        case '\t':
            out += "\\t";
            break;
        case '\r':
            out += "\\r";
            break;
        default:
            out += c;
        }
    }
    out += '"';
}

/// True if a constant is written as a literal: its rank is 0, and its type has literals.
inline bool has_literal(const tensor& value) {
    if (value.rank() != 0) return false;
    switch (value.type()) {
    case dtype::int16:
    case dtype::int32:
    case dtype::int64:
    case dtype::float16:
    case dtype::float32:
    case dtype::float64:
    case dtype::boolean:
        return true;
    default:
        return false;
    }
}

/// Appends a constant's literal: `1`, `1i64`, `1f`, `True`. Floating-point literals have six significant digits unless
/// `wanted` is `all`. Returns true if the value reads back unchanged.
///
/// Requires: `has_literal(value)`.
inline bool append_literal(std::string& out, const tensor& value, digits wanted = digits::six) {
    bool whole = true;
    switch (value.type()) {
    case dtype::boolean:
        out += value.data<bool>()[0] ? "True" : "False";
        break;
    case dtype::int16:
        append_number(out, value.data<std::int16_t>()[0]);
        break;
    case dtype::int32:
        append_number(out, value.data<std::int32_t>()[0]);
        break;
    case dtype::int64:
        append_number(out, value.data<std::int64_t>()[0]);
        break;
    case dtype::float16:
        append_floating(out, float(value.data<kernel::float16>()[0])); // five digits identify any float16
        break;
    case dtype::float32:
        whole = append_floating(out, value.data<float>()[0], wanted);
        break;
    case dtype::float64:
        whole = append_floating(out, value.data<double>()[0], wanted);
        break;
    default:
        break;
    }
    switch (value.type()) {
    case dtype::int16:
        out += "i16";
        break;
    case dtype::int64:
        out += "i64";
        break;
    case dtype::float16:
        out += "f16";
        break;
    case dtype::float32:
        out += 'f';
        break;
    case dtype::float64:
        out += "f64";
        break;
    default:
        break;
    }
    return whole;
}

/// Appends the attribute value at the front of `values`: `[1, 1]`, `1e-05f`, `"NCHW"`, `True`, `None`. Returns the
/// number of values that do not read back unchanged.
inline std::size_t append_attribute(std::string& out, const graph& g, std::span<const attr_value> values,
                                    digits wanted = digits::six) {
    plain_vector<std::uint32_t> open; // elements left in each open list
    std::size_t cut = 0;
    for (const attr_value& v : values) {
        switch (v.kind) {
        case attr_kind::none:
            out += "None";
            break;
        case attr_kind::boolean:
            out += v.boolean() ? "True" : "False";
            break;
        case attr_kind::number:
            append_dim(out, v.number());
            break;
        case attr_kind::floating:
            if (!append_floating(out, v.floating(), wanted)) ++cut;
            out += 'f';
            break;
        case attr_kind::string:
            append_quoted(out, g.strings()[v.string()]);
            break;
        case attr_kind::dtype:
            append_quoted(out, v.element() == dtype::none ? "" : kernel::name(v.element()));
            break;
        case attr_kind::list:
            out += '[';
            break;
        }
        if (v.kind == attr_kind::list && v.count != 0) {
            open.push_back(v.count);
            continue;
        }
        if (v.kind == attr_kind::list) out += ']';
        while (!open.empty() && --open.back() == 0) {
            out += ']';
            open.pop_back();
        }
        if (open.empty()) break;
        out += ", ";
    }
    return cut;
}

} // namespace tutti::relay::inline TUTTI_FORM::text
