#include <tutti/relay/eval/blocked.hpp>

#include <tutti/relay/eval/evaluator.hpp>
#include <tutti/relay/eval/kernel_entry.hpp>
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

static_assert(relay::kernel_set<blocked>);

TEST_CASE("blocked: has kernels of its own, and the reference's for all else", "[relay][eval]") {
    const relay::op_set all(relay::standard_ops);
    CHECK(blocked::find(*all.find("nn.conv2d")) != reference::find(*all.find("nn.conv2d")));
    CHECK(blocked::find(*all.find("reshape")) == reference::find(*all.find("reshape")));
    for (const relay::kernel_entry& e : blocked::own()) {
        INFO(e.op);
        CHECK(reference::named(e.op) != nullptr);
    }
    relay::op_def mine = relay::definition<relay::op::nn::dense>;
    mine.evaluate = [](const relay::invocation&) { return false; };
    CHECK(blocked::find(mine) == mine.evaluate);
}

TEST_CASE("blocked: the reference kernels compute declined calls, each with its own memory", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const std::vector<tensor> floats{random.filled<float>({3, 8}), random.filled<float>({5, 8})};
    const std::vector<tensor> whole{random.filled<std::int8_t>({3, 8}, -9, 9),
                                    random.filled<std::int8_t>({5, 8}, -9, 9)};
    test::repeated call(floats, [](const std::vector<expr>& e) { return relay::nn::dense(e[0], e[1]); });
    for (int round = 0; round < 2; ++round) {
        CHECK(call.difference<blocked>(floats, 1e-6) == "");
        CHECK(call.difference<blocked>(whole, 0) == "");
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
            CHECK(call.template difference<blocked>(floats, 1e-6) == "");
            for (const auto* data : {&bytes, &whole, &others}) CHECK(call.template difference<blocked>(*data, 0) == "");
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
        const tensor packed = test::with_weights<blocked>(x, w, true, build);
        CHECK(test::values(packed) == test::values(test::with_weights<blocked>(x, w, false, build)));
    };
    check({3, 8}, {5, 8}, [](expr x, expr w) { return relay::nn::dense(x, w); });
    check({2, 3, 8}, {2, 40, 8}, [](expr x, expr w) { return relay::nn::batch_matmul(x, w); });
    check({2, 3, 8}, {1, 40, 8}, [](expr x, expr w) { return relay::nn::batch_matmul(x, w); });
    check({2, 3, 8}, {8, 40}, [](expr x, expr w) { return relay::nn::matmul(x, w); });
    check({1, 4, 6, 6}, {18, 4, 3, 3}, [](expr x, expr w) { return relay::nn::conv2d(x, w); });
    check({1, 40, 6, 6}, {40, 20, 3, 3}, [](expr x, expr w) { return relay::nn::conv2d(x, w, {.groups = 2}); });
    check({1, 4, 6, 6}, {4, 1, 3, 3}, [](expr x, expr w) { return relay::nn::conv2d(x, w, {.groups = 4}); });
}
