#include <tutti/relay/text/parse/diagnostics.hpp>

#include "support/catch.hpp"

#include <string>
#include <string_view>

using namespace tutti;
using relay::diagnostic;
using relay::text::diagnostic_list;
using relay::text::place;

namespace {

diagnostic quoted(std::string_view text, place at) {
    diagnostic d{at.where, "bad"};
    relay::text::quote_line(d, text, at.offset);
    return d;
}

} // namespace

TEST_CASE("diagnostics: the place, the line, and a caret below the character", "[relay][text]") {
    diagnostic_list found("a\n\t\xC3\xA4 = %b\nc", 5);
    found.add({{2, 6}, 7}, "it is wrong", "a right one");
    const relay::parse_error e("file", found.take());
    CHECK(std::string(e.what()) == "file:2:6: error: it is wrong; expected a right one\n\t\xC3\xA4 = %b\n\t   ^\n");
    CHECK(e.where() == "file:2:6");
    CHECK(e.problem() == "it is wrong");
    CHECK(e.expected() == "a right one");
}

TEST_CASE("diagnostics: in the order of the text, one for each place", "[relay][text]") {
    diagnostic_list found("abc\ndef", 5);
    found.add({{2, 2}, 5}, "third");
    found.add({{1, 3}, 2}, "second");
    found.add({{1, 3}, 2}, "again");
    found.add({{1, 1}, 0}, "first");
    const relay::parse_error e("f", found.take());
    REQUIRE(e.diagnostics().size() == 3);
    CHECK(std::string(e.what()) ==
          "f:1:1: error: first\nabc\n^\nf:1:3: error: second\nabc\n  ^\nf:2:2: error: third\ndef\n ^\n");
    CHECK(e.problem() == "first");
}

TEST_CASE("diagnostics: nothing is read after as many as the limit says, at least one", "[relay][text]") {
    for (const std::size_t limit : {std::size_t{0}, std::size_t{1}, std::size_t{3}}) {
        const std::size_t most = limit == 0 ? 1 : limit;
        diagnostic_list found("abcdefgh", limit);
        CHECK(found.empty());
        for (std::uint32_t i = 0; i + 1 < most; ++i) found.add({{1, i + 1}, i}, "bad");
        CHECK_THROWS_AS(found.add({{1, 8}, 7}, "bad"), tutti::relay::text::too_much);
        CHECK(found.take().size() == most);
    }
}

TEST_CASE("diagnostics: the end of the text is a place, with and without a newline before it", "[relay][text]") {
    CHECK(quoted("", {{1, 1}, 0}).line.empty());
    CHECK(quoted("ab", {{1, 3}, 2}).line == "ab");
    CHECK(quoted("ab", {{1, 3}, 2}).caret == 2);
    CHECK(quoted("ab\n", {{2, 1}, 3}).line.empty());
}

TEST_CASE("diagnostics: shows the part of a very long line around the location", "[relay][text]") {
    std::string text(100'000, 'a');
    text[50'000] = 'X';
    const diagnostic middle = quoted(text, {{1, 50'001}, 50'000});
    CHECK(middle.line.size() < 200);
    CHECK(middle.line.starts_with("..."));
    CHECK(middle.line.at(middle.caret) == 'X');
    const diagnostic end = quoted(text, {{1, 100'001}, 100'000});
    CHECK(end.caret == end.line.size());
    const diagnostic start = quoted(text, {{1, 1}, 0});
    CHECK(start.caret == 0);
    CHECK(start.line.size() <= 160);
}

TEST_CASE("diagnostics: control characters become spaces", "[relay][text]") {
    CHECK(quoted(std::string_view("a\x1b[31m\x7f\0\tb\r", 11), {{1, 1}, 0}).line == "a [31m  \tb ");
}
