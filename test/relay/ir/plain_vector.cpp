#include <tutti/relay/ir/plain_vector.hpp>

#include <tutti/base/vector.hpp>

#include "support/catch.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

using ints = tutti::relay::plain_vector<int>;

namespace {

constexpr bool same(const ints& v, const tutti::vector<int>& expected) {
    return v.size() == expected.size() && v.empty() == expected.empty() &&
           std::equal(v.begin(), v.end(), expected.begin(), expected.end());
}

// Applies the same operations to a plain_vector and a tutti::vector, and compares them after each step.
constexpr bool follows_vector(int count) {
    ints v;
    tutti::vector<int> expected;
    for (int i = 0; i < count; ++i) {
        v.push_back(i);
        expected.push_back(i);
        if (!same(v, expected) || v.back() != i) return false;
    }
    const int more[]{7, 8, 9, 10, 11, 12, 13};
    v.append(more);
    expected.insert(expected.end(), more, more + 7);
    if (!same(v, expected)) return false;
    v.reserve(100);
    v.resize(v.size() + 3, 5);
    expected.resize(expected.size() + 3, 5);
    if (!same(v, expected)) return false;
    v.pop_back();
    v.shorten(v.size() - 1);
    expected.resize(expected.size() - 2);
    if (!same(v, expected) || v.part(1, 2)[1] != expected[2]) return false;
    v.assign(2, 1);
    return same(v, {1, 1});
}

constexpr bool copies_are_independent() {
    ints v(3, 4);
    ints copy = v;
    copy[1] = 5;
    if (!same(v, {4, 4, 4}) || !same(copy, {4, 5, 4})) return false;
    v = copy;
    copy.push_back(6);
    if (!same(v, {4, 5, 4}) || !same(copy, {4, 5, 4, 6})) return false;
    const ints& self = v;
    v = self;
    if (!same(v, {4, 5, 4})) return false;
    const ints taken = std::move(copy);
    v = ints(1, 9);
    return same(taken, {4, 5, 4, 6}) && same(v, {9});
}

static_assert(follows_vector(0) && follows_vector(1) && follows_vector(9));
static_assert(copies_are_independent());

} // namespace

TEST_CASE("plain_vector: grows and shrinks like a vector", "[relay][plain_vector]") {
    for (int count = 0; count < 12; ++count) CHECK(follows_vector(count));
}

TEST_CASE("plain_vector: a copy is independent, a move takes the elements", "[relay][plain_vector]") {
    CHECK(copies_are_independent());
}

TEST_CASE("plain_vector: lists are the same if their elements are", "[relay][plain_vector]") {
    const ints a(2, 3);
    const ints b(3, 3);
    CHECK(tutti::relay::same_elements(a.part(0, 2), b.part(1, 2)));
    CHECK_FALSE(tutti::relay::same_elements(a.part(0, 2), b.part(0, 3)));
    CHECK_FALSE(tutti::relay::same_elements(a.part(0, 1), ints(1, 2).all()));
    CHECK(ints{1, 2, 3} == ints{1, 2, 3});
    CHECK_FALSE(ints{1, 2, 3} == ints{1, 2});
    CHECK(ints{}.empty());
}
