#include <tutti/kernel/region.hpp>

#include "placed.hpp"
#include "support.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::dtype;
using kernel::float16;
using kernel::region_options;
using kernel::tensor;
using test::coords;

namespace {

using numbers = std::vector<double>;

tensor aligned(const tensor& data, const tensor& regions, const region_options& o) {
    return test::made([](auto&... a) { kernel::roi_align(a...); }, data, regions, o);
}
tensor pooled(const tensor& data, const tensor& regions, const region_options& o) {
    return test::made([](auto&... a) { kernel::roi_pool(a...); }, data, regions, o);
}

// Returns the value of an image at a point: interpolated inside the image, the value at the border up to one pixel
// outside it, and zero beyond.
double at_point(const numbers& x, const test::placed& in, coords place, double height, double width, double h,
                double w) {
    if (h < -1 || w < -1 || h > height || w > width) return 0;
    h = std::clamp(h, 0.0, height - 1);
    w = std::clamp(w, 0.0, width - 1);
    double sum = 0;
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) {
            place[3] = std::min(static_cast<std::int64_t>(h) + i, static_cast<std::int64_t>(height) - 1);
            place[4] = std::min(static_cast<std::int64_t>(w) + j, static_cast<std::int64_t>(width) - 1);
            sum += x[in.at(place)] * (1 - std::abs(h - std::floor(h) - i)) * (1 - std::abs(w - std::floor(w) - j));
        }
    return sum;
}

struct problem {
    region_options o;
    coords size{};
    std::int64_t count = 0;
    tensor regions;
};

// Returns a random problem. Coordinates are quarters plus a small offset, so that no point is on a border. Float and
// double therefore agree on the nearest pixel and on which points are outside.
problem any_problem(test::random_source& random) {
    problem p;
    static constexpr std::string_view layouts[]{"NCHW", "NHWC", "NCHW4c"};
    p.o.layout = layouts[random.integer(0, 2)];
    p.o.size = {random.integer(0, 4), random.integer(1, 2) * 2};
    p.o.scale = random.integer(0, 1) == 0 ? 1 : 0.5;
    p.o.samples = random.integer(0, 1) == 0 ? -1 : 2;
    p.o.greatest = random.integer(0, 1) == 0;
    p.size = {2, 4, 1, random.integer(1, 6), random.integer(1, 6)};
    p.count = random.integer(0, 3);
    p.regions = tensor(dtype::float32, {p.count, 5});
    float* r = p.regions.mutable_data<float>();
    for (std::int64_t i = 0; i < p.count * 5; ++i)
        r[i] = i % 5 == 0 ? static_cast<float>(random.integer(0, 1))
                          : static_cast<float>(random.integer(-12, 40)) / 4 + 0x1p-10F;
    return p;
}

template <class F>
void check(const problem& p, const tensor& got, double tolerance, F expected_at) {
    const coords out{p.count, p.size[1], 1, p.o.size[0], p.o.size[1]};
    const test::placed to = test::data_in(p.o.layout, out);
    numbers expected(static_cast<std::size_t>(kernel::element_count(to.shape())));
    test::for_each_place(out, [&](const coords& at) { expected[to.at(at)] = expected_at(at); });
    INFO("data " << p.o.layout << " " << kernel::text(p.size) << ", scale " << p.o.scale << ", samples "
                 << p.o.samples);
    CHECK(test::difference(got, to.shape(), expected, tolerance) == "");
}

template <class T>
void check_align(test::random_source& random, double tolerance) {
    const problem p = any_problem(random);
    const test::placed in = test::data_in(p.o.layout, p.size);
    const tensor data = random.filled<T>(in.shape());
    const numbers x = test::values(data);
    const numbers box = test::values(p.regions);
    check(p, aligned(data, p.regions, p.o), tolerance, [&](const coords& at) {
        const double* b = box.data() + at[0] * 5;
        const double height = std::max(1.0, (b[4] - b[2]) * p.o.scale);
        const double width = std::max(1.0, (b[3] - b[1]) * p.o.scale);
        const double h = height / static_cast<double>(p.o.size[0]);
        const double w = width / static_cast<double>(p.o.size[1]);
        const double rows = p.o.samples > 0 ? static_cast<double>(p.o.samples) : std::ceil(h);
        const double columns = p.o.samples > 0 ? static_cast<double>(p.o.samples) : std::ceil(w);
        double sum = 0;
        double greatest = -1e9;
        for (int i = 0; i < rows; ++i)
            for (int j = 0; j < columns; ++j) {
                const double value =
                    at_point(x, in, {static_cast<std::int64_t>(b[0]), at[1], 0, 0, 0}, static_cast<double>(p.size[3]),
                             static_cast<double>(p.size[4]),
                             b[2] * p.o.scale + (static_cast<double>(at[3]) + (i + 0.5) / rows) * h,
                             b[1] * p.o.scale + (static_cast<double>(at[4]) + (j + 0.5) / columns) * w);
                sum += value;
                greatest = std::max(greatest, value);
            }
        return p.o.greatest ? greatest : sum / (rows * columns);
    });
}

void check_pool(test::random_source& random) {
    const problem p = any_problem(random);
    const test::placed in = test::data_in(p.o.layout, p.size);
    const tensor data = random.filled<double>(in.shape());
    const numbers x = test::values(data);
    const numbers box = test::values(p.regions);
    check(p, pooled(data, p.regions, p.o), 0, [&](const coords& at) {
        const double* b = box.data() + at[0] * 5;
        const auto range = [&](double from, double to, std::int64_t cells, std::int64_t i, std::int64_t size) {
            const double first = std::round(from * p.o.scale);
            const double cell = std::max(1.0, std::round(to * p.o.scale) - first + 1) / static_cast<double>(cells);
            const double begin = std::floor(static_cast<double>(i) * cell + 1e-5) + first;
            const double end = std::ceil(static_cast<double>(i + 1) * cell - 1e-5) + first;
            return std::pair(std::clamp(begin, 0.0, static_cast<double>(size)),
                             std::clamp(end, 0.0, static_cast<double>(size)));
        };
        const auto [top, bottom] = range(b[2], b[4], p.o.size[0], at[3], p.size[3]);
        const auto [left, right] = range(b[1], b[3], p.o.size[1], at[4], p.size[4]);
        double greatest = top < bottom && left < right ? -1e9 : 0;
        for (auto h = static_cast<std::int64_t>(top); h < static_cast<std::int64_t>(bottom); ++h)
            for (auto w = static_cast<std::int64_t>(left); w < static_cast<std::int64_t>(right); ++w)
                greatest = std::max(greatest, x[in.at({static_cast<std::int64_t>(b[0]), at[1], 0, h, w})]);
        return greatest;
    });
}

constexpr bool pools_in_constant_evaluation() {
    tensor out;
    kernel::roi_align(tensor({1, 1, 1, 2}, {1.F, 3.F}), tensor({1, 5}, {0.F, 0.F, 0.F, 1.F, 1.F}), {.samples = 1}, out);
    if (out.elements<float>()[0] != 2) return false;
    kernel::roi_pool(tensor({1, 1, 1, 2}, {1.F, 3.F}), tensor({1, 5}, {0.F, 0.F, 0.F, 1.F, 1.F}), {}, out);
    return out.elements<float>()[0] == 3;
}

} // namespace

TEST_CASE("region: computes in constant evaluation", "[kernel][region]") {
    static_assert(pools_in_constant_evaluation());
    CHECK(pools_in_constant_evaluation());
}

TEST_CASE("roi_align: agrees with the definition", "[kernel][region]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = 0; round < test::rounds(200); ++round) {
        check_align<float>(random, 1e-5);
        check_align<double>(random, 1e-5); // the regions are float32
        check_align<float16>(random, 0.002);
    }
}

TEST_CASE("roi_pool: agrees with the definition", "[kernel][region]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = 0; round < test::rounds(400); ++round) check_pool(random);
}

TEST_CASE("region: huge regions, and such that are no numbers, cost no more than the image", "[kernel][region]") {
    const tensor data({1, 1, 2, 2}, {5.F, 5.F, 5.F, 5.F});
    for (const float x : {-3e38F, -1e9F, 1e9F, 3e38F, INFINITY, -INFINITY, NAN})
        for (const float y : {-3e38F, 0.F, 1e9F, INFINITY, NAN})
            for (const bool greatest : {false, true}) {
                const region_options o{.size = {3, 3}, .greatest = greatest};
                const tensor box({1, 5}, {0.F, x, x, y, y});
                for (const double v : test::values(aligned(data, box, o))) CHECK((v >= 0 && v <= 5));
                for (const double v : test::values(pooled(data, box, o))) CHECK((v == 0 || v == 5));
            }
}

TEST_CASE("region: an error names mismatched operands", "[kernel][region]") {
    const tensor data(dtype::float32, {2, 1, 4, 4});
    const auto error = [&](const tensor& regions, const region_options& o) {
        return test::error_of([&] { aligned(data, regions, o); });
    };
    CHECK(error(tensor({1, 5}, {2.F, 0.F, 0.F, 1.F, 1.F}), {}) ==
          "kernel::roi_align: region 0 of image 2 of data (2, 1, 4, 4) float32; expected the number of an image in the "
          "data");
    CHECK(error(tensor({1, 5}, {-1.F, 0.F, 0.F, 1.F, 1.F}), {}).find("of image -1") != std::string::npos);
    CHECK(error(tensor(dtype::float32, {1, 4}), {}).find("four corners for each region") != std::string::npos);
    CHECK(error(tensor(dtype::float32, {1, 5}), {.size = {-1, 1}}).find("non-negative sizes") != std::string::npos);
    CHECK(error(tensor(dtype::float32, {1, 5}), {.samples = 1 << 20}) ==
          "kernel::roi_align: 1048576 samples along an axis; expected at most 1024");
    CHECK(error(tensor(dtype::float32, {1, 5}), {.size = {1 << 30, 1 << 30}}).find("fewer than 2^48") !=
          std::string::npos);
    CHECK(test::error_of([&] {
              pooled(tensor(dtype::float32, {1, 1, 0, 4}), tensor(dtype::float32, {1, 5}), {});
          }).find("images with pixels") != std::string::npos);
}

TEST_CASE("yolo_reorg: squares of pixels become channels", "[kernel][region]") {
    const auto reorganised = [](const tensor& data, std::int64_t stride) {
        return test::made([](auto&... a) { kernel::yolo_reorg(a...); }, data, stride);
    };
    // The expected result is Darknet's layer, applied image by image. The layer indexes the source as if its height and
    // width were multiplied by the stride, and its channels divided by stride^2.
    for (const std::int64_t stride : {1, 2, 3}) {
        const std::int64_t channels = 2 * stride * stride;
        tensor data(dtype::int16, {2, channels, 3 * stride, 2 * stride});
        std::int16_t next = 0;
        for (std::int16_t& x : data.mutable_elements<std::int16_t>()) x = next++;
        numbers expected;
        const std::int64_t height = 3 * stride;
        const std::int64_t width = 2 * stride;
        for (std::int64_t n = 0; n < 2; ++n)
            for (std::int64_t k = 0; k < channels; ++k)
                for (std::int64_t j = 0; j < height; ++j)
                    for (std::int64_t i = 0; i < width; ++i) {
                        const std::int64_t offset = k / 2;
                        const std::int64_t w = i * stride + offset % stride;
                        const std::int64_t h = j * stride + offset / stride;
                        expected.push_back(
                            static_cast<double>(w + width * stride * (h + height * stride * (k % 2 + 2 * n))));
                    }
        CHECK(test::difference(reorganised(data, stride), {2, channels * stride * stride, 3, 2}, expected, 0) == "");
    }
    const auto error = [&](const tensor& t, std::int64_t stride) {
        return test::error_of([&] { reorganised(t, stride); });
    };
    CHECK(
        error(tensor(dtype::float32, {1, 4, 3, 4}), 2) ==
        "kernel::yolo_reorg: a stride of 2 for data (1, 4, 3, 4) float32; expected one that divides rows and columns, and whose "
        "square divides the channels");
    CHECK(error(tensor(dtype::float32, {1, 2, 4, 4}), 2).find("divides the channels") != std::string::npos);
    CHECK(error(tensor(dtype::float32, {1, 2, 4, 4}), 0).find("a stride of 0") != std::string::npos);
    CHECK(error(tensor(dtype::float32, {1, 2, 4, 4}), INT64_MAX).find("divides the channels") != std::string::npos);
}
