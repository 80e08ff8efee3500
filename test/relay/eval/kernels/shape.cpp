#include <tutti/relay/eval/kernels/shape.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace relay = tutti::relay;
using relay::builder;
using relay::dims;
using relay::expr;
using test::difference;
using test::tensor;

namespace {

using arguments = std::span<const expr>;

template <class Build>
tensor result(const std::vector<tensor>& inputs, Build build) {
    return test::computed(relay::kernels::shape_kernels<>, inputs, build)[0];
}

const tensor x({2, 3}, {1, 2, 3, 4, 5, 6});

} // namespace

TEST_CASE("kernels/shape: operators that keep the order of elements share them", "[relay][eval]") {
    const auto shared = [](const tensor& t, const test::shape_t& shape) {
        return t.same_elements(x) && test::shape_t(t.shape().begin(), t.shape().end()) == shape;
    };
    CHECK(shared(
        result({x}, [](builder&, arguments e) { return relay::expand_dims(e[0], {.axis = -1, .num_newaxis = 2}); }),
        {2, 3, 1, 1}));
    CHECK(shared(result({x}, [](builder&, arguments e) { return relay::nn::batch_flatten(e[0]); }), {2, 3}));
    CHECK(shared(result({x}, [](builder&, arguments e) { return relay::squeeze(e[0]); }), {2, 3}));
    CHECK(shared(result({x.reshaped({2, 1, 3, 1})},
                        [](builder&, arguments e) { return relay::squeeze(e[0], {.axis = dims{-3}}); }),
                 {2, 3, 1}));
}

TEST_CASE("kernels/shape: broadcast_to takes its attributes", "[relay][eval]") {
    CHECK(difference(result({tensor({3}, {1, 2, 3})},
                            [](builder&, arguments e) { return relay::broadcast_to(e[0], {.shape = dims{2, 3}}); }),
                     {2, 3}, {1, 2, 3, 1, 2, 3}, 0) == "");
}
