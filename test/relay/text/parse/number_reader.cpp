#include <tutti/relay/text/parse/number_reader.hpp>

#include "relay/text/syntax.hpp"
#include "support/catch.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <string_view>

using namespace tutti;
using namespace tutti::test;
using relay::dtype;

namespace {

relay::tensor constant(std::string_view text) {
    return relay::text::read_constant(relay::text::cursor(text).number(), {{7, 5}, 0});
}
relay::dim dimension(std::string_view text) {
    return relay::text::read_dim(relay::text::cursor(text).number(), {{7, 5}, 0});
}
std::string constant_problem(std::string_view text) {
    return syntax_problem([&] { constant(text); });
}
std::string dim_problem(std::string_view text) {
    return syntax_problem([&] { dimension(text); });
}

template <class T>
bool holds(const relay::tensor& t, T value) {
    return t.type() == kernel::dtype_of<T> && t.rank() == 0 && t.elements<T>()[0] == value;
}

} // namespace

TEST_CASE("number_reader: the suffix says the type of a constant", "[relay][text]") {
    CHECK(holds(constant("1"), std::int32_t{1}));
    CHECK(holds(constant("-2147483648"), std::numeric_limits<std::int32_t>::min()));
    CHECK(holds(constant("-128i8"), std::int8_t{-128}));
    CHECK(holds(constant("-32768i16"), std::int16_t{-32768}));
    CHECK(holds(constant("5i32"), std::int32_t{5}));
    CHECK(holds(constant("-9223372036854775808i64"), std::numeric_limits<std::int64_t>::min()));
    CHECK(holds(constant("255u8"), std::uint8_t{255}));
    CHECK(holds(constant("65535u16"), std::uint16_t{65535}));
    CHECK(holds(constant("4294967295u32"), std::uint32_t{4294967295}));
    CHECK(holds(constant("18446744073709551615u64"), std::numeric_limits<std::uint64_t>::max()));
    CHECK(holds(constant("1f"), 1.0F));
    CHECK(holds(constant("0.1f32"), 0.1F));
    CHECK(holds(constant("1e300f64"), 1e300));
    CHECK(constant("65504f16").type() == dtype::float16);
    CHECK(static_cast<float>(constant("65504f16").elements<kernel::float16>()[0]) == 65504.0F);
}

TEST_CASE("number_reader: a float16 is rounded once, a float32 too", "[relay][text]") {
    const auto half = [](std::string_view text) {
        return static_cast<float>(constant(text).elements<kernel::float16>()[0]);
    };
    // These numbers are so close to the midpoint of two float16 values that float or double would round them to it.
    constexpr float one = 1, next = 1.0009765625F, after_next = 1.001953125F;
    CHECK(half("1.00048828125f16") == one); // a tie, which rounds to even
    CHECK(half("1.000488281250000f16") == one);
    CHECK(half("100048828125e-11f16") == one);
    CHECK(half("1.00048828125001f16") == next);
    CHECK(half("1.000488281250000000000000000000000000001f16") == next);
    CHECK(half("-1.000488281250000000000000000000000000001f16") == -next);
    CHECK(half("1000488281250000000000000000000000000001e-39f16") == next);
    CHECK(half("1.00146484375f16") == after_next);
    CHECK(half("1.00146484374999999999999999999999999f16") == next);
    CHECK(half("65519.99999999999999999999f16") == 65504);
    CHECK(half("0.00000002980232238769531250f16") == 0); // half the smallest subnormal
    CHECK(half("2.98023223876953125000000000000001e-8f16") == 0x1p-24F);
    CHECK(half("2.9802322387695312e-8f16") == 0);
    CHECK(half("1e-30f16") == 0);
    CHECK(half("0.1f16") == 0.0999755859375F);

    // Both numbers, rounded to double, are the midpoint of 1 and the next float.
    CHECK(holds(constant("1.000000059604644775390625f"), 1.0F));
    CHECK(holds(constant("1.00000005960464477539062500001f"), 1.00000012F));
}

TEST_CASE("number_reader: infinities, invalid numbers, and underflow", "[relay][text]") {
    CHECK(holds(constant("inff"), std::numeric_limits<float>::infinity()));
    CHECK(holds(constant("-inff64"), -std::numeric_limits<double>::infinity()));
    CHECK(std::isinf(static_cast<float>(constant("inff16").elements<kernel::float16>()[0])));
    CHECK(std::isnan(constant("nanf").elements<float>()[0]));
    CHECK_FALSE(std::signbit(constant("-nanf").elements<float>()[0]));
    CHECK(holds(constant("1e-400f64"), 0.0));
    CHECK(std::signbit(constant("-1e-100f").elements<float>()[0]));
    CHECK(holds(constant("0." + std::string(400, '0') + "1f64"), 0.0));
    CHECK(holds(constant("1" + std::string(400, '0') + "e-800f64"), 0.0));
    CHECK(holds(constant("1e-99999999999999999999f"), 0.0F));
    CHECK(holds(constant("-0f"), -0.0F));
    CHECK(constant("1e-45f").elements<float>()[0] == std::numeric_limits<float>::denorm_min());
}

TEST_CASE("number_reader: a constant that does not fit its type is refused", "[relay][text]") {
    CHECK(constant_problem("2147483648") ==
          "7:5: `2147483648` does not fit in int32; expected `2147483648i64` for an int64");
    CHECK(constant_problem("128i8") == "7:5: `128i8` does not fit in int8");
    CHECK(constant_problem("-1u8") == "7:5: `-1u8` does not fit in uint8");
    CHECK(constant_problem("9223372036854775808i64") == "7:5: `9223372036854775808i64` does not fit in int64");
    CHECK(constant_problem("-1e309f64") == "7:5: `-1e309f64` does not fit in float64");
    for (const char* text : {"1e39f", "0.0001e43f", "1e+39f", "1e99999999999999999999f"})
        CHECK(constant_problem(text) == "7:5: `" + std::string(text) + "` does not fit in float32");
    CHECK(constant_problem("1" + std::string(400, '0') + "e-5f") ==
          "7:5: `1" + std::string(39, '0') + "...f` does not fit in float32");
    CHECK(constant_problem("65520f16") == "7:5: `65520f16` does not fit in float16; expected at most 65504");
    CHECK(constant_problem(std::string(500, '9') + 'f') ==
          "7:5: `" + std::string(40, '9') + "...f` does not fit in float32");
}

TEST_CASE("number_reader: a whole number is read as that one or not at all", "[relay][text]") {
    const std::string rounded = ", the nearest one, or a decimal point to round it";
    CHECK(constant_problem("65505f16") == "7:5: `65505f16` is not a value of float16; expected `65504f16`" + rounded);
    CHECK(constant_problem("-2049f16") == "7:5: `-2049f16` is not a value of float16; expected `-2048f16`" + rounded);
    CHECK(constant_problem("16777217f") ==
          "7:5: `16777217f` is not a value of float32; expected `16777216f`" + rounded);
    CHECK(constant_problem("9007199254740993f64") ==
          "7:5: `9007199254740993f64` is not a value of float64; expected `9007199254740992f64`" + rounded);
    CHECK(static_cast<float>(constant("65505.0f16").elements<kernel::float16>()[0]) == 65504);
    CHECK(static_cast<float>(constant("6.5505e4f16").elements<kernel::float16>()[0]) == 65504);
    CHECK(static_cast<float>(constant("-0002050f16").elements<kernel::float16>()[0]) == -2050);
    CHECK(holds(constant("16777216f"), 16777216.0F));
    CHECK(holds(constant("16777217.0f"), 16777216.0F));
    CHECK(holds(constant("340282346638528859811704183484516925440f"), std::numeric_limits<float>::max()));
    CHECK(holds(constant("00000000f"), 0.0F));
    CHECK(holds(constant("-00000f64"), -0.0));
}

TEST_CASE("number_reader: a constant whose type is not clear is refused", "[relay][text]") {
    CHECK(constant_problem("1.5") ==
          "7:5: the constant `1.5` has no type suffix; expected `1.5f`, or the suffix `f16` or `f64`");
    CHECK(constant_problem("1.5i64") == "7:5: `1.5i64` is not an integer; expected no decimal point or exponent");
    CHECK(constant_problem("1e3u8") == "7:5: `1e3u8` is not an integer; expected no decimal point or exponent");
    for (const char* text : {"1i128", "1F", "1f8", "1_", "1e"})
        CHECK(constant_problem(text) ==
              "7:5: unknown suffix of the number `" + std::string(text) +
                  "`; expected f, f16, f64 or bf16, i8 to i64, u8 to u64, or none for an int32");
}

TEST_CASE("number_reader: dimensions keep whether they are 64 bits wide", "[relay][text]") {
    CHECK(dimension("5") == relay::dim(5));
    CHECK(dimension("5i32") == relay::dim(5));
    CHECK(dimension("5i64") == relay::dim::wide(5));
    CHECK(dimension("-1") == relay::dim(-1));
    CHECK(dimension("2305843009213693951").value() == 2305843009213693951);
    for (const char* text : {"2305843009213693952", "-2305843009213693952"})
        CHECK(dim_problem(text) == "7:5: `" + std::string(text) + "` is too large; expected less than 2^61");
    CHECK(dim_problem("9223372036854775808") == "7:5: `9223372036854775808` does not fit in int64");
    CHECK(dim_problem("5f") == "7:5: `5f` is not an integer; expected an integer such as `5` or `5i64`");
    CHECK(dim_problem("5.0") == "7:5: `5.0` is not an integer; expected no decimal point or exponent");
}

TEST_CASE("number_reader: a bfloat16 is rounded once", "[relay][text]") {
    const auto bits = [](std::string_view text) { return constant(text).elements<kernel::bfloat16>()[0].bits; };
    CHECK(bits("1bf16") == 0x3F80);
    CHECK(bits("1.00390625bf16") == 0x3F80); // a tie, which rounds to even
    CHECK(bits("1.003906250000000000000000000000001bf16") == 0x3F81);
    CHECK(bits("1e-40bf16") == 0x0001);                  // subnormal
    CHECK(bits("4.59177480789956e-41bf16") == 0x0000);   // less than half the smallest subnormal
    CHECK(bits("4.5917748078995607e-41bf16") == 0x0001); // more than half of it
    CHECK(constant_problem("3.4e38bf16") == "7:5: `3.4e38bf16` does not fit in bfloat16; expected at most 3.3895e38");
    CHECK(constant_problem("1001bf16").starts_with("7:5: `1001bf16` is not a value of bfloat16; expected `1000bf16`"));
    CHECK(constant_problem("257bf16").starts_with("7:5: `257bf16` is not a value of bfloat16; expected `256bf16`"));
    CHECK(constant_problem("-257bf16").find("is not a value of bfloat16") != std::string::npos);
    CHECK(bits("256bf16") == 0x4380);
    CHECK(bits("258bf16") == 0x4381);
}
