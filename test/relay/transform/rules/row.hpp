#pragma once

#include <string_view>

namespace tutti::test {

/// A test that a rule of a pass preserves results: a program over element types, evaluated before and after.
///
/// The first letter of a parameter's name selects its values: x takes all edge values (with `ulps`, tame values) and i
/// small values. Names that begin with c, w and s are constants with edge, small and positive values. A constant of
/// rank 0 takes each value in turn. A size `?` of a parameter is 1 in one trial and 8 in another.
struct rule_row {
    std::string_view pass;    ///< a pipeline of only this pass
    std::string_view rule;    ///< name of the rule; empty if the pass has no rules
    std::string_view program; ///< with $T for the element type, and optionally $U and $V
    /// Element types for which the program must be rewritten: names, or all, ints, floats, numbers (all except bool).
    std::string_view fires = "";
    std::string_view stays = ""; ///< element types for which the program must stay unchanged
    /// Error bound in units in the last place of the largest intermediate number; 0 requires identical bits.
    double ulps = 0;
    /// Values for constants that replace the usual ones: "c=0,-0 d=lowest". If given, the program must be rewritten for
    /// each value; otherwise, for at least one.
    std::string_view values = "";
};

} // namespace tutti::test
