#include <tutti/kernel/grid_sample.hpp>

#include "placed.hpp"
#include "support.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::dtype;
using kernel::float16;
using kernel::grid_sample_options;
using kernel::resize_method;
using kernel::sample_padding;
using kernel::tensor;
using test::coords;

namespace {

tensor sampled(const tensor& data, const tensor& grid, const grid_sample_options& options) {
    return test::made([](auto&... a) { kernel::grid_sample(a...); }, data, grid, options);
}

// Returns the pixel at an integer coordinate along one axis, or -1 if there is none. A reflected coordinate turns back
// at each end of the axis.
std::int64_t pixel(const grid_sample_options& o, std::int64_t place, std::int64_t size) {
    if (o.padding == sample_padding::border) return std::clamp<std::int64_t>(place, 0, size - 1);
    if (o.padding == sample_padding::zeros) return place < 0 || place >= size ? -1 : place;
    while (place < 0 || place >= size) {
        const std::int64_t twice = o.align_corners ? 0 : 1; // 1 if the border pixel is repeated
        place = place < 0 ? -place - twice : 2 * (size - 1) - place + twice;
        if (size == 1) place = 0;
    }
    return place;
}

struct tap {
    std::int64_t at;
    double weight;
};

std::vector<tap> taps_of(const grid_sample_options& o, double place, std::int64_t size) {
    const auto n = static_cast<double>(size);
    const double x = o.align_corners ? (place + 1) * (n - 1) / 2 : (place + 1) * n / 2 - 0.5;
    if (o.method == resize_method::nearest) return {{pixel(o, static_cast<std::int64_t>(std::nearbyint(x)), size), 1}};
    const bool cubic = o.method == resize_method::cubic;
    std::vector<tap> taps;
    for (int i = cubic ? -1 : 0; i <= (cubic ? 2 : 1); ++i) {
        const double at = std::floor(x) + i;
        const double d = std::abs(x - at);
        const double a = -0.75;
        const double weight = !cubic   ? 1 - d
                              : d <= 1 ? ((a + 2) * d - (a + 3)) * d * d + 1
                                       : a * (((d - 5) * d + 8) * d - 4);
        taps.push_back({pixel(o, static_cast<std::int64_t>(at), size), weight});
    }
    return taps;
}

template <class T>
void check(test::random_source& random, double tolerance) {
    const std::size_t rank = random.integer(0, 2) == 0 ? 3 : 2;
    grid_sample_options o;
    o.layout = test::any_data_layout(random, rank);
    o.method = static_cast<resize_method>(random.integer(0, 2));
    o.padding = static_cast<sample_padding>(random.integer(0, 2));
    o.align_corners = random.integer(0, 1) == 0;
    coords size{random.integer(0, 2), random.integer(0, 1) * 4, 1, 1, 1};
    coords out = size;
    test::shape_t grid_shape{size[0], static_cast<std::int64_t>(rank)};
    for (std::size_t i = 5 - rank; i < 5; ++i) {
        size[i] = random.integer(1, 5);
        grid_shape.push_back(out[i] = random.integer(0, 4));
    }
    const test::placed in = test::data_in(o.layout, size);
    const test::placed to = test::data_in(o.layout, out);
    const tensor data = random.filled<T>(in.shape(), -10, 10);
    tensor grid = random.filled<float>(grid_shape, -3, 3);
    const std::vector<double> x = test::values(data);
    const std::vector<double> g = test::values(grid);
    std::vector<double> expected(static_cast<std::size_t>(kernel::element_count(to.shape())));
    const std::int64_t places = out[2] * out[3] * out[4];
    bool is_close = false; // near a point where the nearest pixel changes, so float and double may disagree
    test::for_each_place(out, [&](const coords& at) {
        std::array<std::vector<tap>, 3> taps;
        for (std::size_t i = 0; i < 3; ++i) {
            if (i + rank < 3) {
                taps[i] = {{0, 1}};
                continue;
            }
            const std::int64_t of =
                ((at[0] * static_cast<std::int64_t>(rank) + 2 - static_cast<std::int64_t>(i)) * places) +
                (at[2] * out[3] + at[3]) * out[4] + at[4];
            const double place = g[static_cast<std::size_t>(of)];
            const auto n = static_cast<double>(size[2 + i]);
            const double scaled = o.align_corners ? (place + 1) * (n - 1) / 2 : (place + 1) * n / 2 - 0.5;
            is_close = is_close || std::abs(scaled - std::floor(scaled) - 0.5) < 1e-4;
            taps[i] = taps_of(o, place, size[2 + i]);
        }
        double sum = 0;
        for (const tap& d : taps[0])
            for (const tap& h : taps[1])
                for (const tap& w : taps[2])
                    if (d.at >= 0 && h.at >= 0 && w.at >= 0)
                        sum += x[in.at({at[0], at[1], d.at, h.at, w.at})] * d.weight * h.weight * w.weight;
        expected[to.at(at)] = sum;
    });
    if (is_close && o.method == resize_method::nearest) return;
    INFO("data " << o.layout << " " << kernel::text(data) << ", grid " << kernel::text(grid) << ", method "
                 << static_cast<int>(o.method) << ", padding " << static_cast<int>(o.padding) << ", corners "
                 << o.align_corners);
    CHECK(test::difference(sampled(data, grid, o), to.shape(), expected, tolerance) == "");
}

constexpr bool samples_in_constant_evaluation() {
    tensor out;
    kernel::grid_sample(tensor({1, 1, 1, 2}, {1.F, 3.F}), tensor({1, 2, 1, 3}, {-1.F, 0.F, 1.F, 0.F, 0.F, 0.F}), {},
                        out);
    const auto got = out.elements<float>();
    return got.size() == 3 && got[0] == 1 && got[1] == 2 && got[2] == 3;
}

using numbers = std::vector<double>;

} // namespace

TEST_CASE("grid_sample: computes in constant evaluation", "[kernel][grid_sample]") {
    static_assert(samples_in_constant_evaluation());
    CHECK(samples_in_constant_evaluation());
}

TEST_CASE("grid_sample: agrees with the definition in any layout, method and padding", "[kernel][grid_sample]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = 0; round < test::rounds(300); ++round) {
        check<float>(random, 2e-5);
        check<double>(random, 2e-5); // the grid is float32
        check<float16>(random, 0.001);
    }
}

TEST_CASE("grid_sample: the nearest of a half is the even one, and of integers exact", "[kernel][grid_sample]") {
    const tensor row({1, 1, 1, 5}, {10, 11, 12, 13, (1 << 30) + 1});
    const auto at = [&](std::initializer_list<float> columns, sample_padding padding = sample_padding::zeros) {
        tensor grid(dtype::float32, {1, 2, 1, static_cast<std::int64_t>(columns.size())});
        std::copy(columns.begin(), columns.end(), grid.mutable_elements<float>().begin());
        return test::values(sampled(row, grid, {.method = resize_method::nearest, .padding = padding}));
    };
    CHECK(at({-0.75F, -0.25F, 0.25F, 0.75F, 1.F}) == numbers{10, 12, 12, (1 << 30) + 1, (1 << 30) + 1});
    CHECK(at({-2.F, 2.F, -1.2F}) == numbers{0, 0, 10});
    CHECK(at({-2.F, 1.5F}, sample_padding::reflection) == numbers{12, 13});
}

TEST_CASE("grid_sample: points that are far outside, or no numbers, read nothing that is not there",
          "[kernel][grid_sample]") {
    const tensor image({1, 1, 1, 2}, {5.F, 5.F});
    for (const float place : {-1e30F, 1e30F, 3e38F, INFINITY, -INFINITY, NAN, 1e9F})
        for (const auto method : {resize_method::nearest, resize_method::linear, resize_method::cubic})
            for (const auto padding : {sample_padding::zeros, sample_padding::border, sample_padding::reflection}) {
                INFO(place << ", method " << static_cast<int>(method) << ", padding " << static_cast<int>(padding));
                const tensor grid({1, 2, 1, 1}, {place, 0.F});
                const double expected = padding == sample_padding::zeros ? 0 : 5;
                CHECK(test::difference(sampled(image, grid, {.method = method, .padding = padding}), {1, 1, 1, 1},
                                       {expected}, 1e-6) == "");
            }
}

TEST_CASE("grid_sample: an error names mismatched operands", "[kernel][grid_sample]") {
    const auto error = [](const tensor& data, const tensor& grid) {
        return test::error_of([&] { sampled(data, grid, {}); });
    };
    const tensor data(dtype::float32, {1, 1, 2, 2});
    CHECK(error(data, tensor(dtype::float32, {1, 3, 2, 2})) ==
          "kernel::grid_sample: data is (1, 1, 2, 2) float32 and a grid is (1, 3, 2, 2) float32; expected a grid of 2 "
          "floating-point coordinates per point for each image");
    CHECK(error(data, tensor(dtype::float32, {2, 2, 2, 2})).find("for each image") != std::string::npos);
    CHECK(error(data, tensor(dtype::int32, {1, 2, 2, 2})).find("floating-point") != std::string::npos);
    CHECK(
        error(tensor(dtype::float32, {1, 1, 0, 2}), tensor(dtype::float32, {1, 2, 1, 1})).find("images with pixels") !=
        std::string::npos);
    CHECK(error(tensor(dtype::boolean, {1, 1, 2, 2}), tensor(dtype::float32, {1, 2, 1, 1})).find("bool") !=
          std::string::npos);
    CHECK(sampled(tensor(dtype::float32, {1, 1, 0, 2}), tensor(dtype::float32, {1, 2, 0, 1}), {}).size() == 0);
}

TEST_CASE("affine_grid: a map of its own for each image, from corner to corner", "[kernel][grid_sample]") {
    const auto grid = [](const tensor& maps, std::int64_t height, std::int64_t width) {
        return test::made([](auto&... a) { kernel::affine_grid(a...); }, maps, height, width);
    };
    const tensor maps({2, 2, 3}, {1., 0., 0., 0., 1., 0., 0.5, 2., -1., -1., 0.25, 3.});
    numbers expected;
    for (int n = 0; n < 2; ++n)
        for (int row = 0; row < 2; ++row)
            for (int i = 0; i < 2; ++i)
                for (int j = 0; j < 3; ++j) {
                    const double* m = maps.data<double>() + n * 6 + row * 3;
                    expected.push_back(m[0] * (j - 1) + m[1] * (2 * i - 1) + m[2]);
                }
    CHECK(test::difference(grid(maps, 2, 3), {2, 2, 2, 3}, expected, 1e-6) == "");
    CHECK(test::difference(grid(test::converted(maps, dtype::float16), 2, 3), {2, 2, 2, 3}, expected, 2e-3) == "");
    CHECK(grid(tensor(dtype::float32, {0, 2, 3}), 2, 3).size() == 0);

    const auto error = [&](const tensor& m, std::int64_t h, std::int64_t w) {
        return test::error_of([&] { grid(m, h, w); });
    };
    CHECK(error(maps, 1, 3) == "kernel::affine_grid: a grid of 1 by 3; expected sizes of at least 2");
    CHECK(error(maps, std::int64_t{1} << 62, 2).find("sizes of at least 2") != std::string::npos);
    CHECK(error(maps, std::int64_t{1} << 40, std::int64_t{1} << 40).find("fewer than 2^48") != std::string::npos);
    CHECK(
        error(tensor(dtype::float32, {2, 3, 3}), 2, 2) ==
        "kernel::affine_grid: maps are (2, 3, 3) float32; expected a matrix of 2 by 3 floating-point numbers for each image");
}
