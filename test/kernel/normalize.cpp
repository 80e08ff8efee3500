#include <tutti/kernel/normalize.hpp>

#include "catch.hpp"

#include "support.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::batch_norm;
using kernel::dtype;
using kernel::float16;
using kernel::log_softmax;
using kernel::softmax;
using kernel::tensor;
using test::shape_t;

namespace {

constexpr bool normalizes_in_constant_evaluation() {
    const tensor data({1, 2}, {3.F, 10.F});
    const tensor ones({2}, {1.F, 1.F});
    const tensor out = batch_norm(
        data,
        {.gamma = tensor({2}, {2.F, 4.F}), .beta = ones, .mean = ones, .variance = tensor({2}, {4.F, 9.F})},
        {.epsilon = 0});
    return out.elements<float>()[0] == 3 && out.elements<float>()[1] > 12.999F &&
           out.elements<float>()[1] < 13.001F;
}

// The line along `axis` through an element, as doubles.
std::vector<double> line(const std::vector<double>& x, const shape_t& shape, shape_t index,
                         std::size_t axis) {
    std::vector<double> values;
    for (index[axis] = 0; index[axis] < shape[axis]; ++index[axis])
        values.push_back(x[test::offset(shape, index)]);
    return values;
}

template <class T>
void check_softmax(const shape_t& shape, std::int64_t axis, test::random_source& random, double range,
                   double tolerance) {
    const tensor data = random.filled<T>(shape, -range, range);
    const std::vector<double> x = test::values(data);
    const std::size_t at =
        static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::int64_t>(shape.size()) : axis);
    std::vector<double> plain;
    std::vector<double> logarithm;
    test::for_each_index(shape, [&](const shape_t& index) {
        double sum = 0;
        for (const double y : line(x, shape, index, at)) sum += std::exp(y);
        plain.push_back(std::exp(x[test::offset(shape, index)]) / sum);
        logarithm.push_back(x[test::offset(shape, index)] - std::log(sum));
    });
    INFO(kernel::text(data) << " along " << axis);
    CHECK(test::difference(softmax(data, axis), shape, plain, tolerance) == "");
    CHECK(test::difference(log_softmax(data, axis), shape, logarithm, tolerance) == "");
}

} // namespace

TEST_CASE("normalize: batch_norm computes in constant evaluation", "[kernel][normalize]") {
    static_assert(normalizes_in_constant_evaluation());
    CHECK(normalizes_in_constant_evaluation());
}

TEMPLATE_TEST_CASE("normalize: batch_norm agrees with the definition on every axis", "[kernel][normalize]",
                   float, double, float16) {
    TUTTI_TEST_SEED();
    test::random_source random;
    const double tolerance = sizeof(TestType) == 8 ? 1e-14 : sizeof(TestType) == 4 ? 1e-6 : 1e-3;
    const shape_t shape{2, 3, 4, 5};
    const tensor data = random.filled<TestType>(shape);
    for (std::int64_t axis = -4; axis < 4; ++axis)
        for (const bool center : {false, true})
            for (const bool scale : {false, true}) {
                const auto at = static_cast<std::size_t>(axis < 0 ? axis + 4 : axis);
                const kernel::channel_statistics<tensor> s{
                    random.filled<TestType>({shape[at]}, 0.5, 1.5), random.filled<TestType>({shape[at]}),
                    random.filled<TestType>({shape[at]}), random.filled<TestType>({shape[at]}, 0.5, 1.5)};
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
                          batch_norm(data, s,
                                     {.axis = axis, .epsilon = 0.01, .center = center, .scale = scale}),
                          shape, expected, tolerance) == "");
            }
}

TEST_CASE("normalize: statistics of another length or type are named", "[kernel][normalize]") {
    const tensor data(dtype::float32, {2, 3, 4, 4});
    const tensor three(dtype::float32, {3});
    CHECK(test::error_of([&] {
              batch_norm(data, {three, three, tensor(dtype::float32, {4}), three});
          }) == "kernel::batch_norm: data is (2, 3, 4, 4) float32 and moving_mean is (4,) float32; expected "
                "a vector of length 3, "
                "as axis 1 of data, and of its element type");
    CHECK(test::error_of([&] {
              batch_norm(data, {three, three, three, three}, {.axis = 4});
          }) == "kernel::batch_norm: axis 4 of a tensor of rank 4; expected an axis from -4 to 3");
    const tensor whole(dtype::int32, {3});
    CHECK(test::error_of([&] {
              batch_norm(tensor(dtype::int32, {2, 3}), {whole, whole, whole, whole});
          }) == "kernel::batch_norm: cannot compute with elements of type int32; expected float16, float32 "
                "or float64");
}

TEST_CASE("normalize: softmax and log_softmax agree with the definition on every axis",
          "[kernel][normalize]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (std::int64_t axis = -3; axis < 3; ++axis) {
        check_softmax<float>({2, 5, 3}, axis, random, 5, 1e-6);
        check_softmax<double>({2, 5, 3}, axis, random, 5, 1e-14);
        check_softmax<float16>({2, 5, 3}, axis, random, 5, 1e-3);
    }
    check_softmax<float>({1, 1000}, -1, random, 3, 1e-6);
    check_softmax<float>({2, 0, 3}, 1, random, 1, 0);
}

TEST_CASE("normalize: softmax does not overflow, and NaN is what has no answer", "[kernel][normalize]") {
    const tensor large({2, 2}, {1000.F, 1000.F, -1000.F, 1000.F});
    CHECK(test::difference(softmax(large), {2, 2}, {0.5, 0.5, 0, 1}, 1e-7) == "");
    CHECK(test::difference(log_softmax(large), {2, 2}, {-std::log(2), -std::log(2), -2000, 0}, 1e-7) == "");
    const tensor odd({4, 2}, {NAN, 1.F, INFINITY, 1.F, -INFINITY, -INFINITY, -INFINITY, 1.F});
    CHECK(test::difference(softmax(odd), {4, 2}, {NAN, NAN, NAN, NAN, NAN, NAN, 0, 1}, 0) == "");
    CHECK(test::difference(log_softmax(odd), {4, 2}, {NAN, NAN, NAN, NAN, NAN, NAN, -INFINITY, 0}, 0) == "");
    CHECK(test::error_of([] { softmax(tensor::scalar(1.F)); }) ==
          "kernel::softmax: axis -1 of a tensor of rank 0; expected a rank of at least 1");
}
