#include <tutti/base/byte_order.hpp>

#include "support/catch.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace internal = tutti::internal;

namespace {

// Returns `text` with the bytes of each element reversed.
std::string reversed(std::string text, std::size_t element) {
    internal::reverse_elements(reinterpret_cast<unsigned char*>(text.data()), text.size(), element);
    return text;
}

constexpr bool reverses_in_constant_evaluation() {
    unsigned char bytes[]{1, 2, 3, 4, 5, 6};
    internal::reverse_elements(bytes, 6, 3);
    return bytes[0] == 3 && bytes[1] == 2 && bytes[2] == 1 && bytes[3] == 6 && bytes[5] == 4;
}
static_assert(reverses_in_constant_evaluation());

} // namespace

TEST_CASE("byte_order: elements are reversed one by one", "[base][byte_order]") {
    CHECK(reverses_in_constant_evaluation());
    CHECK(reversed("abcdefgh", 1) == "abcdefgh");
    CHECK(reversed("abcdefgh", 2) == "badcfehg");
    CHECK(reversed("abcdefgh", 4) == "dcbahgfe");
    CHECK(reversed("abcdefgh", 8) == "hgfedcba");
    CHECK(reversed("", 8).empty());
}

TEST_CASE("byte_order: the bytes of numbers are little-endian", "[base][byte_order]") {
    const std::uint32_t numbers[]{0x64636261, 0x68676665};
    std::string copy;
    CHECK(internal::little_endian_bytes(numbers, sizeof numbers, sizeof numbers[0], copy) == "abcdefgh");
    // Swapping twice restores the numbers on every machine.
    std::uint32_t swapped[]{numbers[0], numbers[1]};
    auto* const bytes = reinterpret_cast<unsigned char*>(swapped);
    internal::swap_little_endian(bytes, sizeof swapped, sizeof swapped[0]);
    CHECK(std::string_view{reinterpret_cast<const char*>(bytes), sizeof swapped} == "abcdefgh");
    internal::swap_little_endian(bytes, sizeof swapped, sizeof swapped[0]);
    CHECK(swapped[0] == numbers[0]);
    CHECK(swapped[1] == numbers[1]);
}
