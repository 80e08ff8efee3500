#include <tutti/relay/eval/kernels/sequence.hpp>

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
    return test::computed(relay::kernels::sequence_kernels<>, inputs, build)[0];
}

const tensor x({2, 3}, {1.F, 2.F, 3.F, 4.F, 5.F, 6.F});

} // namespace

TEST_CASE("kernels/sequence: the operators take their attributes", "[relay][eval]") {
    CHECK(difference(result({x}, [](builder&, arguments e) { return relay::reverse(e[0], {.axis = dim(-1)}); }), {2, 3},
                     {3, 2, 1, 6, 5, 4}, 0) == "");
    CHECK(difference(result({x, tensor({2}, {3, 2})},
                            [](builder&, arguments e) { return relay::reverse_sequence(e[0], e[1]); }),
                     {2, 3}, {3, 2, 1, 5, 4, 6}, 0) == "");
    CHECK(difference(result({x, tensor({3}, {1, 2, 0})},
                            [](builder&, arguments e) {
                                return relay::reverse_sequence(e[0], e[1], {.seq_axis = 0, .batch_axis = 1});
                            }),
                     {2, 3}, {1, 5, 3, 4, 2, 6}, 0) == "");
    CHECK(difference(result({x, tensor({2}, {1, 2})},
                            [](builder&, arguments e) {
                                return relay::sequence_mask(e[0], e[1], {.mask_value = -1, .axis = 1});
                            }),
                     {2, 3}, {1, -1, -1, 4, 5, -1}, 0) == "");
}

TEST_CASE("kernels/sequence: nn.fifo_buffer shifts along its axis", "[relay][eval]") {
    CHECK(difference(result({tensor({2, 1}, {7.F, 8.F}), x},
                            [](builder&, arguments e) { return relay::nn::fifo_buffer(e[0], e[1], {.axis = 1}); }),
                     {2, 3}, {2, 3, 7, 5, 6, 8}, 0) == "");
}
