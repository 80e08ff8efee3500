#include <tutti/kernel/cast.hpp>

#include "catch.hpp"

#include "support.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

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

} // namespace

TEMPLATE_TEST_CASE("cast: from every type to every type, each element as convert does it", "[kernel][cast]",
                   bool, i8, std::int16_t, std::int32_t, i64, u8, std::uint16_t, std::uint32_t, u64, float16,
                   float, double) {
    TUTTI_TEST_SEED();
    test::random_source random;
    using From = TestType;
    tensor t(kernel::dtype_of<From>, {3, 211}); // more than one block, and not a multiple of it
    const auto in = t.mutable_elements<From>();
    for (From& x : in) x = convert<From>(random.real(-1, 1) * std::pow(2.0, random.real(-3, 70)));
    if (kernel::is_floating(kernel::dtype_of<From>)) {
        in[0] = convert<From>(not_a_number);
        in[1] = convert<From>(infinity);
        in[2] = convert<From>(-infinity);
    }
    for (int type = 1; type <= static_cast<int>(dtype::float64); ++type)
        kernel::with_element_type(static_cast<dtype>(type), [&]<class To>(std::type_identity<To>) {
            const tensor out = kernel::cast(t, kernel::dtype_of<To>);
            int wrong = 0;
            for (std::size_t i = 0; i < in.size(); ++i) {
                const auto expected = static_cast<double>(kernel::widen(convert<To>(in[i])));
                const auto got = static_cast<double>(kernel::widen(out.elements<To>()[i]));
                wrong += !(got == expected || (std::isnan(got) && std::isnan(expected)));
            }
            INFO(kernel::name(t.type()) << " to " << kernel::name(out.type()));
            CHECK(wrong == 0);
            CHECK(out.size() == t.size());
        });
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
