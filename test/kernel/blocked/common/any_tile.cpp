#include <tutti/kernel/blocked/common/any_tile.hpp>

#include "kernel/support.hpp"
#include "support/catch.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace kernel = tutti::kernel;

namespace {

constexpr bool multiplies_a_tile() {
    const std::array<unsigned, 8> a{1, 2, 3, 4, 5, 6, 7, 8}; // four rows of two, in column-major order
    std::array<unsigned, 32> b{};
    for (unsigned j = 0; j < 16; ++j) {
        b[j] = j;
        b[16 + j] = 100;
    }
    std::array<unsigned, 64> c{};
    c[0] = 7;
    kernel::blocked::detail::multiply_any_tile<unsigned>({{&a[0], &a[1], &a[2], &a[3]}, 4, 2}, b.data(), 16, c.data(),
                                                         16);
    return c[0] == 7 + 5 * 100 && c[3] == 3 + 500 && c[16 + 5] == 2 * 5 + 600 && c[63] == 4 * 15 + 800;
}

} // namespace

TEST_CASE("blocked/any_tile: adds the product of four rows and sixteen columns", "[kernel][blocked]") {
    static_assert(multiplies_a_tile());
    CHECK(multiplies_a_tile());
}

TEST_CASE("blocked/any_tile: four dot products at once, of any length", "[kernel][blocked]") {
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
        const auto got =
            kernel::blocked::detail::any_dot<double>(a.data(), {b[0].data(), b[1].data(), b[2].data(), b[3].data()}, n);
        for (std::size_t r = 0; r < 4; ++r) CHECK(got[r] == Approx(expected[r]).margin(1e-12));
    }
}
