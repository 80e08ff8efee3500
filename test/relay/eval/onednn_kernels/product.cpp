#include <tutti/relay/eval/onednn_kernels/product.hpp>

#include <tutti/relay/op/standard_ops.hpp>

#include "by_onednn.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace relay = tutti::relay;
namespace kernel = tutti::kernel;
using relay::expr;
using test::dtype;
using test::shape_t;
using test::tensor;

TEST_CASE("onednn: products agree with the reference, weights that change and shapes that change included",
          "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const std::vector<tensor> x{random.filled<float>({3, 2, 40}), random.filled<float>({17, 40})};
    test::by_onednn dense(x, [](const std::vector<expr>& e) { return relay::nn::dense(e[0], e[1]); });
    for (int round = 0; round < 2; ++round) CHECK(dense.difference(x) == "");
    for (int round = 0; round < 3; ++round) CHECK(dense.difference({x[0], random.filled<float>({17, 40})}) == "");
    CHECK(dense.difference({random.filled<float>({5, 40}), x[1]}) == "");
    CHECK(dense.computed());
    for (const bool a : {false, true})
        for (const bool b : {false, true})
            for (const std::int64_t batch : {1, 3}) {
                const std::vector<tensor> y{random.filled<float>(a ? shape_t{3, 7, 5} : shape_t{3, 5, 7}),
                                            random.filled<float>(b ? shape_t{batch, 6, 7} : shape_t{batch, 7, 6})};
                test::by_onednn call(y, [&](const std::vector<expr>& e) {
                    return relay::nn::batch_matmul(e[0], e[1], {.transpose_a = a, .transpose_b = b});
                });
                CHECK(call.difference(y) == "");
                CHECK(call.computed());
            }
}

TEST_CASE("onednn: products of two matrices agree with the reference", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (const bool a : {false, true})
        for (const bool b : {false, true}) {
            const std::vector<tensor> x{random.filled<float>(a ? shape_t{7, 5} : shape_t{5, 7}),
                                        random.filled<float>(b ? shape_t{6, 7} : shape_t{7, 6})};
            test::by_onednn call(x, [&](const std::vector<expr>& e) {
                return relay::nn::matmul(e[0], e[1], {.transpose_a = a, .transpose_b = b});
            });
            CHECK(call.difference(x) == "");
            CHECK(call.computed());
        }
}
