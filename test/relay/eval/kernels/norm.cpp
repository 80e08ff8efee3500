#include <tutti/relay/eval/kernels/norm.hpp>

#include "support.hpp"

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace kernel = tutti::kernel;
using test::tensor;

namespace {

constexpr test::kernel_table kernels = tutti::relay::kernels::norm_kernels<>;
const tensor x({1, 2, 2}, {1.F, 3.F, 2.F, 6.F});

} // namespace

TEST_CASE("kernels/norm: batch_norm gives the statistics back", "[relay][eval]") {
    const tensor gamma({2}, {2.F, 4.F});
    const tensor beta({2}, {0.5F, -1.F});
    const tensor mean({2}, {1.F, 2.F});
    const tensor variance({2}, {3.F, 0.F});
    for (const bool center : {false, true})
        for (const bool scale : {false, true}) {
            const std::string call = std::string("nn.batch_norm(%a, %b, %c, %d, %e, axis=-1, epsilon=1, center=") +
                                     (center ? "True" : "False") + ", scale=" + (scale ? "True" : "False") + ")";
            INFO(call);
            const auto out = test::computed(kernels, call, {x, gamma, beta, mean, variance});
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
    const test::shape_t shape{1, 2, 2};
    const double root = std::sqrt(200);
    const double a = 1 / (1 + std::exp(1));
    const double b = 1 / (1 + std::exp(3));
    const test::call_row rows[]{
        {"nn.instance_norm(%a, %b, %b, axis=1, epsilon=0, center=False)", {x, two}, shape, {-1, 1, -2, 2}, 1e-6},
        {"nn.l2_normalize(%a, eps=1e-10, axis=[1])",
         {x},
         shape,
         {1 / std::sqrt(5), 3 / std::sqrt(45), 2 / std::sqrt(5), 6 / std::sqrt(45)},
         1e-6},
        {"nn.l2_normalize(%a, eps=200, axis=None)", {x}, shape, {1 / root, 3 / root, 2 / root, 6 / root}, 1e-6},
        {"nn.softmax(%a, axis=1)", {x}, shape, {a, b, 1 - a, 1 - b}, 1e-6},
        {"nn.fast_softmax(%a, axis=1)", {x}, shape, {a, b, 1 - a, 1 - b}, 1e-6},
        {"nn.log_softmax(%a, axis=1)", {x}, shape, {std::log(a), std::log(b), std::log(1 - a), std::log(1 - b)}, 1e-6},
    };
    test::check(kernels, rows);
}

TEST_CASE("kernels/norm: layer, group and local response normalisation take their attributes", "[relay][eval]") {
    const tensor data({1, 4, 2}, {1.F, 3.F, 2.F, 6.F, 5.F, 4.F, 0.F, 7.F});
    const tensor two({2}, {2.F, 3.F});
    const tensor four({4}, {1.F, 2.F, 3.F, 4.F});
    tensor expected;
    kernel::layer_norm(data, two, two, {.axis = -1, .epsilon = 0.5, .center = false}, expected);
    CHECK(test::same(test::first_of(kernels, "nn.layer_norm(%a, %b, %b, epsilon=0.5, center=False)", {data, two}),
                     expected));
    kernel::group_norm(data, four, four, 2, {.axis = 1, .epsilon = 0.5, .scale = false}, expected);
    CHECK(test::same(
        test::first_of(kernels, "nn.group_norm(%a, %b, %b, num_groups=2, epsilon=0.5, scale=False)", {data, four}),
        expected));
    kernel::lrn(data, {.size = 3, .axis = 2, .bias = 1, .alpha = 0.5, .beta = 2}, expected);
    CHECK(
        test::same(test::first_of(kernels, "nn.lrn(%a, size=3, axis=2, bias=1, alpha=0.5, beta=2)", {data}), expected));
}
