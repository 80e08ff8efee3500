#include <tutti/file/crc32.hpp>

#include "support/catch.hpp"

#include <string>

using tutti::file::crc32;

TEST_CASE("crc32: is the checksum that zip archives have", "[file][crc32]") {
    static_assert(crc32("") == 0);
    static_assert(crc32("123456789") == 0xCBF43926U); // the published check value of the polynomial
    CHECK(crc32("123456789") == 0xCBF43926U);
    CHECK(crc32("The quick brown fox jumps over the lazy dog") == 0x414FA339U);
}

TEST_CASE("crc32: continues from a previous checksum", "[file][crc32]") {
    std::string text;
    for (int i = 0; i < 100; ++i) text += static_cast<char>(i * 37);
    const std::string_view all(text);
    for (std::size_t at = 0; at <= all.size(); ++at)
        CHECK(crc32(all.substr(at), crc32(all.substr(0, at))) == crc32(all));
}
