#include <tutti/relay/eval/kernels/search.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <span>
#include <vector>

namespace relay = tutti::relay;
using relay::builder;
using relay::expr;
using test::difference;
using test::tensor;

namespace {

using arguments = std::span<const expr>;

template <class Build>
std::vector<tensor> results(const std::vector<tensor>& inputs, Build build) {
    return test::computed(relay::kernels::search_kernels<>, inputs, build);
}

} // namespace

TEST_CASE("kernels/search: places and permutations", "[relay][eval]") {
    const std::vector<tensor> row{tensor({3}, {1.F, 2.F, 2.F}), tensor({2}, {2.F, 0.F})};
    const auto places = [&](bool right) {
        return results(row,
                       [&](builder&, arguments e) { return relay::searchsorted(e[0], e[1], {.right = right}); })[0];
    };
    CHECK(difference(places(false), {2}, {1, 0}, 0) == "");
    CHECK(difference(places(true), {2}, {3, 0}, 0) == "");
    CHECK(difference(results({tensor({3}, {2, 0, 1})},
                             [](builder&, arguments e) { return relay::invert_permutation(e[0]); })[0],
                     {3}, {1, 2, 0}, 0) == "");
    CHECK(difference(results({tensor({2}, {5, 1}), tensor({2}, {2, 3})},
                             [](builder&, arguments e) { return relay::unravel_index(e[0], e[1]); })[0],
                     {2, 2}, {1, 0, 2, 1}, 0) == "");
}

TEST_CASE("kernels/search: unique sorts, and counts on request", "[relay][eval]") {
    const auto of = [](bool sorted, bool counted) {
        return results({tensor({4}, {3, 1, 3, 2})}, [&](builder&, arguments e) {
            return relay::unique(e[0], {.sorted = sorted, .return_counts = counted});
        });
    };
    const auto all = of(true, true);
    REQUIRE(all.size() == 5);
    CHECK(difference(all[0], {4}, {1, 2, 3, 0}, 0) == "");
    CHECK(difference(all[1], {4}, {1, 3, 0, 4}, 0) == "");
    CHECK(difference(all[4], {4}, {1, 1, 2, 0}, 0) == "");
    const auto some = of(false, false);
    REQUIRE(some.size() == 4);
    CHECK(difference(some[0], {4}, {3, 1, 2, 0}, 0) == "");
    CHECK(difference(some[2], {4}, {0, 1, 0, 2}, 0) == "");
    CHECK(difference(some[3], {1}, {3}, 0) == "");
}
