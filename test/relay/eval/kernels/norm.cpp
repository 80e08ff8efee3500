#include <tutti/relay/eval/kernels/norm.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace relay = tutti::relay;
using relay::builder;
using relay::expr;
using test::tensor;

namespace {

using arguments = std::span<const expr>;

template <class Build>
std::vector<tensor> results(const std::vector<tensor>& inputs, Build build) {
    return test::computed(relay::kernels::norm_kernels<>, inputs, build);
}

const tensor x({1, 2, 2}, {1.F, 3.F, 2.F, 6.F});

} // namespace

TEST_CASE("kernels/norm: batch_norm gives the statistics back", "[relay][eval]") {
    const tensor gamma({2}, {2.F, 4.F});
    const tensor beta({2}, {0.5F, -1.F});
    const tensor mean({2}, {1.F, 2.F});
    const tensor variance({2}, {3.F, 0.F});
    for (const bool center : {false, true})
        for (const bool scale : {false, true}) {
            const auto out = results({x, gamma, beta, mean, variance}, [&](builder&, arguments e) {
                return relay::nn::batch_norm(e[0], e[1], e[2], e[3], e[4],
                                             {.axis = -1, .epsilon = 1, .center = center, .scale = scale});
            });
            REQUIRE(out.size() == 3);
            std::vector<double> expected;
            for (std::size_t i = 0; i < 4; ++i) {
                const std::size_t c = i % 2;
                const double y =
                    (test::values(x)[i] - test::values(mean)[c]) / std::sqrt(test::values(variance)[c] + 1);
                expected.push_back(y * (scale ? test::values(gamma)[c] : 1) + (center ? test::values(beta)[c] : 0));
            }
            CHECK(test::difference(out[0], {1, 2, 2}, expected, 1e-6) == "");
            CHECK(out[1].same_elements(mean));
            CHECK(out[2].same_elements(variance));
        }
}

TEST_CASE("kernels/norm: each operator takes its attributes", "[relay][eval]") {
    const tensor two({2}, {1.F, 2.F});
    CHECK(test::difference(results({x, two, two},
                                   [](builder&, arguments e) {
                                       return relay::nn::instance_norm(e[0], e[1], e[2],
                                                                       {.axis = 1, .epsilon = 0, .center = false});
                                   })[0],
                           {1, 2, 2}, {-1, 1, -2, 2}, 1e-6) == "");
    CHECK(test::difference(results({x},
                                   [](builder&, arguments e) {
                                       return relay::nn::l2_normalize(e[0], {.eps = 1e-10, .axis = relay::dims{1}});
                                   })[0],
                           {1, 2, 2}, {1 / std::sqrt(5), 3 / std::sqrt(45), 2 / std::sqrt(5), 6 / std::sqrt(45)},
                           1e-6) == "");
    CHECK(test::difference(results({x},
                                   [](builder&, arguments e) {
                                       return relay::nn::l2_normalize(e[0], {.eps = 200.0, .axis = std::nullopt});
                                   })[0],
                           {1, 2, 2}, {1 / std::sqrt(200), 3 / std::sqrt(200), 2 / std::sqrt(200), 6 / std::sqrt(200)},
                           1e-6) == "");
    const double a = 1 / (1 + std::exp(1));
    const double b = 1 / (1 + std::exp(3));
    const auto soft = [](expr (*call)(expr, const relay::softmax_attributes&)) {
        return results({x}, [&](builder&, arguments e) { return call(e[0], {.axis = 1}); })[0];
    };
    CHECK(test::difference(soft(relay::nn::softmax), {1, 2, 2}, {a, b, 1 - a, 1 - b}, 1e-6) == "");
    CHECK(test::difference(soft(relay::nn::fast_softmax), {1, 2, 2}, {a, b, 1 - a, 1 - b}, 1e-6) == "");
    CHECK(test::difference(soft(relay::nn::log_softmax), {1, 2, 2},
                           {std::log(a), std::log(b), std::log(1 - a), std::log(1 - b)}, 1e-6) == "");
}

TEST_CASE("kernels/norm: layer, group and local response normalisation take their attributes", "[relay][eval]") {
    const tensor data({1, 4, 2}, {1.F, 3.F, 2.F, 6.F, 5.F, 4.F, 0.F, 7.F});
    const tensor two({2}, {2.F, 3.F});
    const tensor four({4}, {1.F, 2.F, 3.F, 4.F});
    tensor expected;
    tutti::kernel::layer_norm(data, two, two, {.axis = -1, .epsilon = 0.5, .center = false}, expected);
    CHECK(test::same(results({data, two, two},
                             [](builder&, arguments e) {
                                 return relay::nn::layer_norm(e[0], e[1], e[2], {.epsilon = 0.5, .center = false});
                             })[0],
                     expected));
    tutti::kernel::group_norm(data, four, four, 2, {.axis = 1, .epsilon = 0.5, .scale = false}, expected);
    CHECK(test::same(results({data, four, four},
                             [](builder&, arguments e) {
                                 return relay::nn::group_norm(e[0], e[1], e[2],
                                                              {.num_groups = 2, .epsilon = 0.5, .scale = false});
                             })[0],
                     expected));
    tutti::kernel::lrn(data, {.size = 3, .axis = 2, .bias = 1, .alpha = 0.5, .beta = 2}, expected);
    CHECK(test::same(results({data},
                             [](builder&, arguments e) {
                                 return relay::nn::lrn(e[0],
                                                       {.size = 3, .axis = 2, .bias = 1, .alpha = 0.5, .beta = 2});
                             })[0],
                     expected));
}
