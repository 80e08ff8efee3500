#include <tutti/instrument/support/line_matching.hpp>

#include "support/catch.hpp"

#include <string>
#include <string_view>

using tutti::internal::line_matching;

namespace {

// Returns the removed lines with `-` and the added ones with `+`, and then the notes.
std::string changes(std::string_view before, std::string_view after) {
    const line_matching found{before, after, "%"};
    std::string out;
    for (std::size_t i = 0; i < found.before.size(); ++i)
        if (found.is_gone(i)) out += "-" + std::string{found.before.line(i)} + "\n";
    for (std::size_t j = 0; j < found.after.size(); ++j)
        if (found.is_added(j)) out += "+" + std::string{found.after.line(j)} + "\n";
    return out + found.notes;
}

} // namespace

TEST_CASE("line_matching: removes the right one of equal operators", "[instrument][line_matching]") {
    CHECK(changes("%0 = x\n%1 = f %0\n%2 = f %1\n%3 = f %2\n%4 = g %3 %1\nh %4 %2\n",
                  "%0 = x\n%1 = f %0\n%2 = f %1\n%3 = g %2 %1\nh %3 %2\n") ==
          "-%3 = f %2\n-%4 = g %3 %1\n+%3 = g %2 %1\nrenumbered in line 6: %4 to %3\n");
}

TEST_CASE("line_matching: a value whose line was replaced keeps its users", "[instrument][line_matching]") {
    CHECK(changes("%0 = x\n%1 = old %0\n%2 = f %1\n%3 = g %1\n%4 = h %1 %2\n",
                  "%0 = x\n%1 = y\n%2 = new %0 %1\n%3 = f %2\n%4 = g %2\n%5 = h %2 %3\n") ==
          "-%1 = old %0\n+%1 = y\n+%2 = new %0 %1\nrenumbered in lines 3-5: %1-%4 to %2-%5\n");
}

TEST_CASE("line_matching: a line whose operands are other values is changed", "[instrument][line_matching]") {
    CHECK(changes("%0 = x\n%1 = y\n%2 = f %0 %1\n", "%0 = x\n%1 = y\n%2 = f %1 %0\n") ==
          "-%2 = f %0 %1\n+%2 = f %1 %0\n");
    CHECK(changes("%0 = x\n%1 = y\n%2 = f %0 %1\n", "%0 = x\n%1 = y\n%2 = f %0 %0\n") ==
          "-%2 = f %0 %1\n+%2 = f %0 %0\n");
}

TEST_CASE("line_matching: numbers are stated for each scope", "[instrument][line_matching]") {
    CHECK(changes("a\n  %0 = x\n  %1 = y\n  f %0 %1\n}\nb\n  %0 = x\n  %1 = y\n  f %0 %1\n}\n",
                  "a\n  %0 = x\n  %1 = y\n  f %0 %1\n}\nb\n  %0 = z\n  %1 = x\n  %2 = y\n  f %1 %2\n}\n") ==
          "+  %0 = z\nrenumbered in lines 7-9: %0-%1 to %1-%2\n");
    // A number with a leading zero is a name of its own.
    CHECK(changes("f %a01 %a2 %a3\ng %a01 %a2 %a3\n", "f %a02 %a3 %a4\ng %a02 %a3 %a4\n") ==
          "renumbered in lines 1-2: %a2-%a3 to %a3-%a4, %a01 to %a02\n");
}

TEST_CASE("line_matching: prefers a comparison of texts that finds as many lines", "[instrument][line_matching]") {
    CHECK(changes("a\nb\n", "a\nc\n") == "-b\n+c\n");
    CHECK(changes("%1\n", "%1\n").empty());
}
