#include <tutti/instrument/support/sequence_matcher.hpp>

#include "support/catch.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

using tutti::internal::sequence_matcher;

namespace {

std::string differences(std::string_view before, std::string_view after) {
    const std::vector<std::uint64_t> a(before.begin(), before.end()), b(after.begin(), after.end());
    const sequence_matcher found{a.data(), a.size(), b.data(), b.size()};
    std::string text;
    found.each_difference([&](std::size_t x, std::size_t many, std::size_t y, std::size_t others) {
        text += "[" + std::string{before.substr(x, many)} + "|" + std::string{after.substr(y, others)} + "]";
    });
    return text;
}

} // namespace

TEST_CASE("sequence_matcher: finds the shortest way from one sequence to another", "[instrument][sequence_matcher]") {
    CHECK(differences("", "").empty());
    CHECK(differences("abc", "abc").empty());
    CHECK(differences("abc", "abd") == "[c|d]");
    CHECK(differences("", "ab") == "[|ab]");
    CHECK(differences("ab", "") == "[ab|]");
    CHECK(differences("abcdef", "xbcf") == "[a|x][de|]");
    CHECK(differences("abcabba", "cbabac").size() > 0);
}

TEST_CASE("sequence_matcher: replacing the differing parts gives the other sequence",
          "[instrument][sequence_matcher]") {
    std::uint32_t seed = 1;
    const auto next = [&] { return (seed = seed * 1664525U + 1013904223U) >> 16U; };
    for (int round = 0; round < 200; ++round) {
        std::string a, b;
        for (std::uint32_t i = next() % 60; i > 0; --i) a += static_cast<char>('a' + next() % 4);
        for (std::uint32_t i = next() % 60; i > 0; --i) b += static_cast<char>('a' + next() % 4);
        const std::vector<std::uint64_t> x(a.begin(), a.end()), y(b.begin(), b.end());
        const sequence_matcher found{x.data(), x.size(), y.data(), y.size()};
        std::string made;
        std::size_t at = 0;
        found.each_difference([&](std::size_t first, std::size_t many, std::size_t other, std::size_t others) {
            made += a.substr(at, first - at) + b.substr(other, others);
            at = first + many;
        });
        made += a.substr(at);
        CHECK(made == b);
    }
}
