#include <tutti/kernel/product.hpp>

#include "catch.hpp"
#include "support.hpp"

#include <array>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::dtype;
using kernel::float16;
using kernel::tensor;

namespace {

constexpr bool multiplies_a_tile() {
    const std::array<unsigned, 8> a{1, 2, 3, 4, 5, 6, 7, 8}; // four rows of two, one column after the other
    std::array<unsigned, 32> b{};
    for (unsigned j = 0; j < 16; ++j) {
        b[j] = j;
        b[16 + j] = 100;
    }
    std::array<unsigned, 64> c{};
    c[0] = 7;
    kernel::detail::multiply_tile<unsigned>({&a[0], &a[1], &a[2], &a[3]}, 4, 2, b.data(), 16, c.data(), 16);
    return c[0] == 7 + 5 * 100 && c[3] == 3 + 500 && c[16 + 5] == 2 * 5 + 600 && c[63] == 4 * 15 + 800;
}

dtype result_type(dtype data, dtype weight, dtype out) {
    return kernel::detail::product_type("k", tensor(data, {1}), tensor(weight, {1}), out);
}

dtype sum_type(dtype data, dtype weight, dtype out) {
    const dtype sum = kernel::detail::sum_type(data, weight, out);
    dtype meant = dtype::none;
    kernel::detail::with_sum_type(sum, [&]<class Sum>(std::type_identity<Sum>) { meant = kernel::dtype_of<Sum>; });
    CHECK(meant == sum);
    return sum;
}

} // namespace

TEST_CASE("product: adds the product of four rows and sixteen columns", "[kernel][product]") {
    static_assert(multiplies_a_tile());
    CHECK(multiplies_a_tile());
}

TEST_CASE("product: four dot products at once, whatever the length", "[kernel][product]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (std::int64_t n = 0; n < 70; ++n) {
        std::vector<double> a;
        std::array<std::vector<double>, 4> b;
        std::array<double, 4> expected{};
        for (std::int64_t k = 0; k < n; ++k) {
            a.push_back(random.real(-1, 1));
            for (std::size_t r = 0; r < 4; ++r) {
                b[r].push_back(random.real(-1, 1));
                expected[r] += a.back() * b[r].back();
            }
        }
        const auto got = kernel::detail::dot<double>(a.data(), {b[0].data(), b[1].data(), b[2].data(), b[3].data()}, n);
        for (std::size_t r = 0; r < 4; ++r) CHECK(got[r] == Approx(expected[r]).margin(1e-12));
    }
}

TEST_CASE("product: the result has the data's type, or the one that is asked for", "[kernel][product]") {
    CHECK(result_type(dtype::int8, dtype::int8, dtype::none) == dtype::int8);
    CHECK(result_type(dtype::uint8, dtype::int8, dtype::int32) == dtype::int32);
    CHECK(result_type(dtype::int8, dtype::int8, dtype::float32) == dtype::float32);
    CHECK(result_type(dtype::float16, dtype::float16, dtype::float64) == dtype::float64);
    CHECK(
        test::error_of([] { result_type(dtype::float32, dtype::float32, dtype::int8); }) ==
        "kernel::k: data is (1,) float32 and weight is (1,) float32; expected other elements than these for a result of int8");
    CHECK(
        test::error_of([] { result_type(dtype::float32, dtype::float32, dtype::boolean); }) ==
        "kernel::k: data is (1,) float32 and weight is (1,) float32; expected other elements than these for a result of bool");
    CHECK(test::error_of([] { result_type(dtype::boolean, dtype::int8, dtype::none); }) ==
          "kernel::k: data is (1,) bool and weight is (1,) int8; expected elements of integer or floating-point types");
}

TEST_CASE("product: is summed in a type that is wide enough", "[kernel][product]") {
    CHECK(sum_type(dtype::float16, dtype::float16, dtype::float16) == dtype::float32);
    CHECK(sum_type(dtype::float32, dtype::float32, dtype::float64) == dtype::float64);
    CHECK(sum_type(dtype::float64, dtype::float64, dtype::float32) == dtype::float64);
    CHECK(sum_type(dtype::int8, dtype::uint8, dtype::int32) == dtype::uint32);
    CHECK(sum_type(dtype::int8, dtype::int8, dtype::int64) == dtype::uint64);
    CHECK(sum_type(dtype::int64, dtype::int64, dtype::int8) == dtype::uint32); // right modulo 2^8
    CHECK(sum_type(dtype::int8, dtype::int8, dtype::float32) == dtype::float32);
}
