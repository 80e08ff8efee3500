#include <tutti/kernel/support/size_math.hpp>

#include "support/catch.hpp"

#include <cstdint>
#include <initializer_list>

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

constexpr std::int64_t counted(std::initializer_list<std::int64_t> shape) {
    element_counter elements;
    for (const std::int64_t d : shape) elements.add(d);
    return elements.count();
}

constexpr bool counts() {
    constexpr std::int64_t large = std::int64_t{1} << 40;
    return counted({}) == 1 && counted({2, 3}) == 6 && counted({0, large, large}) == 0 &&
           counted({large, large, 0}) == 0 && counted({large, 255}) == 255 * large && counted({large, 256}) == -1 &&
           counted({2, -1}) == -1 && counted({-1, 0}) == -1 && counted({0, largest_size + 1}) == -1;
}

} // namespace

TEST_CASE("size_math: counts elements up to the limit of a tensor", "[kernel][size_math]") {
    static_assert(counts());
    CHECK(counts());
}

TEST_CASE("size_math: computes as integers do", "[kernel][size_math]") {
    static_assert(computes());
    CHECK(computes());
}

TEST_CASE("size_math: saturates at the largest size", "[kernel][size_math]") {
    static_assert(stays_at_the_largest());
    CHECK(stays_at_the_largest());
}
