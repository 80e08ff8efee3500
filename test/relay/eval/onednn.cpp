#include <tutti/relay/eval/onednn.hpp>

#include <tutti/relay/op/standard_ops.hpp>

#include "catch.hpp"
#include "repeated.hpp"

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

static_assert(relay::kernel_set<relay::kernels::onednn>);

// By oneDNN's kernels.
class repeated : public test::repeated {
public:
    using test::repeated::repeated;

    std::string difference(const std::vector<tensor>& operands, double tolerance = 1e-5) {
        return test::repeated::difference<relay::kernels::onednn>(operands, tolerance);
    }
    bool computed() const { return static_cast<relay::kernels::detail::onednn_call*>(kept().get())->computes(); }
};

} // namespace

TEST_CASE("onednn: takes convolutions and products, and leaves the rest to the reference", "[relay][eval]") {
    using relay::kernels::onednn;
    using relay::kernels::reference;
    for (const std::string_view name : {"nn.conv1d", "nn.conv2d", "nn.conv3d", "nn.dense", "nn.batch_matmul"}) {
        const relay::op_def& op = *relay::op_set(relay::standard_ops).find(name);
        CHECK(onednn::find(op) != nullptr);
        CHECK(onednn::find(op) != reference::find(op));
    }
    CHECK(onednn::find(relay::definition<relay::op::add>) == reference::find(relay::definition<relay::op::add>));
}

TEST_CASE("onednn: convolutions agree with the reference in any layout", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    struct layouts {
        std::string_view data, weight, out;
    };
    for (const auto& [data, weight, out] :
         {layouts{"NCHW", "OIHW", ""}, layouts{"NHWC", "HWIO", ""}, layouts{"NCHW", "OHWI", "NHWC"}})
        for (const std::int64_t groups : {1, 2, 8}) {
            const std::int64_t in = 8 / groups;
            const std::vector<tensor> x{
                random.filled<float>(data == "NCHW" ? shape_t{2, 8, 9, 7} : shape_t{2, 9, 7, 8}),
                random.filled<float>(weight == "OIHW"   ? shape_t{16, in, 3, 2}
                                     : weight == "HWIO" ? shape_t{3, 2, in, 16}
                                                        : shape_t{16, 3, 2, in})};
            repeated call(x, [&](const std::vector<expr>& e) {
                return relay::nn::conv2d(e[0], e[1],
                                         {.strides = {2, 1},
                                          .padding = {1, 0, 2, 1},
                                          .dilation = {1, 2},
                                          .groups = groups,
                                          .data_layout = data,
                                          .kernel_layout = weight,
                                          .out_layout = out});
            });
            INFO(data << " " << weight << " " << groups);
            CHECK(call.difference(x) == "");
            CHECK(call.computed());
            CHECK(call.difference({random.filled<float>(shape_t(x[0].shape().begin(), x[0].shape().end())), x[1]}) ==
                  "");
        }
    const std::vector<tensor> volume{random.filled<float>({1, 4, 5, 6, 7}), random.filled<float>({8, 4, 3, 3, 3})};
    repeated call(volume,
                  [](const std::vector<expr>& e) { return relay::nn::conv3d(e[0], e[1], {.padding = {1, 1, 1}}); });
    CHECK(call.difference(volume) == "");
    CHECK(call.computed());
}

TEST_CASE("onednn: products agree with the reference, weights that change and shapes that change included",
          "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const std::vector<tensor> x{random.filled<float>({3, 2, 40}), random.filled<float>({17, 40})};
    repeated dense(x, [](const std::vector<expr>& e) { return relay::nn::dense(e[0], e[1]); });
    for (int round = 0; round < 2; ++round) CHECK(dense.difference(x) == "");
    for (int round = 0; round < 3; ++round) CHECK(dense.difference({x[0], random.filled<float>({17, 40})}) == "");
    CHECK(dense.difference({random.filled<float>({5, 40}), x[1]}) == "");
    CHECK(dense.computed());
    for (const bool a : {false, true})
        for (const bool b : {false, true})
            for (const std::int64_t batch : {1, 3}) {
                const std::vector<tensor> y{random.filled<float>(a ? shape_t{3, 7, 5} : shape_t{3, 5, 7}),
                                            random.filled<float>(b ? shape_t{batch, 6, 7} : shape_t{batch, 7, 6})};
                repeated call(y, [&](const std::vector<expr>& e) {
                    return relay::nn::batch_matmul(e[0], e[1], {.transpose_a = a, .transpose_b = b});
                });
                CHECK(call.difference(y) == "");
                CHECK(call.computed());
            }
}

TEST_CASE("onednn: what it does not take is computed by the reference", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const std::vector<tensor> whole{random.filled<std::int8_t>({1, 4, 5, 5}, -9, 9),
                                    random.filled<std::int8_t>({2, 4, 3, 3}, -9, 9)};
    repeated integers(
        whole, [](const std::vector<expr>& e) { return relay::nn::conv2d(e[0], e[1], {.out_dtype = dtype::int32}); });
    for (int round = 0; round < 2; ++round) CHECK(integers.difference(whole, 0) == "");
    CHECK(!integers.computed());
    const std::vector<tensor> blocks{random.filled<float>({1, 2, 5, 5, 4}), random.filled<float>({2, 8, 3, 3})};
    repeated blocked(blocks, [](const std::vector<expr>& e) {
        return relay::nn::conv2d(e[0], e[1], {.data_layout = "NCHW4c", .out_layout = "NCHW"});
    });
    CHECK(blocked.difference(blocks, 0) == "");
    CHECK(!blocked.computed());
    const std::vector<tensor> empty{tensor(dtype::float32, {0, 4}), random.filled<float>({2, 4})};
    repeated nothing(empty, [](const std::vector<expr>& e) { return relay::nn::dense(e[0], e[1]); });
    CHECK(nothing.difference(empty, 0) == "");
    repeated unfit(whole, [](const std::vector<expr>& e) { return relay::nn::conv2d(e[0], e[1]); });
    CHECK(test::error_of([&] {
              unfit.difference({random.filled<float>({1, 4, 5, 5}), random.filled<float>({2, 3, 3, 3})});
          }).find("kernel::conv: data is (1, 4, 5, 5)") != std::string::npos);
}
