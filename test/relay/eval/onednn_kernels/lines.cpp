#include <tutti/relay/eval/onednn_kernels/lines.hpp>

#include <tutti/relay/op/standard_ops.hpp>

#include "by_onednn.hpp"
#include "support/catch.hpp"

#include <vector>

namespace relay = tutti::relay;
using relay::expr;
using test::tensor;

TEST_CASE("onednn: softmax along any axis agrees with the reference", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const std::vector<tensor> x{random.filled<float>({3, 5, 17}, -9, 9)};
    for (const std::int64_t axis : {-1, 0, 1}) {
        test::by_onednn call(x, [&](const std::vector<expr>& e) { return relay::nn::softmax(e[0], {.axis = axis}); });
        INFO(axis);
        CHECK(call.difference(x) == "");
        if (axis == -1) CHECK(call.computed() == relay::kernels::detail::nan_watch::available);
    }
}

TEST_CASE("onednn: layer_norm agrees with the reference, with scale and shift and without", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const std::vector<tensor> x{random.filled<float>({4, 3, 48}), random.filled<float>({48}),
                                random.filled<float>({48})};
    for (const bool center : {false, true})
        for (const bool scale : {false, true}) {
            test::by_onednn call(x, [&](const std::vector<expr>& e) {
                return relay::nn::layer_norm(e[0], e[1], e[2], {.center = center, .scale = scale});
            });
            INFO(center << " " << scale);
            for (int round = 0; round < 2; ++round) CHECK(call.difference(x) == "");
            CHECK(call.computed());
        }
    const std::vector<tensor> first{random.filled<float>({6, 5}), random.filled<float>({6}), random.filled<float>({6})};
    test::by_onednn other(
        first, [](const std::vector<expr>& e) { return relay::nn::layer_norm(e[0], e[1], e[2], {.axis = 0}); });
    CHECK(other.difference(first) == "");
    CHECK(!other.computed());
}
