#include <tutti/kernel/size_math.hpp>

#include "catch.hpp"

#include <cstdint>

using namespace tutti::kernel;

namespace {

constexpr bool stays_at_the_largest() {
    return plus(largest_size, 1) == largest_size && minus(-largest_size, 1) == -largest_size &&
           times(largest_size, largest_size) == largest_size &&
           times(std::int64_t{1} << 40, -(1 << 30)) == -largest_size && times(std::int64_t{1} << 62, 0) == 0 &&
           limited(std::int64_t{1} << 62) == largest_size;
}

constexpr bool computes() {
    return plus(2, -3) == -1 && minus(2, 3) == -1 && times(-4, 5) == -20 && times(largest_size, 1) == largest_size &&
           quotient(7, 2) == 3 && may_divide(3, 9) && !may_divide(3, 8) && may_equal(2, 2) && !may_equal(2, 3) &&
           is_known(0);
}

} // namespace

TEST_CASE("size_math: computes as integers do", "[kernel][size_math]") {
    static_assert(computes());
    CHECK(computes());
}

TEST_CASE("size_math: what is too large stays at the largest", "[kernel][size_math]") {
    static_assert(stays_at_the_largest());
    CHECK(stays_at_the_largest());
}
