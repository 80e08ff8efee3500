#include <tutti/kernel/support/convert.hpp>

#include "support/catch.hpp"

#include <cstdint>
#include <limits>

using tutti::kernel::convert;
using tutti::kernel::float16;
using i8 = std::int8_t;
using u8 = std::uint8_t;
using i64 = std::int64_t;
using u64 = std::uint64_t;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

static_assert(convert<i8>(3.99) == 3 && convert<i8>(-3.99) == -3);
static_assert(convert<i8>(1000.0) == 127 && convert<i8>(-1000.0F) == -128 && convert<u8>(-1.0) == 0);
static_assert(convert<i64>(not_a_number) == 0 && convert<i64>(infinity) == std::numeric_limits<i64>::max());
static_assert(convert<i64>(-infinity) == std::numeric_limits<i64>::min());
static_assert(convert<u64>(18446744073709549568.0) == 18446744073709549568U && convert<u64>(1e30F) == ~u64{0});
static_assert(convert<i64>(9223372036854774784.0) == 9223372036854774784);
static_assert(convert<u8>(300) == 44 && convert<i8>(255U) == -1 && convert<u64>(i8{-1}) == ~u64{0});
static_assert(convert<bool>(0.25F) && !convert<bool>(-0.0) && convert<bool>(not_a_number) && convert<bool>(256));
static_assert(convert<float>(true) == 1 && convert<i8>(true) == 1);
static_assert(convert<float16>(65519).bits == 0x7BFF && convert<float16>(i64{1} << 62).bits == 0x7C00);
static_assert(convert<i8>(float16(-2.5F)) == -2 && convert<double>(float16(0.5F)) == 0.5);
// These values are almost halfway between two float16 values. A conversion through float would drop the last bit and
// round a tie to even.
static_assert(convert<float16>(1.0 + 0x1p-11 + 0x1p-40).bits == 0x3C01);
static_assert(convert<float16>(-1.0 - 0x1p-11 - 0x1p-40).bits == 0xBC01);
static_assert(convert<float16>(1.0 + 0x3p-11 - 0x1p-40).bits == 0x3C01);
static_assert(convert<float16>(1e300).bits == 0x7C00 && convert<float16>(-1e-300).bits == 0x8000);

} // namespace

TEST_CASE("convert: is the same at run time", "[kernel][convert]") {
    volatile double wide = 1.0 + 0x1p-11 + 0x1p-40;
    CHECK(convert<float16>(double{wide}).bits == 0x3C01);
    volatile float large = 1e30F;
    CHECK(convert<u64>(float{large}) == ~u64{0});
    CHECK(convert<i8>(-float{large}) == -128);
    CHECK(convert<i64>(float{large} * float{large} - float{large} * float{large}) == 0);
}
