#include <tutti/relay/eval/kernels/qnn_function.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

namespace relay = tutti::relay;
namespace qnn = tutti::relay::qnn;
namespace kernel = tutti::kernel;
using relay::builder;
using relay::expr;
using test::difference;
using test::tensor;

namespace {

using arguments = std::span<const expr>;

const tensor x({4}, {std::int8_t{-8}, std::int8_t{-1}, std::int8_t{1}, std::int8_t{16}});
const tensor half = tensor::scalar(0.5F);
const tensor quarter = tensor::scalar(0.25F);
const tensor zero = tensor::scalar(0);
const tensor one = tensor::scalar(1);

template <class Build>
tensor result(const std::vector<tensor>& inputs, Build build) {
    return test::computed(relay::kernels::qnn_function_kernels<>, inputs, build).front();
}

tensor function_of(auto call) {
    return result({x, half, zero, quarter, one},
                  [&](builder&, arguments e) { return call(e[0], qnn::scale{e[1], e[2]}, qnn::scale{e[3], e[4]}); });
}

} // namespace

TEST_CASE("kernels/qnn_function: each computes the function of the real numbers", "[relay][eval]") {
    // The arguments represent -4, -1/2, 1/2 and 8.
    CHECK(difference(function_of(qnn::abs), {4}, {17, 3, 3, 33}, 0) == "");
    CHECK(difference(function_of(qnn::tanh), {4}, {-3, -1, 3, 5}, 0) == "");
    CHECK(difference(function_of(qnn::sigmoid), {4}, {1, 3, 3, 5}, 0) == "");
    CHECK(difference(function_of(qnn::erf), {4}, {-3, -1, 3, 5}, 0) == "");
    CHECK(difference(function_of(qnn::exp), {4}, {1, 3, 8, 127}, 0) == "");
    CHECK(difference(function_of(qnn::sqrt), {4}, {127, 127, 4, 12}, 0) == "");
    CHECK(difference(function_of(qnn::rsqrt), {4}, {127, 127, 7, 2}, 0) == "");
    CHECK(difference(function_of(qnn::log), {4}, {127, 127, -2, 9}, 0) == "");
    CHECK(difference(function_of(qnn::hardswish), {4}, {1, 0, 2, 33}, 0) == "");
    CHECK(difference(function_of([](expr e, qnn::scale in, qnn::scale out) {
                         return qnn::leaky_relu(e, in, out, {.alpha = 0.5});
                     }),
                     {4}, {-6, 1, 3, 33}, 0) == "");
}

TEST_CASE("kernels/qnn_function: simulated by the number of a type", "[relay][eval]") {
    const tensor data({3}, {1.F, -80.F, 300.F});
    const auto quantized = [&](int type) {
        return result({data, tensor::scalar(type), half, one},
                      [](builder&, arguments e) { return qnn::simulated_quantize(e[0], e[1], {e[2], e[3]}); });
    };
    CHECK(difference(quantized(0), {3}, {1, -80, 300}, 0) == "");
    CHECK(difference(quantized(1), {3}, {3, -128, 127}, 0) == "");
    CHECK(difference(quantized(2), {3}, {3, 0, 255}, 0) == "");
    CHECK(difference(quantized(3), {3}, {3, -159, 601}, 0) == "");
    CHECK_THROWS_WITH(quantized(4), "qnn.simulated_quantize: the kernel does not know this case");
    const auto dequantized = [&](int type) {
        return result({data, tensor::scalar(type), half, one},
                      [](builder&, arguments e) { return qnn::simulated_dequantize(e[0], e[1], {e[2], e[3]}); });
    };
    CHECK(difference(dequantized(0), {3}, {1, -80, 300}, 0) == "");
    CHECK(difference(dequantized(2), {3}, {0, -40.5, 149.5}, 0) == "");
    CHECK_THROWS_AS(dequantized(-1), std::runtime_error);
}
