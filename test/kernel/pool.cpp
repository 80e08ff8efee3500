#include <tutti/kernel/pool.hpp>

#include "catch.hpp"

#include "support.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::dtype;
using kernel::float16;
using kernel::image_layout;
using kernel::pool2d_options;
using kernel::tensor;
using test::shape_t;

namespace {

shape_t ordered(const shape_t& nchw, image_layout layout) {
    return layout == image_layout::nchw ? nchw : shape_t{nchw[0], nchw[2], nchw[3], nchw[1]};
}

std::int64_t places(std::int64_t extent, std::int64_t size, std::int64_t stride, std::int64_t dilation,
                    std::int64_t padding, bool ceil_mode) {
    const double room =
        static_cast<double>(extent + padding - (size - 1) * dilation - 1) / static_cast<double>(stride);
    return static_cast<std::int64_t>(ceil_mode ? std::ceil(room) : std::floor(room)) + 1;
}

// The elements inside of the image, window by window: `reduce` makes a result of each.
template <class F>
std::vector<double> naive(const tensor& data, const shape_t& nchw, const shape_t& out_nchw,
                          const pool2d_options& o, F reduce) {
    const std::vector<double> x = test::values(data);
    const shape_t shape = ordered(nchw, o.layout);
    const shape_t out_shape = ordered(out_nchw, o.layout);
    std::vector<double> out(static_cast<std::size_t>(kernel::element_count(out_shape)));
    test::for_each_index(out_nchw, [&](const shape_t& at) {
        std::vector<double> inside;
        for (std::int64_t i = 0; i < o.pool.h; ++i)
            for (std::int64_t j = 0; j < o.pool.w; ++j) {
                const std::int64_t y = at[2] * o.strides.h + i * o.dilation.h - o.padding.top;
                const std::int64_t z = at[3] * o.strides.w + j * o.dilation.w - o.padding.left;
                if (y >= 0 && y < nchw[2] && z >= 0 && z < nchw[3])
                    inside.push_back(x[test::offset(shape, ordered({at[0], at[1], y, z}, o.layout))]);
            }
        out[test::offset(out_shape, ordered(at, o.layout))] = reduce(inside);
    });
    return out;
}

template <class T>
void check(test::random_source& random, double range, double tolerance) {
    pool2d_options o;
    o.pool = {random.integer(1, 4), random.integer(1, 4)};
    o.strides = {random.integer(1, 4), random.integer(1, 4)};
    o.dilation = {random.integer(1, 3), random.integer(1, 3)};
    o.padding = {random.integer(0, 4), random.integer(0, 4), random.integer(0, 4), random.integer(0, 4)};
    o.layout = random.integer(0, 1) == 0 ? image_layout::nchw : image_layout::nhwc;
    o.ceil_mode = random.integer(0, 1) == 0;
    o.count_include_pad = random.integer(0, 1) == 0;
    const auto least = [](std::int64_t size, std::int64_t dilation, std::int64_t padding) {
        return std::max<std::int64_t>(0, (size - 1) * dilation + 1 - padding);
    };
    const std::int64_t vertical = o.padding.top + o.padding.bottom;
    const std::int64_t horizontal = o.padding.left + o.padding.right;
    const shape_t nchw{random.integer(0, 2), random.integer(0, 3),
                       random.integer(least(o.pool.h, o.dilation.h, vertical), 12),
                       random.integer(least(o.pool.w, o.dilation.w, horizontal), 12)};
    const shape_t out_nchw{nchw[0], nchw[1],
                           places(nchw[2], o.pool.h, o.strides.h, o.dilation.h, vertical, o.ceil_mode),
                           places(nchw[3], o.pool.w, o.strides.w, o.dilation.w, horizontal, o.ceil_mode)};
    const tensor data = random.filled<T>(ordered(nchw, o.layout), -range, range);
    const bool whole_numbers = kernel::is_integer(data.type());
    INFO("data " << kernel::text(data) << ", pool " << o.pool.h << " " << o.pool.w << ", ceil_mode "
                 << o.ceil_mode << ", count_include_pad " << o.count_include_pad);
    CHECK(test::difference(kernel::max_pool2d(data, o), ordered(out_nchw, o.layout),
                           naive(data, nchw, out_nchw, o,
                                 [&](const std::vector<double>& inside) {
                                     const double least_value =
                                         whole_numbers ? static_cast<double>(
                                                             kernel::widen(std::numeric_limits<T>::lowest()))
                                                       : -INFINITY;
                                     return inside.empty() ? least_value
                                                           : *std::max_element(inside.begin(), inside.end());
                                 }),
                           0) == "");
    CHECK(test::difference(kernel::avg_pool2d(data, o), ordered(out_nchw, o.layout),
                           naive(data, nchw, out_nchw, o,
                                 [&](const std::vector<double>& inside) {
                                     double sum = 0;
                                     for (const double x : inside) sum += x;
                                     const auto count = o.count_include_pad
                                                            ? static_cast<double>(o.pool.h * o.pool.w)
                                                            : static_cast<double>(inside.size());
                                     const double mean = inside.empty() ? 0 : sum / count;
                                     return whole_numbers ? std::trunc(mean) : mean;
                                 }),
                           tolerance) == "");
}

constexpr bool pools_in_constant_evaluation() {
    const tensor data({1, 1, 2, 3}, {1.F, 5.F, 2.F, 4.F, 3.F, 6.F});
    const tensor top = kernel::max_pool2d(data, {.pool = {2, 2}});
    const tensor mean = kernel::avg_pool2d(data, {.pool = {2, 2}, .strides = {2, 2}, .ceil_mode = true});
    return top.elements<float>()[0] == 5 && top.elements<float>()[1] == 6 &&
           mean.elements<float>()[0] == 3.25F && mean.elements<float>()[1] == 4 &&
           kernel::global_avg_pool2d(data).elements<float>()[0] == 3.5F;
}

} // namespace

TEST_CASE("pool: computes in constant evaluation", "[kernel][pool]") {
    static_assert(pools_in_constant_evaluation());
    CHECK(pools_in_constant_evaluation());
}

TEST_CASE("pool: any window, padding, dilation and layout agrees with the definition", "[kernel][pool]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = 0; round < 150; ++round) {
        check<float>(random, 1, 1e-6);
        check<double>(random, 1, 1e-15);
        check<float16>(random, 1, 0.0005);
        check<std::int8_t>(random, 128, 0);
        check<std::int32_t>(random, 1000, 0);
        check<std::uint8_t>(random, 200, 0);
    }
}

TEST_CASE("pool: a NaN in the window is its maximum and its mean", "[kernel][pool]") {
    const tensor data({1, 1, 1, 4}, {NAN, 1.F, 2.F, -INFINITY});
    const pool2d_options pair{.pool = {1, 2}};
    CHECK(test::difference(kernel::max_pool2d(data, pair), {1, 1, 1, 3}, {NAN, 2, 2}, 0) == "");
    CHECK(test::difference(kernel::avg_pool2d(data, pair), {1, 1, 1, 3}, {NAN, 1.5, -INFINITY}, 0) == "");
}

TEST_CASE("pool: global_avg_pool2d is the mean over all pixels", "[kernel][pool]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (const image_layout layout : {image_layout::nchw, image_layout::nhwc}) {
        const shape_t nchw{2, 3, 4, 5};
        const shape_t shape = ordered(nchw, layout);
        const tensor data = random.filled<float>(shape);
        std::vector<double> expected(6);
        test::for_each_index(nchw, [&](const shape_t& at) {
            expected[static_cast<std::size_t>(at[0] * 3 + at[1])] +=
                test::values(data)[test::offset(shape, ordered(at, layout))] / 20;
        });
        CHECK(test::difference(kernel::global_avg_pool2d(data, layout), ordered({2, 3, 1, 1}, layout),
                               expected, 1e-6) == "");
    }
    CHECK(test::difference(kernel::global_avg_pool2d(tensor(dtype::float32, {1, 2, 0, 5})), {1, 2, 1, 1},
                           {0, 0}, 0) == "");
}

TEST_CASE("pool: what cannot be pooled is an error", "[kernel][pool]") {
    CHECK(test::error_of([] {
              kernel::max_pool2d(tensor(dtype::float32, {2, 2}), {});
          }) == "kernel::max_pool2d: data is (2, 2) float32; expected a tensor of rank 4");
    CHECK(test::error_of([] {
              kernel::avg_pool2d(tensor(dtype::float32, {1, 1, 2, 2}), {.pool = {1, 3}});
          }) == "kernel::avg_pool2d: width: a window that reaches over 3 cells; expected at most the 2 of "
                "the padded image");
    CHECK(test::error_of([] {
              kernel::global_avg_pool2d(tensor(dtype::boolean, {1, 1, 2, 2}));
          }) == "kernel::global_avg_pool2d: cannot compute with elements of type bool; expected an integer "
                "or floating-point type");
}
