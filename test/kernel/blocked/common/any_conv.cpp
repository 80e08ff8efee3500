#include <tutti/kernel/blocked/common/any_conv.hpp>

#include <tutti/kernel/conv.hpp>
#include <tutti/kernel/dense.hpp>

#include "kernel/conv_problem.hpp"
#include "kernel/support.hpp"
#include "support/catch.hpp"

#include <cstdint>

namespace kernel = tutti::kernel;
using kernel::bfloat16;
using kernel::conv_options;
using kernel::dtype;
using kernel::float16;
using kernel::tensor;
using kernel::blocked::convolve_in_blocks;
using test::conv_problem;
using test::shape_t;

namespace {

tensor convolved(const tensor& data, const tensor& weight, const conv_options& options, kernel::convolver by) {
    return test::made([&](tensor& out) { kernel::conv(data, weight, options, out, {}, by); });
}

/// Compares a blocked convolution with the loop version, which sums in double.
template <class T, class W = T>
void check(const conv_problem& p, test::random_source& random, double range, double tolerance) {
    const tensor data = random.filled<T>(test::data_in(p.options.data_layout, p.data).shape(), -range, range);
    const tensor weight = random.filled<W>(test::weight_in(p.options.weight_layout, p.weight).shape(), -range, range);
    INFO(test::text(p));
    const tensor plain = convolved(data, weight, p.options, kernel::convolve_in_loops);
    const tensor blocks = convolved(data, weight, p.options, convolve_in_blocks<>);
    CHECK(blocks.type() == plain.type());
    CHECK(test::difference(blocks, test::data_in(p.options.out_layout, p.out()).shape(), test::values(plain),
                           tolerance) == "");
}

/// Compares a blocked convolution with the loop version for combinations of element types. A float16 or bfloat16 result
/// may be rounded to a neighbour, since its sum is a float.
void check_any_types(conv_problem p, test::random_source& random) {
    const auto with = [&](dtype out) -> conv_problem& {
        p.options.out = out;
        return p;
    };
    switch (random.integer(0, 16)) {
    case 0:
        return check<std::int8_t>(with(dtype::none), random, 128, 0);
    case 1:
        return check<std::uint8_t>(with(dtype::none), random, 255, 0);
    case 2:
        return check<std::int16_t>(with(dtype::none), random, 30'000, 0);
    case 3:
        return check<std::int32_t>(with(dtype::none), random, 2e9, 0);
    case 4:
        return check<std::uint32_t>(with(dtype::uint32), random, 4e9, 0);
    case 5:
        return check<std::int64_t>(with(dtype::none), random, 10'000, 0);
    case 6:
        return check<std::int8_t>(with(dtype::int32), random, 128, 0);
    case 7:
        return check<std::uint8_t, std::int8_t>(with(dtype::int32), random, 128, 0);
    case 8:
        return check<std::int32_t>(with(dtype::int64), random, 100'000, 0);
    case 9:
        return check<std::int8_t>(with(dtype::float32), random, 100, 0);
    case 10:
        return check<float16>(with(dtype::none), random, 1, 0.001);
    case 11:
        return check<float16>(with(dtype::float32), random, 1, 1e-6);
    case 12:
        return check<float, float16>(with(dtype::none), random, 1, 1e-5);
    case 13:
        return check<bfloat16>(with(dtype::none), random, 1, 0.008);
    case 14:
        return check<bfloat16>(with(dtype::float32), random, 1, 1e-6);
    case 15:
        return check<double>(with(dtype::none), random, 1, 1e-14);
    default:
        return check<float>(with(dtype::float64), random, 1, 1e-14);
    }
}

/// Compares blocked products with the loop version, for few and many rows and for transposed operands.
template <class T>
void check_products(test::random_source& random, double range, double tolerance, dtype out = dtype::none) {
    const std::int64_t n = random.integer(1, 2);
    const std::int64_t i = random.integer(0, random.integer(0, 1) == 0 ? 5 : 40);
    const std::int64_t k = random.integer(0, 150);
    const std::int64_t j = random.integer(0, random.integer(0, 1) == 0 ? 5 : 70);
    const kernel::batch_matmul_options o{random.integer(0, 1) == 0, random.integer(0, 1) == 0, out};
    const tensor a = random.filled<T>(o.transpose_a ? shape_t{n, k, i} : shape_t{n, i, k}, -range, range);
    const tensor b = random.filled<T>(o.transpose_b ? shape_t{n, j, k} : shape_t{n, k, j}, -range, range);
    const tensor rows = random.filled<T>({i, k}, -range, range);
    const tensor units = random.filled<T>({j, k}, -range, range);
    INFO("a " << kernel::text(a) << ' ' << o.transpose_a << ", b " << kernel::text(b) << ' ' << o.transpose_b);
    const auto difference = [&](auto product) {
        const tensor plain = test::made([&](tensor& to) { product(to, kernel::convolve_in_loops); });
        const tensor blocks = test::made([&](tensor& to) { product(to, convolve_in_blocks<>); });
        return test::difference(blocks, shape_t(plain.shape().begin(), plain.shape().end()), test::values(plain),
                                tolerance);
    };
    CHECK(difference([&](tensor& to, auto by) { kernel::batch_matmul(a, b, o, to, {}, by); }) == "");
    CHECK(difference([&](tensor& to, auto by) { kernel::dense(rows, units, out, to, {}, by); }) == "");
    CHECK(difference([&](tensor& to, auto by) {
              kernel::matmul(rows, units, {.transpose_b = true, .out = out}, to, {}, by);
          }) == "");
}

} // namespace

TEST_CASE("blocked/any_conv: any strides, padding, dilation, groups and layouts agree with the loops",
          "[kernel][blocked]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = test::rounds(1000); round > 0; --round) check<float>(test::any_conv(random), random, 1, 1e-5);
}

TEST_CASE("blocked/any_conv: so do elements and results of any types; integers are exact, and float16 is rounded once",
          "[kernel][blocked]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = test::rounds(2000); round > 0; --round) check_any_types(test::any_conv(random), random);
}

TEST_CASE("blocked/any_conv: more weights than one block holds are summed", "[kernel][blocked]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const conv_options options{
        .before = {1, 1}, .after = {1, 1}, .data_layout = "NCHW", .weight_layout = "OIHW", .out_layout = "NCHW"};
    check<float>({2, {1, 70, 1, 9, 9}, {130, 70, 1, 3, 3}, options}, random, 1, 1e-5);
    check<float16>({2, {1, 70, 1, 5, 5}, {3, 70, 1, 3, 3}, options}, random, 1, 0.0005);
    check<float>({2,
                  {1, 5, 1, 3, 1200},
                  {5, 1, 1, 3, 3},
                  {.groups = 5, .data_layout = "NCHW", .weight_layout = "OIHW", .out_layout = "NCHW"}},
                 random, 1, 1e-5);
}

TEST_CASE("blocked/any_conv: products of any types agree with the loops; integers are exact", "[kernel][blocked]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    // Sums of at most 150 products have a relative error of 150 * 2^-24 in float, and 150 * 2^-53 in double.
    // Half-precision results are then rounded to 11 or 8 bits.
    for (int round = test::rounds(40); round > 0; --round) {
        check_products<float>(random, 1, 150 * 0x1p-24 * 150);
        check_products<double>(random, 1, 150 * 0x1p-53 * 150);
        check_products<float16>(random, 1, 0x1p-10);
        check_products<bfloat16>(random, 1, 0x1p-7);
        check_products<float16>(random, 1, 150 * 0x1p-24 * 150, dtype::float32);
        check_products<std::int8_t>(random, 128, 0, dtype::int32);
        check_products<std::int32_t>(random, 2e9, 0);
        check_products<std::int64_t>(random, 1e15, 0);
        check_products<std::uint16_t>(random, 60'000, 0, dtype::uint64);
    }
}
