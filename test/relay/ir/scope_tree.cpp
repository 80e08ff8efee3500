#include <tutti/relay/ir/scope_tree.hpp>

#include "support/catch.hpp"

#include <cstdint>
#include <vector>

using tutti::relay::scope_tree;

namespace {

constexpr bool finds_what_is_common() {
    scope_tree tree;
    const auto a = tree.open(scope_tree::outside);
    const auto b = tree.open(a);
    const auto c = tree.open(a);
    const auto d = tree.open(c);
    return tree.common(b, d) == a && tree.common(d, c) == c &&
           tree.common(scope_tree::outside, d) == scope_tree::outside && tree.common(b, b) == b &&
           tree.contains(a, d) && tree.contains(d, d) && !tree.contains(d, a) && !tree.contains(b, d);
}
static_assert(finds_what_is_common());

} // namespace

TEST_CASE("scope_tree: the innermost scope that two have in common", "[relay][scope_tree]") {
    CHECK(finds_what_is_common());
}

TEST_CASE("scope_tree: as one would find it step by step, in random trees", "[relay][scope_tree]") {
    std::uint32_t random = 1;
    const auto below = [&](std::uint32_t n) { return (random = random * 1664525U + 1013904223U) / 65536U % n; };
    for (int round = 0; round < 20; ++round) {
        scope_tree tree;
        std::vector<std::uint32_t> around{0};
        const bool deep = round % 2 == 0;
        for (std::uint32_t id = 1; id < 200; ++id) {
            around.push_back(deep && id > 4 ? id - 1 - below(4) : below(id));
            REQUIRE(tree.open(around.back()) == id);
        }
        const auto step_by_step = [&](std::uint32_t a, std::uint32_t b) { // enclosing scopes have smaller ids
            while (a != b) (a > b ? a : b) = around[a > b ? a : b];
            return a;
        };
        std::size_t wrong = 0;
        for (std::uint32_t a = 0; a < 200; ++a)
            for (std::uint32_t b = 0; b < 200; ++b) {
                if (tree.common(a, b) != step_by_step(a, b)) ++wrong;
                if (tree.contains(a, b) != (step_by_step(a, b) == a)) ++wrong;
            }
        CHECK(wrong == 0);
    }
}

TEST_CASE("scope_tree: a million nested scopes, each compared with the outermost", "[relay][scope_tree]") {
    scope_tree tree;
    const auto first = tree.open(scope_tree::outside);
    auto last = first;
    bool all = true;
    for (int depth = 0; depth < 1'000'000; ++depth) {
        last = tree.open(last);
        all = all && tree.common(first, last) == first;
    }
    CHECK(all);
}
