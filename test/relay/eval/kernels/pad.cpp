#include <tutti/relay/eval/kernels/pad.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <span>
#include <string_view>
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
    return test::computed(relay::kernels::pad_kernels<>, inputs, build);
}

const tensor x({2, 3}, {1, 2, 3, 4, 5, 6});

} // namespace

TEST_CASE("kernels/pad: padding and blocks take their attributes", "[relay][eval]") {
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

TEST_CASE("kernels/pad: mirrors with the edge or without it", "[relay][eval]") {
    const auto padded = [](std::string_view mode) {
        return results({x}, [&](builder&, arguments e) {
            return relay::nn::mirror_pad(e[0], {.mode = mode, .pad_width = std::vector<dims>{{1, 0}, {1, 2}}});
        })[0];
    };
    CHECK(difference(padded("REFLECT"), {3, 6}, {5, 4, 5, 6, 5, 4, 2, 1, 2, 3, 2, 1, 5, 4, 5, 6, 5, 4}, 0) == "");
    CHECK(difference(padded("SYMMETRIC"), {3, 6}, {1, 1, 2, 3, 3, 2, 1, 1, 2, 3, 3, 2, 4, 4, 5, 6, 6, 5}, 0) == "");
}

TEST_CASE("kernels/pad: nn.dilate takes its attributes", "[relay][eval]") {
    CHECK(difference(results({x},
                             [](builder&, arguments e) {
                                 return relay::nn::dilate(e[0], {.strides = {2, 1}, .dilation_value = 9});
                             })[0],
                     {3, 3}, {1, 2, 3, 9, 9, 9, 4, 5, 6}, 0) == "");
}
