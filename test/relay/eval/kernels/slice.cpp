#include <tutti/relay/eval/kernels/slice.hpp>

#include "catch.hpp"
#include "support.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string>
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
std::vector<tensor> results(const std::vector<tensor>& inputs, Build build) {
    return test::computed(relay::kernels::slice_kernels, inputs, build);
}

const tensor x({2, 3}, {1, 2, 3, 4, 5, 6});
const tensor y({2, 1}, {7, 8});

} // namespace

TEST_CASE("kernels/slice: tuples are joined, and tensors split into them", "[relay][eval]") {
    CHECK(difference(
              results({x, y}, [](builder& b,
                                 arguments e) { return relay::concatenate(b.tuple({e[0], e[1]}), {.axis = -1}); })[0],
              {2, 4}, {1, 2, 3, 7, 4, 5, 6, 8}, 0) == "");
    CHECK(difference(results({y, y}, [](builder& b,
                                        arguments e) { return relay::stack(b.tuple({e[0], e[1]}), {.axis = -1}); })[0],
                     {2, 1, 2}, {7, 7, 8, 8}, 0) == "");
    const auto even =
        results({x}, [](builder&, arguments e) { return relay::split(e[0], {.indices_or_sections = 3, .axis = -1}); });
    REQUIRE(even.size() == 3);
    CHECK(difference(even[2], {2, 1}, {3, 6}, 0) == "");
    const auto places = results({x}, [](builder&, arguments e) {
        return relay::split(e[0], {.indices_or_sections = relay::one_or_more(dims{1, 1}), .axis = 1});
    });
    REQUIRE(places.size() == 3);
    CHECK(difference(places[0], {2, 1}, {1, 4}, 0) == "");
    CHECK(difference(places[1], {2, 0}, {}, 0) == "");
    CHECK(difference(places[2], {2, 2}, {2, 3, 5, 6}, 0) == "");
}

TEST_CASE("kernels/slice: slices take their attributes", "[relay][eval]") {
    const auto slice = [](const relay::strided_slice_attributes& a) {
        return results({x}, [&](builder&, arguments e) { return relay::strided_slice(e[0], a); })[0];
    };
    CHECK(difference(slice({.begin = dims{0, 2}, .end = dims{2, 0}, .strides = dims{1, -1}}), {2, 2}, {3, 2, 6, 5},
                     0) == "");
    CHECK(difference(
              slice({.begin = dims{1}, .end = dims{-1}, .strides = dims{1}, .slice_mode = "size", .axes = dims{-1}}),
              {2, 2}, {2, 3, 5, 6}, 0) == "");
    CHECK(difference(results({x, y}, [](builder&, arguments e) { return relay::slice_like(e[0], e[1]); })[0], {2, 1},
                     {1, 4}, 0) == "");
    CHECK(difference(results({x, y},
                             [](builder&, arguments e) { return relay::slice_like(e[0], e[1], {.axes = dims{0}}); })[0],
                     {2, 3}, {1, 2, 3, 4, 5, 6}, 0) == "");
    const tensor begin({2}, {0, 1});
    const tensor end({2}, {std::int64_t{2}, std::int64_t{2}});
    const tensor strides({2}, {1, 1});
    CHECK(difference(results({x, y, begin, end, strides},
                             [](builder&, arguments e) { return relay::strided_set(e[0], e[1], e[2], e[3], e[4]); })[0],
                     {2, 3}, {1, 7, 3, 4, 8, 6}, 0) == "");
}

TEST_CASE("kernels/slice: padding and blocks take their attributes", "[relay][eval]") {
    const auto padded = [](std::string_view mode) {
        return results({x, tensor::scalar(9.F)}, [&](builder&, arguments e) {
            return relay::nn::pad(e[0], e[1], {.pad_width = std::vector<dims>{{0, 0}, {1, 1}}, .pad_mode = mode});
        })[0];
    };
    CHECK(difference(padded("constant"), {2, 5}, {9, 1, 2, 3, 9, 9, 4, 5, 6, 9}, 0) == "");
    CHECK(difference(padded("edge"), {2, 5}, {1, 1, 2, 3, 3, 4, 4, 5, 6, 6}, 0) == "");
    CHECK(difference(padded("reflect"), {2, 5}, {2, 1, 2, 3, 2, 5, 4, 5, 6, 5}, 0) == "");
    CHECK_THROWS_WITH(padded("wrap"), "nn.pad: the kernel does not know this case");
    const tensor batch = results({x}, [](builder&, arguments e) {
        return relay::nn::space_to_batch_nd(
            e[0], {.block_shape = {2}, .paddings = std::vector<dims>{{0, 1}}, .pad_value = 9});
    })[0];
    CHECK(difference(batch, {4, 2}, {1, 3, 4, 6, 2, 9, 5, 9}, 0) == "");
    CHECK(difference(results({batch},
                             [](builder&, arguments e) {
                                 return relay::nn::batch_to_space_nd(
                                     e[0], {.block_shape = {2}, .crops = std::vector<dims>{{0, 1}}});
                             })[0],
                     {2, 3}, {1, 2, 3, 4, 5, 6}, 0) == "");
}

TEST_CASE("kernels/slice: a split into another number of parts than the attribute says is an error", "[relay][eval]") {
    builder b;
    const expr call = relay::split(b.constant(x), {.indices_or_sections = 3, .axis = 1});
    const std::array<const tensor*, 1> inputs{&x};
    std::array<tensor, 2> parts;
    const relay::invocation invocation{
        .program = &b.graph(), .attributes = b.graph().call_attributes(call.id), .inputs = inputs, .results = parts};
    CHECK(test::error_of([&] { relay::kernels::detail::split(invocation, {.indices_or_sections = 3, .axis = 1}); }) ==
          "kernel::split: 2 parts of data (2, 3) int32; expected as many as the attribute says");
}
