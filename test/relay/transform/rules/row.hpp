#pragma once

#include <string_view>

namespace tutti::test {

/// What shows that a rule of a pass leaves what a program computes: a program over element types, evaluated before and after.
///
/// Parameters of the program whose names begin with x take all edge values (with `ulps`, tame ones), those with i small ones; names
/// with c, w and s are constants: edge values, small ones and positive ones. Of a constant of rank 0 each value is tried. A size `?` of a
/// parameter is 1 in one trial and 8 in another.
struct rule_row {
    std::string_view pass;    ///< the text of a pipeline of it
    std::string_view rule;    ///< the rule's name; empty if the pass is not made of rules
    std::string_view program; ///< with $T for the element type; $U and $V, if there, are further ones
    /// The element types for which it must be rewritten: names, or all, ints, floats, numbers (which bool is not).
    std::string_view fires = "";
    std::string_view stays = ""; ///< and those for which it must not
    /// By how much results may differ, in units in the last place of the largest number on the way; with 0 they are the same bits.
    double ulps = 0;
    /// Other values for constants: "c=0,-0 d=lowest". It must be rewritten for each of them then, otherwise for one.
    std::string_view values = "";
};

} // namespace tutti::test
