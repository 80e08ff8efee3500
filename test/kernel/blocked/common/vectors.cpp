#include <tutti/kernel/blocked/common/vectors.hpp>

#include "support/catch.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace blocked = tutti::kernel::blocked;

static_assert(sizeof(blocked::floats) == blocked::vector_bytes);

TEST_CASE("blocked/vectors: are loaded from and stored to any place", "[kernel][blocked]") {
    std::array<float, 2 * blocked::lanes + 1> from{};
    std::array<float, 2 * blocked::lanes + 1> to{};
    for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<float>(i);
    blocked::store(blocked::load(from.data() + 1), to.data() + 3);
    CHECK(to[2] == 0);
    for (std::size_t i = 0; i < static_cast<std::size_t>(blocked::lanes); ++i) CHECK(to[i + 3] == from[i + 1]);
    CHECK(to[static_cast<std::size_t>(blocked::lanes) + 3] == 0);
}

TEST_CASE("blocked/vectors: copies some elements, and touches no others", "[kernel][blocked]") {
    for (std::int64_t step = 1; step <= 3; ++step)
        for (std::int64_t n = 0; n <= 3 * blocked::lanes; ++n) {
            std::vector<float> from(static_cast<std::size_t>(step * (n + 2)));
            std::iota(from.begin(), from.end(), 1.F);
            std::vector<float> to(static_cast<std::size_t>(n + 2), 0.F);
            blocked::copy_strided(from.data(), step, to.data(), 1, n + 1);
            std::vector<float> expected(to.size(), 0.F);
            for (std::size_t i = 1; i + 1 < to.size(); ++i) expected[i] = from[i * static_cast<std::size_t>(step)];
            CHECK(to == expected);
        }
}

TEST_CASE("blocked/vectors: each element once, as many together as there are", "[kernel][blocked]") {
    for (std::int64_t n = 0; n <= 3 * blocked::lanes; ++n) {
        std::vector<float> x(static_cast<std::size_t>(n), 1.F);
        int alone = 0;
        blocked::each_vector(n, [&]<class V>(std::int64_t i, V) {
            alone += sizeof(V) == sizeof(float) ? 1 : 0;
            blocked::store(blocked::load<V>(x.data() + i) + 1.F, x.data() + i);
        });
        CHECK(x == std::vector<float>(x.size(), 2.F));
        CHECK(alone == n % 4);
    }
}

TEST_CASE("blocked/vectors: a rounded product is not fused with the following addition", "[kernel][blocked]") {
    const float x = 1.0F + 0x1p-12F;
    const blocked::floats v = blocked::floats{} + x;
    const blocked::floats sum = blocked::rounded_product(v, v) - (1.0F + 0x1p-11F);
    CHECK(sum[0] == 0); // the exact x * x is 1 + 2^-11 + 2^-24
}
