#include <tutti/relay/eval/onednn.hpp>

#include <tutti/relay/eval/kernel_set.hpp>
#include <tutti/relay/op/standard_ops.hpp>

#include "onednn_kernels/by_onednn.hpp"
#include "support/catch.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace relay = tutti::relay;
namespace kernel = tutti::kernel;
using relay::expr;
using test::dtype;
using test::shape_t;
using test::tensor;

namespace {

/// Returns the first of a set's kernels for an operator.
relay::kernel_function first(const relay::kernel_set& kernels, const relay::op_def& op) {
    return relay::detail::kernels_of(kernels, op).rows[0].run;
}

} // namespace

TEST_CASE("onednn: takes supported calls, and leaves the rest to others", "[relay][eval]") {
    using relay::kernels::onednn;
    using relay::kernels::reference;
    for (const std::string_view name :
         {"nn.conv1d", "nn.conv2d", "nn.conv3d", "nn.dense", "nn.batch_matmul", "nn.matmul", "nn.max_pool2d",
          "nn.global_avg_pool2d", "nn.softmax", "nn.layer_norm"}) {
        const relay::op_def& op = *relay::op_set(relay::standard_ops).find(name);
        CHECK(first(onednn(), op) == onednn().rows_of(op)[0].run);
        CHECK(first(onednn(), op) != first(reference(), op));
    }
    CHECK(first(onednn(), relay::definition<relay::op::tan>) == first(reference(), relay::definition<relay::op::tan>));
    CHECK(first(onednn(), relay::definition<relay::op::exp>) ==
          first(relay::kernels::blocked(), relay::definition<relay::op::exp>));
}

TEST_CASE("onednn: others compute the calls that it does not support", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const std::vector<tensor> whole{random.filled<std::int16_t>({1, 4, 5, 5}, -9, 9),
                                    random.filled<std::int16_t>({2, 4, 3, 3}, -9, 9)};
    test::by_onednn integers(
        whole, [](const std::vector<expr>& e) { return relay::nn::conv2d(e[0], e[1], {.out_dtype = dtype::int32}); });
    for (int round = 0; round < 2; ++round) CHECK(integers.difference(whole, 0) == "");
    CHECK(!integers.computed());
    const std::vector<tensor> blocks{random.filled<float>({1, 2, 5, 5, 4}), random.filled<float>({2, 8, 3, 3})};
    test::by_onednn blocked(blocks, [](const std::vector<expr>& e) {
        return relay::nn::conv2d(e[0], e[1], {.data_layout = "NCHW4c", .out_layout = "NCHW"});
    });
    CHECK(blocked.difference(blocks) == "");
    CHECK(!blocked.computed());
    const std::vector<tensor> empty{tensor(dtype::float32, {0, 4}), random.filled<float>({2, 4})};
    test::by_onednn nothing(empty, [](const std::vector<expr>& e) { return relay::nn::dense(e[0], e[1]); });
    CHECK(nothing.difference(empty, 0) == "");
    test::by_onednn unfit(whole, [](const std::vector<expr>& e) { return relay::nn::conv2d(e[0], e[1]); });
    CHECK(test::error_of([&] {
              unfit.difference({random.filled<float>({1, 4, 5, 5}), random.filled<float>({2, 3, 3, 3})});
          }).find("kernel::conv: data is (1, 4, 5, 5)") != std::string::npos);
}

TEST_CASE("onednn: the blocked kernels compute small calls", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (const std::int64_t units : {2, 2000}) {
        const std::vector<tensor> operands{random.filled<float>({1, 8}), random.filled<float>({units, 8})};
        test::by_onednn call(operands, [](const std::vector<expr>& e) { return relay::nn::dense(e[0], e[1]); });
        for (int round = 0; round < 2; ++round) CHECK(call.difference(relay::kernels::onednn(), operands, 1e-5) == "");
        CHECK(call.computed() == (units == 2000));
    }
}
