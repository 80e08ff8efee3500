#include <tutti/kernel/cast.hpp>

#include "catch.hpp"

#include "support.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::convert;
using kernel::dtype;
using kernel::float16;
using kernel::tensor;
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
static_assert(convert<u64>(18446744073709549568.0) == 18446744073709549568U &&
              convert<u64>(1e30F) == ~u64{0});
static_assert(convert<i64>(9223372036854774784.0) == 9223372036854774784);
static_assert(convert<u8>(300) == 44 && convert<i8>(255U) == -1 && convert<u64>(i8{-1}) == ~u64{0});
static_assert(convert<bool>(0.25F) && !convert<bool>(-0.0) && convert<bool>(not_a_number) &&
              convert<bool>(256));
static_assert(convert<float>(true) == 1 && convert<i8>(true) == 1);
static_assert(convert<float16>(65519).bits == 0x7BFF && convert<float16>(i64{1} << 62).bits == 0x7C00);
static_assert(convert<i8>(float16(-2.5F)) == -2 && convert<double>(float16(0.5F)) == 0.5);
// Halfway between two float16 values and a bit: through float, which drops the bit, it would go to even.
static_assert(convert<float16>(1.0 + 0x1p-11 + 0x1p-40).bits == 0x3C01);
static_assert(convert<float16>(-1.0 - 0x1p-11 - 0x1p-40).bits == 0xBC01);
static_assert(convert<float16>(1.0 + 0x3p-11 - 0x1p-40).bits == 0x3C01);
static_assert(convert<float16>(1e300).bits == 0x7C00 && convert<float16>(-1e-300).bits == 0x8000);

static_assert(kernel::cast(tensor({3}, {1.5F, -2.5F, 300.F}), dtype::int8).elements<i8>()[2] == 127);

// Wide enough for every element exactly.
using wide = long double;

std::vector<wide> elements(const tensor& t) {
    return kernel::with_element_type(t.type(), [&]<class T>(std::type_identity<T>) {
        std::vector<wide> all;
        for (const T x : t.elements<T>()) all.push_back(static_cast<wide>(kernel::widen(x)));
        return all;
    });
}

wide rounded(wide x, int digits, int least_exponent, wide largest) {
    if (x == 0 || !std::isfinite(x)) return x;
    const wide quantum = std::ldexp(1.0L, std::max(std::ilogb(x), least_exponent) - digits + 1);
    const wide nearest = std::nearbyint(x / quantum) * quantum;
    return std::abs(nearest) > largest ? std::copysign(static_cast<wide>(INFINITY), x) : nearest;
}

// What an element becomes, by the rule and without the type at hand.
wide expected(wide x, dtype from, dtype to) {
    if (to == dtype::boolean) return x != 0;
    if (to == dtype::float16) return rounded(x, 11, -14, 65504);
    if (to == dtype::float32) return rounded(x, 24, -126, std::numeric_limits<float>::max());
    if (to == dtype::float64) return rounded(x, 53, -1022, std::numeric_limits<double>::max());
    const bool has_sign = to <= dtype::int64;
    const int bits = 8 * static_cast<int>(kernel::bytes(to));
    const wide least = has_sign ? -std::ldexp(1.0L, bits - 1) : 0;
    const wide greatest = std::ldexp(1.0L, has_sign ? bits - 1 : bits) - 1;
    if (kernel::is_floating(from)) return std::isnan(x) ? 0 : std::clamp(std::trunc(x), least, greatest);
    const wide modulus = std::ldexp(1.0L, bits);
    x -= std::floor(x / modulus) * modulus;
    return x > greatest ? x - modulus : x;
}

tensor random_tensor(dtype type, test::random_source& random) {
    return kernel::with_element_type(type, [&]<class T>(std::type_identity<T>) {
        tensor t(type, {3, 211}); // more than one block, and not a multiple of it
        const auto out = t.mutable_elements<T>();
        for (T& x : out) x = convert<T>(random.real(-1, 1) * std::pow(2.0, random.real(-30, 70)));
        if (!kernel::is_floating(type)) return t;
        out[0] = convert<T>(not_a_number);
        out[1] = convert<T>(infinity);
        out[2] = convert<T>(-infinity);
        return t;
    });
}

} // namespace

TEST_CASE("cast: from every type to every type, each element by the rule", "[kernel][cast]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int i = 1; i <= static_cast<int>(dtype::float64); ++i)
        for (int j = 1; j <= static_cast<int>(dtype::float64); ++j) {
            const tensor in = random_tensor(static_cast<dtype>(i), random);
            const tensor out = kernel::cast(in, static_cast<dtype>(j));
            const std::vector<wide> before = elements(in);
            const std::vector<wide> after = elements(out);
            REQUIRE(after.size() == before.size());
            for (std::size_t k = 0; k < before.size(); ++k) {
                const wide right = expected(before[k], in.type(), out.type());
                if (after[k] != right && !(std::isnan(after[k]) && std::isnan(right)))
                    FAIL_CHECK(kernel::name(in.type())
                               << " " << before[k] << " became " << kernel::name(out.type()) << " "
                               << after[k] << ", not " << right);
            }
        }
}

TEST_CASE("cast: a tensor of that type already shares its elements", "[kernel][cast]") {
    const tensor t({2}, {1, 2});
    CHECK(kernel::cast(t, dtype::int32).same_elements(t));
    CHECK(kernel::cast(tensor(dtype::float32, {0, 2}), dtype::int8).shape()[1] == 2);
}

TEST_CASE("cast: to or from no type is an error", "[kernel][cast]") {
    CHECK(test::error_of([] { kernel::cast(tensor::scalar(1), dtype::none); }) ==
          "kernel::cast: to elements of type void; expected an element type");
    CHECK(test::error_of([] { kernel::cast(tensor(), dtype::int8); }) ==
          "kernel::cast: an empty tensor; expected a tensor with an element type");
}
