#include <tutti/kernel/float16.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <bit>
#include <cmath>
#include <cstdint>

using tutti::kernel::float16;

namespace {

// Returns the float16 value nearest to `x`. Near `x`, float16 values are the multiples of `quantum`.
double nearest(double x) {
    if (x == 0 || !std::isfinite(x)) return x;
    const double quantum = std::ldexp(1.0, std::max(std::ilogb(x), -14) - 10);
    const double rounded = std::nearbyint(x / quantum) * quantum;
    return std::abs(rounded) > 65504 ? std::copysign(INFINITY, x) : rounded;
}

static_assert(float16(1.0F).bits == 0x3C00);
static_assert(float16(-2.0F).bits == 0xC000);
static_assert(float16(65504.0F).bits == 0x7BFF);
static_assert(float16(65520.0F).bits == 0x7C00); // a tie, which rounds to even: infinity
static_assert(static_cast<float>(float16::from_bits(1)) == 0x1p-24F);

} // namespace

TEST_CASE("float16: every value survives the way through float", "[kernel][float16]") {
    int wrong = 0;
    for (std::uint32_t bits = 0; bits <= 0xFFFF; ++bits) {
        const auto h = float16::from_bits(static_cast<std::uint16_t>(bits));
        const auto f = static_cast<float>(h);
        const bool nan = (bits & 0x7C00U) == 0x7C00U && (bits & 0x3FFU) != 0;
        const std::uint16_t back = float16(f).bits;
        if (nan ? !std::isnan(f) || (back & 0x7E00U) != 0x7E00U : back != bits) ++wrong;
    }
    CHECK(wrong == 0);
}

TEST_CASE("float16: rounds any float to the nearest, ties to even", "[kernel][float16]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int i = 0; i < 200'000; ++i) {
        const auto bits = static_cast<std::uint32_t>(random.bits());
        // Half of the numbers are float16 values, ties between two of them, or the neighbours of such numbers.
        const auto f =
            std::bit_cast<float>(i % 2 == 0 ? bits : (bits & 0xFFFFF000U) + static_cast<std::uint32_t>(i % 3) - 1);
        if (std::isnan(f)) continue;
        const auto got = static_cast<double>(static_cast<float>(float16(f)));
        const double expected = nearest(static_cast<double>(f));
        if (got != expected) FAIL_CHECK(f << " became " << got << ", not " << expected);
    }
    SUCCEED();
}
