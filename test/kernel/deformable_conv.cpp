#include <tutti/kernel/deformable_conv.hpp>

#include "convolvers.hpp"
#include "placed.hpp"
#include "support.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::deformable_conv_options;
using kernel::dtype;
using kernel::float16;
using kernel::tensor;
using test::coords;

namespace {

tensor deformed(const tensor& data, const tensor& offset, const tensor& weight, const deformable_conv_options& options,
                kernel::convolver by = kernel::convolve_in_loops) {
    return test::made([&](tensor& out) { kernel::deformable_conv(data, offset, weight, options, out, {}, by); });
}

struct problem {
    coords data{};
    coords weight{};
    coords out{};
    deformable_conv_options options;
};

// Returns the value at a point by definition: a hat function around the point weights its four neighbours.
double at_point(const std::vector<double>& x, const test::placed& in, const coords& size, coords place, double h,
                double w) {
    if (h < 0 || w < 0 || h >= static_cast<double>(size[3]) || w >= static_cast<double>(size[4])) return 0;
    double sum = 0;
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) {
            const double row = std::floor(h) + i;
            const double column = std::floor(w) + j;
            place[3] = std::min(static_cast<std::int64_t>(row), size[3] - 1);
            place[4] = std::min(static_cast<std::int64_t>(column), size[4] - 1);
            sum += x[in.at(place)] * (1 - std::abs(h - row)) * (1 - std::abs(w - column));
        }
    return sum;
}

template <class T>
void check(test::random_source& random, double tolerance) {
    problem p;
    deformable_conv_options& o = p.options;
    o.data_layout = test::any_data_layout(random, 2);
    o.weight_layout = test::any_weight_layout(random, 2);
    o.out_layout = test::any_data_layout(random, 2);
    o.groups = random.integer(1, 2);
    o.deformable_groups = random.integer(1, 2);
    p.weight = {4 * o.groups, 4, 1, random.integer(1, 3), random.integer(1, 3)};
    p.data = {random.integer(1, 2), 4 * o.groups, 1, 0, 0};
    p.out = {p.data[0], p.weight[0], 1, 1, 1};
    for (std::size_t i = 0; i < 2; ++i) {
        o.strides[i] = random.integer(1, 2);
        o.dilation[i] = random.integer(1, 2);
        o.before[i] = random.integer(0, 2);
        o.after[i] = random.integer(0, 2);
        const std::int64_t reach = (p.weight[3 + i] - 1) * o.dilation[i] + 1;
        p.data[3 + i] = random.integer(reach, 6);
        p.out[3 + i] = (p.data[3 + i] + o.before[i] + o.after[i] - reach) / o.strides[i] + 1;
    }
    const coords moves{p.data[0], 2 * o.deformable_groups * p.weight[3] * p.weight[4], 1, p.out[3], p.out[4]};
    if (moves[1] % 4 != 0 && o.data_layout.find_first_of("0123456789") != std::string::npos) return;
    const test::placed in = test::data_in(o.data_layout, p.data);
    const test::placed by = test::data_in(o.data_layout, moves);
    const test::placed w = test::weight_in(o.weight_layout, p.weight);
    const test::placed to = test::data_in(o.out_layout, p.out);
    const tensor data = random.filled<T>(in.shape());
    const tensor offset = random.filled<T>(by.shape(), -2, 2);
    const tensor weight = random.filled<T>(w.shape());
    const std::vector<double> x = test::values(data);
    const std::vector<double> move = test::values(offset);
    const std::vector<double> times = test::values(weight);
    std::vector<double> expected(static_cast<std::size_t>(kernel::element_count(to.shape())));
    test::for_each_place(p.out, [&](const coords& at) {
        double sum = 0;
        test::for_each_place({1, 4, 1, p.weight[3], p.weight[4]}, [&](const coords& tap) {
            const std::int64_t channel = at[1] / 4 * 4 + tap[1];
            const std::int64_t group = channel / (p.data[1] / o.deformable_groups);
            const std::int64_t pair = 2 * ((group * p.weight[3] + tap[3]) * p.weight[4] + tap[4]);
            const double h = static_cast<double>(at[3] * o.strides[0] - o.before[0] + tap[3] * o.dilation[0]) +
                             move[by.at({at[0], pair, 0, at[3], at[4]})];
            const double v = static_cast<double>(at[4] * o.strides[1] - o.before[1] + tap[4] * o.dilation[1]) +
                             move[by.at({at[0], pair + 1, 0, at[3], at[4]})];
            sum += at_point(x, in, p.data, {at[0], channel, 0, 0, 0}, h, v) *
                   times[w.at({at[1], tap[1], 0, tap[3], tap[4]})];
        });
        expected[to.at(at)] = sum;
    });
    INFO("data " << o.data_layout << " " << kernel::text(p.data) << ", weight " << o.weight_layout << " "
                 << kernel::text(p.weight) << ", groups " << o.groups << " " << o.deformable_groups);
    for (const auto how : test::convolvers)
        CHECK(test::difference(deformed(data, offset, weight, o, how), to.shape(), expected, tolerance) == "");
}

constexpr bool moves_in_constant_evaluation() {
    const tensor data({1, 1, 2, 2}, {1.F, 2.F, 3.F, 4.F});
    const tensor offset({1, 2, 1, 1}, {0.5F, 0.5F});
    tensor out;
    kernel::deformable_conv(tensor(dtype::float32, {0, 1, 1, 1}), tensor(dtype::float32, {0, 2, 1, 1}),
                            tensor({1, 1, 1, 1}, {2.F}), {}, out);
    if (out.size() != 0) return false;
    deformable_conv_options strided;
    strided.strides = {2, 2};
    kernel::deformable_conv(data, offset, tensor({1, 1, 1, 1}, {2.F}), strided, out);
    return out.size() == 1 && out.elements<float>()[0] == 5;
}

} // namespace

TEST_CASE("deformable_conv: computes in constant evaluation", "[kernel][deformable_conv]") {
    static_assert(moves_in_constant_evaluation());
    CHECK(moves_in_constant_evaluation());
}

TEST_CASE("deformable_conv: agrees with the definition", "[kernel][deformable_conv]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = 0; round < 40; ++round) {
        check<double>(random, 1e-12);
        if (round % 4 == 0) check<float16>(random, 0.002);
    }
}

TEST_CASE("deformable_conv: an error names mismatched operands", "[kernel][deformable_conv]") {
    const tensor data(dtype::float32, {1, 4, 5, 5});
    const tensor weight(dtype::float32, {2, 4, 3, 3});
    const auto error = [&](const tensor& d, const tensor& offset, deformable_conv_options o = {}) {
        return test::error_of([&] { deformed(d, offset, weight, o); });
    };
    CHECK(
        error(data, tensor(dtype::float32, {1, 9, 3, 3})) ==
        "kernel::deformable_conv: data is (1, 4, 5, 5) float32 and offset is (1, 9, 3, 3) float32; expected 18 channels of 3 "
        "by 3 offsets for each image");
    deformable_conv_options three;
    three.deformable_groups = 3;
    CHECK(error(data, tensor(dtype::float32, {1, 54, 3, 3}), three) ==
          "kernel::deformable_conv: 3 deformable groups of 4 channels; expected groups of the same size");
    CHECK(error(tensor(dtype::int32, {1, 4, 5, 5}), tensor(dtype::float32, {1, 18, 3, 3})).find("floating-point") !=
          std::string::npos);
}
