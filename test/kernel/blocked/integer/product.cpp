#include <tutti/kernel/blocked/integer/product.hpp>

#include <tutti/kernel/dense.hpp>
#include <tutti/parallel/thread_pool.hpp>

#include "kernel/blocked/integer_problem.hpp"
#include "kernel/support.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <string>

namespace kernel = tutti::kernel;
namespace blocked = tutti::kernel::blocked;
using kernel::batch_matmul_options;
using kernel::dtype;
using kernel::tensor;
using test::integer_problem;
using test::shape_t;

namespace {

// Describes the fault in the result of `f(out, memory, means)`, or returns "". Tests with and without prepacked
// weights.
template <class F>
std::string difference(F f, const blocked::integer_weights& packed, const tensor& expected,
                       blocked::integer_memory& memory, tutti::executor_ref on) {
    for (const blocked::integer_weights* by : {&packed, static_cast<const blocked::integer_weights*>(nullptr)}) {
        tensor got;
        const blocked::integer_means means{{.on = on}, by};
        if (!f(got, memory, means)) return "left to others";
        const std::string found = test::difference_of_integers(got, expected);
        if (!found.empty()) return (by == nullptr ? "packed by itself: " : "packed before: ") + found;
    }
    return {};
}

} // namespace

TEST_CASE("blocked/integer_product: dense of any size and types agrees with the kernel of any type",
          "[kernel][blocked]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    tutti::thread_pool pool(3);
    blocked::integer_memory memory; // kept from previous calls
    for (int round = test::rounds(60); round > 0; --round) {
        const bool large = random.integer(0, 5) == 0;
        const std::int64_t depth = random.integer(0, large ? 1500 : 20);
        const std::int64_t units = random.integer(1, large ? 90 : 40);
        const integer_problem p(random, units);
        const tensor data =
            test::any_integers(random, p.data_type, {random.integer(0, 3), random.integer(1, large ? 90 : 9), depth});
        const tensor weight = test::any_integers(random, p.weight_type, {units, depth});
        INFO(kernel::text(data) << " by " << kernel::text(weight) << ", zero points " << p.with_zeros);
        const tensor expected = test::made([&](tensor& out) {
            kernel::dense(p.less(data, p.data_zero, -1), p.less(weight, p.weight_zero, 0), dtype::int32, out);
        });
        const auto run = [&](auto&... to) {
            return blocked::dense_integers({data, weight, p.zeros()}, dtype::int32, to...);
        };
        CHECK(difference(run, blocked::packed_dense_integers(data, weight, p.zeros(), dtype::int32), expected, memory,
                         random.integer(0, 1) == 0 ? tutti::executor_ref{} : pool) == "");
    }
}

TEST_CASE("blocked/integer_product: batches, transposed and not, agree with the kernel of any type",
          "[kernel][blocked]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    tutti::thread_pool pool(2);
    blocked::integer_memory memory;
    for (int round = test::rounds(100); round > 0; --round) {
        const batch_matmul_options options{
            .transpose_a = random.integer(0, 1) != 0, .transpose_b = random.integer(0, 1) != 0, .out = dtype::int32};
        const std::int64_t batch = random.integer(1, 3);
        const std::int64_t i = random.integer(0, 40);
        const std::int64_t k = random.integer(0, 40);
        const std::int64_t j = random.integer(0, 70);
        const integer_problem p(random, 1);
        const auto matrix = [&](dtype type, std::int64_t rows, std::int64_t columns, bool transposed) {
            const std::int64_t n = random.integer(0, 2) == 0 ? 1 : batch;
            return test::any_integers(random, type, transposed ? shape_t{n, columns, rows} : shape_t{n, rows, columns});
        };
        const tensor a = matrix(p.data_type, i, k, options.transpose_a);
        const tensor b = matrix(p.weight_type, k, j, options.transpose_b);
        INFO(kernel::text(a) << " by " << kernel::text(b) << ", zero points " << p.with_zeros);
        const tutti::executor_ref on = random.integer(0, 1) == 0 ? tutti::executor_ref{} : pool;
        const tensor left = p.less(a, p.data_zero, -1);
        const tensor expected =
            test::made([&](tensor& out) { kernel::batch_matmul(left, p.less(b, p.weight_zero, -1), options, out); });
        const auto run = [&](auto&... to) { return blocked::batch_matmul_integers({a, b, p.zeros()}, options, to...); };
        CHECK(difference(run, blocked::packed_factor_integers(a, b, p.zeros(), options), expected, memory, on) == "");
        if (options.transpose_a) continue;
        const tensor one =
            test::any_integers(random, p.weight_type, options.transpose_b ? shape_t{j, k} : shape_t{k, j});
        const tensor single =
            test::made([&](tensor& out) { kernel::matmul(left, p.less(one, p.weight_zero, -1), options, out); });
        const auto run_one = [&](auto&... to) {
            return blocked::batch_matmul_integers({a, one, p.zeros()}, options, to...);
        };
        CHECK(difference(run_one, blocked::packed_factor_integers(a, one, p.zeros(), options), single, memory, on) ==
              "");
    }
}

TEST_CASE("blocked/integer_product: declines other types, results and shapes", "[kernel][blocked]") {
    tensor out;
    blocked::integer_memory memory;
    const tensor bytes(dtype::int8, {3, 5});
    CHECK(blocked::dense_integers({bytes, bytes, {}}, dtype::int32, out, memory));
    CHECK(!blocked::dense_integers({bytes, bytes, {}}, dtype::none, out, memory));
    CHECK(!blocked::dense_integers({bytes, tensor(dtype::int32, {3, 5}), {}}, dtype::int32, out, memory));
    CHECK(!blocked::dense_integers({bytes, tensor(dtype::int8, {3, 4}), {}}, dtype::int32, out, memory));
    CHECK(!blocked::batch_matmul_integers({bytes, bytes, {}}, {.transpose_a = true, .out = dtype::int32}, out, memory));
    CHECK(!blocked::batch_matmul_integers({bytes, bytes, {}}, {.out = dtype::int32}, out, memory));
}
