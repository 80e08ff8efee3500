#include <tutti/kernel/dtype.hpp>

#include "support/catch.hpp"

#include <type_traits>

namespace kernel = tutti::kernel;
using kernel::dtype;

namespace {

constexpr bool names_lead_back() {
    for (unsigned i = 1; i < 256; ++i)
        if (i % 16 != 0 && kernel::is_dtype(static_cast<std::uint8_t>(i)) &&
            kernel::dtype_named(kernel::name(static_cast<dtype>(i))) != static_cast<dtype>(i))
            return false;
    return true;
}

constexpr bool element_types_are_theirs() {
    for (int i = 1; i <= static_cast<int>(dtype::float64); ++i) {
        const auto type = static_cast<dtype>(i);
        const bool right = kernel::with_element_type(type, [&]<class T>(std::type_identity<T>) {
            return kernel::dtype_of<T> == type && sizeof(T) == kernel::bytes(type);
        });
        if (!right) return false;
    }
    return true;
}

} // namespace

TEST_CASE("dtype: every name leads back to its type", "[kernel][dtype]") {
    static_assert(names_lead_back());
    CHECK(names_lead_back());
    CHECK(kernel::name(dtype::boolean) == "bool");
    CHECK(kernel::name(dtype::none) == "void");
    CHECK(kernel::dtype_named("float33") == dtype::none);
}

TEST_CASE("dtype: with_element_type passes the type of a dtype", "[kernel][dtype]") {
    static_assert(element_types_are_theirs());
    CHECK(element_types_are_theirs());
}

TEST_CASE("dtype: bool is neither an integer nor floating point", "[kernel][dtype]") {
    CHECK_FALSE(kernel::is_integer(dtype::boolean));
    CHECK_FALSE(kernel::is_floating(dtype::boolean));
    CHECK(kernel::is_integer(dtype::int8));
    CHECK(kernel::is_integer(dtype::uint64));
    CHECK_FALSE(kernel::is_integer(dtype::float16));
    CHECK(kernel::is_floating(dtype::float16));
}

TEST_CASE("dtype: narrow types are neither integers nor floating point, take one byte, and have no lanes",
          "[kernel][dtype]") {
    STATIC_REQUIRE(kernel::name(dtype::float8_e4m3fn) == "float8_e4m3fn");
    STATIC_REQUIRE(kernel::name(dtype::uint2) == "uint2");
    STATIC_REQUIRE(kernel::bits(dtype::int4) == 4);
    STATIC_REQUIRE(kernel::bits(dtype::uint2) == 2);
    STATIC_REQUIRE(kernel::bits(dtype::float8_e8m0fnu) == 8);
    STATIC_REQUIRE(kernel::values_of(dtype::int4).least == -8);
    STATIC_REQUIRE(kernel::values_of(dtype::uint2).greatest == 3);
    STATIC_REQUIRE(kernel::is_narrow_floating(dtype::float4_e2m1fn));
    STATIC_REQUIRE(kernel::is_narrow_integer(dtype::int2));
    STATIC_REQUIRE(kernel::with_lanes(dtype::int4, 2) == dtype::none);
    STATIC_REQUIRE(kernel::with_lanes(dtype::int4, 1) == dtype::int4);
    for (unsigned i = 0x0F; i < 256; i += 16) {
        const auto type = static_cast<dtype>(i);
        CHECK(kernel::is_narrow(type) == (i < 0xA0));
        CHECK(kernel::is_dtype(static_cast<std::uint8_t>(i)) == (i < 0xA0));
        if (i >= 0xA0) continue;
        CHECK(kernel::bytes(type) == 1);
        CHECK(kernel::lane_count(type) == 1);
        CHECK(kernel::lane_type(type) == type);
        CHECK_FALSE(kernel::is_integer(type));
        CHECK_FALSE(kernel::is_floating(type));
    }
}

TEST_CASE("dtype: with lanes it is another type, which is neither an integer nor floating point", "[kernel][dtype]") {
    constexpr dtype bytes_of_four = kernel::with_lanes(dtype::int8, 4);
    static_assert(kernel::name(bytes_of_four) == "int8x4");
    static_assert(kernel::dtype_named("int8x4") == bytes_of_four && bytes_of_four != dtype::int8);
    static_assert(kernel::lane_count(bytes_of_four) == 4 && kernel::lane_count(dtype::int8) == 1);
    static_assert(kernel::lane_type(bytes_of_four) == dtype::int8 && kernel::bytes(bytes_of_four) == 4);
    static_assert(!kernel::is_integer(bytes_of_four) && !kernel::is_floating(kernel::with_lanes(dtype::float32, 8)));
    CHECK(kernel::with_lanes(dtype::int8, 1) == dtype::int8);
    CHECK(kernel::with_lanes(dtype::int8, 9) == dtype::none);
    CHECK(kernel::name(kernel::with_lanes(dtype::boolean, 2)) == "uint1x2"); // as in the reference
    for (int i = 1; i <= static_cast<int>(dtype::float64); ++i)
        for (const unsigned count : kernel::detail::lane_counts) {
            const dtype type = kernel::with_lanes(static_cast<dtype>(i), count);
            CHECK(kernel::dtype_named(kernel::name(type)) == type);
            CHECK(kernel::bytes(type) == kernel::bytes(static_cast<dtype>(i)) * count);
        }
    for (const char* none : {"int8x", "int8x04", "x4", "int8x4x4", "voidx4", "int8x1", "boolx4", "int8x9"})
        CHECK(kernel::dtype_named(none) == dtype::none);
}
