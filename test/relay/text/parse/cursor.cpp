#include <tutti/relay/text/parse/cursor.hpp>

#include "relay/text/syntax.hpp"
#include "support/catch.hpp"

#include <string>

using namespace tutti;
using namespace tutti::test;
using relay::source_location;
using relay::text::cursor;

TEST_CASE("cursor: counts lines and columns over blanks and both kinds of comments", "[relay][text]") {
    cursor in(" \t// one\r\n/* two\n/* nested */ still */ x");
    in.skip_blank();
    CHECK(in.where() == source_location{3, 23});
    CHECK(in.here().offset == 39);
    CHECK(in.dotted_name() == "x");
    CHECK(in.at_end());
    CHECK(in.peek() == '\0');
}

TEST_CASE("cursor: a comment without end is an error where it begins", "[relay][text]") {
    for (const char* text : {"\n  /* a", "\n  /* /* a */", "\n  /*/", "\n  /* *"})
        CHECK(syntax_problem([&] { cursor(text).skip_blank(); }) == "2:3: the comment does not end; expected `*/`");
    CHECK(syntax_problem([] { cursor("// to the end").skip_blank(); }) == "(read)");
}

TEST_CASE("cursor: comments nested a million deep are passed without recursion", "[relay][text]") {
    std::string text;
    for (int i = 0; i < 1'000'000; ++i) text += "/*";
    for (int i = 0; i < 1'000'000; ++i) text += "*/";
    cursor in(text);
    in.skip_blank();
    CHECK(in.at_end());
}

TEST_CASE("cursor: a null character is not the end of the text", "[relay][text]") {
    cursor in(std::string_view("\0)", 2));
    CHECK(in.take('\0'));
    CHECK(in.take(')'));
    cursor at_end("");
    CHECK_FALSE(at_end.take('\0'));
    CHECK(cursor(std::string_view("\0", 1)).upcoming() == "control character U+0000");
}

TEST_CASE("cursor: tells a comment with a type from others", "[relay][text]") {
    cursor in(" /* not ty=a */ /*  ty=float32 */ /* later */x");
    REQUIRE(in.take_type_comment());
    CHECK(in.dotted_name() == "float32");
    in.finish_comment();
    CHECK_FALSE(in.take_type_comment());
    CHECK(in.peek() == 'x');
    CHECK_FALSE(cursor("/* ty */ /* ty =a */").take_type_comment());
}

TEST_CASE("cursor: an operator's name has letters behind dots, a variable's digits, too", "[relay][text]") {
    CHECK(cursor("nn.conv2d(").dotted_name() == "nn.conv2d");
    CHECK(cursor("x.0").dotted_name() == "x");
    CHECK(cursor("x.0.y.1a.").name() == "x.0.y.1a");
    CHECK(cursor("_").name() == "_");
    CHECK(cursor("0x").name().empty());
    CHECK(cursor("").dotted_name().empty());
    CHECK(cursor("\xC3\xA4").name().empty());
}

TEST_CASE("cursor: slashes are in the names of variables and functions, as in the reference", "[relay][text]") {
    CHECK(cursor("conv1/weights:").name() == "conv1/weights");
    CHECK(cursor("a/b/0.c/_d.1").name() == "a/b/0.c/_d.1");
    CHECK(cursor("a/b").dotted_name() == "a");
    CHECK(cursor("a/* comment */").name() == "a");
    CHECK(cursor("a// comment").name() == "a");
    CHECK(cursor("a/ b").name() == "a");
    CHECK(cursor("a/%b").name() == "a");
    CHECK(cursor("a./b").name() == "a");
    CHECK(cursor("/a").name().empty());
}

TEST_CASE("cursor: a word is taken whole or not at all", "[relay][text]") {
    cursor in("  lettuce let");
    CHECK_FALSE(in.take_word("let"));
    CHECK(in.take_word("lettuce"));
    CHECK(in.take_word("let"));
    CHECK_FALSE(in.take_word("let"));
    CHECK_FALSE(cursor("el").take_word("else"));
}

TEST_CASE("cursor: separates a number's digits and suffix", "[relay][text]") {
    struct example {
        const char *text, *digits, *suffix;
        bool floating;
    };
    for (const example& e : {example{"12", "12", "", false},
                             {"-12i64,", "-12", "i64", false},
                             {"1e5", "1e5", "", true},
                             {"1e-05f", "1e-05", "f", true},
                             {"1.5E3", "1.5", "E3", true},
                             {"1.f", "1", "", false},
                             {"2.0", "2.0", "", true},
                             {"1e", "1", "e", false},
                             {"1e+", "1", "e", false},
                             {"inff", "inf", "f", true},
                             {"-nanf64", "-nan", "f64", true},
                             {"3f16", "3", "f16", false},
                             {"5_000", "5", "_000", false}}) {
        INFO(e.text);
        cursor in(e.text);
        REQUIRE(in.at_number());
        const relay::text::number_text n = in.number();
        CHECK(n.digits == e.digits);
        CHECK(n.suffix == e.suffix);
        CHECK(n.floating == e.floating);
    }
    for (const char* text : {"", "-", "-x", ".5", "+1", "inf", "nan", "info", "- 1"}) {
        INFO(text);
        CHECK_FALSE(cursor(text).at_number());
    }
}

TEST_CASE("cursor: an ordinal that does not fit 32 bits is none, but is passed", "[relay][text]") {
    CHECK(cursor("0").ordinal() == 0);
    CHECK(cursor("4294967294").ordinal() == 4294967294U);
    CHECK(cursor("4294967295").ordinal() == cursor::none);
    CHECK(cursor("x").ordinal() == cursor::none);
    cursor in("99999999999999999999999999999999999x");
    CHECK(in.ordinal() == cursor::none);
    CHECK(in.peek() == 'x');
}

TEST_CASE("cursor: strings with escapes, and those that are none", "[relay][text]") {
    std::string value = "old";
    cursor in(R"("a\n\t\r\"\\b" "")");
    in.string(value);
    CHECK(value == "a\n\t\r\"\\b");
    in.skip_blank();
    in.string(value);
    CHECK(value.empty());
    CHECK(syntax_problem([&] { cursor("\"ab\n\"").string(value); }) ==
          "1:1: the string does not end on its line; expected `\"`");
    CHECK(syntax_problem([&] { cursor("\"ab").string(value); }) ==
          "1:1: the string does not end on its line; expected `\"`");
    for (const char* text : {"\"ab\\", "\"ab\\x41\""})
        CHECK(syntax_problem([&] { cursor(text).string(value); }) ==
              "1:5: unknown escape in a string; expected one of \\n \\t \\r \\\" \\\\");
}

TEST_CASE("cursor: quotes the following text up to a limit", "[relay][text]") {
    CHECK(cursor("").upcoming() == "end of the text");
    CHECK(cursor("%x1 y").upcoming() == "`%x1`");
    CHECK(cursor("@main(").upcoming() == "`@main`");
    CHECK(cursor("-> x").upcoming() == "`->`");
    CHECK(cursor(";;").upcoming() == "`;`");
    CHECK(cursor("\xC3\xA4").upcoming() == "`\xC3\xA4`");
    CHECK(cursor("\xFFx").upcoming() == "byte FF, which is not UTF-8");
    CHECK(cursor("\xE2\x80\xAEx").upcoming() == "control character U+202E");
    CHECK(cursor(std::string(1000, 'a')).upcoming() == '`' + std::string(40, 'a') + '`');
}

TEST_CASE("cursor: tells where a line binds a value", "[relay][text]") {
    const auto bound = [](std::string_view text) {
        cursor in(text);
        in.skip_blank();
        return in.at_binding();
    };
    for (const char* text : {"%0 = x", "\n  let %x = 1", "/* a\n */\n %12=%3"}) CHECK(bound(text));
    for (const char* text : {"", "%0", "%x = 1", "letter", "%0(%x = 1", "/* a */ %0 = x", "x\n"})
        CHECK_FALSE(bound(text));
}

TEST_CASE("cursor: a definition begins at the beginning of a line", "[relay][text]") {
    cursor in("x def @f\n def @g\ndefinition\n#[metadata]\ndef @h");
    std::string lines;
    for (; !in.at_end(); in.next_line()) lines += in.at_definition() ? 'd' : '-';
    CHECK(lines == "---dd");
}
