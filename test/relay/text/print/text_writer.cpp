#include <tutti/relay/text/print/text_writer.hpp>

#include "support/catch.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

using tutti::relay::text::text_writer;

TEST_CASE("text_writer: the string has the added parts, in their order", "[relay][text][text_writer]") {
    std::string out = "a";
    text_writer writer(out);
    writer.add('b');
    writer.add("cd");
    writer.add(std::string("ef"));
    writer.add_blanks(2);
    writer.add_number(70);
    CHECK(writer.size() == 10);
    CHECK(writer.string() == "abcdef  70");
    writer.string() += '!';
    writer.add('?');
    CHECK(writer.string() == "abcdef  70!?");
}

TEST_CASE("text_writer: pieces of any length", "[relay][text][text_writer]") {
    std::string out, expected;
    text_writer writer(out);
    for (std::size_t length = 0; length < 5000; length += 37) {
        const std::string piece(length, static_cast<char>('a' + length % 26));
        writer.add(piece);
        writer.add_blanks(length % 300);
        expected += piece + std::string(length % 300, ' ');
        CHECK(writer.size() == expected.size());
    }
    CHECK(writer.string() == expected);
}

TEST_CASE("text_writer: numbers of any length", "[relay][text][text_writer]") {
    std::string out, expected;
    text_writer writer(out);
    for (std::uint64_t power = 1, i = 0; i < 20; ++i, power *= 10)
        for (const std::uint64_t number : {power - 1, power, power + 1}) {
            writer.add_number(number);
            expected += std::to_string(number);
        }
    writer.add_number(~std::uint64_t{0});
    CHECK(writer.string() == expected + "18446744073709551615");
}

TEST_CASE("text_writer: pieces that are written in place", "[relay][text][text_writer]") {
    std::string out, expected;
    text_writer writer(out);
    const std::string letters(3000, 'x');
    for (std::size_t round = 0; round < 200; ++round) {
        char* to = writer.begin_piece();
        for (std::size_t part = 0; part < 9; ++part) {
            const std::string_view text =
                std::string_view(letters).substr(0, part == 8 ? round * 15 : (round + part) % 27);
            *to++ = '%';
            to = writer.more(writer.copy(text, to));
            to = text_writer::copy(", ", text_writer::copy(std::uint64_t{round} * round * part, to));
            to = writer.more(to);
            expected += '%' + std::string(text) + std::to_string(round * round * part) + ", ";
        }
        writer.end_piece(to);
        CHECK(writer.size() == expected.size());
    }
    writer.begin_piece(); // adds nothing
    CHECK(writer.string() == expected);
}
