#pragma once

#include <array>
#include <string_view>

namespace tutti::test {

/// A row that does not give the reference's text, and why.
struct known_difference {
    std::string_view id;
    std::string_view cause;
};

inline constexpr std::string_view names_made_unique =
    "the reference's program had several variables named %inputs; its text made them %inputs1, %inputs2 in the order of printing, and "
    "that is how they are read; this pass changes the order";

inline constexpr std::string_view sizes_made_narrow =
    "sizes that are 64-bit numbers in the text, 32i64, are not after arithmetic on them";

/// All of them: a row that is not listed must give the reference's text, and one that is must not.
inline constexpr std::array known_differences{
    known_difference{"lstm.DeadCodeEliminationInlineOnce", names_made_unique},
    known_difference{"lstm.ToGraphNormalForm", names_made_unique},
    known_difference{"test_op_level10.test_broadcast_pool2d_shape_int64_graph_.0", sizes_made_narrow},
};

/// Why the row of that name differs, or an empty text.
constexpr std::string_view known_cause(std::string_view id) {
    for (const known_difference& known : known_differences)
        if (known.id == id) return known.cause;
    return {};
}

} // namespace tutti::test
