#include <tutti/relay/eval/kernels/pool.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <span>
#include <vector>

namespace relay = tutti::relay;
namespace kernel = tutti::kernel;
using relay::builder;
using relay::dims;
using relay::expr;
using test::dtype;
using test::same;
using test::tensor;

namespace {

using arguments = std::span<const expr>;

template <class Build>
tensor result(const tensor& input, Build build) {
    return test::computed(relay::kernels::pool_kernels<>, {input}, build).front();
}

} // namespace

TEST_CASE("kernels/pool: windows take their attributes along one to three axes", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    tensor expected;
    const tensor row = random.filled<float>({2, 3, 8});
    kernel::max_pool(
        row, {.size = {3}, .strides = {2}, .dilation = {2}, .before = {1}, .after = {1}, .ceil_mode = true}, expected);
    CHECK(
        same(result(row,
                    [](builder&, arguments e) {
                        return relay::nn::max_pool1d(
                            e[0],
                            {.pool_size = dims{3}, .strides = {2}, .dilation = {2}, .padding = {1}, .ceil_mode = true});
                    }),
             expected));
    kernel::avg_pool(row, {.size = {2}, .after = {3}, .layout = "NWC", .count_include_pad = true}, expected);
    CHECK(same(result(row,
                      [](builder&, arguments e) {
                          return relay::nn::avg_pool1d(
                              e[0],
                              {.pool_size = dims{2}, .padding = {0, 3}, .layout = "NWC", .count_include_pad = true});
                      }),
               expected));

    const tensor image = random.filled<float>({1, 5, 6, 4});
    kernel::max_pool(
        image, {.size = {2, 3}, .before = {1, 2}, .after = {0, 1}, .layout = "NHWC", .out_layout = "NCHW2c"}, expected);
    CHECK(same(result(image,
                      [](builder&, arguments e) {
                          return relay::nn::max_pool2d(e[0], {.pool_size = dims{2, 3},
                                                              .padding = {1, 2, 0, 1},
                                                              .layout = "NHWC",
                                                              .out_layout = "NCHW2c"});
                      }),
               expected));
    for (const bool whole : {false, true}) {
        kernel::avg_pool(
            image, {.size = {3, 3}, .strides = {1, 2}, .before = {1, 1}, .after = {1, 1}, .count_include_pad = whole},
            expected);
        CHECK(same(result(image,
                          [&](builder&, arguments e) {
                              return relay::nn::avg_pool2d(e[0], {.pool_size = dims{3, 3},
                                                                  .strides = {1, 2},
                                                                  .padding = {1, 1},
                                                                  .count_include_pad = whole});
                          }),
                   expected));
    }

    const tensor volume = random.filled<float>({1, 2, 3, 4, 5});
    kernel::max_pool(volume, {.size = {2, 3, 4}}, expected);
    CHECK(same(
        result(volume, [](builder&, arguments e) { return relay::nn::max_pool3d(e[0], {.pool_size = dims{2, 3, 4}}); }),
        expected));
    kernel::avg_pool(volume, {.size = {1, 2, 2}, .dilation = {1, 2, 1}}, expected);
    CHECK(same(result(volume,
                      [](builder&, arguments e) {
                          return relay::nn::avg_pool3d(e[0], {.pool_size = dims{1, 2, 2}, .dilation = {1, 2, 1}});
                      }),
               expected));
}

TEST_CASE("kernels/pool: the whole image is pooled, in its layout", "[relay][eval]") {
    const tensor image({1, 2, 1, 2}, {1.F, 8.F, 3.F, 4.F});
    const auto mean = [&](const relay::global_pool2d_attributes& a) {
        return test::values(
            result(image, [&](builder&, arguments e) { return relay::nn::global_avg_pool2d(e[0], a); }));
    };
    const auto top = [&](const relay::global_pool2d_attributes& a) {
        return test::values(
            result(image, [&](builder&, arguments e) { return relay::nn::global_max_pool2d(e[0], a); }));
    };
    using numbers = std::vector<double>;
    CHECK(mean({}) == numbers{4.5, 3.5});
    CHECK(mean({.layout = "NHWC"}) == numbers{2, 6});
    CHECK(top({}) == numbers{8, 4});
    CHECK(top({.layout = "NHWC"}) == numbers{3, 8});
}

TEST_CASE("kernels/pool: adaptive pooling takes its sizes", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    tensor expected;
    const tensor row = random.filled<float>({2, 3, 8});
    kernel::adaptive_max_pool(row, {.size = {3}, .layout = "NWC"}, expected);
    CHECK(same(result(row,
                      [](builder&, arguments e) {
                          return relay::nn::adaptive_max_pool1d(e[0], {.output_size = {3}, .layout = "NWC"});
                      }),
               expected));
    const tensor image = random.filled<float>({1, 5, 6, 4});
    kernel::adaptive_avg_pool(image, {.size = {4, 4}, .out_layout = "NHWC"}, expected);
    CHECK(same(result(image,
                      [](builder&, arguments e) {
                          return relay::nn::adaptive_avg_pool2d(e[0], {.output_size = {4}, .out_layout = "NHWC"});
                      }),
               expected));
    CHECK(same(result(image, [](builder&, arguments e) { return relay::nn::adaptive_avg_pool2d(e[0], {}); }), image));
    const tensor volume = random.filled<float>({1, 2, 3, 4, 5});
    kernel::adaptive_avg_pool(volume, {.size = {2, 3, 1}}, expected);
    CHECK(same(
        result(volume,
               [](builder&, arguments e) { return relay::nn::adaptive_avg_pool3d(e[0], {.output_size = {2, 3, 1}}); }),
        expected));
}
