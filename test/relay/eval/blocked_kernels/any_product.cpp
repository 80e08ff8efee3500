#include <tutti/relay/eval/blocked_kernels/any_product.hpp>

#include <tutti/relay/eval/blocked.hpp>
#include <tutti/relay/op/standard_ops.hpp>

#include "../repeated.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace relay = tutti::relay;
using relay::expr;
using relay::kernels::blocked;
using relay::kernels::reference;
using test::tensor;

namespace {

using arguments = std::vector<expr>;

// Makes the same call for each element type, twice. The second run reuses the memory of the first.
template <class Build>
void check(const std::vector<std::vector<std::int64_t>>& shapes, Build build) {
    test::random_source random;
    const auto of_type = [&]<class T>(T, double tolerance) {
        std::vector<tensor> operands;
        for (const auto& shape : shapes) operands.push_back(random.filled<T>(shape));
        test::repeated call(operands, build);
        for (int round = 0; round < 2; ++round) CHECK(call.difference<blocked>(operands, tolerance) == "");
    };
    of_type(float{}, 1e-5);
    of_type(double{}, 1e-14);
    of_type(tutti::kernel::float16{}, 0x1p-9); // rounded to 11 bits, and to 8
    of_type(tutti::kernel::bfloat16{}, 0x1p-6);
}

} // namespace

TEST_CASE("blocked_kernels/any_product: is the next of each kernel for convolutions and products", "[relay][eval]") {
    using relay::kernels::detail::any_product;
    for (const std::string_view op : {"nn.conv1d", "nn.conv2d", "nn.conv3d", "nn.dense", "nn.matmul", "nn.batch_matmul",
                                      "qnn.conv2d", "qnn.dense", "qnn.batch_matmul"}) {
        INFO(op);
        CHECK(any_product::named(op) != nullptr);
        CHECK(any_product::named(op) != reference::named(op));
        CHECK(any_product::named(op) != blocked::named(op));
    }
    for (const std::string_view op : {"nn.conv1d_transpose", "nn.conv2d_transpose", "nn.conv3d_transpose",
                                      "nn.deformable_conv2d", "qnn.conv2d_transpose"}) {
        INFO(op);
        CHECK(blocked::named(op) != reference::named(op));
    }
}

TEST_CASE("blocked_kernels/any_product: products of any type agree with the reference's", "[relay][eval]") {
    TUTTI_TEST_SEED();
    check({{3, 40}, {7, 40}}, [](const arguments& e) { return relay::nn::dense(e[0], e[1]); });
    check({{30, 40}, {40, 9}}, [](const arguments& e) { return relay::nn::matmul(e[0], e[1]); });
    check({{2, 20, 7}, {1, 20, 9}}, [](const arguments& e) {
        return relay::nn::batch_matmul(e[0], e[1], {.transpose_a = true, .transpose_b = false});
    });
    check({{2, 5, 9}, {6, 5, 3}}, [](const arguments& e) { return relay::nn::conv1d(e[0], e[1], {.padding = {1}}); });
    check({{1, 6, 9, 8}, {3, 3, 3, 10}}, [](const arguments& e) {
        return relay::nn::conv2d(e[0], e[1], {.padding = {1, 1}, .groups = 2, .kernel_layout = "HWIO"});
    });
    check({{1, 3, 5, 6, 7}, {4, 3, 2, 3, 2}}, [](const arguments& e) { return relay::nn::conv3d(e[0], e[1]); });
    check({{1, 6, 5, 5}, {6, 5, 4, 4}}, [](const arguments& e) {
        return relay::nn::conv2d_transpose(e[0], e[1], {.strides = {2, 2}, .padding = {1, 1}, .kernel_layout = "IOHW"});
    });
    check({{1, 4, 6, 6}, {1, 18, 6, 6}, {5, 4, 3, 3}},
          [](const arguments& e) { return relay::nn::deformable_conv2d(e[0], e[1], e[2], {.padding = {1, 1}}); });
}
