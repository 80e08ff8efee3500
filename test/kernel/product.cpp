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

static_assert(std::is_same_v<kernel::sum_type<float>, float> &&
              std::is_same_v<kernel::sum_type<float16>, float>);
static_assert(std::is_same_v<kernel::sum_type<std::int8_t, std::int32_t>, std::uint32_t>);
static_assert(std::is_same_v<kernel::sum_type<std::int64_t>, std::uint64_t>);

namespace {

constexpr bool multiplies_a_tile() {
    const std::array<int, 8> a{1, 2, 3, 4, 5, 6, 7, 8}; // four rows of two, one column after the other
    std::array<unsigned, 32> b{};
    for (unsigned j = 0; j < 16; ++j) {
        b[j] = j;
        b[16 + j] = 100;
    }
    std::array<unsigned, 64> c{};
    c[0] = 7;
    kernel::detail::multiply_tile<unsigned, int>({&a[0], &a[1], &a[2], &a[3]}, 4, 2, b.data(), 16, c.data(),
                                                 16);
    return c[0] == 7 + 5 * 100 && c[3] == 3 + 500 && c[16 + 5] == 2 * 5 + 600 && c[63] == 4 * 15 + 800;
}

constexpr std::array<double, 2> types_of(dtype from, dtype out) {
    const tensor operand(from, {1});
    const tensor result = kernel::detail::with_product_type(
        "k", operand, operand, out, []<class, class Out>() { return tensor::scalar(Out(1)); });
    return {static_cast<double>(static_cast<int>(result.type())), static_cast<double>(result.size())};
}

dtype result_type(dtype from, dtype out) {
    return static_cast<dtype>(static_cast<int>(types_of(from, out)[0]));
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
        const auto got = kernel::detail::dot<double, double>(
            a.data(), {b[0].data(), b[1].data(), b[2].data(), b[3].data()}, n);
        for (std::size_t r = 0; r < 4; ++r) CHECK(got[r] == Approx(expected[r]).margin(1e-12));
    }
}

TEST_CASE("product: the result has the operands' type, or a wider one that is asked for",
          "[kernel][product]") {
    CHECK(result_type(dtype::int8, dtype::none) == dtype::int8);
    CHECK(result_type(dtype::int8, dtype::int32) == dtype::int32);
    CHECK(result_type(dtype::uint8, dtype::int16) == dtype::int16);
    CHECK(result_type(dtype::float16, dtype::none) == dtype::float16);
    CHECK(result_type(dtype::float16, dtype::float32) == dtype::float32);
    CHECK(test::error_of([] { types_of(dtype::int8, dtype::int64); }) ==
          "kernel::k: a result of type int64 from elements of type int8; expected int32 or narrower");
    CHECK(test::error_of([] { types_of(dtype::int32, dtype::float32); }) ==
          "kernel::k: a result of type float32 from elements of type int32; expected int32 or narrower");
    CHECK(test::error_of([] { types_of(dtype::float32, dtype::boolean); }) ==
          "kernel::k: a result of type bool from elements of type float32; expected float32 or narrower");
    CHECK(test::error_of([] { types_of(dtype::boolean, dtype::none); }) ==
          "kernel::k: cannot compute with elements of type bool; expected int8, uint8, int16, int32, int64, "
          "float16, "
          "float32 or float64");
}
