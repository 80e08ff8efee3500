#include <tutti/kernel/blocked/common/products.hpp>

#include "kernel/support.hpp"
#include "support/catch.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace blocked = tutti::kernel::blocked;
using blocked::products;

namespace {

// True if each lane of `add_products` is the sum of `in_one` products `multiply(a, b, i)` and the previous value.
template <products How, class Multiply>
bool sums_are(test::random_source& random, int in_one, Multiply multiply) {
    constexpr auto lanes = static_cast<std::size_t>(blocked::lanes);
    for (int round = 0; round < 1000; ++round) {
        const auto first = static_cast<std::uint32_t>(random.bits());
        std::uint32_t second[lanes];
        std::uint32_t before[lanes];
        for (std::uint32_t& x : second)
            x = round == 0 ? 0x8080'8080 : round == 1 ? 0x8000'8000 : static_cast<std::uint32_t>(random.bits());
        for (std::uint32_t& x : before) x = static_cast<std::uint32_t>(random.bits());
        const std::uint32_t by = round == 0 ? 0xFFFF'FFFF : round == 1 ? 0x8000'8000 : first;
        float a = 0;
        blocked::floats b{};
        blocked::words sums{};
        std::memcpy(&a, &by, sizeof a);
        std::memcpy(&b, second, sizeof b);
        std::memcpy(&sums, before, sizeof sums);
        blocked::add_products<How>(sums, &a, b);
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            std::uint32_t expected = before[lane];
            for (int i = 0; i < in_one; ++i) expected += static_cast<std::uint32_t>(multiply(by, second[lane], i));
            if (sums[lane] != expected) return false;
        }
    }
    return true;
}

std::int64_t half(std::uint32_t x, int i) { return static_cast<std::int16_t>(x >> (16 * i) & 0xFFFF); }
std::int64_t signed_byte(std::uint32_t x, int i) { return static_cast<std::int8_t>(x >> (8 * i) & 0xFF); }
std::int64_t unsigned_byte(std::uint32_t x, int i) { return x >> (8 * i) & 0xFF; }

} // namespace

TEST_CASE("blocked/products: pairs of int16 and fours of bytes are summed exactly, and wrap", "[kernel][blocked]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    CHECK(sums_are<products::pairs>(random, 2,
                                    [](std::uint32_t a, std::uint32_t b, int i) { return half(a, i) * half(b, i); }));
    if constexpr (blocked::has_quads) {
        CHECK(sums_are<products::quads>(random, 4, [](std::uint32_t a, std::uint32_t b, int i) {
            return signed_byte(a, i) * unsigned_byte(b, i);
        }));
        CHECK(sums_are<products::unsigned_quads>(random, 4, [](std::uint32_t a, std::uint32_t b, int i) {
            return unsigned_byte(a, i) * signed_byte(b, i);
        }));
    }
}

TEST_CASE("blocked/products: products of float32 are added to each lane", "[kernel][blocked]") {
    blocked::floats sums{};
    const blocked::floats b = blocked::floats{} + 3.F;
    const float a = 2;
    blocked::add_products<products::float32>(sums, &a, b);
    for (std::size_t lane = 0; lane < static_cast<std::size_t>(blocked::lanes); ++lane) CHECK(sums[lane] == 6.F);
}
