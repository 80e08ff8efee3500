#include <tutti/kernel/normalize.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::dtype;
using kernel::float16;
using kernel::tensor;
using test::shape_t;

namespace {

constexpr bool normalizes_in_constant_evaluation() {
    const tensor data({1, 2}, {3.F, 10.F});
    const tensor ones({2}, {1.F, 1.F});
    const tensor gamma({2}, {2.F, 4.F});
    const tensor variance({2}, {4.F, 9.F});
    tensor out;
    kernel::batch_norm(data, {.gamma = gamma, .beta = ones, .mean = ones, .variance = variance}, {.epsilon = 0}, out);
    tensor unit;
    kernel::l2_normalize(tensor({2}, {3.F, 4.F}), {}, 0, unit);
    return out.elements<float>()[0] == 3 && out.elements<float>()[1] > 12.999F && out.elements<float>()[1] < 13.001F &&
           unit.elements<float>()[0] > 0.5999F && unit.elements<float>()[0] < 0.6001F;
}

struct statistics {
    tensor gamma;
    tensor beta;
    tensor mean;
    tensor variance;
};

tensor batch_norm(const tensor& data, const statistics& s, const kernel::norm_options& options = {}) {
    return test::made(kernel::batch_norm, data, kernel::channel_statistics{s.gamma, s.beta, s.mean, s.variance},
                      options);
}

// Returns the mean over the elements whose index differs from `index` only along the reduced axes.
template <class F>
double mean_over(const std::vector<double>& x, const shape_t& shape, const shape_t& index,
                 const std::vector<bool>& reduced, F f) {
    double sum = 0;
    double count = 0;
    test::for_each_index(shape, [&](const shape_t& at) {
        for (std::size_t d = 0; d < shape.size(); ++d)
            if (!reduced[d] && at[d] != index[d]) return;
        sum += f(x[test::offset(shape, at)]);
        ++count;
    });
    return sum / count;
}

} // namespace

TEST_CASE("normalize: batch_norm computes in constant evaluation", "[kernel][normalize]") {
    static_assert(normalizes_in_constant_evaluation());
    CHECK(normalizes_in_constant_evaluation());
}

TEMPLATE_TEST_CASE("normalize: batch_norm agrees with the definition on every axis", "[kernel][normalize]", float,
                   double, float16) {
    TUTTI_TEST_SEED();
    test::random_source random;
    const double tolerance = sizeof(TestType) == 8 ? 1e-14 : sizeof(TestType) == 4 ? 1e-6 : 1e-3;
    const shape_t shape{2, 3, 4, 5};
    const tensor data = random.filled<TestType>(shape);
    for (std::int64_t axis = -4; axis < 4; ++axis)
        for (const bool center : {false, true})
            for (const bool scale : {false, true}) {
                const auto at = static_cast<std::size_t>(axis < 0 ? axis + 4 : axis);
                const statistics s{random.filled<TestType>({shape[at]}, 0.5, 1.5), random.filled<TestType>({shape[at]}),
                                   random.filled<TestType>({shape[at]}),
                                   random.filled<TestType>({shape[at]}, 0.5, 1.5)};
                std::vector<double> expected;
                test::for_each_index(shape, [&](const shape_t& index) {
                    const auto c = static_cast<std::size_t>(index[at]);
                    double x = test::values(data)[test::offset(shape, index)];
                    x = (x - test::values(s.mean)[c]) / std::sqrt(test::values(s.variance)[c] + 0.01);
                    if (scale) x *= test::values(s.gamma)[c];
                    if (center) x += test::values(s.beta)[c];
                    expected.push_back(x);
                });
                INFO("axis " << axis << ", center " << center << ", scale " << scale);
                CHECK(test::difference(
                          batch_norm(data, s, {.axis = axis, .epsilon = 0.01, .center = center, .scale = scale}), shape,
                          expected, tolerance) == "");
            }
}

TEST_CASE("normalize: statistics of another length or type are named", "[kernel][normalize]") {
    const tensor data(dtype::float32, {2, 3, 4, 4});
    const tensor three(dtype::float32, {3});
    CHECK(test::error_of([&] { batch_norm(data, {three, three, tensor(dtype::float32, {4}), three}); }) ==
          "kernel::batch_norm: data is (2, 3, 4, 4) float32 and moving_mean is (4,) float32; expected "
          "a vector of length 3, "
          "like axis 1 of data, and of its element type");
    CHECK(test::error_of([&] { batch_norm(data, {three, three, three, three}, {.axis = 4}); }) ==
          "kernel::batch_norm: axis 4 of a tensor of rank 4; expected an axis from -4 to 3");
    const tensor whole(dtype::int32, {3});
    CHECK(test::error_of([&] { batch_norm(tensor(dtype::int32, {2, 3}), {whole, whole, whole, whole}); }) ==
          "kernel::batch_norm: cannot compute with elements of type int32; expected float16, bfloat16, float32 "
          "or float64");
}

TEMPLATE_TEST_CASE("normalize: instance_norm agrees with the definition on every axis", "[kernel][normalize]", float,
                   double, float16) {
    TUTTI_TEST_SEED();
    test::random_source random;
    const double tolerance = sizeof(TestType) == 8 ? 1e-13 : sizeof(TestType) == 4 ? 2e-6 : 2e-3;
    const shape_t shape{2, 3, 4, 5};
    const tensor data = random.filled<TestType>(shape);
    const std::vector<double> x = test::values(data);
    for (std::int64_t axis = -4; axis < 4; ++axis)
        for (const bool center : {false, true})
            for (const bool scale : {false, true}) {
                const auto at = static_cast<std::size_t>(axis < 0 ? axis + 4 : axis);
                const tensor gamma = random.filled<TestType>({shape[at]}, 0.5, 1.5);
                const tensor beta = random.filled<TestType>({shape[at]});
                std::vector<bool> reduced(4, true);
                reduced[0] = reduced[at] = false;
                std::vector<double> expected;
                test::for_each_index(shape, [&](const shape_t& index) {
                    const auto c = static_cast<std::size_t>(index[at]);
                    const double mean = mean_over(x, shape, index, reduced, [](double v) { return v; });
                    const double variance =
                        mean_over(x, shape, index, reduced, [&](double v) { return (v - mean) * (v - mean); });
                    double y = (x[test::offset(shape, index)] - mean) / std::sqrt(variance + 0.01);
                    if (scale) y *= test::values(gamma)[c];
                    if (center) y += test::values(beta)[c];
                    expected.push_back(y);
                });
                INFO("axis " << axis << ", center " << center << ", scale " << scale);
                const kernel::norm_options options{.axis = axis, .epsilon = 0.01, .center = center, .scale = scale};
                CHECK(test::difference(test::made(kernel::instance_norm, data, gamma, beta, options), shape, expected,
                                       tolerance) == "");
            }
    CHECK(test::error_of([&] {
              const tensor two(dtype::float32, {2});
              test::made(kernel::instance_norm, tensor(dtype::float32, {1, 2, 3}), two, tensor(dtype::float64, {2}),
                         kernel::norm_options{});
          }) ==
          "kernel::instance_norm: data is (1, 2, 3) float32 and beta is (2,) float64; expected a vector of length 2, "
          "like axis 1 "
          "of data, and of its element type");
}

TEMPLATE_TEST_CASE("normalize: l2_normalize agrees with the definition on every set of axes", "[kernel][normalize]",
                   float, double, float16) {
    TUTTI_TEST_SEED();
    test::random_source random;
    const double tolerance = sizeof(TestType) == 8 ? 1e-15 : sizeof(TestType) == 4 ? 1e-6 : 1e-3;
    const shape_t shape{3, 2, 5};
    const tensor data = random.filled<TestType>(shape);
    const std::vector<double> x = test::values(data);
    for (unsigned mask = 0; mask < 8; ++mask)
        for (const double epsilon : {1e-10, 4.0}) {
            shape_t axes;
            std::vector<bool> reduced(3, mask == 0);
            double size = mask == 0 ? 30 : 1;
            for (std::size_t d = 0; d < 3; ++d)
                if ((mask >> d & 1U) != 0) {
                    axes.push_back(static_cast<std::int64_t>(d) - (epsilon > 1 ? 3 : 0));
                    reduced[d] = true;
                    size *= static_cast<double>(shape[d]);
                }
            std::vector<double> expected;
            test::for_each_index(shape, [&](const shape_t& index) {
                const double sum = mean_over(x, shape, index, reduced, [](double v) { return v * v; }) * size;
                expected.push_back(x[test::offset(shape, index)] / std::sqrt(std::max(sum, epsilon)));
            });
            INFO("axes " << mask << ", epsilon " << epsilon);
            CHECK(test::difference(test::made(kernel::l2_normalize, data, axes, epsilon), shape, expected, tolerance) ==
                  "");
        }
    CHECK(test::error_of([&] { test::made(kernel::l2_normalize, data, shape_t{3}, 1.0); }) ==
          "kernel::l2_normalize: axis 3 of a tensor of rank 3; expected an axis from -3 to 2");
}

TEST_CASE("normalize: NaN stays in its channel, and no elements are no error", "[kernel][normalize]") {
    const tensor ones({2}, {1.F, 1.F});
    const tensor data({1, 2, 2}, {NAN, 1.F, 2.F, 2.F});
    CHECK(test::difference(test::made(kernel::instance_norm, data, ones, ones, kernel::norm_options{}), {1, 2, 2},
                           {NAN, NAN, 1, 1}, 0) == "");
    CHECK(test::difference(test::made(kernel::l2_normalize, data, shape_t{2}, 1e-10), {1, 2, 2},
                           {NAN, NAN, std::sqrt(0.5), std::sqrt(0.5)}, 1e-6) == "");
    CHECK(test::difference(batch_norm(data, {ones, ones, ones, ones}, {.epsilon = 0}), {1, 2, 2}, {NAN, 1, 2, 2}, 0) ==
          "");
    const tensor none(dtype::float32, {0, 2, 3});
    CHECK(test::difference(batch_norm(none, {ones, ones, ones, ones}), {0, 2, 3}, {}, 0) == "");
    CHECK(test::difference(test::made(kernel::instance_norm, none, ones, ones, kernel::norm_options{}), {0, 2, 3}, {},
                           0) == "");
    CHECK(test::difference(test::made(kernel::l2_normalize, none, shape_t{}, 1.0), {0, 2, 3}, {}, 0) == "");
    CHECK(test::made(kernel::l2_normalize, tensor::scalar(-2.F), shape_t{}, 1.0).elements<float>()[0] == -1);
}

TEST_CASE("normalize: float32 is float64 within these bounds", "[kernel][normalize]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const shape_t shape{2, 16, 30, 30};
    const tensor data = random.filled<float>(shape, -1, 3);
    const statistics narrow{random.filled<float>({16}, 0.5, 1.5), random.filled<float>({16}),
                            random.filled<float>({16}), random.filled<float>({16}, 0.5, 1.5)};
    const auto wide = [](const tensor& t) { return test::converted(t, dtype::float64); };
    const statistics exact{wide(narrow.gamma), wide(narrow.beta), wide(narrow.mean), wide(narrow.variance)};
    const kernel::norm_options options{};
    CHECK(test::difference(batch_norm(data, narrow), shape, test::values(batch_norm(wide(data), exact)), 1e-6) == "");
    CHECK(
        test::difference(test::made(kernel::instance_norm, data, narrow.gamma, narrow.beta, options), shape,
                         test::values(test::made(kernel::instance_norm, wide(data), exact.gamma, exact.beta, options)),
                         1e-6) == "");
    const shape_t axes{1, 2};
    CHECK(test::difference(test::made(kernel::l2_normalize, data, axes, 1e-6), shape,
                           test::values(test::made(kernel::l2_normalize, wide(data), axes, 1e-6)), 1e-7) == "");
}

TEST_CASE("normalize: sets without elements cost nothing, whatever their number", "[kernel][normalize]") {
    constexpr std::int64_t many = std::int64_t{1} << 40;
    const tensor data(dtype::float32, {many, 1, 0});
    const tensor one({1}, {1.F});
    CHECK(test::made(kernel::instance_norm, data, one, one, kernel::norm_options{}).size() == 0);
    const std::int64_t last[]{2};
    CHECK(test::made([](auto&... a) { kernel::l2_normalize(a...); }, data, std::span<const std::int64_t>(last), 1e-5)
              .size() == 0);
}

TEMPLATE_TEST_CASE("normalize: layer_norm and group_norm agree with the definition on every axis",
                   "[kernel][normalize]", float, double, float16) {
    TUTTI_TEST_SEED();
    test::random_source random;
    const double tolerance = sizeof(TestType) == 8 ? 1e-13 : sizeof(TestType) == 4 ? 4e-6 : 4e-3;
    for (const shape_t& shape : {shape_t{2, 6, 4, 5}, shape_t{3, 6}, shape_t{4, 1, 6, 1}, shape_t{6, 700}}) {
        const tensor data = random.filled<TestType>(shape);
        const std::vector<double> x = test::values(data);
        const auto rank = static_cast<std::int64_t>(shape.size());
        for (std::int64_t axis = -rank; axis < rank; ++axis) {
            const auto at = static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
            const std::int64_t channels = shape[at];
            const tensor gamma = random.filled<TestType>({channels}, 0.5, 1.5);
            const tensor beta = random.filled<TestType>({channels});
            const bool flag = random.integer(0, 1) == 0;
            const kernel::norm_options options{.axis = axis, .epsilon = 0.01, .center = flag, .scale = !flag};
            // `groups` is 0 for layer_norm, which normalises each line along the axis.
            const auto expected = [&](std::int64_t groups) {
                const std::int64_t part = groups == 0 ? channels : channels / groups;
                const auto set_of = [&](const shape_t& index) {
                    shape_t set = index;
                    set[at] /= part;
                    for (std::size_t d = at + 1; d < shape.size() && groups != 0; ++d) set[d] = 0;
                    return test::offset(shape, set);
                };
                std::vector<double> sum(x.size(), 0);
                std::vector<double> squares(x.size(), 0);
                std::vector<double> count(x.size(), 0);
                test::for_each_index(shape, [&](const shape_t& i) {
                    sum[set_of(i)] += x[test::offset(shape, i)];
                    count[set_of(i)] += 1;
                });
                test::for_each_index(shape, [&](const shape_t& i) {
                    const double distance = x[test::offset(shape, i)] - sum[set_of(i)] / count[set_of(i)];
                    squares[set_of(i)] += distance * distance;
                });
                std::vector<double> y;
                test::for_each_index(shape, [&](const shape_t& i) {
                    const std::size_t s = set_of(i);
                    const double one =
                        (x[test::offset(shape, i)] - sum[s] / count[s]) / std::sqrt(squares[s] / count[s] + 0.01);
                    const auto c = static_cast<std::size_t>(i[at]);
                    y.push_back(flag ? one + test::values(beta)[c] : one * test::values(gamma)[c]);
                });
                return y;
            };
            INFO("axis " << axis << " of " << kernel::text(shape));
            if (channels < 100) { // slow with many channels: expected() converts beta for each element
                CHECK(test::difference(test::made(kernel::layer_norm, data, gamma, beta, options), shape, expected(0),
                                       tolerance) == "");
                for (const std::int64_t groups : {1, 2, 3, 6})
                    if (channels % groups == 0)
                        CHECK(test::difference(test::made(kernel::group_norm, data, gamma, beta, groups, options),
                                               shape, expected(groups), tolerance) == "");
            }
        }
    }
}

TEST_CASE("normalize: groups that do not divide the channels are named", "[kernel][normalize]") {
    const tensor data(dtype::float32, {2, 6});
    const tensor six(dtype::float32, {6});
    const auto error = [&](std::int64_t groups) {
        return test::error_of([&] { test::made(kernel::group_norm, data, six, six, groups, kernel::norm_options{}); });
    };
    CHECK(
        error(4) ==
        "kernel::group_norm: 4 groups of 6 channels; expected a number of groups that divides the number of channels");
    CHECK(error(0) == "kernel::group_norm: 0 groups; expected one or more");
    const tensor none(dtype::float32, {2, 0});
    const tensor empty(dtype::float32, {0});
    CHECK(test::made(kernel::group_norm, none, empty, empty, std::int64_t{2}, kernel::norm_options{}).size() == 0);
}
