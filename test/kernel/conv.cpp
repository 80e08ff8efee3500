#include <tutti/kernel/conv.hpp>

#include "catch.hpp"

#include "support.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::conv2d;
using kernel::conv2d_options;
using kernel::dtype;
using kernel::float16;
using kernel::image_layout;
using kernel::kernel_layout;
using kernel::tensor;
using test::shape_t;

namespace {

// A convolution of n images of c channels and h x w pixels with o x i x kh x kw weights.
struct problem {
    std::int64_t n, c, h, w, o, i, kh, kw;
    conv2d_options options;

    shape_t data_shape() const {
        return options.data_layout == image_layout::nchw ? shape_t{n, c, h, w} : shape_t{n, h, w, c};
    }
    shape_t weight_shape() const {
        switch (options.weight_layout) {
        case kernel_layout::oihw:
            return {o, i, kh, kw};
        case kernel_layout::hwio:
            return {kh, kw, i, o};
        default:
            return {o, kh, kw, i};
        }
    }
    std::size_t data_at(std::int64_t a, std::int64_t b, std::int64_t y, std::int64_t x) const {
        return test::offset(data_shape(), options.data_layout == image_layout::nchw ? shape_t{a, b, y, x}
                                                                                    : shape_t{a, y, x, b});
    }
    std::size_t weight_at(std::int64_t a, std::int64_t b, std::int64_t y, std::int64_t x) const {
        switch (options.weight_layout) {
        case kernel_layout::oihw:
            return test::offset(weight_shape(), {a, b, y, x});
        case kernel_layout::hwio:
            return test::offset(weight_shape(), {y, x, b, a});
        default:
            return test::offset(weight_shape(), {a, y, x, b});
        }
    }
    shape_t out_shape() const {
        const std::int64_t oh =
            (h + options.padding.top + options.padding.bottom - (kh - 1) * options.dilation.h - 1) /
                options.strides.h +
            1;
        const std::int64_t ow =
            (w + options.padding.left + options.padding.right - (kw - 1) * options.dilation.w - 1) /
                options.strides.w +
            1;
        return options.data_layout == image_layout::nchw ? shape_t{n, o, oh, ow} : shape_t{n, oh, ow, o};
    }
};

// The definition, one result after another.
std::vector<double> naive(const problem& p, const std::vector<double>& data,
                          const std::vector<double>& weight) {
    std::vector<double> out;
    test::for_each_index(p.out_shape(), [&](const shape_t& at) {
        const bool nchw = p.options.data_layout == image_layout::nchw;
        const std::int64_t oc = at[nchw ? 1 : 3];
        const std::int64_t oy = at[nchw ? 2 : 1];
        const std::int64_t ox = at[nchw ? 3 : 2];
        const std::int64_t group = oc / (p.o / p.options.groups);
        double sum = 0;
        for (std::int64_t ic = 0; ic < p.i; ++ic)
            for (std::int64_t ky = 0; ky < p.kh; ++ky)
                for (std::int64_t kx = 0; kx < p.kw; ++kx) {
                    const std::int64_t y =
                        oy * p.options.strides.h - p.options.padding.top + ky * p.options.dilation.h;
                    const std::int64_t x =
                        ox * p.options.strides.w - p.options.padding.left + kx * p.options.dilation.w;
                    const bool inside = y >= 0 && y < p.h && x >= 0 && x < p.w;
                    const double pixel = inside ? data[p.data_at(at[0], group * p.i + ic, y, x)] : 0.0;
                    sum += pixel * weight[p.weight_at(oc, ic, ky, kx)];
                }
        out.push_back(sum);
    });
    return out;
}

problem random_problem(test::random_source& random) {
    problem p{};
    conv2d_options& o = p.options;
    o.groups = random.integer(0, 2) == 0 ? random.integer(1, 4) : 1;
    p.n = random.integer(random.integer(0, 9) == 0 ? 0 : 1, 2);
    p.i = random.integer(0, 4) == 0 ? random.integer(0, 40) : random.integer(1, 4);
    p.c = p.i * o.groups;
    p.o = (random.integer(0, 4) == 0 ? random.integer(0, 150) : random.integer(1, 9)) * o.groups;
    p.kh = random.integer(1, 3);
    p.kw = random.integer(1, 3);
    o.strides = {random.integer(1, 3), random.integer(1, 3)};
    o.dilation = {random.integer(1, 2), random.integer(1, 2)};
    o.padding = {random.integer(0, 5), random.integer(0, 5), random.integer(0, 5), random.integer(0, 5)};
    p.h = random.integer(
        std::max<std::int64_t>(0, (p.kh - 1) * o.dilation.h + 1 - o.padding.top - o.padding.bottom), 13);
    p.w = random.integer(
        std::max<std::int64_t>(0, (p.kw - 1) * o.dilation.w + 1 - o.padding.left - o.padding.right), 13);
    o.data_layout = random.integer(0, 1) == 0 ? image_layout::nchw : image_layout::nhwc;
    o.weight_layout = static_cast<kernel_layout>(random.integer(0, 2));
    return p;
}

template <class T>
void check(const problem& p, test::random_source& random, double range, double tolerance) {
    const tensor data = random.filled<T>(p.data_shape(), -range, range);
    const tensor weight = random.filled<T>(p.weight_shape(), -range, range);
    INFO("data " << kernel::text(data) << ", weight " << kernel::text(weight) << ", groups "
                 << p.options.groups << ", strides " << p.options.strides.h << " " << p.options.strides.w
                 << ", dilation " << p.options.dilation.h << " " << p.options.dilation.w << ", padding "
                 << p.options.padding.top << " " << p.options.padding.left << " " << p.options.padding.bottom
                 << " " << p.options.padding.right);
    CHECK(test::difference(conv2d(data, weight, p.options), p.out_shape(),
                           naive(p, test::values(data), test::values(weight)), tolerance) == "");
}

constexpr bool convolves_in_constant_evaluation() {
    const tensor data({1, 1, 3, 3}, {1.F, 2.F, 3.F, 4.F, 5.F, 6.F, 7.F, 8.F, 9.F});
    const tensor weight({2, 1, 2, 2}, {1.F, 0.F, 0.F, 0.F, 1.F, 1.F, 1.F, 1.F});
    const tensor out = conv2d(data, weight, {.padding = {1, 1, 0, 0}});
    const auto got = out.elements<float>();
    return got.size() == 18 && got[0] == 0 && got[4] == 1 && got[8] == 5 && got[9] == 1 && got[17] == 28;
}

} // namespace

TEST_CASE("conv: computes in constant evaluation", "[kernel][conv]") {
    static_assert(convolves_in_constant_evaluation());
    CHECK(convolves_in_constant_evaluation());
}

TEST_CASE("conv: any strides, padding, dilation, groups and layouts agree with the definition",
          "[kernel][conv]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = 0; round < 200; ++round) check<float>(random_problem(random), random, 1, 1e-5);
    for (int round = 0; round < 50; ++round) check<double>(random_problem(random), random, 1, 1e-14);
}

TEST_CASE("conv: integers are exact, and float16 is rounded once", "[kernel][conv]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = 0; round < 40; ++round) {
        problem p = random_problem(random);
        check<std::int32_t>(p, random, 100, 0);
        check<std::int64_t>(p, random, 10'000, 0);
        check<float16>(p, random, 1, 0.0005);
        p.options.out = dtype::int32;
        check<std::int8_t>(p, random, 128, 0);
        check<std::int16_t>(p, random, 100, 0);
        p.options.out = dtype::float32;
        check<float16>(p, random, 1, 1e-6);
    }
}

TEST_CASE("conv: more weights than one block holds are summed", "[kernel][conv]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    check<float>({1, 70, 9, 9, 130, 70, 3, 3, {.padding = {1, 1, 1, 1}}}, random, 1, 1e-5);
    check<float16>({1, 70, 5, 5, 3, 70, 3, 3, {}}, random, 1, 0.0005);
}

TEST_CASE("conv: integers wrap", "[kernel][conv]") {
    const tensor data({1, 1, 1, 1}, {std::numeric_limits<std::int32_t>::max()});
    const tensor weight({1, 1, 1, 1}, {2});
    CHECK(conv2d(data, weight).elements<std::int32_t>()[0] == -2);
    const tensor narrow({1, 1, 1, 1}, {std::int8_t{100}});
    CHECK(conv2d(narrow, narrow).elements<std::int8_t>()[0] == 16); // 10000 modulo 256
    CHECK(conv2d(narrow, narrow, {.out = dtype::int32}).elements<std::int32_t>()[0] == 10'000);
}

TEST_CASE("conv: NaN and infinities reach the windows that they are in, and no other", "[kernel][conv]") {
    tensor data(dtype::float32, {1, 1, 3, 40});
    data.mutable_elements<float>()[40 + 20] = NAN;
    data.mutable_elements<float>()[40 + 35] = INFINITY;
    tensor weight(dtype::float32, {1, 1, 3, 3});
    for (float& x : weight.mutable_elements<float>()) x = 1;
    const tensor out = conv2d(data, weight);
    for (std::size_t i = 0; i < 38; ++i) {
        const float x = out.elements<float>()[i];
        CHECK((i >= 18 && i <= 20 ? std::isnan(x) : i >= 33 && i <= 35 ? x == INFINITY : x == 0));
    }
}

TEST_CASE("conv: an infinite weight makes NaN of the padding it meets", "[kernel][conv]") {
    const tensor data({1, 1, 1, 1}, {1.F});
    const tensor weight({1, 1, 1, 2}, {INFINITY, 1.F});
    CHECK(std::isnan(conv2d(data, weight, {.padding = {0, 1, 0, 0}}).elements<float>()[0]));
}

TEST_CASE("conv: empty tensors give empty tensors, and no channels give zeros", "[kernel][conv]") {
    CHECK(conv2d(tensor(dtype::float32, {0, 3, 8, 8}), tensor(dtype::float32, {4, 3, 3, 3})).size() == 0);
    CHECK(conv2d(tensor(dtype::float32, {1, 3, 8, 8}), tensor(dtype::float32, {0, 3, 3, 3})).shape()[1] == 0);
    const tensor none = conv2d(tensor(dtype::float32, {1, 0, 3, 3}), tensor(dtype::float32, {2, 0, 3, 3}));
    CHECK(test::difference(none, {1, 2, 1, 1}, {0, 0}, 0) == "");
}

TEST_CASE("conv: what does not fit is named with both shapes", "[kernel][conv]") {
    const tensor data(dtype::float32, {1, 3, 8, 8});
    const tensor weight(dtype::float32, {4, 4, 3, 3});
    const auto error = [](const tensor& d, const tensor& w, conv2d_options o = {}) {
        return test::error_of([&] { conv2d(d, w, o); });
    };
    CHECK(error(data, weight) ==
          "kernel::conv2d: data is (1, 3, 8, 8) float32 and weight is (4, 4, 3, 3) float32; "
          "expected 4 channels of data: 4 for each of the 1 groups");
    CHECK(error(data, tensor(dtype::float32, {4, 3, 3})) ==
          "kernel::conv2d: data is (1, 3, 8, 8) float32 and weight is (4, 3, 3) float32; expected two "
          "tensors of rank 4");
    CHECK(error(data, tensor(dtype::float64, {4, 3, 3, 3})) ==
          "kernel::conv2d: data is (1, 3, 8, 8) float32 and weight is (4, 3, 3, 3) float64; expected the "
          "same element type");
    CHECK(error(data, tensor(dtype::float32, {4, 1, 3, 3}), {.groups = 3}) ==
          "kernel::conv2d: data is (1, 3, 8, 8) float32 and weight is (4, 1, 3, 3) float32; expected a "
          "multiple of 3 "
          "output channels, as there are groups");
    CHECK(error(data, weight, {.groups = 0}) == "kernel::conv2d: 0 groups; expected at least 1");
    CHECK(error(data, tensor(dtype::float32, {4, 3, 9, 3})) ==
          "kernel::conv2d: height: a window that reaches over 9 cells; expected at most the 8 of the padded "
          "image");
    CHECK(error(data, tensor(dtype::float32, {4, 3, 3, 0})) ==
          "kernel::conv2d: width: a window of 0; expected from 1 to 2^31 - 1");
    CHECK(
        error(data, tensor(dtype::float32, {4, 3, 3, 3}), {.out = dtype::int8}) ==
        "kernel::conv2d: a result of type int8 from elements of type float32; expected float32 or narrower");
}
