#include <tutti/kernel/prelu.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::dtype;
using kernel::float16;
using kernel::tensor;
using test::shape_t;

namespace {

constexpr bool computes_in_constant_evaluation() {
    tensor out;
    kernel::prelu(tensor({2, 2}, {1.F, -2.F, -3.F, 4.F}), tensor({2}, {0.5F, 2.F}), 1, out);
    return out.elements<float>()[0] == 1 && out.elements<float>()[1] == -4 && out.elements<float>()[2] == -1.5F &&
           out.elements<float>()[3] == 4;
}

} // namespace

TEST_CASE("prelu: computes in constant evaluation", "[kernel][prelu]") {
    static_assert(computes_in_constant_evaluation());
    CHECK(computes_in_constant_evaluation());
}

TEMPLATE_TEST_CASE("prelu: agrees with the definition on every axis", "[kernel][prelu]", float, double, float16) {
    TUTTI_TEST_SEED();
    test::random_source random;
    const shape_t shape{2, 3, 4};
    const tensor data = random.filled<TestType>(shape);
    const std::vector<double> x = test::values(data);
    for (std::int64_t axis = -3; axis < 3; ++axis) {
        const auto at = static_cast<std::size_t>(axis < 0 ? axis + 3 : axis);
        const tensor alpha = random.filled<TestType>({shape[at]});
        std::vector<double> expected;
        test::for_each_index(shape, [&](const shape_t& index) {
            const double v = x[test::offset(shape, index)];
            expected.push_back(v < 0 ? v * test::values(alpha)[static_cast<std::size_t>(index[at])] : v);
        });
        CHECK(test::difference(test::made(kernel::prelu, data, alpha, axis), shape, expected,
                               sizeof(TestType) == 2 ? 1e-3 : 1e-6) == "");
    }
}

TEST_CASE("prelu: NaN stays NaN, and integers are slopes too", "[kernel][prelu]") {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const tensor out = test::made(kernel::prelu, tensor({2}, {nan, -1.F}), tensor({2}, {2.F, 3.F}), std::int64_t{0});
    CHECK(std::isnan(out.elements<float>()[0]));
    CHECK(out.elements<float>()[1] == -3);
    CHECK(test::values(test::made(kernel::prelu, tensor({2}, {-2, 5}), tensor({2}, {3, 3}), std::int64_t{-1})) ==
          std::vector<double>{-6, 5});
}

TEST_CASE("prelu: slopes that do not fit are named", "[kernel][prelu]") {
    const tensor data(dtype::float32, {2, 3});
    CHECK(test::error_of([&] { test::made(kernel::prelu, data, tensor(dtype::float32, {2}), std::int64_t{1}); }) ==
          "kernel::prelu: data is (2, 3) float32 and alpha is (2,) float32; expected slopes of shape (3,), like axis 1 "
          "of "
          "data, and of its element type");
    CHECK(test::error_of([&] { test::made(kernel::prelu, data, data, std::int64_t{2}); }) ==
          "kernel::prelu: axis 2 of a tensor of rank 2; expected an axis from -2 to 1");
}
