#pragma once

#include <string_view>

namespace tutti::test {

/// Tests that a rule of a pass preserves results. The program is evaluated before and after, for each element type.
///
/// The first letter of a parameter's name selects its values. x takes edge values and i takes small values. c, w and s
/// are constants that take edge, small and positive values. If `ulps` is not 0, tame values replace edge values. A
/// constant of rank 0 takes each value in turn. A size `?` of a parameter is 1 in one trial and 8 in another.
struct rule_row {
    std::string_view pass;    ///< a pipeline of only this pass
    std::string_view rule;    ///< name of the rule; empty if the pass has no rules
    std::string_view program; ///< contains $T for the element type, and optionally $U and $V
    /// Element types for which the program must be rewritten: names, or all, ints, floats or numbers (all except bool).
    std::string_view fires = "";
    std::string_view stays = ""; ///< element types for which the program must stay unchanged
    /// Error bound in units in the last place of the largest intermediate number; 0 requires identical bits.
    double ulps = 0;
    /// Values of constants, in place of the usual ones: "c=0,-0 d=lowest". The program must be rewritten for each of
    /// these values. If `values` is empty, it must be rewritten for at least one value.
    std::string_view values = "";
};

} // namespace tutti::test
