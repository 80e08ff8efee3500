#include <tutti/kernel/softmax.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::dtype;
using kernel::float16;
using kernel::tensor;
using test::shape_t;

namespace {

tensor softmax(const tensor& data, std::int64_t axis = -1) { return test::made(kernel::softmax, data, axis); }
tensor log_softmax(const tensor& data, std::int64_t axis = -1) { return test::made(kernel::log_softmax, data, axis); }

// Returns the elements of the line along `axis` through `index`.
std::vector<double> line(const std::vector<double>& x, const shape_t& shape, shape_t index, std::size_t axis) {
    std::vector<double> values;
    for (index[axis] = 0; index[axis] < shape[axis]; ++index[axis]) values.push_back(x[test::offset(shape, index)]);
    return values;
}

template <class T>
void check_softmax(const shape_t& shape, std::int64_t axis, test::random_source& random, double range,
                   double tolerance) {
    const tensor data = random.filled<T>(shape, -range, range);
    const std::vector<double> x = test::values(data);
    const std::size_t at = static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::int64_t>(shape.size()) : axis);
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

TEST_CASE("softmax: softmax and log_softmax agree with the definition on every axis", "[kernel][softmax]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (std::int64_t axis = -3; axis < 3; ++axis) {
        check_softmax<float>({2, 5, 3}, axis, random, 5, 1e-6);
        check_softmax<double>({2, 5, 3}, axis, random, 5, 1e-14);
        check_softmax<float16>({2, 5, 3}, axis, random, 5, 1e-3);
    }
    check_softmax<float>({1, 1000}, -1, random, 3, 1e-6);
    check_softmax<float>({3, 700}, 0, random, 3, 1e-6);
    check_softmax<float16>({2, 700}, 1, random, 3, 1e-3);
    check_softmax<double>({2, 1, 1}, 1, random, 3, 1e-14);
    check_softmax<float>({2, 0, 3}, 1, random, 1, 0);
}

TEST_CASE("softmax: softmax does not overflow, and undefined results are NaN", "[kernel][softmax]") {
    const tensor large({2, 2}, {1000.F, 1000.F, -1000.F, 1000.F});
    CHECK(test::difference(softmax(large), {2, 2}, {0.5, 0.5, 0, 1}, 1e-7) == "");
    CHECK(test::difference(log_softmax(large), {2, 2}, {-std::log(2), -std::log(2), -2000, 0}, 1e-7) == "");
    const tensor odd({4, 2}, {NAN, 1.F, INFINITY, 1.F, -INFINITY, -INFINITY, -INFINITY, 1.F});
    CHECK(test::difference(softmax(odd), {4, 2}, {NAN, NAN, NAN, NAN, NAN, NAN, 0, 1}, 0) == "");
    CHECK(test::difference(log_softmax(odd), {4, 2}, {NAN, NAN, NAN, NAN, NAN, NAN, -INFINITY, 0}, 0) == "");
    CHECK(
        test::error_of([] { softmax(tensor({1}, {1})); }) ==
        "kernel::softmax: cannot compute with elements of type int32; expected float16, bfloat16, float32 or float64");
    CHECK(test::error_of([] { log_softmax(tensor({1}, {1.F}), 1); }) ==
          "kernel::log_softmax: axis 1 of a tensor of rank 1; expected an axis from -1 to 0");
    CHECK(test::error_of([] { softmax(tensor::scalar(1.F)); }) ==
          "kernel::softmax: axis -1 of a tensor of rank 0; expected a rank of at least 1");
}

TEST_CASE("softmax: float32 is float64 within these bounds", "[kernel][softmax]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (const std::int64_t axis : {0, 1}) {
        const tensor narrow = random.filled<float>({300, 700}, -10, 10);
        const tensor wide = test::converted(narrow, dtype::float64);
        CHECK(test::difference(softmax(narrow, axis), {300, 700}, test::values(softmax(wide, axis)), 1e-6) == "");
        CHECK(test::difference(log_softmax(narrow, axis), {300, 700}, test::values(log_softmax(wide, axis)), 1e-6) ==
              "");
    }
}

TEST_CASE("softmax: lines without elements cost nothing, whatever their number", "[kernel][softmax]") {
    constexpr std::int64_t many = std::int64_t{1} << 40;
    for (const std::int64_t axis : {0, 1}) {
        const tensor data(dtype::float32, axis == 0 ? shape_t{0, many} : shape_t{many, 0});
        CHECK(test::made(kernel::softmax, data, axis).size() == 0);
        CHECK(test::made(kernel::log_softmax, data, axis).size() == 0);
    }
}
