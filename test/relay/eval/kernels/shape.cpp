#include <tutti/relay/eval/kernels/shape.hpp>

#include "catch.hpp"
#include "support.hpp"

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
    return test::computed(relay::kernels::shape_kernels, inputs, build)[0];
}

const tensor x({2, 3}, {1, 2, 3, 4, 5, 6});

} // namespace

TEST_CASE("kernels/shape: what keeps the elements' order shares them", "[relay][eval]") {
    const auto shared = [](const tensor& t, const test::shape_t& shape) {
        return t.same_elements(x) && test::shape_t(t.shape().begin(), t.shape().end()) == shape;
    };
    CHECK(shared(result({x}, [](builder&, arguments e) { return relay::reshape(e[0], {.newshape = {-1, 0, 1}}); }),
                 {2, 3, 1}));
    CHECK(shared(result({x}, [](builder&, arguments e) { return relay::reshape(e[0], {.newshape = {-4, 1, -1, -2}}); }),
                 {1, 2, 3}));
    CHECK(shared(
        result({x}, [](builder&, arguments e) { return relay::contrib_reverse_reshape(e[0], {.newshape = {-1, 0}}); }),
        {2, 3}));
    CHECK(shared(result({x, tensor(tutti::kernel::dtype::int8, {3, 2, 9})},
                        [](builder&, arguments e) {
                            return relay::reshape_like(e[0], e[1],
                                                       {.lhs_begin = 0, .lhs_end = {}, .rhs_begin = 0, .rhs_end = 2});
                        }),
                 {3, 2}));
    CHECK(shared(
        result({x}, [](builder&, arguments e) { return relay::expand_dims(e[0], {.axis = -1, .num_newaxis = 2}); }),
        {2, 3, 1, 1}));
    CHECK(shared(result({x}, [](builder&, arguments e) { return relay::nn::batch_flatten(e[0]); }), {2, 3}));
    CHECK(shared(result({x}, [](builder&, arguments e) { return relay::squeeze(e[0]); }), {2, 3}));
    CHECK(shared(result({x.reshaped({2, 1, 3, 1})},
                        [](builder&, arguments e) { return relay::squeeze(e[0], {.axis = dims{-3}}); }),
                 {2, 3, 1}));
    CHECK(shared(result({x},
                        [](builder&, arguments e) {
                            return relay::layout_transform(e[0], {.src_layout = "NC", .dst_layout = "NC"});
                        }),
                 {2, 3}));
}

TEST_CASE("kernels/shape: what moves elements takes its attributes", "[relay][eval]") {
    CHECK(difference(result({x}, [](builder&, arguments e) { return relay::transpose(e[0]); }), {3, 2},
                     {1, 4, 2, 5, 3, 6}, 0) == "");
    CHECK(difference(result({x.reshaped({1, 2, 3})},
                            [](builder&, arguments e) { return relay::transpose(e[0], {.axes = dims{2, 0, -2}}); }),
                     {3, 1, 2}, {1, 4, 2, 5, 3, 6}, 0) == "");
    CHECK(difference(result({tensor({3}, {1, 2, 3})},
                            [](builder&, arguments e) { return relay::broadcast_to(e[0], {.shape = dims{2, 3}}); }),
                     {2, 3}, {1, 2, 3, 1, 2, 3}, 0) == "");
    CHECK(difference(result({x}, [](builder&, arguments e) { return relay::repeat(e[0], {.repeats = 2, .axis = 0}); }),
                     {4, 3}, {1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6}, 0) == "");
    CHECK(difference(result({x}, [](builder&, arguments e) { return relay::repeat(e[0], {.repeats = 2, .axis = {}}); }),
                     {12}, {1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6}, 0) == "");
    CHECK(difference(result({x}, [](builder&, arguments e) { return relay::tile(e[0], {.reps = dims{1, 2}}); }), {2, 6},
                     {1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6}, 0) == "");
    CHECK(difference(result({x.reshaped({1, 3, 2})},
                            [](builder&, arguments e) {
                                return relay::layout_transform(e[0], {.src_layout = "NWC", .dst_layout = "NCW1c"});
                            }),
                     {1, 2, 3, 1}, {1, 3, 5, 2, 4, 6}, 0) == "");
}
