#include <tutti/base/diagnostic.hpp>

#include "support/catch.hpp"

using tutti::internal::excerpt;
using tutti::internal::excerpt_of;

namespace {

// Returns the line and the mark below it.
std::string shown(std::string_view text, std::size_t offset, std::size_t length = 1) {
    return tutti::internal::compiler_message("t", "p", {}, excerpt_of(text, offset, length)).substr(12);
}

} // namespace

TEST_CASE("excerpt_of: the line of the place, and no character that would disturb", "[diagnostic]") {
    CHECK(shown("A,\nB\tC,\nD", 5) == "B\tC,\n \t^\n");
    CHECK(shown("A,", 2, 0) == "A,\n  ^\n");
    CHECK(shown("", 0) == "\n^\n");
    CHECK(shown("A\n", 1) == "A\n ^\n");
    CHECK(shown("a\x01gr\xC3\xBC"
                "n b",
                7) == "a gr\xC3\xBC"
                      "n b\n      ^\n");
    CHECK(shown("InferType,FuseOp{k=2}", 10, 6) == "InferType,FuseOp{k=2}\n          ^~~~~~\n");
    CHECK(shown("ab\ncd", 1, 100) == "ab\n ^\n");
}

TEST_CASE("excerpt_of: shows the part of a long line around the position", "[diagnostic]") {
    const std::string text(1000, 'x');
    const excerpt middle = excerpt_of(text, 500, 400);
    CHECK(middle.line == "..." + std::string(160, 'x'));
    CHECK(middle.caret == 103);
    CHECK(middle.marked == 60);
    CHECK(excerpt_of(text, 0).line == std::string(160, 'x'));
    CHECK(excerpt_of(text, 1000).caret == excerpt_of(text, 1000).line.size());
}

TEST_CASE("excerpt_of: the mark is below its position, whatever the width of the characters before it",
          "[diagnostic]") {
    CHECK(shown("\xE4\xB8\xAD\xE6\x96\x87 = b", 9) == "\xE4\xB8\xAD\xE6\x96\x87 = b\n       ^\n"); // wide letters
    CHECK(shown("a\xCC\x88 = b", 6) == "a\xCC\x88 = b\n    ^\n");                                  // a combining mark
    CHECK(shown("x\t\xF0\x9F\x98\x80!", 6) == "x\t\xF0\x9F\x98\x80!\n \t  ^\n");
    CHECK(shown("a \xE4\xB8\xAD\xE6\x96\x87 b", 2, 6) == "a \xE4\xB8\xAD\xE6\x96\x87 b\n  ^~~~\n");
    CHECK(shown("a \xE4\xB8\xAD", 3) == "a \xE4\xB8\xAD\n  ^\n"); // inside a character
}

TEST_CASE("excerpt_of: a byte that is no character is shown as one", "[diagnostic]") {
    CHECK(shown("\xFF\xFE = b", 5) == "\xEF\xBF\xBD\xEF\xBF\xBD = b\n     ^\n");
    CHECK(shown("a\x80", 1) == "a\xEF\xBF\xBD\n ^\n");
    // Long lines are cut between characters.
    std::string text;
    for (int i = 0; i < 500; ++i) text += "\xE4\xB8\xAD";
    for (std::size_t offset = 600; offset < 606; ++offset) {
        const excerpt cut = excerpt_of(text, offset);
        CHECK(cut.line.find("\xEF\xBF\xBD") == std::string::npos);
        CHECK(cut.caret % 3 == 0);
    }
}

TEST_CASE("compiler_message: nothing of it disturbs a terminal", "[diagnostic]") {
    const std::string said =
        tutti::internal::compiler_message("a\x1b[2J.relay:1:1", "no \x1b[31m", "\xFF", excerpt_of("\x1b[0m", 0));
    CHECK(said == "a [2J.relay:1:1: error: no  [31m; expected \xEF\xBF\xBD\n [0m\n^\n");
}

TEST_CASE("unknown_name: suggests a name or lists the known ones, and provides both as data", "[diagnostic]") {
    const auto near = tutti::internal::unknown_name("pass", "FuseOp", {"FoldConstant", "FuseOps"});
    CHECK(near.problem == "FuseOp: no such pass; did you mean FuseOps?");
    CHECK(near.expected == "");
    CHECK(near.asked == "FuseOp");
    CHECK(near.meant == "FuseOps");
    CHECK(near.known == std::vector<std::string>{"FoldConstant", "FuseOps"});
    const auto far = tutti::internal::unknown_name("option", "x", {"depth", "width"}, "FuseOps: ");
    CHECK(far.problem == "FuseOps: x: no such option");
    CHECK(far.expected == "one of depth, width");
    CHECK(far.meant == "");
    CHECK(tutti::internal::unknown_name("pass", "x", {}).expected == "a registered pass, but there is none");
    CHECK(tutti::internal::unknown_name("pass", std::string(100, 'x'), {"A"}).problem ==
          std::string(60, 'x') + "...: no such pass");
}

TEST_CASE("input_error: provides the problem as data", "[diagnostic]") {
    const tutti::input_error e{tutti::internal::unknown_name("pass", "FuseOp", {"FuseOps"})};
    CHECK(std::string{e.what()} == "FuseOp: no such pass; did you mean FuseOps?");
    CHECK(e.said().meant == "FuseOps");
}

TEST_CASE("did_you_mean: quotes as specified", "[diagnostic]") {
    CHECK(tutti::detail::did_you_mean("x", "`%", "`") == "; did you mean `%x`?");
    CHECK(tutti::detail::did_you_mean("", "`", "`") == "");
}

TEST_CASE("with_article: the one that the word takes", "[diagnostic]") {
    CHECK(tutti::internal::with_article("module") == "a module");
    CHECK(tutti::internal::with_article("instruction") == "an instruction");
    CHECK(tutti::internal::with_article("unit") == "a unit");
}
