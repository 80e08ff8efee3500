#include <tutti/relay/eval/onednn_kernels/pool.hpp>

#include <tutti/relay/op/standard_ops.hpp>

#include "by_onednn.hpp"
#include "support/catch.hpp"

#include <string_view>
#include <vector>

namespace relay = tutti::relay;
using relay::expr;
using test::shape_t;
using test::tensor;

TEST_CASE("onednn: pooling agrees with the reference", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (const std::string_view layout : {"NHWC", "NCHW8c", "NCHW"})
        for (const bool ceil_mode : {false, true})
            for (const bool whole : {false, true}) {
                const std::vector<tensor> x{random.filled<float>(layout == "NHWC"     ? shape_t{2, 10, 7, 16}
                                                                 : layout == "NCHW8c" ? shape_t{2, 2, 10, 7, 8}
                                                                                      : shape_t{2, 16, 10, 7})};
                test::by_onednn largest(x, [&](const std::vector<expr>& e) {
                    return relay::nn::max_pool2d(e[0], {.pool_size = {3, 2},
                                                        .strides = {2, 2},
                                                        .padding = {1, 0, 1, 1},
                                                        .layout = layout,
                                                        .ceil_mode = ceil_mode});
                });
                test::by_onednn mean(x, [&](const std::vector<expr>& e) {
                    return relay::nn::avg_pool2d(e[0], {.pool_size = {3, 3},
                                                        .strides = {2, 2},
                                                        .padding = {1, 1},
                                                        .layout = layout,
                                                        .ceil_mode = ceil_mode,
                                                        .count_include_pad = whole});
                });
                test::by_onednn all(x, [&](const std::vector<expr>& e) {
                    return relay::nn::global_avg_pool2d(e[0], {.layout = layout});
                });
                INFO(layout << " " << ceil_mode << " " << whole);
                CHECK(largest.difference(x, 0) == "");
                CHECK(mean.difference(x) == "");
                CHECK(all.difference(x) == "");
                if (layout == "NCHW") continue;
                CHECK(largest.computed() == relay::kernels::detail::nan_watch::available); // oneDNN's maximum hides NaN
                CHECK((mean.computed() && all.computed()));
            }
}

TEST_CASE("onednn: a window in the padding alone is left to others", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const std::vector<tensor> x{random.filled<float>({1, 2, 2, 8})};
    test::by_onednn call(x, [](const std::vector<expr>& e) {
        return relay::nn::avg_pool2d(e[0], {.pool_size = {1, 1}, .padding = {1, 1}, .layout = "NHWC"});
    });
    CHECK(call.difference(x) == "");
    CHECK(!call.computed());
}
