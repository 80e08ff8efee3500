#include <tutti/kernel/conv.hpp>

#include <tutti/kernel/plain_conv.hpp>

#include "catch.hpp"
#include "conv_problem.hpp"

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

tensor convolved(const tensor& data, const tensor& weight, const conv_options& options = {}) {
    return test::made([](auto&... a) { kernel::conv(a...); }, data, weight, options);
}

/// What the blocked kernel computes is held against the plain one.
template <class T, class W = T>
void check(const conv_problem& p, test::random_source& random, double range, double tolerance) {
    const tensor data = random.filled<T>(test::data_in(p.options.data_layout, p.data).shape(), -range, range);
    const tensor weight = random.filled<W>(test::weight_in(p.options.weight_layout, p.weight).shape(), -range, range);
    INFO(test::text(p));
    const tensor plain = test::made([](auto&... a) { kernel::plain_conv(a...); }, data, weight, p.options);
    CHECK(test::difference(convolved(data, weight, p.options), test::data_in(p.options.out_layout, p.out()).shape(),
                           test::values(plain), tolerance) == "");
}

/// The same with elements and a result of some types; a float16 may be rounded to the neighbour, its sum being a float.
void check_any_types(conv_problem p, test::random_source& random) {
    const auto with = [&](dtype out) -> conv_problem& {
        p.options.out = out;
        return p;
    };
    switch (random.integer(0, 14)) {
    case 0:
        return check<std::int8_t>(with(dtype::none), random, 128, 0);
    case 1:
        return check<std::uint8_t>(with(dtype::none), random, 255, 0);
    case 2:
        return check<std::int16_t>(with(dtype::none), random, 30'000, 0);
    case 3:
        return check<std::int32_t>(with(dtype::none), random, 2e9, 0);
    case 4:
        return check<std::uint32_t>(with(dtype::uint32), random, 4e9, 0);
    case 5:
        return check<std::int64_t>(with(dtype::none), random, 10'000, 0);
    case 6:
        return check<std::int8_t>(with(dtype::int32), random, 128, 0);
    case 7:
        return check<std::uint8_t, std::int8_t>(with(dtype::int32), random, 128, 0);
    case 8:
        return check<std::int32_t>(with(dtype::int64), random, 100'000, 0);
    case 9:
        return check<std::int8_t>(with(dtype::float32), random, 100, 0);
    case 10:
        return check<float16>(with(dtype::none), random, 1, 0.001);
    case 11:
        return check<float16>(with(dtype::float32), random, 1, 1e-6);
    case 12:
        return check<float, float16>(with(dtype::none), random, 1, 1e-5);
    case 13:
        return check<double>(with(dtype::none), random, 1, 1e-14);
    default:
        return check<float>(with(dtype::float64), random, 1, 1e-14);
    }
}

constexpr bool convolves_in_constant_evaluation() {
    const tensor data({1, 1, 3, 3}, {1.F, 2.F, 3.F, 4.F, 5.F, 6.F, 7.F, 8.F, 9.F});
    const tensor weight({5, 1, 2, 2}, {1.F, 0.F, 0.F, 0.F, 1.F, 1.F, 1.F, 1.F, 0.F, 0.F,
                                       0.F, 0.F, 0.F, 0.F, 0.F, 1.F, 2.F, 2.F, 2.F, 2.F});
    tensor out;
    kernel::conv(data, weight, {.before = {1, 1}}, out);
    const auto got = out.elements<float>();
    if (got.size() != 45 || got[0] != 0 || got[4] != 1 || got[8] != 5 || got[9] != 1 || got[17] != 28 || got[44] != 56)
        return false;
    const tensor narrow({1, 1, 3}, {std::int8_t{1}, std::int8_t{2}, std::int8_t{100}});
    kernel::conv(narrow, narrow, {.before = {1}, .data_layout = "NCW", .weight_layout = "OIW"}, out);
    return out.elements<std::int8_t>()[0] == static_cast<std::int8_t>(202);
}

} // namespace

TEST_CASE("conv: computes in constant evaluation", "[kernel][conv]") {
    static_assert(convolves_in_constant_evaluation());
    CHECK(convolves_in_constant_evaluation());
}

TEST_CASE("conv: any strides, padding, dilation, groups and layouts agree with the plain kernel", "[kernel][conv]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = test::rounds(1000); round > 0; --round) check<float>(test::any_conv(random), random, 1, 1e-5);
}

TEST_CASE("conv: so do elements and results of any types; integers are exact, and float16 is rounded once",
          "[kernel][conv]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = test::rounds(2000); round > 0; --round) check_any_types(test::any_conv(random), random);
}

TEST_CASE("conv: more weights than one block holds are summed", "[kernel][conv]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const conv_options options{
        .before = {1, 1}, .after = {1, 1}, .data_layout = "NCHW", .weight_layout = "OIHW", .out_layout = "NCHW"};
    check<float>({2, {1, 70, 1, 9, 9}, {130, 70, 1, 3, 3}, options}, random, 1, 1e-5);
    check<float16>({2, {1, 70, 1, 5, 5}, {3, 70, 1, 3, 3}, options}, random, 1, 0.0005);
    check<float>({2,
                  {1, 5, 1, 3, 1200},
                  {5, 1, 1, 3, 3},
                  {.groups = 5, .data_layout = "NCHW", .weight_layout = "OIHW", .out_layout = "NCHW"}},
                 random, 1, 1e-5);
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
            CHECK(test::difference(convolved(data, moved, {.groups = 4, .weight_layout = layout}),
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
        kernel::conv(data, weight, p.options, out, space);
        const tensor first = convolved(data, weight, p.options);
        CHECK(test::difference(out, shape_t(first.shape().begin(), first.shape().end()), test::values(first), 0) == "");
    }
}

TEST_CASE("conv: integers wrap", "[kernel][conv]") {
    const tensor data({1, 1, 1, 1}, {std::numeric_limits<std::int32_t>::max()});
    const tensor weight({1, 1, 1, 1}, {2});
    CHECK(convolved(data, weight).elements<std::int32_t>()[0] == -2);
    const tensor narrow({1, 1, 1, 1}, {std::int8_t{100}});
    CHECK(convolved(narrow, narrow).elements<std::int8_t>()[0] == 16); // 10000 modulo 256
    CHECK(convolved(narrow, narrow, {.out = dtype::int32}).elements<std::int32_t>()[0] == 10'000);
}

TEST_CASE("conv: NaN and infinities reach the windows that they are in, and no other", "[kernel][conv]") {
    tensor data(dtype::float32, {1, 1, 3, 40});
    data.mutable_elements<float>()[40 + 20] = NAN;
    data.mutable_elements<float>()[40 + 35] = INFINITY;
    for (const std::int64_t channels : {1, 6}) {
        tensor weight(dtype::float32, {channels, 1, 3, 3});
        for (float& x : weight.mutable_elements<float>()) x = 1;
        const tensor out = convolved(data, weight);
        for (std::size_t i = 0; i < 38; ++i) {
            const float x = out.elements<float>()[i];
            CHECK((i >= 18 && i <= 20 ? std::isnan(x) : i >= 33 && i <= 35 ? x == INFINITY : x == 0));
        }
    }
}

TEST_CASE("conv: an infinite weight makes NaN of the padding it meets", "[kernel][conv]") {
    const tensor data({1, 1, 1, 1}, {1.F});
    const conv_options padded{.before = {0, 1}};
    CHECK(std::isnan(convolved(data, tensor({1, 1, 1, 2}, {INFINITY, 1.F}), padded).elements<float>()[0]));
    tensor many(dtype::float32, {4, 1, 1, 2});
    for (float& x : many.mutable_elements<float>()) x = INFINITY;
    CHECK(std::isnan(convolved(data, many, padded).elements<float>()[3]));
}

TEST_CASE("conv: empty tensors give empty tensors, and no channels give zeros", "[kernel][conv]") {
    CHECK(convolved(tensor(dtype::float32, {0, 3, 8, 8}), tensor(dtype::float32, {4, 3, 3, 3})).size() == 0);
    CHECK(convolved(tensor(dtype::float32, {1, 3, 8, 8}), tensor(dtype::float32, {0, 3, 3, 3})).shape()[1] == 0);
    for (const std::int64_t channels : {2, 4}) {
        const tensor none =
            convolved(tensor(dtype::float32, {1, 0, 3, 3}), tensor(dtype::float32, {channels, 0, 3, 3}));
        CHECK(test::difference(none, {1, channels, 1, 1}, std::vector<double>(static_cast<std::size_t>(channels)), 0) ==
              "");
    }
}

TEST_CASE("conv: what does not fit is named with both shapes", "[kernel][conv]") {
    const tensor data(dtype::float32, {1, 3, 8, 8});
    const tensor weight(dtype::float32, {4, 4, 3, 3});
    const auto error = [](const tensor& d, const tensor& w, conv_options o = {}) {
        return test::error_of([&] { convolved(d, w, o); });
    };
    CHECK(error(data, weight) == "kernel::conv: data is (1, 3, 8, 8) float32 and weight is (4, 4, 3, 3) float32; "
                                 "expected data of 1 groups of 4 channels");
    CHECK(error(data, tensor(dtype::float32, {4, 3, 3})) ==
          "kernel::conv: data is (1, 3, 8, 8) float32 and weight is (4, 3, 3) float32; expected as many spatial axes");
    CHECK(error(data, tensor(dtype::boolean, {4, 3, 3, 3})) ==
          "kernel::conv: data is (1, 3, 8, 8) float32 and weight is (4, 3, 3, 3) bool; expected elements of integer or "
          "floating-point types");
    CHECK(error(data, tensor(dtype::float32, {4, 1, 3, 3}), {.groups = 3}) ==
          "kernel::conv: data is (1, 3, 8, 8) float32 and weight is (4, 1, 3, 3) float32; expected a multiple of 3 "
          "output channels, as there are groups");
    CHECK(error(data, weight, {.groups = 0}) == "kernel::conv: 0 groups; expected at least 1");
    CHECK(error(data, tensor(dtype::float32, {4, 3, 9, 3})) ==
          "kernel::conv: height: a window that reaches over 9 cells; expected at most the 8 of the padded image");
    CHECK(error(data, tensor(dtype::float32, {4, 3, 3, 0})) ==
          "kernel::conv: width: a window of 0; expected from 1 to 2^31 - 1");
    CHECK(
        error(data, tensor(dtype::float32, {4, 3, 3, 3}), {.out = dtype::int8}) ==
        "kernel::conv: data is (1, 3, 8, 8) float32 and weight is (4, 3, 3, 3) float32; expected other elements than these "
        "for a result of int8");
    CHECK(
        error(data, tensor(dtype::float32, {4, 3, 3, 3}), {.data_layout = "NCHQ"}) ==
        "kernel::conv: data has shape (1, 3, 8, 8) and layout \"NCHQ\"; expected a layout such as NCHW, NHWC, NCHW16c or "
        "OIHW, for a tensor of this shape");
    CHECK(error(data, tensor(dtype::float32, {4, 3, 3, 3}), {.out_layout = "NCHW3c"}) ==
          "kernel::conv: an axis of size 4 in layout \"NCHW3c\"; expected a multiple of 3");
}
