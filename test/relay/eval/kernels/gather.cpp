#include <tutti/relay/eval/kernels/gather.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <span>
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
    return test::computed(relay::kernels::gather_kernels<>, inputs, build)[0];
}

const tensor x({2, 3}, {1.F, 2.F, 3.F, 4.F, 5.F, 6.F});

} // namespace

TEST_CASE("kernels/gather: the operators take their attributes", "[relay][eval]") {
    CHECK(difference(result({x, tensor({2, 1}, {2, -1})},
                            [](builder&, arguments e) { return relay::gather(e[0], e[1], {.axis = dim(1)}); }),
                     {2, 1}, {3, 6}, 0) == "");
    CHECK(difference(result({x, tensor({2, 2}, {0, 1, 2, 0})},
                            [](builder&, arguments e) { return relay::gather_nd(e[0], e[1]); }),
                     {2}, {3, 4}, 0) == "");
    CHECK(difference(result({x, tensor({1, 2}, {2, 0})},
                            [](builder&, arguments e) { return relay::gather_nd(e[0], e[1], {.batch_dims = 1}); }),
                     {2}, {3, 4}, 0) == "");
    CHECK(difference(result({x, tensor({2, 1}, {0, 1}), tensor({2}, {2, 0})},
                            [](builder& b, arguments e) { return relay::adv_index(b.tuple({e[0], e[1], e[2]})); }),
                     {2, 2}, {3, 1, 6, 4}, 0) == "");
}
