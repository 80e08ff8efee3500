#include <tutti/kernel/blocked/common/product.hpp>

#include <tutti/kernel/dense.hpp>

#include "kernel/support.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <string>

namespace kernel = tutti::kernel;
using kernel::batch_matmul_options;
using kernel::dtype;
using kernel::tensor;
using test::shape_t;

namespace {

// Describes the fault in the result of `f(out, memory)`, or returns "". A small rounding error of the sums is allowed.
template <class F>
std::string difference(F f, const tensor& expected, kernel::blocked::product_memory& memory) {
    bool known = false;
    const tensor got = test::made([&](tensor& out) { known = f(out, memory); });
    if (!known) return "left to others";
    return test::difference(got, shape_t(expected.shape().begin(), expected.shape().end()), test::values(expected),
                            1e-5);
}

} // namespace

TEST_CASE("blocked/product: dense of any size agrees with the kernel of any type", "[kernel][blocked]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    kernel::blocked::product_memory memory; // kept from previous calls
    for (int round = test::rounds(60); round > 0; --round) {
        const bool large = random.integer(0, 5) == 0;
        const std::int64_t depth = random.integer(0, large ? 600 : 20);
        const tensor data = random.filled<float>({random.integer(0, 3), random.integer(1, large ? 90 : 9), depth});
        const tensor weight = random.filled<float>({random.integer(0, large ? 90 : 40), depth});
        INFO(kernel::text(data) << " by " << kernel::text(weight));
        const tensor expected = test::made([&](tensor& out) {
            kernel::dense(test::converted(data, dtype::float64), test::converted(weight, dtype::float64),
                          dtype::float64, out);
        });
        CHECK(difference([&](auto&... to) { return kernel::blocked::dense(data, weight, dtype::none, to...); },
                         expected, memory) == "");
    }
}

TEST_CASE("blocked/product: batches, transposed and not, agree with the kernel of any type", "[kernel][blocked]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    kernel::blocked::product_memory memory;
    for (int round = test::rounds(100); round > 0; --round) {
        const batch_matmul_options options{.transpose_a = random.integer(0, 1) != 0,
                                           .transpose_b = random.integer(0, 1) != 0};
        const std::int64_t batch = random.integer(1, 3);
        const std::int64_t i = random.integer(0, 40);
        const std::int64_t k = random.integer(0, 40);
        const std::int64_t j = random.integer(0, 70);
        const auto matrix = [&](std::int64_t rows, std::int64_t columns, bool transposed) {
            const std::int64_t n = random.integer(0, 2) == 0 ? 1 : batch;
            return random.filled<float>(transposed ? shape_t{n, columns, rows} : shape_t{n, rows, columns});
        };
        const tensor a = matrix(i, k, options.transpose_a);
        const tensor b = matrix(k, j, options.transpose_b);
        INFO(kernel::text(a) << " by " << kernel::text(b));
        const tensor wide_a = test::converted(a, dtype::float64);
        const tensor wide_b = test::converted(b, dtype::float64);
        const tensor expected = test::made([&](tensor& out) { kernel::batch_matmul(wide_a, wide_b, options, out); });
        CHECK(difference([&](auto&... to) { return kernel::blocked::batch_matmul(a, b, options, to...); }, expected,
                         memory) == "");
        const tensor one = random.filled<float>(options.transpose_b ? shape_t{j, k} : shape_t{k, j});
        const tensor wide_one = test::converted(one, dtype::float64);
        const tensor single = test::made([&](tensor& out) { kernel::matmul(wide_a, wide_one, options, out); });
        CHECK(difference([&](auto&... to) { return kernel::blocked::matmul(a, one, options, to...); }, single,
                         memory) == "");
    }
}

TEST_CASE("blocked/product: weights are packed once, and seen when they change", "[kernel][blocked]") {
    const tensor data({1, 2}, {1.F, 2.F});
    const tensor weight({2, 2}, {1.F, 0.F, 0.F, 1.F});
    const tensor other({2, 2}, {3.F, 0.F, 0.F, 3.F});
    kernel::blocked::product_memory memory;
    tensor out;
    for (const tensor* w : {&weight, &weight, &other, &weight, &other}) {
        REQUIRE(kernel::blocked::dense(data, *w, dtype::none, out, memory));
        CHECK(out.elements<float>()[1] == (w == &weight ? 2 : 6));
    }
}

TEST_CASE("blocked/product: declines other element types and shapes", "[kernel][blocked]") {
    kernel::blocked::product_memory memory;
    tensor out;
    const tensor floats(dtype::float32, {2, 3});
    CHECK(!kernel::blocked::dense(floats, tensor(dtype::float64, {2, 3}), dtype::none, out, memory));
    CHECK(!kernel::blocked::dense(floats, tensor(dtype::float32, {2, 4}), dtype::none, out, memory));
    CHECK(!kernel::blocked::matmul(floats, tensor(dtype::float32, {2, 3}), {}, out, memory));
    CHECK(!kernel::blocked::batch_matmul(floats, floats, {}, out, memory));
}
