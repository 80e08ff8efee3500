#include <tutti/kernel/blocked/integer/integers.hpp>

#include "kernel/support.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <cstring>
#include <vector>

namespace blocked = tutti::kernel::blocked;
namespace detail = tutti::kernel::blocked::detail;
using blocked::products;
using tutti::kernel::dtype;
using tutti::kernel::tensor;

namespace {

std::vector<std::uint32_t> words(const std::vector<float>& elements) {
    std::vector<std::uint32_t> made(elements.size());
    std::memcpy(made.data(), elements.data(), elements.size() * sizeof(float));
    return made;
}

} // namespace

TEST_CASE("blocked/integers: pairs are int16 less the zero point, the first in the lower half", "[kernel][blocked]") {
    const std::vector<std::int8_t> from{1, -2, 3, -4};
    std::vector<float> to(2);
    detail::carry(products::pairs, {from.data(), dtype::int8, 1}, {0, 2}, 1, 2, to.data());
    CHECK(words(to) == std::vector<std::uint32_t>{0x0002'0000, 0xFFFB'FFFD});
    detail::carry(products::pairs, {from.data(), dtype::uint8, 0}, {0, 1}, 2, 2, to.data());
    CHECK(words(to) == std::vector<std::uint32_t>{0x00FE'0001, 0x00FC'0003});
}

TEST_CASE("blocked/integers: quads are unsigned bytes", "[kernel][blocked]") {
    const std::vector<std::int8_t> from{0, 1, 2, 3, -1, -128, 127, 4};
    std::vector<float> to(2);
    detail::carry(products::quads, {from.data(), dtype::uint8, 9}, {0, 2, 4, 6}, 1, 2, to.data());
    CHECK(words(to) == std::vector<std::uint32_t>{0x7FFF'0200, 0x0480'0301});
    detail::carry(products::quads, {from.data(), dtype::int8, 9}, {0, 1, 2, 3}, 4, 2, to.data());
    CHECK(words(to) == std::vector<std::uint32_t>{0x8382'8180, 0x84FF'007F});
    CHECK(detail::byte_of_zero(dtype::uint8, nullptr) == 0);
    CHECK(detail::byte_of_zero(dtype::int8, nullptr) == 128);
}

TEST_CASE("blocked/integers: weights are followed by zeros, and summed", "[kernel][blocked]") {
    const std::vector<std::int8_t> from{5, -7, 9};
    std::vector<float> element(1);
    CHECK(detail::carry_weights(products::quads, {from.data(), dtype::int8, 0}, {0, 1, 2}, 3, element.data()) == 7);
    CHECK(words(element) == std::vector<std::uint32_t>{0x0009'F905});
}

TEST_CASE("blocked/integers: sums int16 values in pairs, and bytes in quads if the build supports it",
          "[kernel][blocked]") {
    const tensor far = tensor::scalar(std::int32_t{-32'513});
    const tensor one = tensor::scalar(std::int32_t{-1});
    CHECK(detail::fits_pairs(dtype::int8, nullptr));
    CHECK(detail::fits_pairs(dtype::uint8, &one));
    CHECK(!detail::fits_pairs(dtype::uint8, &far));
    CHECK(!detail::fits_pairs(dtype::int16, &one));
    CHECK(!detail::fits_pairs(dtype::int32, nullptr));
    const auto how = [](dtype data, dtype weight, const blocked::zero_points& zeros) {
        return detail::how_summed(data, weight, zeros, products::quads);
    };
    constexpr products fours = blocked::has_quads ? products::quads : products::pairs;
    CHECK(how(dtype::uint8, dtype::int8, {}) == fours);
    CHECK(how(dtype::int8, dtype::int8, {&one, nullptr}) == fours);
    CHECK(how(dtype::uint8, dtype::int8, {&one, nullptr}) == products::pairs);
    CHECK(how(dtype::uint8, dtype::int8, {nullptr, &one}) == products::pairs);
    CHECK(how(dtype::uint8, dtype::uint8, {}) == products::pairs);
    CHECK(how(dtype::int16, dtype::int8, {}) == products::pairs);
}
