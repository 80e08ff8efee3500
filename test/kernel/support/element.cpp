#include <tutti/kernel/support/element.hpp>

#include "kernel/support.hpp"
#include "support/catch.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

namespace element = tutti::kernel::element;
using i8 = std::int8_t;
using i64 = std::int64_t;

namespace {

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr i64 least = std::numeric_limits<i64>::min();
constexpr i64 greatest = std::numeric_limits<i64>::max();

// Operations that are undefined in C++ are defined here.
static_assert(element::add{}(greatest, i64{1}) == least);
static_assert(element::subtract{}(least, i64{1}) == greatest);
static_assert(element::multiply{}(least, i64{-1}) == least);
static_assert(element::multiply{}(std::uint16_t{65535}, std::uint16_t{65535}) == 1); // int would overflow
static_assert(element::divide{}(i64{7}, i64{0}) == 0);
static_assert(element::divide{}(least, i64{-1}) == least);
static_assert(element::divide{}(i64{-7}, i64{2}) == -3);
static_assert(element::negative{}(least) == least && element::abs{}(least) == least);
static_assert(element::negative{}(std::uint8_t{1}) == 255);
static_assert(element::power{}(3, 4) == 81 && element::power{}(2, 32) == 0 && element::power{}(0, 0) == 1);
static_assert(element::power{}(2, -1) == 0 && element::power{}(-1, -3) == -1 && element::power{}(-1, -2) == 1);
static_assert(element::power{}(0, -1) == 0 && element::power{}(1, -5) == 1);

// maximum, minimum, relu and clip propagate NaN.
constexpr bool is_nan(float x) { return x != x; }
static_assert(is_nan(element::maximum{}(not_a_number, 1.F)) && is_nan(element::maximum{}(1.F, not_a_number)));
static_assert(is_nan(element::minimum{}(not_a_number, 1.F)) && is_nan(element::minimum{}(1.F, not_a_number)));
static_assert(is_nan(element::relu{}(not_a_number)) && element::relu{}(-infinity) == 0 && element::relu{}(-3) == 0 &&
              element::relu{}(infinity) == infinity);
static_assert(is_nan(element::clip{}(not_a_number, -1.F, 1.F)) && element::clip{}(infinity, -1.F, 1.F) == 1 &&
              element::clip{}(-2, 3, 1) == 1);
static_assert(is_nan(element::sign{}(not_a_number)) && element::sign{}(-infinity) == -1 && element::sign{}(-0.F) == 0);
static_assert(!element::equal{}(not_a_number, not_a_number) && element::not_equal{}(not_a_number, not_a_number) &&
              !element::less_equal{}(not_a_number, 1.F));
static_assert(element::maximum{}(-infinity, 2.F) == 2 && element::minimum{}(-infinity, 2.F) == -infinity);

constexpr bool rounds(double x, double floor, double ceil, double round, double trunc) {
    return element::floor{}(x) == floor && element::ceil{}(x) == ceil && element::round{}(x) == round &&
           element::trunc{}(x) == trunc;
}

constexpr bool rounds_well() {
    return rounds(2.5, 2, 3, 3, 2) && rounds(-2.5, -3, -2, -3, -2) && rounds(-0.25, -1, 0, 0, 0) &&
           rounds(7, 7, 7, 7, 7) && rounds(0.49999999999999994, 0, 1, 0, 0) &&
           rounds(1e300, 1e300, 1e300, 1e300, 1e300) &&
           rounds(-4503599627370495.5, -4503599627370496, -4503599627370495, -4503599627370496, -4503599627370495);
}

constexpr bool roots_are_exact() {
    return element::sqrt{}(2.0F) == 1.41421356F && element::sqrt{}(0x1p-140F) == 0x1p-70F &&
           element::sqrt{}(0.0F) == 0 && element::sqrt{}(3.4028235e38F) == 1.8446743e19F &&
           element::sqrt{}(infinity) == infinity && is_nan(element::sqrt{}(-1.0F)) && element::rsqrt{}(16.0F) == 0.25F;
}

} // namespace

TEST_CASE("element: rounding is the same in constant evaluation and at run time", "[kernel][element]") {
    static_assert(rounds_well());
    CHECK(rounds_well());
    CHECK(std::isnan(element::round{}(not_a_number)));
    CHECK(std::isnan(element::leaky_relu{}(not_a_number, 0.F)));
    CHECK(element::floor{}(-infinity) == -infinity);
    CHECK(element::floor{}(-7) == -7);
}

TEST_CASE("element: the square root is the same in constant evaluation and at run time", "[kernel][element]") {
    static_assert(roots_are_exact());
    CHECK(roots_are_exact());
}

TEST_CASE("element: int8 arithmetic is exact modulo 256, for every pair", "[kernel][element]") {
    int wrong = 0;
    for (int a = -128; a < 128; ++a)
        for (int b = -128; b < 128; ++b) {
            const auto x = static_cast<i8>(a);
            const auto y = static_cast<i8>(b);
            wrong += element::add{}(x, y) != static_cast<i8>(a + b);
            wrong += element::subtract{}(x, y) != static_cast<i8>(a - b);
            wrong += element::multiply{}(x, y) != static_cast<i8>(a * b);
            wrong += element::divide{}(x, y) != (b == 0 ? 0 : static_cast<i8>(a / b));
            wrong += element::maximum{}(x, y) != std::max(a, b);
            wrong += element::minimum{}(x, y) != std::min(a, b);
        }
    CHECK(wrong == 0);
}

TEST_CASE("element: integer powers are repeated products", "[kernel][element]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int i = 0; i < 1000; ++i) {
        const auto base = random.integer(-20, 20);
        const auto exponent = random.integer(0, 40);
        std::uint64_t expected = 1;
        for (i64 k = 0; k < exponent; ++k) expected *= static_cast<std::uint64_t>(base);
        CHECK(element::power{}(base, exponent) == static_cast<i64>(expected));
    }
}

TEST_CASE("element: signs of zero and NaN can be changed and cleared", "[kernel][element]") {
    CHECK(std::signbit(element::negative{}(0.0F)));
    CHECK_FALSE(std::signbit(element::abs{}(-0.0)));
    CHECK_FALSE(std::signbit(element::abs{}(-not_a_number)));
    CHECK(element::abs{}(-infinity) == infinity);
    CHECK_FALSE(std::signbit(element::relu{}(-0.0F)));
}

TEST_CASE("element: transcendental functions have their limits", "[kernel][element]") {
    CHECK(element::sigmoid{}(-infinity) == 0);
    CHECK(element::sigmoid{}(infinity) == 1);
    CHECK(element::sigmoid{}(0.0) == 0.5);
    CHECK(element::exp{}(-infinity) == 0);
    CHECK(element::log{}(0.0F) == -infinity);
    CHECK(std::isnan(element::log{}(-1.0F)));
    CHECK(element::tanh{}(infinity) == 1);
    CHECK(element::erf{}(-infinity) == -1);
    CHECK(std::isnan(element::sqrt{}(-1.0F)));
    CHECK(element::power{}(2.0F, 0.5F) == Approx(1.41421356));
    CHECK(element::divide{}(1.0F, 0.0F) == infinity);
    CHECK(std::isnan(element::divide{}(0.0F, 0.0F)));
}
