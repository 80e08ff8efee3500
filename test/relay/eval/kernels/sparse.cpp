#include <tutti/relay/eval/kernels/sparse.hpp>

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
    return test::computed(relay::kernels::sparse_kernels<>, inputs, build);
}

} // namespace

TEST_CASE("kernels/sparse: shapes and rows", "[relay][eval]") {
    const auto reshaped = results({tensor({1, 2}, {1, 2}), tensor({2}, {2, 3}), tensor({1}, {-1})},
                                  [](builder&, arguments e) { return relay::sparse_reshape(e[0], e[1], e[2]); });
    CHECK(difference(reshaped[0], {1, 1}, {5}, 0) == "");
    CHECK(difference(reshaped[1], {1}, {6}, 0) == "");
    const auto filled =
        results({tensor({1, 1}, {1}), tensor({1}, {7}), tensor({1}, {3}), tensor({1}, {9})},
                [](builder&, arguments e) { return relay::sparse_fill_empty_rows(e[0], e[1], e[2], e[3]); });
    CHECK(difference(filled[0], {3, 1}, {0, 1, 2}, 0) == "");
    CHECK(difference(filled[1], {3}, {9, 7, 9}, 0) == "");
    CHECK(difference(filled[2], {3}, {1, 0, 1}, 0) == "");
}
