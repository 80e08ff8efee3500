#include <tutti/kernel/conv.hpp>

#include "conv_problem.hpp"
#include "convolvers.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::conv_options;
using kernel::dtype;
using kernel::float16;
using kernel::tensor;
using test::conv_problem;
using test::coords;
using test::shape_t;

namespace {

tensor convolved(const tensor& data, const tensor& weight, const conv_options& options = {},
                 kernel::convolver by = kernel::convolve_in_loops) {
    return test::made([&](tensor& out) { kernel::conv(data, weight, options, out, {}, by); });
}

constexpr bool convolves_in_constant_evaluation(kernel::convolver by) {
    const tensor data({1, 1, 3, 3}, {1.F, 2.F, 3.F, 4.F, 5.F, 6.F, 7.F, 8.F, 9.F});
    const tensor weight({5, 1, 2, 2}, {1.F, 0.F, 0.F, 0.F, 1.F, 1.F, 1.F, 1.F, 0.F, 0.F,
                                       0.F, 0.F, 0.F, 0.F, 0.F, 1.F, 2.F, 2.F, 2.F, 2.F});
    tensor out;
    kernel::conv(data, weight, {.before = {1, 1}}, out, {}, by);
    const auto got = out.elements<float>();
    if (got.size() != 45 || got[0] != 0 || got[4] != 1 || got[8] != 5 || got[9] != 1 || got[17] != 28 || got[44] != 56)
        return false;
    const tensor narrow({1, 1, 3}, {std::int8_t{1}, std::int8_t{2}, std::int8_t{100}});
    kernel::conv(narrow, narrow, {.before = {1}, .data_layout = "NCW", .weight_layout = "OIW"}, out, {}, by);
    return out.elements<std::int8_t>()[0] == static_cast<std::int8_t>(202);
}

} // namespace

TEST_CASE("conv: computes in constant evaluation", "[kernel][conv]") {
    static_assert(convolves_in_constant_evaluation(kernel::convolve_in_loops));
    static_assert(convolves_in_constant_evaluation(kernel::blocked::convolve_in_blocks<>));
    for (const auto by : test::convolvers) CHECK(convolves_in_constant_evaluation(by));
}

TEST_CASE("conv: a channel by itself may become several, in any layout of the weights", "[kernel][conv]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (const std::int64_t several : {2, 12}) {
        const coords sizes{4, several, 1, 3, 2};
        const tensor data = random.filled<float>({2, 4, 5, 6}, -1, 1);
        const tensor weight = random.filled<float>({4, several, 3, 2}, -1, 1);
        tensor rows;
        rows.share(weight, shape_t{4 * several, 1, 3, 2});
        const tensor expected = convolved(data, rows, {.groups = 4});
        const test::placed usual = test::weight_in("OIHW", sizes);
        for (const std::string_view layout : {"OIHW", "HWOI", "HWIO", "IHWO", "OIHW2o2i"}) {
            const test::placed other = test::weight_in(layout, sizes);
            tensor moved(dtype::float32, other.shape());
            test::for_each_place(sizes, [&](const coords& at) {
                moved.mutable_elements<float>()[other.at(at)] = weight.elements<float>()[usual.at(at)];
            });
            INFO(layout);
            for (const auto by : test::convolvers)
                CHECK(test::difference(convolved(data, moved, {.groups = 4, .weight_layout = layout}, by),
                                       {2, 4 * several, 3, 5}, test::values(expected), 1e-6) == "");
        }
    }
}

TEST_CASE("conv: memory that is given again is not allocated again, and may have held anything", "[kernel][conv]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    kernel::workspace space;
    tensor out;
    for (int round = 0; round < 30; ++round) {
        const conv_problem p = test::any_conv(random);
        const tensor data = random.filled<std::int8_t>(test::data_in(p.options.data_layout, p.data).shape(), -9, 9);
        const tensor weight =
            random.filled<std::int8_t>(test::weight_in(p.options.weight_layout, p.weight).shape(), -9, 9);
        INFO(test::text(p));
        const tensor first = convolved(data, weight, p.options);
        for (const auto by : test::convolvers) {
            kernel::conv(data, weight, p.options, out, space, by);
            CHECK(test::identical(out, first));
        }
    }
}

TEST_CASE("conv: integers wrap", "[kernel][conv]") {
    const tensor data({1, 1, 1, 1}, {std::numeric_limits<std::int32_t>::max()});
    const tensor weight({1, 1, 1, 1}, {2});
    const tensor narrow({1, 1, 1, 1}, {std::int8_t{100}});
    for (const auto by : test::convolvers) {
        CHECK(convolved(data, weight, {}, by).elements<std::int32_t>()[0] == -2);
        CHECK(convolved(data, weight, {.out = dtype::int64}, by).elements<std::int64_t>()[0] == 4294967294);
        CHECK(convolved(narrow, narrow, {}, by).elements<std::int8_t>()[0] == 16); // 10000 modulo 256
        CHECK(convolved(narrow, narrow, {.out = dtype::int32}, by).elements<std::int32_t>()[0] == 10'000);
    }
}

TEST_CASE("conv: NaN and infinities reach the windows that they are in, and no other", "[kernel][conv]") {
    tensor data(dtype::float32, {1, 1, 3, 40});
    data.mutable_elements<float>()[40 + 20] = NAN;
    data.mutable_elements<float>()[40 + 35] = INFINITY;
    for (const std::int64_t channels : {1, 6}) {
        tensor weight(dtype::float32, {channels, 1, 3, 3});
        for (float& x : weight.mutable_elements<float>()) x = 1;
        for (const auto by : test::convolvers) {
            const tensor out = convolved(data, weight, {}, by);
            for (std::size_t i = 0; i < 38; ++i) {
                const float x = out.elements<float>()[i];
                CHECK((i >= 18 && i <= 20 ? std::isnan(x) : i >= 33 && i <= 35 ? x == INFINITY : x == 0));
            }
        }
    }
}

TEST_CASE("conv: an infinite weight makes NaN of the padding it meets", "[kernel][conv]") {
    const tensor data({1, 1, 1, 1}, {1.F});
    const conv_options padded{.before = {0, 1}};
    tensor many(dtype::float32, {4, 1, 1, 2});
    for (float& x : many.mutable_elements<float>()) x = INFINITY;
    for (const auto by : test::convolvers) {
        CHECK(std::isnan(convolved(data, tensor({1, 1, 1, 2}, {INFINITY, 1.F}), padded, by).elements<float>()[0]));
        CHECK(std::isnan(convolved(data, many, padded, by).elements<float>()[3]));
    }
}

TEST_CASE("conv: empty tensors give empty tensors, and no channels give zeros", "[kernel][conv]") {
    const auto of_shapes = [](const shape_t& data, const shape_t& weight, kernel::convolver by) {
        return convolved(tensor(dtype::float32, data), tensor(dtype::float32, weight), {}, by);
    };
    for (const auto by : test::convolvers) {
        CHECK(of_shapes({0, 3, 8, 8}, {4, 3, 3, 3}, by).size() == 0);
        CHECK(of_shapes({1, 3, 8, 8}, {0, 3, 3, 3}, by).shape()[1] == 0);
        for (const std::int64_t channels : {2, 4}) {
            const std::vector<double> zeros(static_cast<std::size_t>(channels));
            CHECK(test::difference(of_shapes({1, 0, 3, 3}, {channels, 0, 3, 3}, by), {1, channels, 1, 1}, zeros, 0) ==
                  "");
        }
    }
}

TEST_CASE("conv: an error for mismatched operands has both shapes", "[kernel][conv]") {
    const tensor data(dtype::float32, {1, 3, 8, 8});
    const tensor weight(dtype::float32, {4, 4, 3, 3});
    const auto error = [](const tensor& d, const tensor& w, conv_options o = {}) {
        return test::error_of([&] { convolved(d, w, o); });
    };
    CHECK(error(data, weight) == "kernel::conv: data is (1, 3, 8, 8) float32 and weight is (4, 4, 3, 3) float32; "
                                 "expected data of 1 groups of 4 channels");
    CHECK(error(data, tensor(dtype::float32, {4, 3, 3})) ==
          "kernel::conv: data is (1, 3, 8, 8) float32 and weight is (4, 3, 3) float32; expected the same number of "
          "spatial axes");
    CHECK(error(data, tensor(dtype::boolean, {4, 3, 3, 3})) ==
          "kernel::conv: data is (1, 3, 8, 8) float32 and weight is (4, 3, 3, 3) bool; expected elements of integer or "
          "floating-point types");
    CHECK(error(data, tensor(dtype::float32, {4, 1, 3, 3}), {.groups = 3}) ==
          "kernel::conv: data is (1, 3, 8, 8) float32 and weight is (4, 1, 3, 3) float32; expected a multiple of 3 "
          "output channels, the number of groups");
    CHECK(error(data, weight, {.groups = 0}) == "kernel::conv: 0 groups; expected at least 1");
    CHECK(error(data, tensor(dtype::float32, {4, 3, 9, 3})) ==
          "kernel::conv: height: a window that spans 9 cells; expected at most 8, the size of the padded image");
    CHECK(error(data, tensor(dtype::float32, {4, 3, 3, 0})) ==
          "kernel::conv: width: a window of 0; expected from 1 to 2^31 - 1");
    CHECK(error(data, tensor(dtype::float32, {4, 3, 3, 3}), {.out = dtype::int8}) ==
          "kernel::conv: data is (1, 3, 8, 8) float32 and weight is (4, 3, 3, 3) float32; expected a result type that "
          "can hold the products of these elements, unlike int8");
    CHECK(
        error(data, tensor(dtype::float32, {4, 3, 3, 3}), {.data_layout = "NCHQ"}) ==
        "kernel::conv: data has shape (1, 3, 8, 8) and layout \"NCHQ\"; expected a layout such as NCHW, NHWC, NCHW16c or "
        "OIHW, for a tensor of this shape");
    CHECK(error(data, tensor(dtype::float32, {4, 3, 3, 3}), {.out_layout = "NCHW3c"}) ==
          "kernel::conv: an axis of size 4 in layout \"NCHW3c\"; expected a multiple of 3");
}
