#include <tutti/relay/eval/blocked_kernels/qnn.hpp>

#include <tutti/relay/eval/blocked.hpp>
#include <tutti/relay/ir/builder.hpp>

#include "../../../kernel/support.hpp"
#include "../repeated.hpp"
#include "../with_weights.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace relay = tutti::relay;
namespace qnn = tutti::relay::qnn;
using relay::expr;
using relay::kernels::blocked;
using test::dtype;
using test::tensor;

TEST_CASE("blocked_kernels/qnn: calls are computed as by the reference, the second time too", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const auto check = [&](const std::vector<tensor>& operands, auto build) {
        test::repeated call(operands, build);
        for (int round = 0; round < 2; ++round) CHECK(call.difference(blocked(), operands, 0) == "");
    };
    const tensor sums = random.filled<std::int32_t>({2, 5, 40}, -10000, 10000);
    const tensor numbers = random.filled<float>({2, 5, 40}, -10, 10);
    const tensor bytes = random.filled<std::uint8_t>({2, 5, 40}, 0, 255);
    const tensor other = random.filled<std::uint8_t>({5, 1}, 0, 255);
    const tensor scale = tensor::scalar(0.05F);
    const tensor smaller = tensor::scalar(0.03F);
    const tensor zero = tensor::scalar(0);
    const tensor point = tensor::scalar(120);
    const tensor scales = random.filled<float>({5}, 1e-4, 1e-3);
    const tensor zeros(dtype::int32, {5});
    const relay::requantize_attributes along{.axis = 1, .out_dtype = dtype::uint8};
    check({sums, scales, zeros, scale, point},
          [&](const std::vector<expr>& e) { return qnn::requantize(e[0], {e[1], e[2]}, {e[3], e[4]}, along); });
    for (const std::string_view how : {"TONEAREST", "UPWARD", "None"})
        for (const std::string_view in : {"None", "int64", "float32", "float64"})
            check({bytes, scale, point, smaller, zero}, [&](const std::vector<expr>& e) {
                return qnn::requantize(e[0], {e[1], e[2]}, {e[3], e[4]},
                                       {.rounding = std::string(how), .compute_dtype = std::string(in)});
            });
    check({numbers, scales, zeros}, [](const std::vector<expr>& e) {
        return qnn::quantize(e[0], {e[1], e[2]}, {.out_dtype = dtype::int8, .axis = 1});
    });
    check({numbers, scale, zero}, [](const std::vector<expr>& e) {
        return qnn::quantize(e[0], {e[1], e[2]}, {.out_dtype = dtype::int32}); // computed by the reference kernel
    });
    check({bytes, scale, point}, [](const std::vector<expr>& e) { return qnn::dequantize(e[0], {e[1], e[2]}); });
    const std::vector<tensor> pair{bytes, other, scale, point, smaller, point, scale, point};
    check(pair,
          [](const std::vector<expr>& e) { return qnn::add(e[0], e[1], {e[2], e[3]}, {e[4], e[5]}, {e[6], e[7]}); });
    check(pair, [](const std::vector<expr>& e) {
        return qnn::subtract(e[0], e[1], {e[2], e[3]}, {e[4], e[5]}, {e[6], e[7]});
    });
    check(pair,
          [](const std::vector<expr>& e) { return qnn::mul(e[0], e[1], {e[2], e[3]}, {e[4], e[5]}, {e[6], e[7]}); });
}

TEST_CASE("blocked_kernels/qnn: requantize by constants finds its ratios when the evaluator is made", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const tensor scales = random.filled<float>({5}, 1e-4, 1e-3);
    const auto check = [&](const tensor& data, std::int64_t axis, dtype type) {
        const auto build = [&](expr x, expr scale) {
            const auto constant = [&](const tensor& t) { return expr{x.graph, x.graph->constant(t)}; };
            return qnn::requantize(x, {scale, constant(tensor(dtype::int32, {5}))},
                                   {constant(tensor::scalar(0.05F)), constant(tensor::scalar(7))},
                                   {.axis = axis, .out_dtype = type});
        };
        const tensor expected = test::with_weights(relay::kernels::reference(), data, scales, false, build);
        for (const bool constant : {true, false})
            CHECK(test::identical(test::with_weights(blocked(), data, scales, constant, build), expected));
    };
    check(random.filled<std::int32_t>({2, 5, 40}, -10000, 10000), 1, dtype::uint8);
    check(random.filled<std::int32_t>({9, 5, 2}, -10000, 10000), 1, dtype::int8);
    check(random.filled<std::int16_t>({40, 5}, -10000, 10000), -1, dtype::none);
    check(random.filled<std::int32_t>({0, 5}, -10000, 10000), 1, dtype::int8);
}
