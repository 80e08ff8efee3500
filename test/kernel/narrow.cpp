#include <tutti/kernel/narrow.hpp>

#include <tutti/kernel/cast.hpp>
#include <tutti/kernel/support/numbers.hpp>
#include <tutti/kernel/tensor.hpp>

#include "support/catch.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <random>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::dtype;
using kernel::tensor;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

constexpr dtype floating[]{dtype::float8_e4m3fn,   dtype::float8_e4m3fnuz, dtype::float8_e5m2,
                           dtype::float8_e5m2fnuz, dtype::float8_e8m0fnu,  dtype::float4_e2m1fn};
constexpr dtype integers[]{dtype::int4, dtype::uint4, dtype::int2, dtype::uint2};

unsigned codes(dtype type) { return 1U << kernel::bits(type); }

float value(dtype type, unsigned code) { return kernel::detail::decoded(type, static_cast<std::uint8_t>(code)); }
unsigned code(dtype type, float x) { return kernel::detail::encoded(type, x); }

// Returns the finite number of a type that is nearest to `x`. A tie goes to the even code. Tries all numbers of the
// type.
float nearest(dtype type, double x) {
    double found = 0, distance = std::numeric_limits<double>::infinity();
    unsigned found_code = 1;
    for (unsigned c = 0; c < codes(type); ++c) {
        const double each = static_cast<double>(value(type, c));
        if (!std::isfinite(each)) continue;
        const double apart = std::abs(each - x);
        // Two codes with different signs tie only at 0.
        if (apart < distance || (apart == distance && c % 2 == 0 && found_code % 2 != 0)) {
            found = each;
            distance = apart;
            found_code = c;
        }
    }
    return static_cast<float>(found);
}

tensor as(const tensor& t, dtype type) {
    tensor out;
    kernel::cast(t, type, out);
    return out;
}

} // namespace

TEST_CASE("narrow: values of well-known codes", "[kernel][narrow]") {
    CHECK(value(dtype::float8_e4m3fn, 0x7E) == 448);
    CHECK(value(dtype::float8_e4m3fn, 0x01) == 0x1p-9F);
    CHECK(std::isnan(value(dtype::float8_e4m3fn, 0xFF)));
    CHECK(value(dtype::float8_e4m3fnuz, 0x7F) == 240);
    CHECK(std::isnan(value(dtype::float8_e4m3fnuz, 0x80)));
    CHECK(value(dtype::float8_e5m2, 0x7B) == 57344);
    CHECK(value(dtype::float8_e5m2, 0xFC) == -infinity);
    CHECK(std::isnan(value(dtype::float8_e5m2, 0x7D)));
    CHECK(value(dtype::float8_e5m2fnuz, 0x7F) == 57344);
    CHECK(value(dtype::float8_e8m0fnu, 0x00) == 0x1p-127F);
    CHECK(value(dtype::float8_e8m0fnu, 0x7F) == 1);
    CHECK(value(dtype::float8_e8m0fnu, 0xFE) == 0x1p127F);
    CHECK(std::isnan(value(dtype::float8_e8m0fnu, 0xFF)));
    std::vector<float> fours;
    for (unsigned c = 0; c < 8; ++c) fours.push_back(value(dtype::float4_e2m1fn, c));
    CHECK(fours == std::vector<float>{0, 0.5F, 1, 1.5F, 2, 3, 4, 6});
    STATIC_REQUIRE(kernel::detail::decoded(dtype::float8_e4m3fn, 0x38) == 1);
    STATIC_REQUIRE(kernel::detail::encoded(dtype::float8_e5m2, 1.25F) == 0x3D);
    STATIC_REQUIRE(kernel::greatest_of(dtype::float4_e2m1fn) == 6);
}

TEST_CASE("narrow: every value leads back to its code", "[kernel][narrow]") {
    for (const dtype type : floating)
        for (unsigned c = 0; c < codes(type); ++c) {
            const float x = value(type, c);
            INFO(kernel::name(type) << ' ' << c << ' ' << x);
            if (std::isnan(x))
                CHECK(std::isnan(value(type, code(type, x))));
            else
                CHECK(code(type, x) == c);
        }
}

TEST_CASE("narrow: rounds to the nearest value, ties to even", "[kernel][narrow]") {
    std::mt19937 random(7);
    for (const dtype type : {dtype::float8_e4m3fn, dtype::float8_e4m3fnuz, dtype::float8_e5m2, dtype::float8_e5m2fnuz,
                             dtype::float4_e2m1fn}) {
        const auto greatest = static_cast<float>(kernel::greatest_of(type));
        for (unsigned c = 0; c + 1 < codes(type) / 2; ++c) {
            const float low = value(type, c), high = value(type, c + 1);
            if (!std::isfinite(low) || !std::isfinite(high)) continue;
            const float middle = low + (high - low) / 2; // exact
            for (const float x : {middle, std::nextafter(middle, 0.0F), std::nextafter(middle, infinity)})
                for (const float signed_x : {x, -x}) {
                    INFO(kernel::name(type) << ' ' << signed_x);
                    CHECK(value(type, code(type, signed_x)) == nearest(type, static_cast<double>(signed_x)));
                }
        }
        for (int i = 0; i < 20'000; ++i) {
            const auto x = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
            if (!(std::abs(x) <= greatest)) continue;
            INFO(kernel::name(type) << ' ' << x);
            CHECK(value(type, code(type, x)) == nearest(type, static_cast<double>(x)));
        }
    }
}

TEST_CASE("narrow: powers of two round to the nearest, ties up", "[kernel][narrow]") {
    const auto power = [](float x) { return value(dtype::float8_e8m0fnu, code(dtype::float8_e8m0fnu, x)); };
    CHECK(power(1.49F) == 1);
    CHECK(power(1.5F) == 2);
    CHECK(power(0) == 0x1p-127F);
    CHECK(power(-0.0F) == 0x1p-127F);
    CHECK(power(0x1.7p-127F) == 0x1p-127F);
    CHECK(power(0x1.8p-127F) == 0x1p-126F);
    CHECK(std::isnan(power(-1)));
    CHECK(std::isnan(power(0x1.8p127F)));
    CHECK(std::isnan(power(infinity)));
}

TEST_CASE("narrow: beyond the greatest number", "[kernel][narrow]") {
    for (const float x : {infinity, std::numeric_limits<float>::max(), 60'000.0F + 2000.0F}) {
        CHECK(std::isnan(value(dtype::float8_e4m3fn, code(dtype::float8_e4m3fn, x))));
        CHECK(code(dtype::float8_e4m3fn, -x) == 0xFF);
        CHECK(code(dtype::float8_e4m3fnuz, -x) == 0x80);
        CHECK(code(dtype::float8_e5m2, x) == 0x7C);
        CHECK(code(dtype::float8_e5m2, -x) == 0xFC);
        CHECK(code(dtype::float8_e5m2fnuz, x) == 0x80);
        CHECK(value(dtype::float4_e2m1fn, code(dtype::float4_e2m1fn, -x)) == -6);
    }
    CHECK(value(dtype::float8_e4m3fn, code(dtype::float8_e4m3fn, 464)) == 448); // a tie, which goes to the even code
    CHECK(std::isnan(value(dtype::float8_e4m3fn, code(dtype::float8_e4m3fn, 465))));
    CHECK(code(dtype::float8_e4m3fnuz, -0.0F) == 0);
    CHECK(code(dtype::float8_e4m3fn, -0.0F) == 0x80);
    CHECK(code(dtype::float4_e2m1fn, not_a_number) == 8);
}

TEST_CASE("narrow: cast converts from and to all types", "[kernel][narrow]") {
    const tensor numbers({7}, {-9.0, -2.0, -0.3, 0.0, 1.0, 2.75, 100.0});
    const auto read = [](const tensor& t) {
        std::vector<double> all;
        for (std::int64_t i = 0; i < t.size(); ++i) all.push_back(kernel::number::at(t, i).real());
        return all;
    };
    CHECK(read(as(numbers, dtype::int4)) == std::vector<double>{-8, -2, 0, 0, 1, 2, 7}); // truncates, then saturates
    CHECK(read(as(numbers, dtype::uint2)) == std::vector<double>{0, 0, 0, 0, 1, 2, 3});
    CHECK(read(as(as(numbers, dtype::int32), dtype::int2)) == std::vector<double>{-1, -2, 0, 0, 1, -2, 0}); // wraps
    CHECK(read(as(numbers, dtype::float8_e4m3fn)) == std::vector<double>{-9, -2, -0.3125, 0, 1, 2.75, 96});
    CHECK(read(as(numbers, dtype::float4_e2m1fn)) == std::vector<double>{-6, -2, -0.5, 0, 1, 3, 6});
    CHECK(read(as(as(numbers, dtype::float8_e5m2), dtype::int64)) == std::vector<double>{-8, -2, 0, 0, 1, 3, 96});
    CHECK(read(as(as(numbers, dtype::int4), dtype::boolean)) == std::vector<double>{1, 1, 0, 0, 1, 1, 1});
    CHECK(read(as(as(numbers, dtype::int4), dtype::uint64))[1] == 0x1p64); // the double nearest to 2^64 - 2
    // The value is rounded once. Through float32 it would become 1.0625, a tie that rounds to 1.
    CHECK(read(as(tensor({1}, {1.0625 + 0x1p-40}), dtype::float8_e4m3fn)) == std::vector<double>{1.125});
}

TEST_CASE("narrow: integers wrap and keep their sign", "[kernel][narrow]") {
    for (const dtype type : integers) {
        const kernel::integer_range range = kernel::values_of(type);
        for (std::int64_t x = -20; x <= 20; ++x) {
            std::int64_t wanted = x;
            while (wanted < range.least) wanted += range.greatest - range.least + 1;
            while (wanted > range.greatest) wanted -= range.greatest - range.least + 1;
            INFO(kernel::name(type) << ' ' << x);
            const tensor narrow = as(tensor({1}, {x}), type);
            CHECK(kernel::number::at(narrow, 0).real() == static_cast<double>(wanted));
            CHECK(kernel::widened(narrow).type() == (range.least < 0 ? dtype::int8 : dtype::uint8));
        }
    }
}

TEST_CASE("narrow: bits from elsewhere become valid elements", "[kernel][narrow]") {
    unsigned char bytes[]{0x00, 0x0F, 0xF7, 0x82};
    const auto made = [&](dtype type) {
        std::vector<unsigned char> all(std::begin(bytes), std::end(bytes));
        kernel::make_valid(type, all.data(), all.size());
        return all;
    };
    using list = std::vector<unsigned char>;
    CHECK(made(dtype::boolean) == list{0, 1, 1, 1});
    CHECK(made(dtype::int4) == list{0, 0xFF, 7, 2});
    CHECK(made(dtype::uint4) == list{0, 15, 7, 2});
    CHECK(made(dtype::int2) == list{0, 0xFF, 0xFF, 0xFE});
    CHECK(made(dtype::uint2) == list{0, 3, 3, 2});
    CHECK(made(dtype::float4_e2m1fn) == list{0, 15, 7, 2});
    CHECK(made(dtype::float8_e5m2) == list{0x00, 0x0F, 0xF7, 0x82});
}

TEST_CASE("narrow: packs and unpacks elements from the lowest bits on", "[kernel][narrow]") {
    using list = std::vector<unsigned char>;
    const auto packed = [](dtype type, const list& elements) {
        list all(kernel::packed_size(type, elements.size()));
        kernel::pack(type, elements.data(), elements.size(), all.data());
        return all;
    };
    const auto unpacked = [](dtype type, const list& bytes, std::size_t count) {
        list all(count);
        std::copy(bytes.begin(), bytes.end(), all.end() - static_cast<std::ptrdiff_t>(bytes.size()));
        kernel::unpack(type, all.data(), count);
        return all;
    };
    CHECK(unpacked(dtype::uint4, {0x21, 0x43, 0x05}, 5) == list{1, 2, 3, 4, 5});
    CHECK(unpacked(dtype::int4, {0x8F}, 2) == list{0xFF, 0xF8});
    CHECK(unpacked(dtype::int4, {0x8F}, 1) == list{0xFF});
    CHECK(unpacked(dtype::uint2, {0xE4, 0x1B}, 7) == list{0, 1, 2, 3, 3, 2, 1});
    CHECK(unpacked(dtype::int2, {0xE4}, 4) == list{0, 1, 0xFE, 0xFF});
    CHECK(unpacked(dtype::float4_e2m1fn, {}, 0).empty());
    CHECK(packed(dtype::int4, {0xFF, 0xF8, 7}) == list{0x8F, 0x07});
    for (std::size_t count = 0; count < 40; ++count) {
        list bytes((count + 3) / 4), wanted;
        for (std::size_t i = 0; i < count; ++i) {
            bytes[i / 4] = static_cast<unsigned char>(bytes[i / 4] | (i * 7 % 4) << (i % 4 * 2));
            wanted.push_back(static_cast<unsigned char>(i * 7 % 4));
        }
        CHECK(unpacked(dtype::uint2, bytes, count) == wanted);
        CHECK(packed(dtype::uint2, wanted) == bytes);
    }
}
