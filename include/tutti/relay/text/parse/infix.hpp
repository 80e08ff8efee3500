#pragma once

#include <tutti/base/form.hpp>

#include <cstdint>
#include <string_view>

namespace tutti::relay::inline TUTTI_FORM::text {

/// An infix operator.
struct infix {
    std::string_view sign;
    std::string_view name; ///< the operator's name in Relay
    std::uint8_t precedence;
};

/// All infix operators, longer signs first. They associate to the left: `a - b - c` is `(a - b) - c`.
inline constexpr infix infixes[]{
    {"<=", "less_equal", 8}, {">=", "greater_equal", 8}, {"==", "equal", 7}, {"!=", "not_equal", 7},
    {"*", "multiply", 12},   {"/", "divide", 12},        {"+", "add", 10},   {"-", "subtract", 10},
    {"<", "less", 8},        {">", "greater", 8},
};

/// Returns the infix operator at the start of a text, or null.
constexpr const infix* infix_at(std::string_view text) {
    if (text.starts_with("->")) return nullptr;
    for (const infix& i : infixes)
        if (text.starts_with(i.sign)) return &i;
    return nullptr;
}

} // namespace tutti::relay::inline TUTTI_FORM::text
