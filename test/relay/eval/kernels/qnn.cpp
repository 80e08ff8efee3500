#include <tutti/relay/eval/kernels/qnn.hpp>

#include <tutti/relay/eval/kernel_set.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace relay = tutti::relay;
namespace qnn = tutti::relay::qnn;
using relay::builder;
using relay::expr;
using test::dtype;
using test::shape_t;
using test::tensor;

namespace {

using arguments = std::span<const expr>;

constexpr relay::kernel_table kernels{relay::kernels::qnn_kernels<>, relay::kernels::qnn_product_kernels<>,
                                      relay::kernels::qnn_transpose_kernels<>};

template <class Build>
tensor result(const std::vector<tensor>& inputs, Build build) {
    return test::computed(kernels.all(), inputs, build).front();
}

const tensor half = tensor::scalar(0.5F);
const tensor one = tensor::scalar(1.F);
const tensor zero = tensor::scalar(0);

double element(const std::vector<double>& x, const shape_t& shape, const shape_t& at) {
    return x[test::offset(shape, at)];
}

} // namespace

TEST_CASE("kernels/qnn: quantize, dequantize and requantize take their attributes", "[relay][eval]") {
    const tensor x({2, 2}, {1.F, -1.F, 3.F, 200.F});
    const tensor scales({2}, {0.5F, 2.F});
    const tensor points({2}, {1, 2});
    CHECK(test::difference(result({x, scales, points},
                                  [](builder&, arguments e) {
                                      return qnn::quantize(e[0], {e[1], e[2]}, {.out_dtype = dtype::int8, .axis = 0});
                                  }),
                           {2, 2}, {3, -1, 4, 102}, 0) == "");
    CHECK(test::difference(result({x, scales, points},
                                  [](builder&, arguments e) {
                                      return qnn::quantize(e[0], {e[1], e[2]}, {.out_dtype = dtype::int8});
                                  }),
                           {2, 2}, {3, 1, 7, 102}, 0) == "");
    const tensor q({3}, {std::int8_t{-3}, std::int8_t{1}, std::int8_t{5}});
    CHECK(test::difference(result({q, half, tensor::scalar(1)},
                                  [](builder&, arguments e) { return qnn::dequantize(e[0], {e[1], e[2]}); }),
                           {3}, {-2, 0, 2}, 0) == "");
    const auto requantized = [&](const relay::requantize_attributes& a) {
        return result({q, half, zero, one, tensor::scalar(10)},
                      [&](builder&, arguments e) { return qnn::requantize(e[0], {e[1], e[2]}, {e[3], e[4]}, a); });
    };
    CHECK(test::difference(requantized({}), {3}, {9, 11, 13}, 0) == "");
    CHECK(requantized({}).type() == dtype::int8);
    CHECK(test::difference(requantized({.rounding = "TONEAREST", .out_dtype = dtype::int32}), {3}, {8, 11, 13}, 0) ==
          "");
    CHECK(test::difference(requantized({.rounding = "UPWARD", .compute_dtype = "float64"}), {3}, {9, 11, 13}, 0) == "");
    CHECK_THROWS_AS(requantized({.rounding = "DOWNWARD"}), std::runtime_error);
    CHECK_THROWS_AS(requantized({.compute_dtype = "int8"}), std::runtime_error);
}

TEST_CASE("kernels/qnn: add, mul and concatenate bring their operands to one quantisation", "[relay][eval]") {
    const tensor a({2, 1}, {std::uint8_t{10}, std::uint8_t{20}});
    const tensor b({2}, {std::uint8_t{4}, std::uint8_t{8}});
    const tensor four = tensor::scalar(4);
    // `a` represents 5 and 10, and `b` represents 0 and 4.
    CHECK(test::difference(result({a, b, half, zero, one, four},
                                  [](builder&, arguments e) {
                                      return qnn::add(e[0], e[1], {e[2], e[3]}, {e[4], e[5]}, {e[2], e[5]});
                                  }),
                           {2, 2}, {14, 22, 24, 32}, 0) == "");
    CHECK(test::difference(result({a, b, half, zero, one, four},
                                  [](builder&, arguments e) {
                                      return qnn::mul(e[0], e[1], {e[2], e[3]}, {e[4], e[5]}, {e[2], e[5]});
                                  }),
                           {2, 2}, {4, 44, 4, 84}, 0) == "");
    CHECK(test::difference(result({a, tensor({1, 1}, {std::uint8_t{8}}), half, zero, one, four},
                                  [](builder& s, arguments e) {
                                      const qnn::scale in{s.tuple({e[2], e[4]}), s.tuple({e[3], e[5]})};
                                      return qnn::concatenate(s.tuple({e[0], e[1]}), in, {e[2], e[3]}, {.axis = 0});
                                  }),
                           {3, 1}, {10, 20, 8}, 0) == "");
}

TEST_CASE("kernels/qnn: dense is the sum of products without zero points", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const tensor data = random.filled<std::uint8_t>({3, 20}, 0, 255);
    const tensor weight = random.filled<std::uint8_t>({4, 20}, 0, 255);
    for (const tensor& weight_point : {tensor::scalar(100), random.filled<std::int32_t>({4}, 0, 255)}) {
        std::vector<double> expected;
        test::for_each_index({3, 4}, [&](const shape_t& at) {
            double sum = 0;
            for (std::int64_t k = 0; k < 20; ++k)
                sum += (element(test::values(data), {3, 20}, {at[0], k}) - 128) *
                       (element(test::values(weight), {4, 20}, {at[1], k}) -
                        test::values(weight_point)[weight_point.size() == 1 ? 0 : static_cast<std::size_t>(at[1])]);
            expected.push_back(sum);
        });
        const tensor got = result({data, weight, tensor::scalar(128), weight_point, one}, [](builder&, arguments e) {
            return qnn::dense(e[0], e[1], {e[4], e[2]}, {e[4], e[3]}, {.out_dtype = dtype::int32});
        });
        CHECK(test::difference(got, {3, 4}, expected, 0) == "");
    }
}

TEST_CASE("kernels/qnn: conv2d pads with the zero point, conv2d_transpose is its transpose", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const shape_t in{1, 2, 5, 4};
    const shape_t window{3, 2, 3, 2}; // OIHW
    const tensor data = random.filled<std::uint8_t>(in, 0, 255);
    const tensor weight = random.filled<std::uint8_t>(window, 0, 255);
    const tensor data_point = tensor::scalar(77);
    const tensor weight_points({3}, {1, 200, 30});
    const std::vector<double> x = test::values(data);
    const std::vector<double> w = test::values(weight);
    const auto weight_at = [&](std::int64_t o, std::int64_t i, std::int64_t h, std::int64_t v) {
        return element(w, window, {o, i, h, v}) - test::values(weight_points)[static_cast<std::size_t>(o)];
    };
    std::vector<double> expected;
    test::for_each_index({1, 3, 5, 3}, [&](const shape_t& at) { // one row of padding above and below
        double sum = 0;
        test::for_each_index({2, 3, 2}, [&](const shape_t& k) {
            const std::int64_t row = at[2] + k[1] - 1;
            if (row < 0 || row >= 5) return;
            sum += (element(x, in, {0, k[0], row, at[3] + k[2]}) - 77) * weight_at(at[1], k[0], k[1], k[2]);
        });
        expected.push_back(sum);
    });
    const tensor convolved = result({data, weight, data_point, weight_points, one}, [](builder&, arguments e) {
        return qnn::conv2d(
            e[0], e[1], {e[4], e[2]}, {e[4], e[3]},
            {.padding = {1, 0, 1, 0}, .channels = 3, .kernel_size = relay::dims{3, 2}, .out_dtype = dtype::int32});
    });
    CHECK(test::difference(convolved, {1, 3, 5, 3}, expected, 0) == "");

    std::vector<double> spread(3 * 7 * 5, 0);
    test::for_each_index({2, 5, 4}, [&](const shape_t& from) {
        test::for_each_index({3, 3, 2}, [&](const shape_t& to) {
            spread[test::offset({3, 7, 5}, {to[0], from[1] + to[1], from[2] + to[2]})] +=
                (element(x, in, {0, from[0], from[1], from[2]}) - 77) * weight_at(to[0], from[0], to[1], to[2]);
        });
    });
    // The weights of a transposed convolution are laid out (in, out, rows, columns).
    tensor turned(dtype::uint8, {2, 3, 3, 2});
    test::for_each_index({2, 3, 3, 2}, [&](const shape_t& at) {
        turned.mutable_elements<std::uint8_t>()[test::offset({2, 3, 3, 2}, at)] =
            weight.elements<std::uint8_t>()[test::offset(window, {at[1], at[0], at[2], at[3]})];
    });
    const tensor transposed = result({data, turned, data_point, weight_points, one}, [](builder&, arguments e) {
        return qnn::conv2d_transpose(
            e[0], e[1], {e[4], e[2]}, {e[4], e[3]},
            {.channels = 3, .kernel_size = relay::dims{3, 2}, .kernel_layout = "IOHW", .out_dtype = dtype::int32});
    });
    CHECK(test::difference(transposed, {1, 3, 7, 5}, spread, 0) == "");
}

TEST_CASE("kernels/qnn: products of batches, and differences", "[relay][eval]") {
    const tensor a({1, 2, 2}, {std::int8_t{1}, std::int8_t{2}, std::int8_t{3}, std::int8_t{4}});
    const tensor b({1, 1, 2}, {std::int8_t{5}, std::int8_t{7}});
    CHECK(test::difference(
              result({a, b, tensor::scalar(1), tensor::scalar(2), half, one},
                     [](builder&, arguments e) { return qnn::batch_matmul(e[0], e[1], {e[4], e[2]}, {e[5], e[3]}); }),
              {1, 2, 1}, {5, 21}, 0) == "");
    CHECK(test::difference(result({a, b, half, zero, one, tensor::scalar(-3)},
                                  [](builder&, arguments e) {
                                      return qnn::subtract(e[0], e[1], {e[2], e[3]}, {e[2], e[3]}, {e[4], e[5]});
                                  }),
                           {1, 2, 2}, {-5, -6, -4, -5}, 0) == "");
}
