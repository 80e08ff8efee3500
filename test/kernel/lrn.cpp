#include <tutti/kernel/lrn.hpp>

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

TEMPLATE_TEST_CASE("lrn: agrees with the definition on every axis", "[kernel][lrn]", float, double, float16) {
    TUTTI_TEST_SEED();
    test::random_source random;
    const double tolerance = sizeof(TestType) == 8 ? 1e-13 : sizeof(TestType) == 4 ? 2e-6 : 2e-3;
    const shape_t shape{2, 5, 3, 4};
    const tensor data = random.filled<TestType>(shape);
    const std::vector<double> x = test::values(data);
    for (std::int64_t axis = -4; axis < 4; ++axis)
        for (const std::int64_t size : {1, 2, 3, 5, 12}) {
            const auto at = static_cast<std::size_t>(axis < 0 ? axis + 4 : axis);
            std::vector<double> expected;
            test::for_each_index(shape, [&](const shape_t& index) {
                double sum = 0;
                shape_t near = index;
                for (std::int64_t k = index[at] - (size - 1) / 2; k <= index[at] + size / 2; ++k) {
                    near[at] = k;
                    if (k >= 0 && k < shape[at]) sum += std::pow(x[test::offset(shape, near)], 2);
                }
                expected.push_back(x[test::offset(shape, index)] /
                                   std::pow(1.5 + 0.7 * sum / static_cast<double>(size), 0.6));
            });
            INFO("axis " << axis << ", size " << size);
            const kernel::lrn_options options{.size = size, .axis = axis, .bias = 1.5, .alpha = 0.7, .beta = 0.6};
            CHECK(test::difference(test::made(kernel::lrn, data, options), shape, expected, tolerance) == "");
        }
}

TEST_CASE("lrn: rows longer than a block", "[kernel][lrn]") {
    const tensor data = [] {
        tensor t(dtype::float32, {2, 1300});
        for (float& v : t.mutable_elements<float>()) v = 1;
        return t;
    }();
    const tensor out =
        test::made(kernel::lrn, data, kernel::lrn_options{.size = 3, .axis = 0, .bias = 0, .alpha = 3, .beta = 1});
    for (const float v : out.elements<float>()) CHECK(v == 0.5F);
}

TEST_CASE("lrn: invalid options are an error", "[kernel][lrn]") {
    const tensor data(dtype::float32, {2, 3});
    const auto error = [&](const kernel::lrn_options& o) {
        return test::error_of([&] { test::made(kernel::lrn, data, o); });
    };
    CHECK(error({.size = 0}) == "kernel::lrn: 0 neighbours; expected 1 or more, and fewer than 2^48");
    CHECK(error({.size = std::int64_t{1} << 60}).starts_with("kernel::lrn: 1152921504606846976 neighbours"));
    CHECK(error({.axis = 2}) == "kernel::lrn: axis 2 of a tensor of rank 2; expected an axis from -2 to 1");
    CHECK(test::error_of([&] { test::made(kernel::lrn, tensor(dtype::int32, {2, 3}), kernel::lrn_options{}); }) ==
          "kernel::lrn: cannot compute with elements of type int32; expected float16, bfloat16, float32 or float64");
    CHECK(test::made(kernel::lrn, tensor(dtype::float32, {0, 3}), kernel::lrn_options{}).size() == 0);
}
