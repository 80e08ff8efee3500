#include <tutti/base/printable.hpp>

#include "support/catch.hpp"

#include <string>
#include <string_view>

using tutti::printable;
using tutti::internal::columns;
using tutti::internal::utf8_character_at;

namespace {

constexpr bool is_text(std::string_view text) {
    const auto c = tutti::internal::utf8_character_at(text, 0);
    return c.valid && c.size == text.size();
}

} // namespace

TEST_CASE("printable: tells characters from bytes that are none", "[printable]") {
    static_assert(tutti::internal::utf8_character_at("a", 0).code == 'a');
    static_assert(tutti::internal::utf8_character_at("\xC3\xA4", 0).code == 0xE4);
    static_assert(tutti::internal::utf8_character_at("\xE4\xB8\xAD", 0).code == 0x4E2D);
    static_assert(tutti::internal::utf8_character_at("x\xF0\x9F\x98\x80", 1).code == 0x1F600);
    for (const std::string_view text : {"a", "\xC2\x80", "\xE0\xA0\x80", "\xEF\xBF\xBF", "\xF4\x8F\xBF\xBF"}) {
        INFO(std::string(text));
        CHECK(is_text(text));
    }
    // Continuation bytes, overlong forms, surrogates, values beyond the last code point, truncated sequences.
    for (const std::string_view text : {"\x80", "\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80",
                                        "\xF4\x90\x80\x80", "\xF8\x88\x80\x80\x80", "\xFF", "\xE4\xB8", "\xC3"}) {
        CHECK_FALSE(tutti::internal::utf8_character_at(text, 0).valid);
        CHECK(tutti::internal::utf8_character_at(text, 0).size == 1);
    }
}

TEST_CASE("printable: width of characters that take two columns, or none", "[printable]") {
    static_assert(tutti::internal::columns("abc") == 3);
    static_assert(tutti::internal::columns("\xC3\xA4") == 1);                 // a precomposed letter
    static_assert(tutti::internal::columns("a\xCC\x88") == 1);                // a letter and a combining mark
    static_assert(tutti::internal::columns("\xE4\xB8\xAD\xE6\x96\x87") == 4); // two ideographs
    static_assert(tutti::internal::columns("\xEF\xBC\xA1") == 2);             // a full-width letter
    static_assert(tutti::internal::columns("\xEF\xBD\xB1") == 1);             // a half-width letter
    static_assert(tutti::internal::columns("\xED\x95\x9C") == 2);             // a Hangul syllable
    static_assert(tutti::internal::columns("\xF0\x9F\x98\x80") == 2);         // an emoji
    static_assert(tutti::internal::columns("\xE2\x80\x8B") == 0);             // a zero-width space
    static_assert(tutti::internal::columns("\xF0\xA0\x80\x80") == 2);         // an ideograph beyond 16 bits
    static_assert(tutti::internal::columns("\xE2\x86\x92 \xCE\xB1") == 3);    // an arrow, a Greek letter
    static_assert(tutti::internal::columns("\xEF\xBF\xBD") == 1);
    CHECK(tutti::internal::columns("") == 0);
}

TEST_CASE("printable: the ranges of widths are in order", "[printable]") {
    const auto in_order = [](const auto& ranges) {
        std::uint32_t last = 0;
        for (const auto& r : ranges) {
            if (r.first <= last || r.last < r.first) return false;
            last = r.last;
        }
        return true;
    };
    static_assert(in_order(tutti::detail::no_column));
    static_assert(in_order(tutti::detail::two_columns));
    CHECK_FALSE(in_order(std::initializer_list<tutti::detail::code_range>{{5, 9}, {9, 12}}));
}

TEST_CASE("printable: only printable characters reach a terminal", "[printable]") {
    CHECK(printable("tab\tand\nline") == "tab\tand\nline");
    CHECK(printable(std::string_view("a\x1b[31m\x7f\0b\r", 10)) == "a [31m  b ");
    CHECK(printable("\xC2\x9B"
                    "31m") == " 31m"); // a control sequence introducer
    CHECK(printable("\xE2\x80\xAE"
                    "x") == " x"); // a right-to-left override
    CHECK(printable("\xFF\xC3\xA4\xC3") == "\xEF\xBF\xBD\xC3\xA4\xEF\xBF\xBD");
}
