#include <tutti/relay/text/parse/recovery.hpp>

#include "relay/text/syntax.hpp"
#include "support/catch.hpp"

#include <string>
#include <string_view>

using namespace tutti::test;
using tutti::relay::text::broken_statement;
using tutti::relay::text::cursor;
using tutti::relay::text::resumption;

namespace {

struct skipped_text {
    resumption how;
    std::string rest;

    skipped_text(std::string_view text, broken_statement s = {}) : how() {
        cursor in(text);
        how = tutti::relay::text::skip_statement(in, s);
        rest = in.rest();
    }
};

} // namespace

TEST_CASE("recovery: goes on behind the statement's semicolon", "[relay][text]") {
    const skipped_text s("x y; z;");
    CHECK(s.how == resumption::next_line);
    CHECK(s.rest == " z;");
}

TEST_CASE("recovery: a semicolon in braces, a string or a comment does not end the statement", "[relay][text]") {
    CHECK(skipped_text("if (%x) { %y; } else { fn () { 1; } }; z").rest == " z");
    CHECK(skipped_text("f(a=\";\"); z").rest == " z");
    CHECK(skipped_text("f(a=\"\\\";\"); z").rest == " z");
    CHECK(skipped_text("f(a=\"};\\\\\"); z").rest == " z");
    CHECK(skipped_text("f /* ; } */ // ; }\n ; z").rest == " z");
}

TEST_CASE("recovery: stops before the brace that ends the block", "[relay][text]") {
    const skipped_text s("f({ } ( } x");
    CHECK(s.how == resumption::end_of_block);
    CHECK(s.rest == "} x");
    CHECK(skipped_text("f))) }").rest == "}");
}

TEST_CASE("recovery: a bracketed block ends at its closing bracket", "[relay][text]") {
    const skipped_text s("a), (b)) ) z", {.brackets = 2, .in_brackets = true});
    CHECK(s.how == resumption::end_of_block);
    CHECK(s.rest == ") z");
    CHECK(skipped_text("a) b; c", {.brackets = 0, .in_brackets = false}).rest == " c");
    CHECK(skipped_text("{ ) } ) c", {.brackets = 0, .in_brackets = true}).rest == ") c");
}

TEST_CASE("recovery: stops before a line that binds another value, even within brackets", "[relay][text]") {
    CHECK(skipped_text("f(a, (b\n  %2 = c;").rest == "%2 = c;");
    CHECK(skipped_text("f(a\n  let %x = c;").rest == "let %x = c;");
    CHECK(skipped_text("f(a %2 = c; d").rest == " d");           // `%2 =` is in the same line
    CHECK(skipped_text("f(a {\n %2 = c; }\n); d").rest == " d"); // `%2 =` is in a nested block
}

TEST_CASE("recovery: ends where the next definition or the text does", "[relay][text]") {
    CHECK(skipped_text("a {\ndef @g").how == resumption::nowhere);
    CHECK(skipped_text("a {\ndef @g").rest == "def @g");
    CHECK(skipped_text("a (\n#[metadata]\n}").rest == "#[metadata]\n}");
    CHECK(skipped_text("a \"b").how == resumption::nowhere);
    CHECK(skipped_text("").how == resumption::nowhere);
    CHECK(skipped_text("a \"b\n;c").rest == "c");
    CHECK(syntax_problem([] { skipped_text("a /* b"); }) == "1:3: the comment does not end; expected `*/`");
}
