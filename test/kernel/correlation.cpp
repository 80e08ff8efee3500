#include <tutti/kernel/correlation.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::dtype;
using kernel::float16;
using kernel::tensor;
using test::shape_t;

namespace {

tensor correlated(const tensor& a, const tensor& b, const kernel::correlation_options& o) {
    return test::made([](auto&... all) { kernel::correlation(all...); }, a, b, o);
}

} // namespace

TEMPLATE_TEST_CASE("correlation: agrees with the definition over images that are padded", "[kernel][correlation]",
                   float, double, float16) {
    TUTTI_TEST_SEED();
    test::random_source random;
    const double tolerance = sizeof(TestType) == 8 ? 1e-13 : sizeof(TestType) == 4 ? 1e-5 : 4e-3;
    for (int round = test::rounds(20); round > 0; --round) {
        kernel::correlation_options o{.size = 2 * random.integer(0, 2) + 1,
                                      .displacement = random.integer(0, 3),
                                      .stride = random.integer(1, 2),
                                      .other_stride = random.integer(1, 2),
                                      .multiplies = random.integer(0, 1) == 0};
        o.before = {random.integer(0, 3), random.integer(0, 3), 0};
        o.after = {random.integer(0, 3), random.integer(0, 3), 0};
        const shape_t shape{2, random.integer(1, 3), random.integer(4, 9), random.integer(4, 9)};
        const tensor a = random.filled<TestType>(shape);
        const tensor b = random.filled<TestType>(shape);
        const auto padded = [&](const tensor& t, std::int64_t n, std::int64_t c, std::int64_t y, std::int64_t x) {
            y -= o.before[0];
            x -= o.before[1];
            return y < 0 || x < 0 || y >= shape[2] || x >= shape[3]
                       ? 0
                       : test::values(t)[test::offset(shape, {n, c, y, x})];
        };
        const std::int64_t side = 2 * (o.displacement / o.other_stride) + 1;
        const shape_t out{2, side * side, o.count(shape[2] + o.before[0] + o.after[0]),
                          o.count(shape[3] + o.before[1] + o.after[1])};
        std::vector<double> expected;
        test::for_each_index(out, [&](const shape_t& at) {
            const std::int64_t y = at[2] * o.stride + o.displacement;
            const std::int64_t x = at[3] * o.stride + o.displacement;
            const std::int64_t v = y + (at[1] / side - side / 2) * o.other_stride;
            const std::int64_t u = x + (at[1] % side - side / 2) * o.other_stride;
            double sum = 0;
            for (std::int64_t c = 0; c < shape[1]; ++c)
                for (std::int64_t i = 0; i < o.size; ++i)
                    for (std::int64_t j = 0; j < o.size; ++j) {
                        const double l = padded(a, at[0], c, y + i, x + j);
                        const double r = padded(b, at[0], c, v + i, u + j);
                        sum += o.multiplies ? l * r : std::abs(l - r);
                    }
            expected.push_back(sum / static_cast<double>(o.size * o.size * shape[1]));
        });
        CHECK(test::difference(correlated(a, b, o), out, expected, tolerance) == "");
    }
}

TEST_CASE("correlation: invalid operands are an error", "[kernel][correlation]") {
    const tensor a(dtype::float32, {1, 2, 3, 4});
    CHECK(test::error_of([&] { correlated(a, a, {.size = 2}); }) ==
          "kernel::correlation: a patch of 2; expected an odd number");
    CHECK(test::error_of([&] {
              correlated(a, a, {.other_stride = 0});
          }).starts_with("kernel::correlation: a stride of 0"));
    CHECK(test::error_of([&] { correlated(a, tensor(dtype::float32, {1, 2, 3, 3}), {}); }) ==
          "kernel::correlation: the first is (1, 2, 3, 4) float32 and the second is (1, 2, 3, 3) float32; expected "
          "tensors of one type and one shape N, C, H, W");
    CHECK(correlated(a, a, {.displacement = 9}).size() == 0);
}
