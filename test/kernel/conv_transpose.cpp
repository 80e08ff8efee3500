#include <tutti/kernel/conv_transpose.hpp>

#include "convolvers.hpp"
#include "placed.hpp"
#include "support.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::bfloat16;
using kernel::conv_transpose_options;
using kernel::dtype;
using kernel::float16;
using kernel::tensor;
using test::coords;

namespace {

tensor spread(const tensor& data, const tensor& weight, const conv_transpose_options& options,
              kernel::convolver by = kernel::convolve_in_loops) {
    return test::made([&](tensor& out) { kernel::conv_transpose(data, weight, options, out, {}, by); });
}

// Sizes of data and weights, of which the last `rank` are spatial. weight[0] is the size of O, weight[1] of I.
struct problem {
    std::size_t rank = 2;
    coords data{};
    coords weight{};
    conv_transpose_options options;

    coords out() const {
        coords size{data[0], weight[0] * options.groups, 1, 1, 1};
        for (std::size_t i = 0; i < rank; ++i) {
            const std::size_t axis = 5 - rank + i;
            size[axis] = (data[axis] - 1) * options.strides[i] + (weight[axis] - 1) * options.dilation[i] + 1 -
                         options.before[i] - options.after[i] + options.output_padding[i];
        }
        return size;
    }
};

// Computes the result by definition: adds each input times the weights at the position of its window.
std::vector<double> naive(const problem& p, const std::vector<double>& data, const std::vector<double>& weight) {
    const test::placed in = test::data_in(p.options.data_layout, p.data);
    const test::placed w = test::weight_in(p.options.weight_layout, p.weight);
    const coords size = p.out();
    const test::placed to = test::data_in(p.options.out_layout, size);
    std::vector<double> out(static_cast<std::size_t>(kernel::element_count(to.shape())));
    const std::int64_t group_size = p.data[1] / p.options.groups;
    test::for_each_place(p.data, [&](const coords& at) {
        coords taps = p.weight;
        taps[1] = 1;
        test::for_each_place(taps, [&](const coords& tap) {
            coords place{at[0], at[1] / group_size * p.weight[0] + tap[0], 0, 0, 0};
            for (std::size_t i = 0; i < p.rank; ++i) {
                const std::size_t axis = 5 - p.rank + i;
                place[axis] = at[axis] * p.options.strides[i] + tap[axis] * p.options.dilation[i] - p.options.before[i];
                if (place[axis] < 0 || place[axis] >= size[axis]) return;
            }
            out[to.at(place)] += data[in.at(at)] * weight[w.at({tap[0], at[1], tap[2], tap[3], tap[4]})];
        });
    });
    return out;
}

problem random_problem(test::random_source& random) {
    problem p;
    conv_transpose_options& o = p.options;
    p.rank = static_cast<std::size_t>(random.integer(1, 3));
    o.data_layout = test::any_data_layout(random, p.rank);
    o.weight_layout = test::any_weight_layout(random, p.rank);
    o.out_layout = test::any_data_layout(random, p.rank);
    const bool whole = (std::string(o.data_layout) + std::string(o.weight_layout) + std::string(o.out_layout))
                           .find_first_of("0123456789") != std::string::npos;
    const std::int64_t unit = whole ? 4 : 1;
    o.groups = random.integer(0, 2) == 0 ? random.integer(1, 3) : 1;
    p.data = {random.integer(0, 9) == 0 ? 0 : random.integer(1, 2), random.integer(1, 3) * unit * o.groups, 1, 1, 1};
    p.weight = {random.integer(1, 6) * unit, p.data[1], 1, 1, 1};
    for (std::size_t i = 0; i < p.rank; ++i) {
        const std::size_t axis = 5 - p.rank + i;
        p.data[axis] = random.integer(1, p.rank == 3 ? 3 : 6);
        p.weight[axis] = random.integer(1, p.rank == 3 ? 3 : 5);
        o.strides[i] = random.integer(1, 4);
        o.dilation[i] = random.integer(1, 3);
        o.output_padding[i] = random.integer(0, 3);
        const std::int64_t room = (p.data[axis] - 1) * o.strides[i] + (p.weight[axis] - 1) * o.dilation[i] + 1;
        o.before[i] = random.integer(0, room / 2);
        o.after[i] = random.integer(0, room / 2);
    }
    return p;
}

template <class T>
void check(const problem& p, test::random_source& random, double range, double tolerance) {
    const tensor data = random.filled<T>(test::data_in(p.options.data_layout, p.data).shape(), -range, range);
    const tensor weight = random.filled<T>(test::weight_in(p.options.weight_layout, p.weight).shape(), -range, range);
    INFO("data " << p.options.data_layout << " " << kernel::text(p.data) << ", weight " << p.options.weight_layout
                 << " " << kernel::text(p.weight) << ", out " << p.options.out_layout << ", groups " << p.options.groups
                 << ", strides " << kernel::text(p.options.strides) << ", dilation " << kernel::text(p.options.dilation)
                 << ", before " << kernel::text(p.options.before) << ", after " << kernel::text(p.options.after)
                 << ", output padding " << kernel::text(p.options.output_padding));
    const std::vector<double> expected = naive(p, test::values(data), test::values(weight));
    for (const auto by : test::convolvers)
        CHECK(test::difference(spread(data, weight, p.options, by),
                               test::data_in(p.options.out_layout, p.out()).shape(), expected, tolerance) == "");
}

constexpr conv_transpose_options by_two() {
    conv_transpose_options o;
    o.strides = {2, 2};
    o.weight_layout = "IOHW";
    return o;
}

constexpr bool spreads_in_constant_evaluation() {
    const tensor data({1, 1, 1, 2}, {1.F, 10.F});
    const tensor weight({1, 1, 1, 3}, {1.F, 2.F, 3.F});
    tensor out;
    kernel::conv_transpose(data, weight, by_two(), out);
    const auto got = out.elements<float>(); // 1 2 3+10 20 30
    return got.size() == 5 && got[0] == 1 && got[1] == 2 && got[2] == 13 && got[3] == 20 && got[4] == 30;
}

} // namespace

TEST_CASE("conv_transpose: computes in constant evaluation", "[kernel][conv_transpose]") {
    static_assert(spreads_in_constant_evaluation());
    CHECK(spreads_in_constant_evaluation());
}

TEST_CASE("conv_transpose: any strides, padding, dilation, groups and layouts agree with the definition",
          "[kernel][conv_transpose]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = 0; round < 150; ++round) {
        const problem p = random_problem(random);
        check<float>(p, random, 1, 1e-5);
        if (round % 5 != 0) continue;
        check<double>(p, random, 1, 1e-14);
        check<float16>(p, random, 1, 0.0005);
        check<bfloat16>(p, random, 1, 0.004);
        check<std::int32_t>(p, random, 1000, 0);
    }
}

TEST_CASE("conv_transpose: an error for mismatched operands has both shapes", "[kernel][conv_transpose]") {
    const tensor data(dtype::float32, {1, 3, 4, 4});
    const auto error = [&](const tensor& w, conv_transpose_options o) {
        return test::error_of([&] { spread(data, w, o); });
    };
    CHECK(
        error(tensor(dtype::float32, {4, 2, 3, 3}), by_two()) ==
        "kernel::conv_transpose: data is (1, 3, 4, 4) float32 and weight is (4, 2, 3, 3) float32; expected data of 4 channels "
        "in 1 equal groups");
    conv_transpose_options padded = by_two();
    padded.before = {9, 0};
    CHECK(error(tensor(dtype::float32, {3, 2, 2, 2}), padded) ==
          "kernel::conv_transpose: a padding of 9; expected at most the 8 places of the result");
    padded = by_two();
    padded.output_padding = {0, -1};
    CHECK(error(tensor(dtype::float32, {3, 2, 2, 2}), padded) ==
          "kernel::conv_transpose: an output padding of -1; expected from 0 to 2^31 - 1");
    CHECK(test::error_of([] {
              spread(tensor(dtype::float32, {0, 1, std::int64_t{1} << 40, 1}), tensor(dtype::float32, {1, 1, 1, 1}),
                     by_two());
          }).find("fewer than 2^31 places along each axis") != std::string::npos);
    padded = by_two();
    padded.strides = {0, 1};
    CHECK(error(tensor(dtype::float32, {3, 2, 2, 2}), padded) ==
          "kernel::conv_transpose: height: a stride of 0; expected from 1 to 2^31 - 1");
}

TEST_CASE("conv_transpose: takes the time of the result and the weights, not of the strides",
          "[kernel][conv_transpose][limits]") {
    const std::int64_t most = (std::int64_t{1} << 31) - 1;
    conv_transpose_options far;
    const tensor one({1, 1, 1, 1, 1}, {3.0F});
    const tensor weight({1, 1, 1, 2, 1}, {5.0F, 7.0F});
    const tensor four({1, 1, 1, 2, 2}, {1.0F, 2.0F, 3.0F, 4.0F});
    for (const auto by : test::convolvers) {
        far.strides = {most, most, most};
        const tensor same = spread(one, weight, far, by);
        REQUIRE(same.size() == 2);
        CHECK(same.elements<float>()[0] == 15);
        CHECK(same.elements<float>()[1] == 21);

        far.strides = {1, 3000, 500}; // a result of 3002 x 501
        const tensor wide = spread(four, weight, far, by);
        REQUIRE(wide.size() == 3002 * 501);
        double sum = 0;
        for (const float x : wide.elements<float>()) sum += static_cast<double>(x);
        CHECK(sum == 120);
        CHECK(wide.elements<float>()[500] == 10);
        CHECK(wide.elements<float>()[3001 * 501] == 21);
    }
}

TEST_CASE("conv_transpose: the result for zero channels is zero, whatever the size of the weights",
          "[kernel][conv_transpose][limits]") {
    const std::int64_t most = std::int64_t{1} << 22;
    conv_transpose_options cut;
    cut.strides = {most, most};
    cut.before = {most - 1, most - 1};
    for (const auto by : test::convolvers) {
        const tensor out =
            spread(tensor(dtype::float32, {1, 0, 1, 1}), tensor(dtype::float32, {4, 0, most, most}), cut, by);
        CHECK(test::difference(out, {1, 4, 1, 1}, {0, 0, 0, 0}, 0) == "");
    }
}
