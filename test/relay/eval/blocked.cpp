#include <tutti/relay/eval/blocked.hpp>

#include <tutti/relay/eval/evaluator.hpp>
#include <tutti/relay/eval/kernel_row.hpp>
#include <tutti/relay/eval/op_kernels.hpp>
#include <tutti/relay/op/invocation.hpp>
#include <tutti/relay/op/standard_ops.hpp>

#include "../../kernel/support.hpp"
#include "repeated.hpp"
#include "support/catch.hpp"
#include "with_weights.hpp"

#include <string_view>
#include <vector>

namespace relay = tutti::relay;
using relay::expr;
using relay::kernels::blocked;
using relay::kernels::reference;
using test::dtype;
using test::tensor;

TEST_CASE("blocked: has kernels of its own, and the reference's for all else", "[relay][eval]") {
    const relay::op_set all(relay::standard_ops);
    const auto rows = [&](const relay::kernel_set& kernels, std::string_view op) {
        return relay::detail::kernels_of(kernels, *all.find(op)).rows;
    };
    CHECK(rows(blocked(), "nn.conv2d")[0].run != rows(reference(), "nn.conv2d")[0].run);
    CHECK(rows(blocked(), "reshape")[0].run == rows(reference(), "reshape")[0].run);
    CHECK(rows(blocked(), "maximum").size() == 3); // kernels for integers, for float32, and the reference kernel
    for (const relay::op_def* op : all.all()) {
        INFO(op->name);
        CHECK(rows(blocked(), op->name).back().run == rows(reference(), op->name)[0].run);
    }
    for (const std::string_view op : {"nn.conv1d_transpose", "nn.conv2d_transpose", "nn.conv3d_transpose",
                                      "nn.deformable_conv2d", "qnn.conv2d_transpose"})
        CHECK(rows(blocked(), op).size() == 2);
    for (const std::string_view op : {"nn.conv1d", "nn.conv2d", "nn.conv3d", "nn.dense", "nn.matmul", "nn.batch_matmul",
                                      "qnn.conv2d", "qnn.dense", "qnn.batch_matmul"})
        CHECK(rows(blocked(), op).size() == 3); // among them a blocked kernel for any type
}

TEST_CASE("blocked: the reference kernels compute declined calls, each with its own memory", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const std::vector<tensor> floats{random.filled<float>({3, 8}), random.filled<float>({5, 8})};
    const std::vector<tensor> whole{random.filled<std::int8_t>({3, 8}, -9, 9),
                                    random.filled<std::int8_t>({5, 8}, -9, 9)};
    test::repeated call(floats, [](const std::vector<expr>& e) { return relay::nn::dense(e[0], e[1]); });
    for (int round = 0; round < 2; ++round) {
        CHECK(call.difference(blocked(), floats, 1e-6) == "");
        CHECK(call.difference(blocked(), whole, 0) == "");
    }
}

TEST_CASE("blocked: pools float32 and integers itself, and leaves other types", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const std::vector<tensor> floats{random.filled<float>({2, 5, 9, 11})};
    const std::vector<tensor> bytes{random.filled<std::int8_t>({2, 5, 9, 11}, -9, 9)};
    const std::vector<tensor> whole{random.filled<std::int32_t>({2, 5, 9, 11}, -1e9, 1e9)};
    const std::vector<tensor> others{random.filled<std::int16_t>({2, 5, 9, 11}, -1000, 1000)};
    const auto check = [&](auto build) {
        test::repeated call(floats, build);
        for (int round = 0; round < 2; ++round) {
            CHECK(call.difference(blocked(), floats, 1e-6) == "");
            for (const auto* data : {&bytes, &whole, &others}) CHECK(call.difference(blocked(), *data, 0) == "");
        }
    };
    check([](const std::vector<expr>& e) {
        return relay::nn::max_pool2d(e[0], {.pool_size = relay::dims{3, 3}, .strides = {2, 2}, .padding = {1, 1}});
    });
    check([](const std::vector<expr>& e) {
        return relay::nn::avg_pool2d(e[0], {.pool_size = relay::dims{2, 3}, .layout = "NHWC"});
    });
    check([](const std::vector<expr>& e) { return relay::nn::global_avg_pool2d(e[0]); });
}

TEST_CASE("blocked: weights that are constants are packed when the evaluator is made; the results are the same",
          "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const auto check = [&](std::vector<std::int64_t> data, std::vector<std::int64_t> weight, auto build) {
        const tensor x = random.filled<float>(data);
        const tensor w = random.filled<float>(weight);
        const tensor packed = test::with_weights(blocked(), x, w, true, build);
        CHECK(test::values(packed) == test::values(test::with_weights(blocked(), x, w, false, build)));
    };
    check({3, 8}, {5, 8}, [](expr x, expr w) { return relay::nn::dense(x, w); });
    check({2, 3, 8}, {2, 40, 8}, [](expr x, expr w) { return relay::nn::batch_matmul(x, w); });
    check({2, 3, 8}, {1, 40, 8}, [](expr x, expr w) { return relay::nn::batch_matmul(x, w); });
    check({2, 3, 8}, {8, 40}, [](expr x, expr w) { return relay::nn::matmul(x, w); });
    check({1, 4, 6, 6}, {18, 4, 3, 3}, [](expr x, expr w) { return relay::nn::conv2d(x, w); });
    check({1, 40, 6, 6}, {40, 20, 3, 3}, [](expr x, expr w) { return relay::nn::conv2d(x, w, {.groups = 2}); });
    check({1, 4, 6, 6}, {4, 1, 3, 3}, [](expr x, expr w) { return relay::nn::conv2d(x, w, {.groups = 4}); });
}

namespace {

using arguments = std::vector<expr>;

// Runs the same call twice for each element type. The second run reuses the memory of the first.
template <class Build>
void check_types(const std::vector<std::vector<std::int64_t>>& shapes, Build build) {
    test::random_source random;
    const auto of_type = [&]<class T>(T, double tolerance) {
        std::vector<tensor> operands;
        for (const auto& shape : shapes) operands.push_back(random.filled<T>(shape));
        test::repeated call(operands, build);
        for (int round = 0; round < 2; ++round) CHECK(call.difference(blocked(), operands, tolerance) == "");
    };
    of_type(float{}, 1e-5);
    of_type(double{}, 1e-14);
    of_type(tutti::kernel::float16{}, 0x1p-9); // 11 bits of precision; bfloat16 has 8
    of_type(tutti::kernel::bfloat16{}, 0x1p-6);
}

} // namespace

TEST_CASE("blocked: products of any type agree with the reference's", "[relay][eval]") {
    TUTTI_TEST_SEED();
    check_types({{3, 40}, {7, 40}}, [](const arguments& e) { return relay::nn::dense(e[0], e[1]); });
    check_types({{30, 40}, {40, 9}}, [](const arguments& e) { return relay::nn::matmul(e[0], e[1]); });
    check_types({{2, 20, 7}, {1, 20, 9}}, [](const arguments& e) {
        return relay::nn::batch_matmul(e[0], e[1], {.transpose_a = true, .transpose_b = false});
    });
    check_types({{2, 5, 9}, {6, 5, 3}},
                [](const arguments& e) { return relay::nn::conv1d(e[0], e[1], {.padding = {1}}); });
    check_types({{1, 6, 9, 8}, {3, 3, 3, 10}}, [](const arguments& e) {
        return relay::nn::conv2d(e[0], e[1], {.padding = {1, 1}, .groups = 2, .kernel_layout = "HWIO"});
    });
    check_types({{1, 3, 5, 6, 7}, {4, 3, 2, 3, 2}}, [](const arguments& e) { return relay::nn::conv3d(e[0], e[1]); });
    check_types({{1, 6, 5, 5}, {6, 5, 4, 4}}, [](const arguments& e) {
        return relay::nn::conv2d_transpose(e[0], e[1], {.strides = {2, 2}, .padding = {1, 1}, .kernel_layout = "IOHW"});
    });
    check_types({{1, 4, 6, 6}, {1, 18, 6, 6}, {5, 4, 3, 3}},
                [](const arguments& e) { return relay::nn::deformable_conv2d(e[0], e[1], e[2], {.padding = {1, 1}}); });
}
