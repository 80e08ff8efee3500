#include <tutti/relay/eval/kernels/dense.hpp>

#include <tutti/relay/eval/kernel_set.hpp>

#include "support.hpp"

#include <cstdint>

namespace relay = tutti::relay;
using test::first_of;
using test::same;
using test::tensor;

namespace {

constexpr relay::kernel_table table{relay::kernels::dense_kernels<>, relay::kernels::product_kernels<>};
constexpr test::kernel_table kernels = table.all();

} // namespace

TEST_CASE("kernels/dense: products take their attributes", "[relay][eval]") {
    const tensor data({1, 2}, {std::int8_t{100}, std::int8_t{2}});
    const tensor weight({2, 2}, {std::int8_t{3}, std::int8_t{1}, std::int8_t{-1}, std::int8_t{0}});
    CHECK(same(first_of(kernels, R"(nn.dense(%a, %b, units=None, out_dtype="int32"))", {data, weight}),
               tensor({1, 2}, {302, -100})));
    CHECK(same(first_of(kernels, "nn.dense(%a, %b, units=None)", {data, weight}),
               tensor({1, 2}, {std::int8_t{46}, std::int8_t{-100}})));
}

TEST_CASE("kernels/dense: each operand of a batch may be transposed", "[relay][eval]") {
    const tensor a({1, 2, 2}, {1.F, 2.F, 3.F, 4.F});
    const tensor b({2, 2, 2}, {1.F, 10.F, 100.F, 1000.F, 2.F, 0.F, 0.F, 2.F});
    const test::shape_t size{2, 2, 2};
    const test::call_row rows[]{
        {"nn.batch_matmul(%a, %b)", {a, b}, size, {201, 2010, 403, 4030, 2, 4, 6, 8}},
        {"nn.batch_matmul(%a, %b, transpose_a=True)", {a, b}, size, {301, 3010, 402, 4020, 2, 6, 4, 8}},
        {"nn.batch_matmul(%a, %b, transpose_b=True)", {a, b}, size, {21, 2100, 43, 4300, 2, 4, 6, 8}},
        {"nn.batch_matmul(%a, %b, transpose_a=True, transpose_b=True)", {a, b}, size, {31, 3100, 42, 4200, 2, 6, 4, 8}},
    };
    test::check(kernels, rows);
    CHECK(first_of(kernels, R"(nn.batch_matmul(%a, %b, out_dtype="float64"))", {a, b}).type() == test::dtype::float64);
}

TEST_CASE("kernels/dense: bias_add takes its axis", "[relay][eval]") {
    const tensor x({1, 2, 2}, {1.F, 3.F, 2.F, 6.F});
    const test::call_row rows[]{
        {"nn.bias_add(%a, %b, axis=-2)", {x, tensor({2}, {1.F, 2.F})}, {1, 2, 2}, {2, 4, 4, 8}},
    };
    test::check(kernels, rows);
}

TEST_CASE("kernels/dense: each operand of matmul may be transposed", "[relay][eval]") {
    const tensor a({2, 2}, {1.F, 2.F, 3.F, 4.F});
    const tensor b({2, 2}, {1.F, 10.F, 100.F, 1000.F});
    const test::call_row rows[]{
        {"nn.matmul(%a, %b, units=None)", {a, b}, {2, 2}, {201, 2010, 403, 4030}},
        {"nn.matmul(%a, %b, units=None, transpose_a=True)", {a, b}, {2, 2}, {301, 3010, 402, 4020}},
        {"nn.matmul(%a, %b, units=None, transpose_b=True)", {a, b}, {2, 2}, {21, 2100, 43, 4300}},
    };
    test::check(kernels, rows);
}

TEST_CASE("kernels/dense: slopes along an axis", "[relay][eval]") {
    const tensor x({2, 2}, {-1.F, -1.F, 2.F, -2.F});
    const test::call_row rows[]{{"nn.prelu(%a, %b, axis=0)", {x, tensor({2}, {3.F, 4.F})}, {2, 2}, {-3, -3, 2, -8}}};
    test::check(kernels, rows);
}
