#include <tutti/relay/testing/choices.hpp>

#include "support/catch.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

using namespace tutti::relay::testing;

TEST_CASE("choices: follow the bytes, and then take the first option", "[relay][testing][choices]") {
    const std::vector<std::uint8_t> bytes{7, 1, 0, 255};
    choices c(bytes);
    CHECK(c.below(1) == 0); // uses no byte
    CHECK(c.below(5) == 2);
    CHECK(c.below(1000) == 256);
    CHECK_FALSE(c.used_up());
    CHECK(c.between(-3, 3) == -3 + 255 % 7);
    CHECK(c.used_up());
    CHECK(c.index(9) == 0);
    CHECK_FALSE(c.flip());
    CHECK_FALSE(c.one_in(1000));
    const int values[]{4, 5};
    CHECK(c.of(values) == 4);
}

TEST_CASE("choices: the bytes of a seed are always the same", "[relay][testing][choices]") {
    CHECK(bytes_of_seed(3) == bytes_of_seed(3));
    CHECK(bytes_of_seed(3) != bytes_of_seed(4));
    CHECK(bytes_of_seed(3).size() >= 64);
}

TEST_CASE("choices: a failure is made smaller, and still fails", "[relay][testing][choices]") {
    const auto fails = [](const std::vector<std::uint8_t>& bytes) {
        return std::ranges::count(bytes, 7) == 2 && !bytes.empty() && bytes.back() != 0;
    };
    CHECK(reduced({1, 2, 7, 3, 4, 7, 5, 9}, fails) == std::vector<std::uint8_t>{7, 7});
}
