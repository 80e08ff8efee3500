#include <tutti/kernel/blocked/integer/fixed_point.hpp>

#include "kernel/support.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace kernel = tutti::kernel;
namespace blocked = tutti::kernel::blocked;
using kernel::dtype;
using kernel::integer_range;
using kernel::rounding;

TEST_CASE("blocked/fixed_point: ratios of any size, close to ties and at the bounds, agree with the reference kernel",
          "[kernel][blocked]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    int known = 0;
    for (int round = test::rounds(2000); round > 0; --round) {
        const rounding how = round % 2 == 0 ? rounding::upward : rounding::to_nearest;
        const auto exponent = static_cast<int>(random.integer(-70, 12));
        // Powers of two produce exact ties. The number before 1 rounds to 1.
        const double fraction = round % 5 == 0 ? 1 : round % 5 == 1 ? std::nextafter(1, 0) : random.real(0.5, 1);
        const double ratio = std::ldexp(fraction, exponent);
        const std::int64_t bound = std::int64_t{1} << random.integer(4, 31);
        const std::int64_t zero = round % 3 == 0 ? 0 : random.integer(-bound, bound);
        const integer_range range{-bound, std::min(bound, most)};
        blocked::detail::ratio_factor one;
        if (!one.set(ratio, how, zero, range)) continue;
        ++known;
        const kernel::detail::integer_factor expected(ratio, {how, kernel::requantize_arithmetic::fixed_point});
        blocked::detail::ratio_factors all{};
        blocked::detail::ratio_factors each{};
        all.fill(one);
        for (std::int64_t i = 0; i < blocked::lanes; ++i) each.set(i, one);
        std::vector<std::int32_t> x(static_cast<std::size_t>(random.integer(1, blocked::lanes)));
        for (std::int32_t& element : x)
            element = static_cast<std::int32_t>(random.integer(0, 3) == 0
                                                    ? (random.integer(0, 1) == 0 ? range.least : range.greatest)
                                                    : random.integer(range.least, range.greatest));
        const auto n = static_cast<std::int64_t>(x.size());
        std::int32_t made[blocked::lanes];
        INFO("ratio " << ratio << ", zero " << zero << ", range " << range.least << " to " << range.greatest);
        for (const bool alike : {true, false}) {
            blocked::detail::multiply_for(how, alike)(x.data(), n, n, alike ? &all : &each, {}, made);
            for (std::size_t i = 0; i < x.size(); ++i) {
                INFO(x[i]);
                CHECK(made[i] == expected(x[i] - zero));
            }
        }
    }
    CHECK(known > test::rounds(2000) / 4);
}

TEST_CASE("blocked/fixed_point: refuses results that may be too large, and invalid ratios", "[kernel][blocked]") {
    blocked::detail::ratio_factor f;
    const auto set = [&](double ratio, std::int64_t zero, const integer_range& range) {
        return f.set(ratio, rounding::upward, zero, range);
    };
    const integer_range bytes = kernel::values_of(dtype::int8);
    const integer_range words = kernel::values_of(dtype::int32);
    CHECK(set(1, 0, bytes));
    CHECK(set(0x1p20, 0, bytes));
    CHECK(!set(0x1p25, 0, bytes));
    CHECK(!set(0x1p31, 0, {-1, 1}));
    CHECK(set(0.25, 0, words));
    CHECK(!set(1.5, 0, words));
    CHECK(!set(0.25, 1, words));
    for (const double ratio : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity(), 0x1p-1060})
        CHECK(!set(ratio, 0, bytes));
}

TEST_CASE("blocked/fixed_point: results saturate to the range of the type, for every zero point", "[kernel][blocked]") {
    constexpr std::int64_t least = std::numeric_limits<std::int32_t>::min();
    constexpr std::int64_t greatest = std::numeric_limits<std::int32_t>::max();
    const std::int64_t values[]{least, least + 1, -1000, -129, -128, -1, 0, 1, 127, 128, 1000, greatest - 1, greatest};
    for (const dtype type : {dtype::int8, dtype::uint8, dtype::int16, dtype::uint16, dtype::int32})
        for (const std::int64_t zero : values) {
            blocked::detail::result_range range;
            if (!range.set(zero, type)) {
                CHECK((zero < -1000 || zero > 1000));
                continue;
            }
            const auto bounds = kernel::values_of(type);
            for (const std::int64_t x : values)
                CHECK(range.brought(blocked::signed_words{} + static_cast<std::int32_t>(x))[0] ==
                      std::clamp(x + zero, bounds.least, bounds.greatest));
        }
}
