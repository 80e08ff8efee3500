#include <tutti/relay/eval/blocked_kernels/integer_product.hpp>

#include <tutti/relay/eval/blocked.hpp>
#include <tutti/relay/ir/builder.hpp>

#include "../../../kernel/support.hpp"
#include "../with_weights.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace relay = tutti::relay;
using relay::expr;
using relay::kernels::blocked;
using relay::kernels::reference;
using test::dtype;
using test::tensor;

TEST_CASE(
    "blocked_kernels/integer_product: products of integers are the reference's to the bit, by weights that are constants or parameters",
    "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const auto bytes = [&](dtype type, std::vector<std::int64_t> shape) {
        return type == dtype::int8 ? random.filled<std::int8_t>(std::move(shape), -128, 127)
                                   : random.filled<std::uint8_t>(std::move(shape), 0, 255);
    };
    const auto check = [&](std::vector<std::int64_t> data, std::vector<std::int64_t> weight, auto build) {
        for (const dtype type : {dtype::int8, dtype::uint8}) {
            const tensor x = bytes(type, data);
            const tensor w = bytes(dtype::int8, weight);
            const std::vector<double> expected = test::values(test::with_weights(reference(), x, w, false, build));
            for (const bool constant : {false, true})
                CHECK(test::values(test::with_weights(blocked(), x, w, constant, build)) == expected);
        }
    };
    const auto quantized = [](expr like, std::int32_t zero) {
        const auto constant = [&](const tensor& t) { return expr{like.graph, like.graph->constant(t)}; };
        return relay::qnn::scale{constant(tensor::scalar(0.5F)), constant(tensor::scalar(zero))};
    };
    check({3, 9}, {17, 9}, [](expr x, expr w) { return relay::nn::dense(x, w, {.out_dtype = dtype::int32}); });
    check({2, 3, 9}, {9, 40}, [](expr x, expr w) { return relay::nn::matmul(x, w, {.out_dtype = dtype::int32}); });
    check({2, 3, 9}, {1, 40, 9}, [](expr x, expr w) {
        return relay::nn::batch_matmul(x, w, {.out_dtype = dtype::int32, .transpose_b = true});
    });
    check({1, 5, 6, 6}, {18, 5, 3, 3},
          [](expr x, expr w) { return relay::nn::conv2d(x, w, {.padding = {1, 1}, .out_dtype = dtype::int32}); });
    check({1, 6, 6, 8}, {3, 3, 8, 18}, [](expr x, expr w) {
        return relay::nn::conv2d(x, w, {.data_layout = "NHWC", .kernel_layout = "HWIO", .out_dtype = dtype::int32});
    });
    check({1, 5, 6, 6}, {18, 5, 3, 3}, [&](expr x, expr w) {
        return relay::qnn::conv2d(x, w, quantized(x, 3), quantized(x, 0),
                                  {.padding = {1, 1}, .out_dtype = dtype::int32});
    });
    check({3, 9}, {17, 9}, [&](expr x, expr w) {
        return relay::qnn::dense(x, w, quantized(x, 3), quantized(x, -2), {.out_dtype = dtype::int32});
    });
    check({2, 3, 9}, {2, 40, 9},
          [&](expr x, expr w) { return relay::qnn::batch_matmul(x, w, quantized(x, 3), quantized(x, 2)); });
}
