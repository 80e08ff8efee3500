#include <tutti/relay/eval/onednn_kernels/conv.hpp>

#include <tutti/relay/op/standard_ops.hpp>

#include "by_onednn.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace relay = tutti::relay;
namespace kernel = tutti::kernel;
using relay::expr;
using test::dtype;
using test::shape_t;
using test::tensor;

TEST_CASE("onednn: convolutions agree with the reference in any layout", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    struct layouts {
        std::string_view data, weight, out;
    };
    for (const auto& [data, weight, out] :
         {layouts{"NCHW", "OIHW", ""}, layouts{"NHWC", "HWIO", ""}, layouts{"NCHW", "OHWI", "NHWC"}})
        for (const std::int64_t groups : {1, 2, 8}) {
            const std::int64_t in = 8 / groups;
            const std::vector<tensor> x{
                random.filled<float>(data == "NCHW" ? shape_t{2, 8, 9, 7} : shape_t{2, 9, 7, 8}),
                random.filled<float>(weight == "OIHW"   ? shape_t{16, in, 3, 2}
                                     : weight == "HWIO" ? shape_t{3, 2, in, 16}
                                                        : shape_t{16, 3, 2, in})};
            test::by_onednn call(x, [&](const std::vector<expr>& e) {
                return relay::nn::conv2d(e[0], e[1],
                                         {.strides = {2, 1},
                                          .padding = {1, 0, 2, 1},
                                          .dilation = {1, 2},
                                          .groups = groups,
                                          .data_layout = data,
                                          .kernel_layout = weight,
                                          .out_layout = out});
            });
            INFO(data << " " << weight << " " << groups);
            CHECK(call.difference(x) == "");
            CHECK(call.computed());
            CHECK(call.difference({random.filled<float>(shape_t(x[0].shape().begin(), x[0].shape().end())), x[1]}) ==
                  "");
        }
    const std::vector<tensor> volume{random.filled<float>({1, 4, 5, 6, 7}), random.filled<float>({8, 4, 3, 3, 3})};
    test::by_onednn call(
        volume, [](const std::vector<expr>& e) { return relay::nn::conv3d(e[0], e[1], {.padding = {1, 1, 1}}); });
    CHECK(call.difference(volume) == "");
    CHECK(call.computed());
}

TEST_CASE("onednn: depthwise convolutions row by row are left where a row fills most of a vector", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const auto computed = [&](std::int64_t width, std::string_view layout) {
        const bool rows = layout == "NCHW";
        const std::vector<tensor> x{random.filled<float>(rows ? shape_t{1, 16, 5, width} : shape_t{1, 5, width, 16}),
                                    random.filled<float>({16, 1, 3, 3})};
        test::by_onednn call(x, [&](const std::vector<expr>& e) {
            return relay::nn::conv2d(e[0], e[1], {.padding = {1, 1}, .groups = 16, .data_layout = layout});
        });
        INFO(width << " " << layout);
        CHECK(call.difference(x) == "");
        return call.computed();
    };
    CHECK_FALSE(computed(20, "NCHW"));
    CHECK(computed(2, "NCHW"));
    CHECK(computed(20, "NHWC"));
}

TEST_CASE("onednn: convolutions of blocks of channels agree with the reference", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (const std::int64_t block : {8, 16})
        for (const bool picture : {false, true})
            for (const std::int64_t groups : {1, 32}) {
                if (picture && groups != 1) continue;
                const std::string layout = "NCHW" + std::to_string(block) + "c";
                const std::vector<tensor> x{picture ? random.filled<float>({2, 3, 9, 7})
                                                    : random.filled<float>({2, 32 / block, 9, 7, block}),
                                            random.filled<float>({32, picture ? 3 : 32 / groups, 3, 3})};
                test::by_onednn call(x, [&](const std::vector<expr>& e) {
                    return relay::nn::conv2d(e[0], e[1],
                                             {.strides = {2, 1},
                                              .padding = {1, 1},
                                              .groups = groups,
                                              .data_layout = picture ? std::string_view("NCHW") : layout,
                                              .out_layout = layout});
                });
                INFO(layout << " " << picture << " " << groups);
                CHECK(call.difference(x) == "");
                CHECK(call.computed());
            }
}

TEST_CASE("onednn: images have a layout that suits it", "[relay][eval]") {
    const std::string_view layout = relay::kernels::onednn_image_layout();
    INFO(layout);
    CHECK((layout == "NHWC" || layout == "NCHW8c" || layout == "NCHW16c"));
}

TEST_CASE("onednn: bytes are multiplied where that is exact, else left", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (const dtype data : {dtype::int8, dtype::uint8}) {
        const std::vector<tensor> x{data == dtype::int8 ? random.filled<std::int8_t>({1, 16, 6, 6}, -128, 127)
                                                        : random.filled<std::uint8_t>({1, 16, 6, 6}, 0, 255),
                                    random.filled<std::int8_t>({16, 16, 3, 3}, -128, 127)};
        test::by_onednn call(
            x, [](const std::vector<expr>& e) { return relay::nn::conv2d(e[0], e[1], {.out_dtype = dtype::int32}); });
        for (int round = 0; round < 2; ++round) CHECK(call.difference(x, 0) == "");
        CHECK(call.computed() == relay::kernels::detail::sums_bytes_exactly());
    }
}

TEST_CASE("onednn: leaves convolutions of bytes that have windows in the padding", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const std::vector<tensor> x{random.filled<std::int8_t>({2, 5, 3, 5, 8}, -9, 9),
                                random.filled<std::int8_t>({8, 1, 2, 2, 2}, -9, 9)};
    test::by_onednn call(x, [](const std::vector<expr>& e) {
        return relay::nn::conv3d(e[0], e[1],
                                 {.strides = {2, 3, 3},
                                  .padding = {3, 3, 2, 1, 3, 2},
                                  .dilation = {1, 2, 2},
                                  .groups = 8,
                                  .data_layout = "NDHWC",
                                  .out_dtype = dtype::int32});
    });
    for (int round = 0; round < 2; ++round) CHECK(call.difference(x, 0) == "");
    CHECK(!call.computed());
}
