#include <tutti/relay/text/base64.hpp>

#include "support/catch.hpp"

#include <string>
#include <vector>

using namespace tutti::relay::text;

TEST_CASE("base64: the examples of RFC 4648, both ways", "[relay][text]") {
    const char* const coded[] = {"", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
    const std::string plain = "foobar";
    for (std::size_t n = 0; n <= plain.size(); ++n) {
        const std::vector<unsigned char> bytes(plain.begin(), plain.begin() + static_cast<std::ptrdiff_t>(n));
        CHECK(to_base64(bytes) == coded[n]);
        CHECK(from_base64(coded[n]) == bytes);
    }
}

TEST_CASE("base64: every byte in every place survives", "[relay][text]") {
    std::vector<unsigned char> bytes;
    for (unsigned i = 0; i < 3 * 256; ++i) bytes.push_back(static_cast<unsigned char>(i * 7));
    CHECK(from_base64(to_base64(bytes)) == bytes);
    CHECK(to_base64({0xFB, 0xFF, 0xFE}) == "+//+");
}

TEST_CASE("base64: refuses invalid text", "[relay][text]") {
    for (const char* text :
         {"Z", "Zg", "Zg=", "=", "====", "A===", "Zg==Zg==", "Zm=v", "Zm9v\n", "Zm 9", "Zm9-", "Zm9_", "Zm9\xC3"}) {
        INFO(text);
        CHECK_FALSE(from_base64(text).has_value());
    }
}
