#include <tutti/kernel/cast.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::convert;
using kernel::dtype;
using kernel::float16;
using kernel::tensor;
using i8 = std::int8_t;
using u64 = std::uint64_t;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

constexpr tensor as(const tensor& t, dtype type) {
    tensor out;
    kernel::cast(t, type, out);
    return out;
}
static_assert(as(tensor({3}, {1.5F, -2.5F, 300.F}), dtype::int8).elements<i8>()[2] == 127);
static_assert(as(as(tensor({2}, {true, false}), dtype::float16), dtype::uint64).elements<u64>()[0] == 1);

constexpr tensor bits_as(const tensor& t, dtype type) {
    tensor out;
    kernel::reinterpret(t, type, out);
    return out;
}
static_assert(bits_as(tensor({2}, {1.F, -0.F}), dtype::uint32).elements<std::uint32_t>()[1] == 0x80000000U);

// A type that represents every element exactly.
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

// Returns the converted element. Applies the rule of the conversion to a `wide` number, without using the element type.
wide expected(wide x, dtype from, dtype to) {
    if (to == dtype::boolean) return x != 0;
    if (to == dtype::float16) return rounded(x, 11, -14, 65504);
    if (to == dtype::bfloat16) return rounded(x, 8, -126, std::ldexp(255.0L, 120));
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

tensor converted(const tensor& t, dtype type) {
    return test::made([](auto&... a) { kernel::cast(a...); }, t, type);
}
tensor as_bits(const tensor& t, dtype type) { return test::made(kernel::reinterpret, t, type); }

const void* address(const tensor& t) {
    return kernel::with_element_type(
        t.type(), [&]<class T>(std::type_identity<T>) -> const void* { return t.elements<T>().data(); });
}

tensor random_tensor(dtype type, test::random_source& random) {
    return kernel::with_element_type(type, [&]<class T>(std::type_identity<T>) {
        tensor t(type, {3, 211}); // more than one block, and not a whole number of blocks
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
            const tensor out = converted(in, static_cast<dtype>(j));
            const std::vector<wide> before = elements(in);
            const std::vector<wide> after = elements(out);
            REQUIRE(after.size() == before.size());
            for (std::size_t k = 0; k < before.size(); ++k) {
                const wide right = expected(before[k], in.type(), out.type());
                if (after[k] != right && !(std::isnan(after[k]) && std::isnan(right)))
                    FAIL_CHECK(kernel::name(in.type()) << " " << before[k] << " became " << kernel::name(out.type())
                                                       << " " << after[k] << ", not " << right);
            }
        }
}

TEST_CASE("cast: a tensor of that type already shares its elements", "[kernel][cast]") {
    const tensor t({2}, {1, 2});
    CHECK(converted(t, dtype::int32).same_elements(t));
    CHECK(converted(tensor(dtype::float32, {0, 2}), dtype::int8).shape()[1] == 2);
}

TEST_CASE("cast: to or from no type is an error", "[kernel][cast]") {
    CHECK(test::error_of([] { converted(tensor::scalar(1), dtype::none); }) ==
          "kernel::cast: to elements of type void; expected an element type");
    CHECK(test::error_of([] { converted(tensor(), dtype::int8); }) ==
          "kernel::cast: an empty tensor; expected a tensor with an element type");
}

TEST_CASE("cast: reinterpreting keeps the bits, between all types of a size", "[kernel][cast]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int i = static_cast<int>(dtype::int8); i <= static_cast<int>(dtype::float64); ++i)
        for (int j = static_cast<int>(dtype::int8); j <= static_cast<int>(dtype::float64); ++j) {
            const auto from = static_cast<dtype>(i);
            const auto to = static_cast<dtype>(j);
            if (kernel::bytes(from) != kernel::bytes(to)) continue;
            const tensor in = random_tensor(from, random);
            const tensor out = as_bits(in, to);
            REQUIRE(out.type() == to);
            REQUIRE(out.size() == in.size());
            CHECK(std::memcmp(address(in), address(out), static_cast<std::size_t>(in.size()) * kernel::bytes(from)) ==
                  0);
        }
    const tensor bytes({3}, {std::uint8_t{0}, std::uint8_t{1}, std::uint8_t{200}});
    CHECK(test::difference(as_bits(bytes, dtype::boolean), {3}, {0, 1, 1}, 0) == "");
    CHECK(as_bits(bytes, dtype::uint8).same_elements(bytes));
    CHECK(test::error_of([&] { as_bits(bytes, dtype::int32); }) ==
          "kernel::reinterpret: elements of type uint8 as int32; expected types of the same size");
    CHECK(test::error_of([&] { as_bits(tensor(), dtype::none); }) ==
          "kernel::reinterpret: an empty tensor; expected a tensor with an element type");
}
