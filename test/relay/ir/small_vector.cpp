#include <tutti/relay/ir/small_vector.hpp>

#include <tutti/base/vector.hpp>

#include "support/catch.hpp"

#include <vector>

using tutti::relay::small_vector;
using three = small_vector<int, 3>;

namespace {

// Grows a small_vector and a tutti::vector to `count` elements, then shrinks them, and compares them after each step.
constexpr bool follows_vector(int count) {
    three v;
    tutti::vector<int> expected;
    const auto same = [&] {
        return v.size() == expected.size() && std::equal(v.begin(), v.end(), expected.begin(), expected.end());
    };
    for (int i = 0; i < count; ++i) {
        v.push_back(i);
        expected.push_back(i);
        if (!same() || v.back() != i) return false;
    }
    while (!expected.empty()) {
        v.pop_back();
        expected.pop_back();
        if (!same()) return false;
    }
    v.push_back(7);
    return v.size() == 1 && v[0] == 7;
}

static_assert(follows_vector(0) && follows_vector(3) && follows_vector(4) && follows_vector(9));

} // namespace

TEST_CASE("small_vector: grows and shrinks like a vector across its bound", "[relay][small_vector]") {
    for (int count = 0; count < 12; ++count) CHECK(follows_vector(count));
}

TEST_CASE("small_vector: constructs on either side of its bound", "[relay][small_vector]") {
    CHECK(three{}.empty());
    CHECK(three{1, 2, 3} == three(std::span<const int>(std::vector{1, 2, 3})));
    CHECK(three{1, 2, 3, 4} == three(std::span<const int>(std::vector{1, 2, 3, 4})));
    CHECK(three(2, 5) == three{5, 5});
    CHECK(three(5, 5) == three{5, 5, 5, 5, 5});
    CHECK_FALSE(three{1, 2, 3} == three{1, 2});
    CHECK_FALSE(three{1, 2, 3, 4} == three{1, 2, 3, 5});
}

TEST_CASE("small_vector: copies own their elements, and assignment forgets the old ones", "[relay][small_vector]") {
    three a{1, 2, 3, 4};
    three b = a;
    b[3] = 9;
    CHECK(a[3] == 4);
    a = three{7};
    CHECK(a == three{7});
    a.push_back(8);
    CHECK(a == three{7, 8});
    b = three{1, 2, 3};
    b.push_back(4);
    CHECK(b == three{1, 2, 3, 4});
}
