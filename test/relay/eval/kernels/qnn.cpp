#include <tutti/relay/eval/kernels/qnn.hpp>

#include "support.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace relay = tutti::relay;
using test::dtype;
using test::first_of;
using test::shape_t;
using test::tensor;

namespace {

constexpr relay::kernel_table table{relay::kernels::qnn_kernels<>, relay::kernels::qnn_product_kernels<>,
                                    relay::kernels::qnn_transpose_kernels<>};
constexpr test::kernel_table kernels = table.all();

double element(const std::vector<double>& x, const shape_t& shape, const shape_t& at) {
    return x[test::offset(shape, at)];
}

} // namespace

TEST_CASE("kernels/qnn: quantize, dequantize and requantize take their attributes", "[relay][eval]") {
    const tensor x({2, 2}, {1.F, -1.F, 3.F, 200.F});
    const tensor scales({2}, {0.5F, 2.F});
    const tensor points({2}, {1, 2});
    const tensor q({3}, {std::int8_t{-3}, std::int8_t{1}, std::int8_t{5}});
    const test::call_row rows[]{
        {"qnn.quantize(%a, %b, %c, out_dtype=\"int8\", axis=0)", {x, scales, points}, {2, 2}, {3, -1, 4, 102}},
        {"qnn.quantize(%a, %b, %c, out_dtype=\"int8\")", {x, scales, points}, {2, 2}, {3, 1, 7, 102}},
        {"qnn.dequantize(%a, 0.5f, 1)", {q}, {3}, {-2, 0, 2}},
        {"qnn.requantize(%a, 0.5f, 0, 1f, 10)", {q}, {3}, {9, 11, 13}},
        {"qnn.requantize(%a, 0.5f, 0, 1f, 10, rounding=\"TONEAREST\", out_dtype=\"int32\")", {q}, {3}, {8, 11, 13}},
        {"qnn.requantize(%a, 0.5f, 0, 1f, 10, rounding=\"UPWARD\", compute_dtype=\"float64\")", {q}, {3}, {9, 11, 13}},
    };
    test::check(kernels, rows);
    CHECK(first_of(kernels, "qnn.requantize(%a, 0.5f, 0, 1f, 10)", {q}).type() == dtype::int8);
    for (const char* const unknown : {"rounding=\"DOWNWARD\"", "compute_dtype=\"int8\""})
        CHECK_THROWS_WITH(first_of(kernels, std::string("qnn.requantize(%a, 0.5f, 0, 1f, 10, ") + unknown + ")", {q}),
                          "qnn.requantize: the kernel does not know this case");
}

TEST_CASE("kernels/qnn: add, mul and concatenate bring their operands to one quantisation", "[relay][eval]") {
    const tensor a({2, 1}, {std::uint8_t{10}, std::uint8_t{20}}); // represents 5 and 10
    const tensor b({2}, {std::uint8_t{4}, std::uint8_t{8}});      // represents 0 and 4
    const tensor c({1, 1}, {std::uint8_t{8}});
    const test::call_row rows[]{
        {"qnn.add(%a, %b, 0.5f, 0, 1f, 4, 0.5f, 4)", {a, b}, {2, 2}, {14, 22, 24, 32}},
        {"qnn.mul(%a, %b, 0.5f, 0, 1f, 4, 0.5f, 4)", {a, b}, {2, 2}, {4, 44, 4, 84}},
        {"qnn.concatenate((%a, %b), (0.5f, 1f), (0, 4), 0.5f, 0, axis=0)", {a, c}, {3, 1}, {10, 20, 8}},
    };
    test::check(kernels, rows);
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
        const tensor got = first_of(kernels, "qnn.dense(%a, %b, 128, %c, 1f, 1f, units=None, out_dtype=\"int32\")",
                                    {data, weight, weight_point});
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
    const tensor convolved = first_of(kernels,
                                      "qnn.conv2d(%a, %b, 77, %c, 1f, 1f, padding=[1, 0, 1, 0], channels=3, "
                                      "kernel_size=[3, 2], out_dtype=\"int32\")",
                                      {data, weight, weight_points});
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
    const tensor transposed = first_of(kernels,
                                       "qnn.conv2d_transpose(%a, %b, 77, %c, 1f, 1f, channels=3, kernel_size=[3, 2], "
                                       "padding=[0, 0, 0, 0], kernel_layout=\"IOHW\", out_dtype=\"int32\")",
                                       {data, turned, weight_points});
    CHECK(test::difference(transposed, {1, 3, 7, 5}, spread, 0) == "");
}

TEST_CASE("kernels/qnn: products of batches, and differences", "[relay][eval]") {
    const tensor a({1, 2, 2}, {std::int8_t{1}, std::int8_t{2}, std::int8_t{3}, std::int8_t{4}});
    const tensor b({1, 1, 2}, {std::int8_t{5}, std::int8_t{7}});
    const test::call_row rows[]{
        {"qnn.batch_matmul(%a, %b, 1, 2, 0.5f, 1f, out_dtype=\"int32\", transpose_b=True)", {a, b}, {1, 2, 1}, {5, 21}},
        {"qnn.subtract(%a, %b, 0.5f, 0, 0.5f, 0, 1f, -3)", {a, b}, {1, 2, 2}, {-5, -6, -4, -5}},
    };
    test::check(kernels, rows);
}
