#include <tutti/relay/ir/order.hpp>

#include <tutti/base/vector.hpp>

#include "support/catch.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

using tutti::relay::first_place;
using tutti::relay::sorted_places;

namespace {

constexpr bool finds_every_place(std::size_t count) {
    for (std::size_t place = 0; place <= count; ++place)
        if (first_place(count, [&](std::size_t i) { return i < place; }) != place) return false;
    return true;
}

// True if numbers are sorted by their tens, and the sort is stable.
constexpr bool sorts(const tutti::vector<int>& numbers) {
    const auto order = sorted_places(
        numbers.size(), [&](std::uint32_t a, std::uint32_t b) { return numbers[a] / 10 < numbers[b] / 10; });
    if (order.size() != numbers.size()) return false;
    for (std::size_t i = 1; i < order.size(); ++i) {
        const int before = numbers[order[i - 1]] / 10;
        const int after = numbers[order[i]] / 10;
        if (before > after || (before == after && order[i - 1] >= order[i])) return false;
    }
    return true;
}

constexpr tutti::vector<int> scattered(int count) {
    tutti::vector<int> numbers;
    for (int i = 0; i < count; ++i) numbers.push_back(i * 37 % 101);
    return numbers;
}

static_assert(finds_every_place(0) && finds_every_place(1) && finds_every_place(7));
static_assert(sorts({}) && sorts({5}) && sorts({20, 10}) && sorts({11, 12, 25, 13, 21}) && sorts(scattered(20)));

} // namespace

TEST_CASE("order: the first place behind a front part is found", "[relay][order]") {
    for (std::size_t count = 0; count < 20; ++count) CHECK(finds_every_place(count));
}

TEST_CASE("order: sorts indices, stably", "[relay][order]") {
    for (int count = 0; count < 70; ++count) CHECK(sorts(scattered(count)));
    CHECK(sorts({11, 12, 13, 21, 22, 31}));
    CHECK(sorts({31, 22, 21, 13, 12, 11}));
}
