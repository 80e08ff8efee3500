#include <tutti/kernel/support/convolve.hpp>

#include <tutti/kernel/conv.hpp>

#include "kernel/conv_problem.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::conv_options;
using kernel::dtype;
using kernel::tensor;
using test::conv_problem;
using test::coords;
using test::shape_t;

namespace {

tensor convolved(const tensor& data, const tensor& weight, const conv_options& options = {}) {
    return test::made([](auto&... a) { kernel::conv(a...); }, data, weight, options);
}

// Computes the results by definition, one after another.
std::vector<double> naive(const conv_problem& p, const std::vector<double>& data, const std::vector<double>& weight) {
    const test::placed in = test::data_in(p.options.data_layout, p.data);
    const test::placed w = test::weight_in(p.options.weight_layout, p.weight);
    const test::placed to = test::data_in(p.options.out_layout, p.out());
    std::vector<double> out(static_cast<std::size_t>(kernel::element_count(to.shape())));
    test::for_each_place(p.out(), [&](const coords& at) {
        const std::int64_t group = at[1] / (p.weight[0] / p.options.groups);
        double sum = 0;
        coords taps = p.weight;
        taps[0] = 1;
        test::for_each_place(taps, [&](const coords& tap) {
            coords from{at[0], group * p.weight[1] + tap[1], 0, 0, 0};
            bool inside = true;
            for (std::size_t i = 0; i < p.rank; ++i) {
                const std::size_t axis = 5 - p.rank + i;
                from[axis] = at[axis] * p.options.strides[i] - p.options.before[i] + tap[axis] * p.options.dilation[i];
                inside = inside && from[axis] >= 0 && from[axis] < p.data[axis];
            }
            const coords by{at[1], tap[1], tap[2], tap[3], tap[4]};
            if (inside) sum += data[in.at(from)] * weight[w.at(by)];
        });
        out[to.at(at)] = sum;
    });
    return out;
}

constexpr bool convolves_in_constant_evaluation() {
    const tensor data({1, 1, 3, 3}, {1.F, 2.F, 3.F, 4.F, 5.F, 6.F, 7.F, 8.F, 9.F});
    const tensor weight({1, 1, 2, 2}, {1.F, 0.F, 0.F, 10.F});
    tensor out;
    kernel::conv(data, weight, {.strides = {1, 2}, .before = {1, 0}, .after = {0, 1}}, out);
    const auto got = out.elements<float>();
    return got.size() == 6 && got[0] == 20 && got[1] == 0 && got[2] == 51 && got[3] == 3 && got[4] == 84 && got[5] == 6;
}

} // namespace

TEST_CASE("convolve: computes in constant evaluation", "[kernel][convolve]") {
    static_assert(convolves_in_constant_evaluation());
    CHECK(convolves_in_constant_evaluation());
}

TEST_CASE("convolve: any strides, padding, dilation, groups and layouts agree with the definition",
          "[kernel][convolve]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = test::rounds(300); round > 0; --round) {
        const conv_problem p = test::any_conv(random);
        const tensor data = random.filled<float>(test::data_in(p.options.data_layout, p.data).shape());
        const tensor weight = random.filled<float>(test::weight_in(p.options.weight_layout, p.weight).shape());
        INFO(test::text(p));
        CHECK(test::difference(convolved(data, weight, p.options), test::data_in(p.options.out_layout, p.out()).shape(),
                               naive(p, test::values(data), test::values(weight)), 1e-6) == "");
    }
}

TEST_CASE("convolve: a channel by itself may become several", "[kernel][convolve]") {
    const tensor data({1, 2, 2}, {1, 2, 3, 4});
    const tensor weight({2, 3, 1}, {1, 10, 100, 2, 20, 200});
    CHECK(test::difference(convolved(data, weight, {.groups = 2}), {1, 6, 2},
                           {1, 2, 10, 20, 100, 200, 6, 8, 60, 80, 600, 800}, 0) == "");
}

TEST_CASE("convolve: float32 is summed in double", "[kernel][convolve]") {
    const tensor data({1, 3, 1}, {1.F, 0x1p-40F, -1.F});
    const tensor ones({1, 3, 1}, {1.F, 1.F, 1.F});
    CHECK(convolved(data, ones).elements<float>()[0] == 0x1p-40F);
}

TEST_CASE("convolve: no channels take no time, however large the window", "[kernel][convolve][limits]") {
    const std::int64_t most = std::int64_t{1} << 22;
    const conv_options o{.before = {most, most}};
    const tensor out = convolved(tensor(dtype::float32, {1, 0, 1, 1}), tensor(dtype::float32, {1, 0, most, most}), o);
    CHECK(out.size() == 4);
}
