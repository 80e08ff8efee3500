#include <tutti/testing/match_text.hpp>

#include "support/catch.hpp"

#include <string>
#include <string_view>

using tutti::testing::match_text;

namespace {

constexpr std::string_view text = "def @f(%x) {\n"
                                  "  %0 = exp(%x);\n"
                                  "  %1 = add(%0, 1f);\n"
                                  "  multiply(%1, %0)\n"
                                  "}\n"
                                  "def @g(%y) {\n"
                                  "  %2 = exp(%y);\n"
                                  "  negative(%2)\n"
                                  "}\n";

std::string said(std::string_view pattern) { return match_text(text, pattern).message; }

} // namespace

TEST_CASE("match_text: finds the lines in order", "[testing][match_text]") {
    CHECK(match_text(text, "CHECK: exp(%x)\nCHECK: add\nCHECK: negative"));
    CHECK(match_text(text, "// of each line\n\n  CHECK: def @f\n  CHECK-NEXT: [[E:%\\d+]] = exp\n"
                           "  CHECK-NEXT: [[A:%\\d+]] = add([[E]], {{.*}})\n  CHECK-NEXT: multiply([[A]], [[E]])"));
    CHECK(match_text(text, "CHECK-DAG: add\nCHECK-DAG: exp\nCHECK: multiply"));
    CHECK(match_text(text, "CHECK-DAG: exp\nCHECK-DAG: exp\nCHECK: negative"));
    CHECK(match_text(text, "CHECK: add\nCHECK-NOT: exp\nCHECK: multiply"));
    CHECK(match_text(text, "CHECK-NOT: tanh"));
    CHECK(match_text(text,
                     "CHECK-LABEL: def @f\nCHECK-NOT: negative\nCHECK-LABEL: def @g\nCHECK-NEXT: exp\nCHECK-NOT: add"));
}

TEST_CASE("match_text: reports a missing line, with the search range and the nearest line", "[testing][match_text]") {
    CHECK(said("CHECK: exp(%x)\nCHECK: add(%0, 2f)") ==
          "line 2 of the pattern, `CHECK: add(%0, 2f)`, matches nothing\n"
          "looked for from line 2 (after the match of line 1 of the pattern) to line 10\n"
          "   2 |   %0 = exp(%x);\n"
          "the nearest is line 3:\n"
          "   3 |   %1 = add(%0, 1f);\n");
    CHECK(said("CHECK: negative\nCHECK: multiply").find("it is in line 4, before that:\n") != std::string::npos);
    CHECK(said("CHECK: [[X:%\\d+]] = add\nCHECK: negative([[X]])")
              .starts_with("line 2 of the pattern, `CHECK: negative([[X]])` with X = `%1`, matches nothing\n"));
    CHECK(said("CHECK: def @f\nCHECK-NEXT: add") ==
          "line 2 of the pattern, `CHECK-NEXT: add`, does not match the next line (after the match of line 1 of the "
          "pattern):\n"
          "   2 |   %0 = exp(%x);\n"
          "it is in line 3:\n"
          "   3 |   %1 = add(%0, 1f);\n");
    CHECK(said("CHECK: def @f\nCHECK-NOT: add\nCHECK: multiply") ==
          "line 2 of the pattern, `CHECK-NOT: add`, is in line 3:\n"
          "   3 |   %1 = add(%0, 1f);\n"
          "looked for from line 1 (after the match of line 1 of the pattern) to line 4\n");
    CHECK_FALSE(match_text(text, "CHECK-LABEL: def @f\nCHECK: negative\nCHECK-LABEL: def @g"));
    CHECK_FALSE(match_text(text, "CHECK-LABEL: def @g\nCHECK: multiply"));
    CHECK_FALSE(match_text(text, "CHECK-DAG: negative\nCHECK-DAG: negative"));
    CHECK_FALSE(match_text(text, "CHECK: negative\nCHECK-NEXT: }\nCHECK-NEXT: {{.*}}x"));
    CHECK_FALSE(match_text("", "CHECK: x"));
}

TEST_CASE("match_text: a pattern that is none is a failure, too", "[testing][match_text]") {
    CHECK(said("") == "the pattern: checks nothing; expected a line `CHECK: ...`\n");
    CHECK(said("CHECK:") == "line 1 of the pattern: has nothing after the colon; expected a pattern\n");
    CHECK(said("CHECK: a\nCHEK-NEXT: b") ==
          "line 2 of the pattern: is not a check: `CHEK-NEXT: b`; did you mean CHECK-NEXT:; expected CHECK:, "
          "CHECK-NEXT:, CHECK-NOT:, CHECK-DAG: or CHECK-LABEL:\n");
    CHECK(said("CHECK-NEXT: a").find("follows no match") != std::string::npos);
    CHECK(said("CHECK-LABEL: [[X:a]]").find("is a label with variables") != std::string::npos);
    CHECK(said("CHECK: {{(}}").find("a ( is not closed") != std::string::npos);
    CHECK(said("CHECK: [[X]]") == "[[X]]: is not defined; expected a [[X:...]] before it\n");
}
