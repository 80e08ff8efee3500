#include <tutti/kernel/blocked/integer/product_terms.hpp>

#include "support/catch.hpp"

#include <cstdint>
#include <cstring>
#include <vector>

namespace detail = tutti::kernel::blocked::detail;

TEST_CASE("blocked/product_terms: numbers are added to sums of integers, which wrap", "[kernel][blocked]") {
    const std::vector<std::uint32_t> added{5, 0xFFFF'FFFF};
    const detail::product_terms terms{.how = tutti::kernel::blocked::products::pairs, .added = added.data()};
    const std::vector<std::uint32_t> from{1, 0xFFFF'FFFE};
    std::vector<float> sums(2);
    const auto words = [&] {
        std::vector<std::uint32_t> made(2);
        std::memcpy(made.data(), sums.data(), sizeof(std::uint32_t) * 2);
        return made;
    };
    std::memcpy(sums.data(), from.data(), sizeof(std::uint32_t) * 2);
    terms.finish_channel(sums.data(), 0, 2);
    CHECK(words() == std::vector<std::uint32_t>{6, 3});
    terms.finish_channels(sums.data(), 0, 2);
    CHECK(words() == std::vector<std::uint32_t>{11, 2});
    detail::product_terms{}.finish_channel(sums.data(), 0, 2);
    CHECK(words() == std::vector<std::uint32_t>{11, 2});
}
