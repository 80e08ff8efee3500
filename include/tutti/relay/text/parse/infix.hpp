#pragma once

#include <cstdint>
#include <string_view>

namespace tutti::relay::text {

/// An operator that is written between its arguments.
struct infix {
    std::string_view sign;
    std::string_view name; ///< the operator's
    std::uint8_t precedence;
};

/// The ones that there are, longer signs first. All of them belong together from the left: `a - b - c` is `(a - b) - c`.
inline constexpr infix infixes[]{
    {"<=", "less_equal", 8}, {">=", "greater_equal", 8}, {"==", "equal", 7}, {"!=", "not_equal", 7},
    {"*", "multiply", 12},   {"/", "divide", 12},        {"+", "add", 10},   {"-", "subtract", 10},
    {"<", "less", 8},        {">", "greater", 8},
};

/// The operator that a text begins with, or null.
constexpr const infix* infix_at(std::string_view text) {
    if (text.starts_with("->")) return nullptr;
    for (const infix& i : infixes)
        if (text.starts_with(i.sign)) return &i;
    return nullptr;
}

} // namespace tutti::relay::text
