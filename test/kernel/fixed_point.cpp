#include <tutti/kernel/fixed_point.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::dtype;
using kernel::fixed_point;
using kernel::tensor;
using test::shape_t;

namespace {

constexpr bool computes_in_constant_evaluation() {
    tensor out;
    kernel::fixed_point_multiply(tensor({3}, {10, -10, 7}), fixed_point(0.75), out);
    return out.elements<std::int32_t>()[0] == 8 && out.elements<std::int32_t>()[1] == -7 &&
           out.elements<std::int32_t>()[2] == 5;
}

// Returns floor(x * factor + 1/2). A long double has 64 bits of precision.
double rounded(double x, double factor) {
    return static_cast<double>(std::floor(static_cast<long double>(x) * static_cast<long double>(factor) + 0.5L));
}

} // namespace

TEST_CASE("fixed_point: computes in constant evaluation", "[kernel][fixed_point]") {
    static_assert(computes_in_constant_evaluation());
    CHECK(computes_in_constant_evaluation());
}

TEST_CASE("fixed_point: represents a number as the reference does", "[kernel][fixed_point]") {
    CHECK(fixed_point(0.125 / 0.6) == fixed_point(1789569707, -2));
    CHECK(fixed_point(0.9) == fixed_point(1932735283, 0));
    CHECK(fixed_point(0.1) == fixed_point(1717986918, -3));
    CHECK(fixed_point(4.0) == fixed_point(1073741824, 3));
    CHECK(fixed_point(0.0) == fixed_point(0, 0));
    CHECK(fixed_point(1 - 1e-12) == fixed_point(1073741824, 1));
    CHECK(fixed_point(-0.5) == fixed_point(-1073741824, 0));
}

TEST_CASE("fixed_point: multiplies as exact arithmetic does, a half rounded up", "[kernel][fixed_point]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = test::rounds(200); round > 0; --round) {
        const fixed_point f(random.integer(-2147483648, 2147483647), random.integer(-12, 2));
        const double factor = std::ldexp(static_cast<double>(f.multiplier), static_cast<int>(f.shift) - 31);
        tensor data(dtype::int32, {40});
        for (std::int32_t& x : data.mutable_elements<std::int32_t>())
            x = static_cast<std::int32_t>(random.integer(-100000000, 100000000));
        std::vector<double> expected;
        for (const double x : test::values(data)) expected.push_back(rounded(x, factor));
        INFO(f.multiplier << " by 2^" << f.shift);
        CHECK(test::difference(test::made(kernel::fixed_point_multiply, data, f), {40}, expected, 0) == "");
    }
}

TEST_CASE("fixed_point: factors that differ along axes", "[kernel][fixed_point]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const shape_t shape{2, 3, 4};
    const auto filled = [&](const shape_t& s, std::int64_t low, std::int64_t high) {
        tensor t(dtype::int32, s);
        for (std::int32_t& x : t.mutable_elements<std::int32_t>())
            x = static_cast<std::int32_t>(random.integer(low, high));
        return t;
    };
    for (const shape_t& axes : {shape_t{}, shape_t{1}, shape_t{-1}, shape_t{0, 2}, shape_t{2, 0}, shape_t{0, 1, 2}}) {
        std::int64_t places = 1;
        for (const std::int64_t a : axes) places *= shape[static_cast<std::size_t>(a < 0 ? a + 3 : a)];
        const tensor data = filled(shape, -100000, 100000);
        const tensor by = filled({places}, 1 << 30, 2147483647);
        const tensor left = filled({places}, 0, 4);
        const tensor right = filled({places}, 0, 9);
        for (int flags = 0; flags < 4; ++flags) {
            const kernel::fixed_point_factors factors{by, (flags & 1) != 0 ? &left : nullptr,
                                                      (flags & 2) != 0 ? &right : nullptr};
            std::vector<double> expected;
            test::for_each_index(shape, [&](const shape_t& index) {
                std::size_t place = 0;
                for (const std::int64_t a : axes) {
                    const auto d = static_cast<std::size_t>(a < 0 ? a + 3 : a);
                    place = place * static_cast<std::size_t>(shape[d]) + static_cast<std::size_t>(index[d]);
                }
                const double shift = ((flags & 1) != 0 ? test::values(left)[place] : 0) -
                                     ((flags & 2) != 0 ? test::values(right)[place] : 0);
                expected.push_back(rounded(test::values(data)[test::offset(shape, index)],
                                           std::ldexp(test::values(by)[place], static_cast<int>(shift) - 31)));
            });
            CHECK(test::difference(test::made(kernel::fixed_point_multiply_per_axis, data, factors,
                                              std::span<const std::int64_t>(axes)),
                                   shape, expected, 0) == "");
        }
    }
}

TEST_CASE("fixed_point: a number out of range is an error", "[kernel][fixed_point]") {
    const tensor data(dtype::int32, {2, 3});
    CHECK(test::error_of([&] { test::made(kernel::fixed_point_multiply, data, fixed_point(1, 32)); }) ==
          "kernel::fixed_point_multiply: a shift by 32 bits; expected from -32 to 31");
    CHECK(test::error_of([] {
              test::made(kernel::fixed_point_multiply, tensor(dtype::int8, {1}), fixed_point(1, 0));
          }) == "kernel::fixed_point_multiply: cannot compute with elements of type int8; expected int32");
    const auto error = [&](const tensor& by, const tensor* left, const shape_t& axes) {
        return test::error_of([&] {
            test::made(kernel::fixed_point_multiply_per_axis, data, kernel::fixed_point_factors{by, left},
                       std::span<const std::int64_t>(axes));
        });
    };
    const tensor three(dtype::int32, {3});
    CHECK(error(three, nullptr, {0}) ==
          "kernel::fixed_point_multiply_per_axis: data is (2, 3) int32 and the multiplier is "
          "(3,) int32; expected 2 elements of type int32");
    CHECK(error(three, nullptr, {1, -1}) ==
          "kernel::fixed_point_multiply_per_axis: axis 1 twice; expected each axis once");
    CHECK(
        error(three, nullptr, {2}).starts_with("kernel::fixed_point_multiply_per_axis: axis 2 of a tensor of rank 2"));
    const tensor far({3}, {0, 1, -1});
    CHECK(error(three, &far, {1}) ==
          "kernel::fixed_point_multiply_per_axis: a shift by -1 bits; expected from 0 to 32");
}
