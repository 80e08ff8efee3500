#include <tutti/kernel/blocked/vectors.hpp>

#include "catch.hpp"

#include <array>
#include <cstddef>

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

TEST_CASE("blocked/vectors: a rounded product is not fused with what it is added to", "[kernel][blocked]") {
    const float x = 1.0F + 0x1p-12F;
    const blocked::floats v = blocked::floats{} + x;
    const blocked::floats sum = blocked::rounded_product(v, v) - (1.0F + 0x1p-11F);
    CHECK(sum[0] == 0); // x * x is 1 + 2^-11 + 2^-24
}
