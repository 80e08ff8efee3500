#include <tutti/kernel/bfloat16.hpp>

#include <tutti/kernel/cast.hpp>
#include <tutti/kernel/elementwise.hpp>
#include <tutti/kernel/tensor.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::bfloat16;
using kernel::dtype;
using kernel::tensor;

namespace {

// Rounds to the nearest bfloat16, by arithmetic in double.
double nearest(double x) {
    if (x == 0 || !std::isfinite(x)) return x;
    const double quantum = std::ldexp(1.0, std::max(std::ilogb(x), -126) - 7);
    const double rounded = std::nearbyint(x / quantum) * quantum;
    return std::abs(rounded) >= 0x1p128 ? std::copysign(INFINITY, x) : rounded;
}

static_assert(bfloat16(1.0F).bits == 0x3F80);
static_assert(bfloat16(-2.0F).bits == 0xC000);
static_assert(bfloat16(1.00390625F).bits == 0x3F80); // a tie rounds to even
static_assert(bfloat16(1.01171875F).bits == 0x3F82);
static_assert(bfloat16(3.4e38F).bits == 0x7F80);
static_assert(bfloat16(std::bit_cast<float>(0x7F800001U)).bits == 0x7FC0); // NaN stays NaN
static_assert(static_cast<float>(bfloat16::from_bits(1)) == 0x1p-133F);
static_assert(kernel::dtype_named("bfloat16") == dtype::bfloat16 && kernel::bytes(dtype::bfloat16) == 2);
static_assert(kernel::is_floating(dtype::bfloat16) && kernel::dtype_of<bfloat16> == dtype::bfloat16);

// Checks that each element equals `f`, computed in float and rounded.
template <class F>
void check_rounded(const tensor& out, const std::vector<float>& a, F f) {
    REQUIRE(out.type() == dtype::bfloat16);
    for (std::size_t i = 0; i < a.size(); ++i)
        CHECK(out.elements<bfloat16>()[i].bits == bfloat16(f(static_cast<float>(bfloat16(a[i])))).bits);
}

} // namespace

TEST_CASE("bfloat16: every value survives the way through float", "[kernel][bfloat16]") {
    int wrong = 0;
    for (std::uint32_t bits = 0; bits <= 0xFFFF; ++bits) {
        const auto f = static_cast<float>(bfloat16::from_bits(static_cast<std::uint16_t>(bits)));
        const bool nan = (bits & 0x7F80U) == 0x7F80U && (bits & 0x7FU) != 0;
        const std::uint16_t back = bfloat16(f).bits;
        if (nan ? !std::isnan(f) || (back & 0x7FC0U) != 0x7FC0U : back != bits) ++wrong;
    }
    CHECK(wrong == 0);
}

TEST_CASE("bfloat16: rounds any float, and any double, to the nearest, ties to even", "[kernel][bfloat16]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int i = 0; i < 200'000; ++i) {
        const auto bits = static_cast<std::uint32_t>(random.bits());
        // In half of the numbers, almost all dropped bits are zero, so that ties and their neighbours occur.
        const auto f =
            std::bit_cast<float>(i % 2 == 0 ? bits : (bits & 0xFFFF8000U) + static_cast<std::uint32_t>(i % 3) - 1);
        if (std::isnan(f)) continue;
        const auto got = static_cast<double>(static_cast<float>(bfloat16(f)));
        const double expected = nearest(static_cast<double>(f));
        if (got != expected) FAIL_CHECK(f << " became " << got << ", not " << expected);
        const double d = static_cast<double>(f) * (1 + (i % 5 - 2) * 0x1p-40); // close to a float
        const auto once = static_cast<double>(static_cast<float>(kernel::convert<bfloat16>(d)));
        if (once != nearest(d)) FAIL_CHECK(d << " became " << once << ", not " << nearest(d));
    }
    CHECK(static_cast<float>(kernel::convert<bfloat16>(1e300)) == INFINITY);
    CHECK(static_cast<float>(kernel::convert<bfloat16>(-1e300)) == -INFINITY);
}

TEST_CASE("bfloat16: kernels compute in float and round each result", "[kernel][bfloat16]") {
    const std::vector<float> values{0.1F, -3, 1e30F, 1e-40F, 255, 256.5F, INFINITY, 2};
    tensor x, out;
    tensor floats(dtype::float32, {8});
    std::copy(values.begin(), values.end(), floats.mutable_data<float>());
    kernel::cast(floats, dtype::bfloat16, x);
    check_rounded(x, values, [](float v) { return v; });
    kernel::multiply(x, x, out);
    check_rounded(out, values, [](float v) { return v * v; });
    kernel::exp(x, out);
    check_rounded(out, values, [](float v) { return std::exp(v); });
    kernel::isinf(x, out);
    CHECK(out.elements<bool>()[6]);
    CHECK_FALSE(out.elements<bool>()[2]);
    kernel::cast(x, dtype::int8, out);
    CHECK(out.elements<std::int8_t>()[1] == -3);
    CHECK(out.elements<std::int8_t>()[4] == 127);
}
