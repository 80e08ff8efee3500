#include <tutti/relay/eval/kernels/scatter.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace relay = tutti::relay;
using relay::builder;
using relay::dim;
using relay::expr;
using test::difference;
using test::tensor;

namespace {

using arguments = std::span<const expr>;

template <class Build>
tensor result(const std::vector<tensor>& inputs, Build build) {
    return test::computed(relay::kernels::scatter_kernels<>, inputs, build)[0];
}

const tensor x({2, 3}, {1.F, 2.F, 3.F, 4.F, 5.F, 6.F});

} // namespace

TEST_CASE("kernels/scatter: the operators take their attributes", "[relay][eval]") {
    const tensor at({1, 3}, {1, -1, 1});
    const tensor updates({1, 3}, {10.F, 20.F, 30.F});
    CHECK(difference(result({x, at, updates},
                            [](builder&, arguments e) { return relay::scatter(e[0], e[1], e[2], {.axis = dim(0)}); }),
                     {2, 3}, {1, 2, 3, 10, 20, 30}, 0) == "");
    CHECK(
        difference(result({x, at, updates},
                          [](builder&, arguments e) { return relay::scatter_add(e[0], e[1], e[2], {.axis = dim(1)}); }),
                   {2, 3}, {1, 42, 23, 4, 5, 6}, 0) == "");
    const auto put = [](std::string_view mode) {
        return result({x, tensor({2, 2}, {0, 1, 2, 0}), tensor({2}, {2.5F, 7.F})},
                      [&](builder&, arguments e) { return relay::scatter_nd(e[0], e[1], e[2], mode); });
    };
    CHECK(difference(put("update"), {2, 3}, {1, 2, 2.5, 7, 5, 6}, 0) == "");
    CHECK(difference(put("add"), {2, 3}, {1, 2, 5.5, 11, 5, 6}, 0) == "");
    CHECK(difference(put("mul"), {2, 3}, {1, 2, 7.5, 28, 5, 6}, 0) == "");
    CHECK(difference(put("min"), {2, 3}, {1, 2, 2.5, 4, 5, 6}, 0) == "");
    CHECK(difference(put("max"), {2, 3}, {1, 2, 3, 7, 5, 6}, 0) == "");
}
