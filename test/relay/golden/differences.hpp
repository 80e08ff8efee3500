#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace tutti::test {

/// A row whose printed program differs from that of the reference, and the cause.
struct known_difference {
    std::string_view id;
    std::string_view cause;
};

inline constexpr std::string_view names_made_unique =
    "the reference's program had several variables named %inputs; its text made them %inputs1, %inputs2 in the order of printing, and "
    "that is how they are read; this pass changes the order";

inline constexpr std::string_view sizes_made_narrow =
    "sizes that are 64-bit numbers in the text, 32i64, are not after arithmetic on them";

/// All known differences. A listed row must differ from the reference, and every other row must match it.
inline constexpr std::array known_differences{
    known_difference{"lstm.DeadCodeEliminationInlineOnce", names_made_unique},
    known_difference{"lstm.ToGraphNormalForm", names_made_unique},
    known_difference{"test_op_level10.test_broadcast_pool2d_shape_int64_graph_.0", sizes_made_narrow},
};

/// A row that matches the reference only if a pass applies unsound rewrites (`as_reference`), and the cause.
struct unsound_row {
    std::string_view id;
    std::string_view pass;
    std::string_view cause;
};

inline constexpr std::string_view zero_added = "x + 0 is not x where that is -0";
inline constexpr std::string_view divided_by_scale =
    "a scale that is no constant may have a zero, by which summands would be divided";

/// All unsound rows. Without `as_reference`, a listed row must differ from the reference.
inline constexpr std::array unsound_rows{
    unsound_row{"pass_simplify_expr.simplify_full_elementwise.5", "SimplifyExpr", zero_added},
    unsound_row{"pass_simplify_expr.simplify_full_elementwise.7", "SimplifyExpr", zero_added},
    unsound_row{"pass_simplify_expr.simplify_full_elementwise.9", "SimplifyExpr", zero_added},
    unsound_row{"pass_simplify_expr.simplify_full_elementwise.17", "SimplifyExpr", zero_added},
    unsound_row{"pass_simplify_expr.simplify_full_elementwise.1551", "SimplifyExpr", zero_added},
    unsound_row{"random.134.2", "SimplifyExpr", zero_added},
    unsound_row{"random.260.2", "SimplifyExpr", zero_added},
    unsound_row{"random.146.2", "FoldScaleAxis", divided_by_scale},
    unsound_row{"random.150.2", "FoldScaleAxis", divided_by_scale},
    unsound_row{"resnet18.FoldScaleAxis", "FoldScaleAxis", divided_by_scale},
    unsound_row{"resnet18.ForwardFoldScaleAxis", "ForwardFoldScaleAxis", divided_by_scale},
    unsound_row{"resnet18.Pipeline3", "FoldScaleAxis", divided_by_scale},
};

/// Returns the unsound row with this id, or null.
constexpr const unsound_row* unsound_row_of(std::string_view id) {
    for (const unsound_row& row : unsound_rows)
        if (row.id == id) return &row;
    return nullptr;
}

/// Returns the pipeline with the option `as_reference` added to a pass. FoldScaleAxis is replaced by its members, and
/// the option is added to those that have it. Requires: the pass has no options in the pipeline.
inline std::string as_reference(std::string_view pipeline, std::string_view pass) {
    constexpr std::string_view option = "{as_reference=True}";
    const std::size_t begin = pipeline.find(pass);
    std::string made(pipeline.substr(0, begin));
    if (pass == "FoldScaleAxis")
        made.append("BackwardFoldScaleAxis")
            .append(option)
            .append(",ForwardFoldScaleAxis")
            .append(option)
            .append(",FoldConstant");
    else
        made.append(pass).append(option);
    return made.append(pipeline.substr(begin + pass.size()));
}

/// Returns the known cause of the difference in row `id`, or "" if the row is not listed.
constexpr std::string_view known_cause(std::string_view id) {
    for (const known_difference& known : known_differences)
        if (known.id == id) return known.cause;
    return {};
}

} // namespace tutti::test
