#include <tutti/kernel/resize.hpp>

#include "placed.hpp"
#include "support.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::dtype;
using kernel::float16;
using kernel::resize_coordinates;
using kernel::resize_method;
using kernel::resize_options;
using kernel::resize_rounding;
using kernel::tensor;
using test::coords;

namespace {

tensor resized(const tensor& data, const resize_options& options) {
    return test::made([](auto&... a) { kernel::resize(a...); }, data, options);
}

double point(const resize_options& o, std::size_t axis, double i, double from, double to) {
    switch (o.coordinates) {
    case resize_coordinates::half_pixel:
        return (i + 0.5) * from / to - 0.5;
    case resize_coordinates::align_corners:
        return to > 1 ? i * (from - 1) / (to - 1) : 0;
    case resize_coordinates::asymmetric:
        return i * from / to;
    case resize_coordinates::pytorch_half_pixel:
        return to > 1 ? (i + 0.5) * from / to - 0.5 : 0;
    case resize_coordinates::half_pixel_for_nearest:
        return (i + 0.5) * from / to;
    case resize_coordinates::crop_and_resize:
        break;
    }
    const double begin = o.crop_begin[axis];
    const double end = o.crop_end[axis];
    return to > 1 ? (begin + i * (end - begin) / (to - 1)) * (from - 1) : (begin + end) / 2 * (from - 1);
}

// Returns the weight of a pixel at this distance: a hat function if linear, else a piecewise cubic.
double weight(const resize_options& o, double distance) {
    const double d = std::abs(distance);
    if (o.method == resize_method::linear) return std::max(0.0, 1 - d);
    const double a = o.cubic_alpha;
    if (d <= 1) return ((a + 2) * d - (a + 3)) * d * d + 1;
    return d < 2 ? a * (((d - 5) * d + 8) * d - 4) : 0;
}

struct problem {
    std::size_t rank = 2;
    coords data{};
    coords out{};
    resize_options options;
};

std::vector<double> naive(const problem& p, const std::vector<double>& x) {
    const test::placed in = test::data_in(p.options.layout, p.data);
    const test::placed to = test::data_in(p.options.layout, p.out);
    std::vector<double> out(static_cast<std::size_t>(kernel::element_count(to.shape())));
    test::for_each_place(p.out, [&](const coords& at) {
        std::array<std::vector<std::pair<std::int64_t, double>>, 5> taps;
        bool outside = false;
        for (std::size_t axis = 2; axis < 5; ++axis) {
            if (axis < 5 - p.rank) {
                taps[axis] = {{0, 1.0}};
                continue;
            }
            const double h = point(p.options, axis - (5 - p.rank), static_cast<double>(at[axis]),
                                   static_cast<double>(p.data[axis]), static_cast<double>(p.out[axis]));
            outside = outside || (p.options.coordinates == resize_coordinates::crop_and_resize &&
                                  (h < 0 || h > static_cast<double>(p.data[axis] - 1)));
            const std::int64_t reach = p.options.method == resize_method::cubic ? 2 : 1;
            double sum = 0;
            for (auto i = static_cast<std::int64_t>(std::floor(h)) + 1 - reach;
                 i <= static_cast<std::int64_t>(std::floor(h)) + reach; ++i) {
                const std::int64_t inside = std::clamp<std::int64_t>(i, 0, p.data[axis] - 1);
                if (p.options.cubic_exclude && reach == 2 && i != inside) continue;
                taps[axis].push_back({inside, weight(p.options, h - static_cast<double>(i))});
                sum += taps[axis].back().second;
            }
            if (p.options.cubic_exclude && reach == 2)
                for (auto& tap : taps[axis]) tap.second /= sum;
        }
        double sum = 0;
        for (const auto& [d, by_d] : taps[2])
            for (const auto& [h, by_h] : taps[3])
                for (const auto& [w, by_w] : taps[4]) sum += x[in.at({at[0], at[1], d, h, w})] * by_d * by_h * by_w;
        out[to.at(at)] = outside ? static_cast<double>(p.options.extrapolation) : sum;
    });
    return out;
}

template <class T>
void check(test::random_source& random, double range, double tolerance, dtype out = dtype::none) {
    problem p;
    p.rank = static_cast<std::size_t>(random.integer(1, 3));
    resize_options& o = p.options;
    o.layout = test::any_data_layout(random, p.rank);
    o.method = random.integer(0, 1) == 0 ? resize_method::linear : resize_method::cubic;
    o.coordinates = static_cast<resize_coordinates>(random.integer(0, 5));
    o.cubic_alpha = random.integer(0, 1) == 0 ? -0.5F : -0.75F;
    // crop_and_resize samples far outside the image, where the cubic weights that are left can sum to zero.
    o.cubic_exclude = o.coordinates != resize_coordinates::crop_and_resize && random.integer(0, 1) == 0;
    o.extrapolation = 7;
    o.out = out;
    p.data = {random.integer(0, 2), random.integer(0, 1) * 4, 1, 1, 1};
    p.out = p.data;
    for (std::size_t i = 0; i < p.rank; ++i) {
        p.data[5 - p.rank + i] = random.integer(1, 5);
        o.size[i] = p.out[5 - p.rank + i] = random.integer(0, 7);
        o.crop_begin[i] = static_cast<float>(random.real(-0.2, 0.5));
        o.crop_end[i] = static_cast<float>(random.real(0.5, 1.2));
    }
    const tensor data = random.filled<T>(test::data_in(o.layout, p.data).shape(), -range, range);
    INFO("data " << o.layout << " " << kernel::text(data) << ", to " << kernel::text(p.out) << ", method "
                 << static_cast<int>(o.method) << ", coordinates " << static_cast<int>(o.coordinates) << ", exclude "
                 << o.cubic_exclude);
    CHECK(test::difference(resized(data, o), test::data_in(o.layout, p.out).shape(), naive(p, test::values(data)),
                           tolerance) == "");
}

// Returns the source pixels that nearest-neighbour resizing selects for a row of `to` pixels from a row of `from`
// pixels.
std::vector<double> nearest(std::int64_t from, std::int64_t to, resize_coordinates coordinates,
                            resize_rounding rounding) {
    tensor row(dtype::int16, {1, from, 1, 1});
    std::int16_t next = 0;
    for (std::int16_t& x : row.mutable_elements<std::int16_t>()) x = next++;
    resize_options o;
    o.size = {to, 1};
    o.layout = "NHWC";
    o.method = resize_method::nearest;
    o.coordinates = coordinates;
    o.rounding = rounding;
    return test::values(resized(row, o));
}

constexpr bool resizes_in_constant_evaluation() {
    tensor out;
    kernel::resize(tensor({1, 1, 1, 2}, {1.F, 3.F}), {.size = {1, 4}}, out);
    const auto got = out.elements<float>();
    return got.size() == 4 && got[0] == 1 && got[1] == 1.5F && got[2] == 2.5F && got[3] == 3;
}

using numbers = std::vector<double>;

} // namespace

TEST_CASE("resize: computes in constant evaluation", "[kernel][resize]") {
    static_assert(resizes_in_constant_evaluation());
    CHECK(resizes_in_constant_evaluation());
}

TEST_CASE("resize: linear and cubic agree with the definition in any layout and coordinates", "[kernel][resize]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = 0; round < 200; ++round) {
        check<float>(random, 1, 2e-5);
        check<double>(random, 1, 2e-5); // coordinates are floats
        check<float16>(random, 1, 0.001);
        check<std::int8_t>(random, 100, 2e-5, dtype::float64);
    }
}

TEST_CASE("resize: the nearest pixel is the one that coordinates and rounding say", "[kernel][resize]") {
    using enum resize_coordinates;
    using enum resize_rounding;
    CHECK(nearest(3, 6, asymmetric, floor) == numbers{0, 0, 1, 1, 2, 2});
    CHECK(nearest(3, 6, asymmetric, ceil) == numbers{0, 1, 1, 2, 2, 2});
    CHECK(nearest(3, 6, asymmetric, round) == numbers{0, 1, 1, 2, 2, 2});
    CHECK(nearest(3, 6, asymmetric, prefer_floor) == numbers{0, 0, 1, 1, 2, 2});
    CHECK(nearest(3, 6, asymmetric, prefer_ceil) == numbers{0, 1, 1, 2, 2, 2});
    CHECK(nearest(3, 6, half_pixel, round) == numbers{0, 0, 1, 1, 2, 2});
    CHECK(nearest(4, 2, half_pixel, round) == numbers{1, 3}); // ties round up
    CHECK(nearest(4, 2, half_pixel, prefer_floor) == numbers{0, 2});
    CHECK(nearest(4, 2, half_pixel_for_nearest, floor) == numbers{1, 3});
    CHECK(nearest(3, 5, align_corners, round) == numbers{0, 1, 1, 2, 2});
    CHECK(nearest(5, 1, pytorch_half_pixel, round) == numbers{0});
    for (const std::int64_t by : {2, 3, 5, 7})
        for (std::int64_t from = 1; from < 40; ++from) {
            numbers expected;
            for (std::int64_t i = 0; i < from * by; ++i) expected.push_back(static_cast<double>(i / by));
            CHECK(nearest(from, from * by, asymmetric, floor) == expected); // an integer factor is exact
        }
}

TEST_CASE("resize: the nearest of integers is exact", "[kernel][resize]") {
    const resize_options o{.size = {1, 2}, .method = resize_method::nearest};
    constexpr std::int64_t large = (std::int64_t{1} << 62) + 1;
    CHECK(resized(tensor({1, 1, 1, 1}, {large}), o).elements<std::int64_t>()[1] == large);
    constexpr std::uint64_t larger = ~std::uint64_t{0} - 1;
    CHECK(resized(tensor({1, 1, 1, 1}, {larger}), o).elements<std::uint64_t>()[1] == larger);
}

TEST_CASE("resize: a region that is far outside, or no number, is extrapolated", "[kernel][resize]") {
    const tensor image({1, 1, 1, 2}, {1.F, 2.F});
    for (const float at : {-1e30F, 1e30F, INFINITY, NAN})
        for (const resize_method method : {resize_method::nearest, resize_method::linear, resize_method::cubic}) {
            const resize_options o{.size = {1, 2},
                                   .method = method,
                                   .coordinates = resize_coordinates::crop_and_resize,
                                   .extrapolation = 7,
                                   .crop_begin = {0, at},
                                   .crop_end = {0, at}};
            CHECK(test::difference(resized(image, o), {1, 1, 1, 2}, {7, 7}, 0) == "");
        }
    CHECK(resized(tensor(dtype::float32, {0, 1, 1, 1}), {.size = {1 << 20, 1 << 20}}).size() == 0);
}

TEST_CASE("resize: invalid operands are an error", "[kernel][resize]") {
    const auto error = [](const tensor& t, const resize_options& o) { return test::error_of([&] { resized(t, o); }); };
    CHECK(error(tensor(dtype::float32, {1, 1, 0, 2}), {.size = {1, 2}}) ==
          "kernel::resize: data of shape (1, 1, 0, 2) to a size of 1; expected a size from 0 to 2^31, and images with "
          "pixels");
    CHECK(error(tensor(dtype::float32, {1, 1, 1, 2}), {.size = {1, -2}}) ==
          "kernel::resize: data of shape (1, 1, 1, 2) to a size of -2; expected a size from 0 to 2^31, and images with "
          "pixels");
    CHECK(error(tensor(dtype::boolean, {1, 1, 1, 2}), {.size = {1, 2}}) ==
          "kernel::resize: cannot compute with elements of type bool; expected an integer or floating-point type, also "
          "for the result");
    CHECK(error(tensor(dtype::float32, {1, 1, 2, 2}), {.size = {1'000'000'000, 1'000'000'000}})
              .find("fewer than 2^48 elements") != std::string::npos);
}

TEST_CASE("resize: to no pixels costs nothing", "[kernel][resize]") {
    const tensor image(dtype::float32, {1, 1, 2, 2});
    CHECK(test::made([](auto&... a) { kernel::resize(a...); }, image,
                     kernel::resize_options{.size = {std::int64_t{1} << 31, 0}})
              .size() == 0);
}

TEST_CASE("crop_and_resize: each box is its image, cropped and resized", "[kernel][resize]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const auto cropped = [](const tensor& data, const tensor& boxes, const tensor& images, const resize_options& o) {
        return test::made([](auto&... a) { kernel::crop_and_resize(a...); }, data, boxes, images, o);
    };
    for (int round = 0; round < 40; ++round) {
        const tensor data = random.filled<float>({3, 2, 4, 5});
        const std::int64_t count = random.integer(0, 4);
        const tensor boxes = random.filled<double>({count, 4}, -0.2, 1.2);
        tensor images(dtype::int64, {count});
        for (std::int64_t& i : images.mutable_elements<std::int64_t>()) i = random.integer(0, 2);
        resize_options o{.size = {random.integer(0, 3), random.integer(0, 3)}, .extrapolation = 9};
        if (random.integer(0, 1) == 0) o.method = resize_method::nearest;
        numbers expected;
        for (std::int64_t i = 0; i < count; ++i) {
            const auto image = static_cast<std::size_t>(images.elements<std::int64_t>()[static_cast<std::size_t>(i)]);
            tensor one(dtype::float32, {1, 2, 4, 5});
            std::copy_n(data.elements<float>().begin() + static_cast<std::ptrdiff_t>(image) * 40, 40,
                        one.mutable_elements<float>().begin());
            resize_options of = o;
            of.coordinates = resize_coordinates::crop_and_resize;
            const double* box = boxes.data<double>() + i * 4;
            of.crop_begin = {static_cast<float>(box[0]), static_cast<float>(box[1])};
            of.crop_end = {static_cast<float>(box[2]), static_cast<float>(box[3])};
            for (const double x : test::values(resized(one, of))) expected.push_back(x);
        }
        CHECK(test::difference(cropped(data, boxes, images, o), {count, 2, o.size[0], o.size[1]}, expected, 0) == "");
    }

    const tensor data(dtype::int8, {2, 3, 3, 4}); // NHWC, with another type of result
    const tensor boxes({1, 4}, {0.F, 0.F, 1.F, 1.F});
    const resize_options o{.size = {2, 2}, .layout = "NHWC", .out = dtype::float16};
    CHECK(kernel::text(cropped(data, boxes, tensor({1}, {1}), o)) == "(1, 2, 2, 4) float16");
    const auto error = [&](const tensor& by, const tensor& images) {
        return test::error_of([&] { cropped(data, by, images, o); });
    };
    CHECK(error(boxes, tensor({1}, {2})) ==
          "kernel::crop_and_resize: box 0 of image 2 of data (2, 3, 3, 4) int8; expected the number of an image in the "
          "data");
    CHECK(error(boxes, tensor({1}, {std::int64_t{-1}})).find("the number of an image in the data") !=
          std::string::npos);
    CHECK(error(tensor(dtype::float32, {1, 3}), tensor({1}, {0})).find("a row of four") != std::string::npos);
    CHECK(error(boxes, tensor({2}, {0, 0})).find("an integer for each box") != std::string::npos);
    CHECK(error(tensor(dtype::int32, {1, 4}), tensor({1}, {0})).find("floating-point") != std::string::npos);
}
