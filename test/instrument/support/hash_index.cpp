#include <tutti/instrument/support/hash_index.hpp>

#include "support/catch.hpp"

#include <cstdint>
#include <string>
#include <vector>

using tutti::internal::hash_index;
using tutti::internal::hash_of;

TEST_CASE("hash_index: finds added numbers, and no others", "[instrument][hash_index]") {
    std::vector<std::string> names;
    hash_index index;
    std::size_t compared = 0;
    const auto find = [&](const std::string& name) {
        return index.find(hash_of(name), [&](std::uint32_t at) {
            ++compared;
            return names[at] == name;
        });
    };
    CHECK(find("a") == hash_index::none);
    for (std::uint32_t i = 0; i < 10'000; ++i) {
        const std::string name = "name" + std::to_string(i);
        REQUIRE(find(name) == hash_index::none);
        names.push_back(name);
        REQUIRE(index.add(hash_of(name)) == i);
    }
    for (std::uint32_t i = 0; i < 10'000; ++i) REQUIRE(find(names[i]) == i);
    CHECK(compared < 10'100); // names are compared only if their hashes are equal
    index.clear();
    CHECK(find("name7") == hash_index::none);
    CHECK(index.add(7) == 0);
}

TEST_CASE("hash_index: distinguishes numbers with equal hashes", "[instrument][hash_index]") {
    hash_index index;
    for (std::uint32_t i = 0; i < 40; ++i) CHECK(index.add(3) == i);
    for (std::uint32_t i = 0; i < 40; ++i) CHECK(index.find(3, [&](std::uint32_t n) { return n == i; }) == i);
    CHECK(index.find(3, [](std::uint32_t) { return false; }) == hash_index::none);
}
