// Runs each kind of arithmetic for each element type over the corner cases of the types, and compares with exact
// arithmetic whose results wrap or saturate. Under UBSan this also shows that no intermediate result overflows,
// divides by zero, shifts too far or converts an unrepresentable value.

#include <tutti/kernel/blocked/common/any_conv.hpp>
#include <tutti/kernel/conv.hpp>
#include <tutti/kernel/conv_transpose.hpp>
#include <tutti/kernel/dense.hpp>
#include <tutti/kernel/elementwise.hpp>
#include <tutti/kernel/index.hpp>
#include <tutti/kernel/pool.hpp>
#include <tutti/kernel/quantize.hpp>
#include <tutti/kernel/quantized_arithmetic.hpp>
#include <tutti/kernel/reduce.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::dtype;
using kernel::float16;
using kernel::tensor;
using test::shape_t;

namespace {

__extension__ using exact =
    __int128; // holds 64-bit sums, and products of signed elements, but not the sum of two such products

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

template <class T>
T wrapped(exact x) {
    return static_cast<T>(static_cast<std::uint64_t>(x)); // modulo 2^64, then modulo the type's size
}

/// The bounds of an integer type, values close to them and to zero, and bit patterns.
template <class T>
std::vector<T> edges() {
    const T least = std::numeric_limits<T>::min();
    const T greatest = std::numeric_limits<T>::max();
    constexpr int bits = static_cast<int>(8 * sizeof(T));
    std::vector<T> all{least,
                       static_cast<T>(least + 1),
                       static_cast<T>(-2),
                       static_cast<T>(-1),
                       0,
                       1,
                       2,
                       3,
                       static_cast<T>(bits - 1),
                       static_cast<T>(bits),
                       static_cast<T>(bits + 1),
                       static_cast<T>(greatest / 2),
                       static_cast<T>(greatest / 2 + 1),
                       static_cast<T>(greatest - 1),
                       greatest};
    return all;
}

template <class F>
void for_each_integer_type(F f) {
    f(std::int8_t{});
    f(std::int16_t{});
    f(std::int32_t{});
    f(std::int64_t{});
    f(std::uint8_t{});
    f(std::uint16_t{});
    f(std::uint32_t{});
    f(std::uint64_t{});
}

template <class T>
tensor vector_of(const std::vector<T>& values) {
    tensor t(kernel::dtype_of<T>, {static_cast<std::int64_t>(values.size())});
    std::ranges::copy(values, t.mutable_elements<T>().begin());
    return t;
}
template <class T>
tensor shaped(const tensor& t, shape_t shape) {
    tensor out;
    out.share(t, shape);
    return out;
}

exact power(exact base, exact exponent, bool wraps_at_64) {
    (void)wraps_at_64;
    if (exponent < 0) return base == 1 || (base == -1 && exponent % 2 == 0) ? 1 : base == -1 ? -1 : 0;
    std::uint64_t result = 1;
    auto factor = static_cast<std::uint64_t>(base);
    for (auto left = static_cast<std::uint64_t>(exponent); left != 0; left >>= 1) {
        if ((left & 1U) != 0) result *= factor;
        factor *= factor;
    }
    return static_cast<exact>(result);
}

/// Checks a binary kernel for all pairs of corner cases.
template <class T, class Oracle>
void check_pairs(const char* name, void (*of)(const tensor&, const tensor&, tensor&), Oracle expected) {
    const std::vector<T> all = edges<T>();
    const auto n = static_cast<std::int64_t>(all.size());
    const tensor column = shaped<T>(vector_of(all), {n, 1});
    const tensor got = test::made(of, column, vector_of(all));
    for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t j = 0; j < all.size(); ++j) {
            const T right = wrapped<T>(expected(exact{all[i]}, exact{all[j]}));
            const T x = got.elements<T>()[i * all.size() + j];
            if (x != right)
                FAIL_CHECK(name << " of " << +all[i] << " and " << +all[j] << " is " << +x << ", not " << +right);
        }
}

} // namespace

TEST_CASE("edge values: integer arithmetic wraps; operations undefined in C++ have a result", "[kernel][edges]") {
    for_each_integer_type([]<class T>(T) {
        INFO(kernel::name(kernel::dtype_of<T>));
        check_pairs<T>("add", kernel::add, [](exact a, exact b) { return a + b; });
        check_pairs<T>("subtract", kernel::subtract, [](exact a, exact b) { return a - b; });
        check_pairs<T>("multiply", kernel::multiply, [](exact a, exact b) {
            return static_cast<exact>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
        });
        check_pairs<T>("divide", kernel::divide, [](exact a, exact b) { return b == 0 ? 0 : a / b; });
        check_pairs<T>("maximum", kernel::maximum, [](exact a, exact b) { return a < b ? b : a; });
        check_pairs<T>("minimum", kernel::minimum, [](exact a, exact b) { return b < a ? b : a; });
        check_pairs<T>("power", kernel::power, [](exact a, exact b) { return power(a, b, true); });
        check_pairs<T>("left_shift", kernel::left_shift, [](exact a, exact b) {
            return b < 0 || b >= 64 ? 0 : static_cast<exact>(static_cast<std::uint64_t>(a) << static_cast<unsigned>(b));
        });
        const tensor all = vector_of(edges<T>());
        const auto unary = [&](const char* name, const tensor& got, auto expected) {
            for (std::size_t i = 0; i < edges<T>().size(); ++i) {
                const T right = wrapped<T>(expected(exact{edges<T>()[i]}));
                if (got.elements<T>()[i] != right)
                    FAIL_CHECK(name << " of " << +edges<T>()[i] << " is " << +got.elements<T>()[i]);
            }
        };
        unary("negative", test::made(kernel::negative, all), [](exact x) { return -x; });
        unary("abs", test::made(kernel::abs, all), [](exact x) { return x < 0 ? -x : x; });
        unary("relu", test::made(kernel::relu, all), [](exact x) { return x < 0 ? 0 : x; });
        unary("round", test::made(kernel::round, all), [](exact x) { return x; });
        unary("floor", test::made(kernel::floor, all), [](exact x) { return x; });
        unary("leaky_relu", test::made(kernel::leaky_relu, all, 3.0), [](exact x) { return x < 0 ? 3 * x : x; });
    });
}

TEST_CASE("edge values: bounds of integers are whole numbers of 64 bits, the nearest that there are",
          "[kernel][edges]") {
    const auto whole = [](double bound, exact least, exact greatest) {
        if (std::isnan(bound)) return exact{0};
        return bound <= static_cast<double>(least)      ? least
               : bound >= static_cast<double>(greatest) ? greatest
                                                        : static_cast<exact>(bound);
    };
    const double bounds[]{-INFINITY, -1e30, -129.5, -3.7, -0.5, 0, 0.5, 3.7, 100.2, 1e30, INFINITY, NAN};
    for_each_integer_type([&]<class T>(T) {
        INFO(kernel::name(kernel::dtype_of<T>));
        constexpr bool is_large = std::is_same_v<T, std::uint64_t>;
        const exact least = is_large ? 0 : exact{std::numeric_limits<std::int64_t>::min()};
        const exact greatest = is_large ? exact{~std::uint64_t{0}} : exact{std::numeric_limits<std::int64_t>::max()};
        for (const double low : bounds)
            for (const double high : bounds) {
                const tensor got = test::made(kernel::clip, vector_of(edges<T>()), low, high);
                for (std::size_t i = 0; i < edges<T>().size(); ++i) {
                    const exact at_least = std::max(exact{edges<T>()[i]}, whole(low, least, greatest));
                    const T right = wrapped<T>(std::min(at_least, whole(high, least, greatest)));
                    if (got.elements<T>()[i] != right)
                        FAIL_CHECK(+edges<T>()[i] << " from " << low << " to " << high << " is "
                                                  << +got.elements<T>()[i] << ", not " << +right);
                }
            }
    });
}

TEST_CASE("edge values: sums, products and means of integers wrap", "[kernel][edges]") {
    for_each_integer_type([]<class T>(T) {
        INFO(kernel::name(kernel::dtype_of<T>));
        const auto n = static_cast<std::int64_t>(edges<T>().size());
        for (std::size_t first = 0; first < edges<T>().size(); ++first) {
            std::vector<T> some = edges<T>();
            std::rotate(some.begin(), some.begin() + static_cast<std::ptrdiff_t>(first), some.end());
            some.resize(some.size() - first % 5);
            const tensor data = vector_of(some);
            exact sum = 0;
            for (const T x : some) sum += exact{x};
            using wide = std::conditional_t<std::is_same_v<T, std::uint64_t>, std::uint64_t, std::int64_t>;
            const T mean = static_cast<T>(wrapped<wide>(sum) / static_cast<wide>(some.size()));
            CHECK(test::made(kernel::sum, data, kernel::reduction{}).elements<T>()[0] == wrapped<T>(sum));
            CHECK(test::made(kernel::mean, data, kernel::reduction{}).elements<T>()[0] == mean);
            CHECK(test::made(kernel::max, data, kernel::reduction{}).elements<T>()[0] ==
                  *std::ranges::max_element(some));
            CHECK(test::made(kernel::min, data, kernel::reduction{}).elements<T>()[0] ==
                  *std::ranges::min_element(some));
            const tensor row = shaped<T>(data, {1, 1, data.size()});
            const auto pooled = [&](auto pool) {
                return test::made(
                           [&](const tensor& in, const kernel::pool_options& o, tensor& out) { pool(in, o, out); }, row,
                           kernel::pool_options{.size = {data.size()}, .layout = "NCW"})
                    .template elements<T>()[0];
            };
            CHECK(pooled([](auto&... a) { kernel::avg_pool(a...); }) == mean);
            CHECK(pooled([](auto&... a) { kernel::max_pool(a...); }) == *std::ranges::max_element(some));
            CHECK(pooled([](auto&... a) { kernel::global_avg_pool(a...); }) == mean);
        }
        // Multiplies rows by all their rotations. The results have the same element width, or a larger or smaller one.
        tensor rows(kernel::dtype_of<T>, {n, n});
        for (std::int64_t i = 0; i < n; ++i)
            for (std::int64_t j = 0; j < n; ++j)
                rows.mutable_elements<T>()[static_cast<std::size_t>(i * n + j)] =
                    edges<T>()[static_cast<std::size_t>((i + j) % n)];
        for (const dtype out : {dtype::none, dtype::int8, dtype::int32, dtype::uint32, dtype::int64, dtype::uint64}) {
            std::vector<std::uint64_t> expected;
            for (std::int64_t i = 0; i < n; ++i)
                for (std::int64_t j = 0; j < n; ++j) {
                    std::uint64_t sum = 0;
                    for (std::int64_t k = 0; k < n; ++k)
                        sum += static_cast<std::uint64_t>(rows.elements<T>()[static_cast<std::size_t>(i * n + k)]) *
                               static_cast<std::uint64_t>(rows.elements<T>()[static_cast<std::size_t>(j * n + k)]);
                    expected.push_back(sum);
                }
            tensor all(dtype::uint64, {n, n});
            std::ranges::copy(expected, all.mutable_elements<std::uint64_t>().begin());
            const dtype type = out == dtype::none ? kernel::dtype_of<T> : out;
            const std::vector<double> right = test::values(test::converted(all, type));
            const tensor product = test::made(
                [&](const tensor& x, const tensor& w, tensor& to) { kernel::dense(x, w, out, to); }, rows, rows);
            CHECK(test::difference(product, {n, n}, right, 0) == "");
            const tensor columns = shaped<T>(rows, {n, n, 1});
            const tensor conv =
                test::made([&](const tensor& x, const tensor& w, tensor& to) { kernel::conv(x, w, {.out = out}, to); },
                           columns, columns);
            CHECK(test::difference(conv, {n, n, 1}, right, 0) == "");
            const tensor blocks = test::made(
                [&](const tensor& x, const tensor& w, tensor& to) {
                    kernel::conv(x, w, {.out = out}, to, {}, kernel::blocked::convolve_in_blocks<>);
                },
                columns, columns);
            CHECK(test::difference(blocks, {n, n, 1}, right, 0) == "");
            kernel::conv_transpose_options transposed;
            transposed.out = out;
            const tensor turned = test::made(
                [&](const tensor& x, const tensor& w, tensor& to) { kernel::conv_transpose(x, w, transposed, to); },
                columns, columns);
            CHECK(test::difference(turned, {n, n, 1}, right, 0) == ""); // the rows form a symmetric matrix
        }
    });
}

TEST_CASE("edge values: a floating-point number becomes the nearest integer towards zero that there is, NaN 0",
          "[kernel][edges]") {
    std::vector<double> all{0, -0.0, 0.5, -0.5, 0.99, 5e-324, 1e-310, 1e300, -1e300, INFINITY, -INFINITY, NAN, -NAN};
    for (int bits = 6; bits <= 65; ++bits)
        for (const double sign : {-1.0, 1.0})
            for (const double off : {0.0, 0.25, 0.5, 1.0, -0.25, -0.5, -1.0})
                all.push_back(sign * (std::ldexp(1.0, bits) + off));
    for (int bits = 7; bits <= 64; ++bits) { // the neighbours of powers of two
        all.push_back(std::nextafter(std::ldexp(1.0, bits), 0));
        all.push_back(-std::nextafter(std::ldexp(1.0, bits), INFINITY));
    }
    const tensor wide = vector_of(all);
    for (const dtype from : {dtype::float64, dtype::float32, dtype::float16}) {
        const tensor given = test::converted(wide, from);
        const std::vector<double> numbers = test::values(given);
        for_each_integer_type([&]<class T>(T) {
            INFO(kernel::name(from) << " to " << kernel::name(kernel::dtype_of<T>));
            const tensor got = test::converted(given, kernel::dtype_of<T>);
            for (std::size_t i = 0; i < numbers.size(); ++i) {
                const double x = std::trunc(numbers[i]);
                const exact right = std::isnan(x)  ? 0
                                    : x >= 0x1p100 ? exact{std::numeric_limits<T>::max()}
                                    : x <= -0x1p100
                                        ? exact{std::numeric_limits<T>::min()}
                                        : std::clamp(static_cast<exact>(x), exact{std::numeric_limits<T>::min()},
                                                     exact{std::numeric_limits<T>::max()});
                if (exact{got.elements<T>()[i]} != right) FAIL_CHECK(numbers[i] << " became " << +got.elements<T>()[i]);
            }
        });
        const tensor truth = test::converted(given, dtype::boolean);
        for (std::size_t i = 0; i < numbers.size(); ++i) CHECK(truth.elements<bool>()[i] == (numbers[i] != 0));
    }
}

TEST_CASE("edge values: a tie between two float16 rounds to even, from every type", "[kernel][edges]") {
    std::vector<float> floats;
    std::vector<std::uint16_t> right;
    const auto add = [&](float x, std::uint32_t bits) {
        floats.push_back(x);
        right.push_back(static_cast<std::uint16_t>(bits));
    };
    for (const std::uint32_t sign : {0U, 0x8000U})
        for (std::uint32_t bits = 0; bits < 0x7C00; ++bits) { // a number and its successor, which may be infinity
            const auto value = [&](std::uint32_t b) {
                return b == 0x7C00 ? 65536.F : static_cast<float>(float16::from_bits(static_cast<std::uint16_t>(b)));
            };
            const float middle = (value(bits) + value(bits + 1)) / 2;
            const float turned = sign == 0 ? 1.F : -1.F;
            add(turned * middle, sign | ((bits & 1U) != 0 ? bits + 1 : bits));
            add(turned * std::nextafter(middle, 0.F), sign | bits);
            add(turned * std::nextafter(middle, infinity), sign | (bits + 1));
        }
    const tensor given = vector_of(floats);
    const tensor narrow = test::converted(given, dtype::float16);
    const tensor by_double = test::converted(test::converted(given, dtype::float64), dtype::float16);
    int wrong = 0;
    for (std::size_t i = 0; i < right.size(); ++i) {
        wrong += float16(floats[i]).bits != right[i];
        wrong += narrow.elements<float16>()[i].bits != right[i];
        wrong += by_double.elements<float16>()[i].bits != right[i];
    }
    CHECK(wrong == 0);
    // Doubles whose distance to the midpoint is too small for a float.
    wrong = 0;
    for (std::uint32_t bits = 1; bits < 0x7C00; ++bits) {
        const double low =
            static_cast<double>(static_cast<float>(float16::from_bits(static_cast<std::uint16_t>(bits - 1))));
        const double high =
            static_cast<double>(static_cast<float>(float16::from_bits(static_cast<std::uint16_t>(bits))));
        const double middle = (low + high) / 2;
        wrong += kernel::convert<float16>(std::nextafter(middle, 0.0)).bits != bits - 1;
        wrong += kernel::convert<float16>(std::nextafter(middle, INFINITY)).bits != bits;
        wrong += kernel::convert<float16>(-std::nextafter(middle, INFINITY)).bits != (bits | 0x8000U);
    }
    CHECK(wrong == 0);
}

TEST_CASE("edge values: conversions of all float16 values are exact", "[kernel][edges]") {
    tensor all(dtype::float16, {1 << 16});
    for (std::size_t i = 0; i < 1 << 16; ++i)
        all.mutable_elements<float16>()[i] = float16::from_bits(static_cast<std::uint16_t>(i));
    const tensor wide = test::converted(all, dtype::float64);
    int wrong = 0;
    for (std::size_t i = 0; i < 1 << 16; ++i) {
        const auto exponent = static_cast<int>(i >> 10 & 0x1F);
        const auto fraction = static_cast<double>(i & 0x3FF);
        const double sign = i < 0x8000 ? 1 : -1;
        const double x = wide.elements<double>()[i];
        if (exponent == 31)
            wrong += fraction == 0 ? x != sign * INFINITY : !std::isnan(x);
        else
            wrong +=
                x != sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25));
    }
    CHECK(wrong == 0);
    for (const dtype type : {dtype::float32, dtype::float64}) {
        const tensor back = test::converted(test::converted(all, type), dtype::float16);
        int changed = 0;
        for (std::size_t i = 0; i < 1 << 16; ++i) {
            const bool nan = (i & 0x7FFF) > 0x7C00;
            changed += !nan && back.elements<float16>()[i].bits != i;
            changed += nan && !std::isnan(static_cast<float>(back.elements<float16>()[i]));
        }
        CHECK(changed == 0);
    }
}

TEST_CASE("edge values: quantising saturates, infinities too; NaN becomes the greatest value", "[kernel][edges]") {
    const std::vector<float> all{0,      -0.F,     0.25F,     -0.25F,       0.5F,         1.5F,         2.5F,
                                 -0.5F,  -1.5F,    -2.5F,     127.F,        128.F,        1e-45F,       3e38F,
                                 -3e38F, infinity, -infinity, not_a_number, 2147483520.F, -2147483648.F};
    const tensor data = vector_of(all);
    for (const dtype type : {dtype::int8, dtype::uint8, dtype::int16, dtype::uint16, dtype::int32}) {
        const kernel::integer_range range = kernel::values_of(type);
        for (const float scale : {1.F, 0.5F, 1e-38F, 1e38F, 1e-45F})
            for (const std::int64_t zero : {std::int64_t{0}, std::int64_t{3}, range.least, range.greatest}) {
                const tensor zero_point = tensor::scalar(static_cast<std::int32_t>(zero));
                std::vector<double> right;
                for (const float x : all) {
                    const float steps = std::round(x / scale); // ties away from zero
                    right.push_back(std::isnan(steps)
                                        ? static_cast<double>(range.greatest)
                                        : std::clamp(static_cast<double>(steps) + static_cast<double>(zero),
                                                     static_cast<double>(range.least),
                                                     static_cast<double>(range.greatest)));
                }
                INFO(kernel::name(type) << ", scale " << scale << ", zero point " << zero);
                const tensor got =
                    test::made(kernel::quantize, data, kernel::quantization{tensor::scalar(scale), zero_point}, type);
                CHECK(test::difference(got, {data.size()}, right, 0) == "");
            }
    }
}

TEST_CASE("edge values: requantising uses the given rounding, and saturates", "[kernel][edges]") {
    using kernel::requantize_arithmetic;
    using kernel::rounding;
    const std::vector<std::int32_t> all = edges<std::int32_t>();
    const tensor data = vector_of(all);
    for (const dtype type : {dtype::int8, dtype::uint8, dtype::int16, dtype::uint16, dtype::int32}) {
        const kernel::integer_range range = kernel::values_of(type);
        // Ratios that are powers of two, so that the fixed-point factor and ties are exact.
        for (const int exponent : {-149, -60, -33, -32, -31, -8, -1, 0, 1, 8, 31, 60, 127})
            for (const std::int32_t zero :
                 {std::numeric_limits<std::int32_t>::min(), -1, 0, 3, std::numeric_limits<std::int32_t>::max()})
                for (const std::int64_t new_zero : {range.least, std::int64_t{0}, range.greatest})
                    for (const bool upward : {true, false})
                        for (const auto arithmetic :
                             {requantize_arithmetic::fixed_point, requantize_arithmetic::float64}) {
                            std::vector<double> right;
                            for (const std::int32_t x : all) {
                                const long double scaled = std::ldexp(
                                    static_cast<long double>(std::int64_t{x} - std::int64_t{zero}), exponent);
                                const long double steps = upward ? std::floor(scaled + 0.5L) : std::round(scaled);
                                right.push_back(static_cast<double>(std::clamp(
                                    steps + static_cast<long double>(new_zero), static_cast<long double>(range.least),
                                    static_cast<long double>(range.greatest))));
                            }
                            INFO(kernel::name(type) << ", 2^" << exponent << ", zero points " << zero << " and "
                                                    << new_zero << (upward ? ", upward" : ", to nearest"));
                            const tensor got = test::made(
                                kernel::requantize, data,
                                kernel::quantization{tensor::scalar(std::ldexp(1.F, exponent)), tensor::scalar(zero)},
                                kernel::quantization{tensor::scalar(1.F),
                                                     tensor::scalar(static_cast<std::int32_t>(new_zero))},
                                kernel::requantize_options{upward ? rounding::upward : rounding::to_nearest,
                                                           arithmetic},
                                type);
                            CHECK(test::difference(got, {data.size()}, right, 0) == "");
                        }
    }
}

TEST_CASE("edge values: sums and products of quantised tensors stay in range", "[kernel][edges]") {
    for (const float scale : {1e-45F, 1e-20F, 1.F, 1e20F, 3e38F})
        for (const std::int32_t zero :
             {std::numeric_limits<std::int32_t>::min(), 0, std::numeric_limits<std::int32_t>::max()}) {
            const tensor data = vector_of(edges<std::int32_t>());
            const tensor scales = tensor::scalar(scale);
            const tensor one = tensor::scalar(1.F);
            const tensor zeros = tensor::scalar(zero);
            const kernel::quantization from{scales, zeros};
            const kernel::quantization to{one, zeros};
            kernel::quantized_workspace space;
            tensor out;
            kernel::quantized_add(data, from, data, to, to, out, space);
            CHECK(out.size() == data.size());
            const std::string said =
                test::error_of([&] { kernel::quantized_multiply(data, from, data, from, to, out, space); });
            CHECK((said == "nothing thrown" || said.find("a ratio of scales") != std::string::npos));
        }
}

TEST_CASE("edge values: powers and roundings of floating-point numbers match the standard library", "[kernel][edges]") {
    const std::vector<double> all{0, -0.0,  0.5,    -0.5,   1,      -1,         1.5,    -1.5,     2.5,       -2.5,
                                  3, 1e300, -1e300, 5e-324, 0x1p52, 0x1p52 + 1, 0x1p53, INFINITY, -INFINITY, NAN};
    const auto n = static_cast<std::int64_t>(all.size());
    const tensor column = shaped<double>(vector_of(all), {n, 1});
    std::vector<double> powers;
    for (const double a : all)
        for (const double b : all) powers.push_back(std::pow(a, b));
    CHECK(test::difference(test::made(kernel::power, column, vector_of(all)), {n, n}, powers, 0) == "");
    const auto each = [&](auto of) {
        std::vector<double> right;
        for (const double x : all) right.push_back(of(x));
        return right;
    };
    const tensor data = vector_of(all);
    CHECK(test::difference(test::made(kernel::round, data), {n}, each([](double x) { return std::round(x); }), 0) ==
          "");
    CHECK(test::difference(test::made(kernel::floor, data), {n}, each([](double x) { return std::floor(x); }), 0) ==
          "");
    CHECK(test::difference(test::made(kernel::ceil, data), {n}, each([](double x) { return std::ceil(x); }), 0) == "");
    CHECK(test::difference(test::made(kernel::trunc, data), {n}, each([](double x) { return std::trunc(x); }), 0) ==
          "");
}
