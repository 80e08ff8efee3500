#include <tutti/relay/ir/interning.hpp>

#include <tutti/base/vector.hpp>

#include "support/catch.hpp"

#include <cstdint>
#include <vector>

using namespace tutti::relay;

namespace {

// A table of numbers. The fewer bits `mask` has, the more hashes collide.
struct numbers {
    tutti::vector<int> kept{};
    intern_index index{};
    std::uint64_t mask = ~std::uint64_t{0};

    constexpr std::uint64_t hash(int n) const { return hash_combine(1, static_cast<std::uint64_t>(n)) & mask; }
    constexpr std::uint32_t find(int n) const {
        return index.find(hash(n), [&](std::uint32_t place) { return kept[place] == n; });
    }
    constexpr std::uint32_t add(int n) {
        return index.find_or_add(
            hash(n), [&](std::uint32_t place) { return kept[place] == n; }, [&] { kept.push_back(n); });
    }
};

constexpr bool finds_again(std::uint64_t mask, int count) {
    numbers t{.mask = mask};
    for (int i = 0; i < count; ++i)
        if (t.find(i) != intern_index::absent || t.add(i) != static_cast<std::uint32_t>(i)) return false;
    for (int i = count; i-- > 0;)
        if (t.find(i) != static_cast<std::uint32_t>(i) || t.add(i) != static_cast<std::uint32_t>(i)) return false;
    return t.index.size() == static_cast<std::uint32_t>(count);
}

static_assert(finds_again(~std::uint64_t{0}, 50));
static_assert(finds_again(0, 20)); // all hashes equal

} // namespace

TEST_CASE("interning: finds added elements, also after growth", "[relay][interning]") {
    CHECK(finds_again(~std::uint64_t{0}, 20000));
}

TEST_CASE("interning: finds added elements despite hash collisions", "[relay][interning]") {
    CHECK(finds_again(0, 300));
    CHECK(finds_again(7, 300));
    CHECK(finds_again(0xFFFFFFFF00000000U, 300));
}

TEST_CASE("interning: combining hashes depends on the order", "[relay][interning]") {
    CHECK(hash_combine(hash_combine(0, 1), 2) != hash_combine(hash_combine(0, 2), 1));
}

TEST_CASE("interning: a copy goes its own way", "[relay][interning]") {
    numbers a;
    a.add(1);
    numbers b = a;
    CHECK(b.add(2) == 1);
    CHECK(a.add(3) == 1);
    CHECK(b.add(2) == 1);
    CHECK(a.index.size() == 2);
}

TEST_CASE("interning: forgets everything when cleared, whether large or small", "[relay][interning]") {
    numbers t;
    for (const int count : {3, 2000, 5, 2, 40}) {
        for (int i = 0; i < count; ++i) REQUIRE(t.add(i * 7) == static_cast<std::uint32_t>(i));
        t.index.clear();
        t.kept.clear();
        CHECK(t.index.size() == 0);
        CHECK(t.find(0) == intern_index::absent);
    }
}
