#include <tutti/relay/eval/kernels/dense.hpp>

#include <tutti/relay/eval/kernel_set.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace relay = tutti::relay;
using relay::builder;
using relay::expr;
using test::dtype;
using test::tensor;

namespace {

using arguments = std::span<const expr>;

constexpr relay::kernel_table kernels{relay::kernels::dense_kernels<>, relay::kernels::product_kernels<>};

template <class Build>
tensor result(const std::vector<tensor>& inputs, Build build) {
    return test::computed(kernels.all(), inputs, build).front();
}

} // namespace

TEST_CASE("kernels/dense: products take their attributes", "[relay][eval]") {
    const tensor data({1, 2}, {std::int8_t{100}, std::int8_t{2}});
    const tensor weight({2, 2}, {std::int8_t{3}, std::int8_t{1}, std::int8_t{-1}, std::int8_t{0}});
    const tensor wide = result({data, weight}, [](builder&, arguments e) {
        return relay::nn::dense(e[0], e[1], {.out_dtype = dtype::int32});
    });
    CHECK(wide.type() == dtype::int32);
    CHECK(test::difference(wide, {1, 2}, {302, -100}, 0) == "");
    const tensor narrow = result({data, weight}, [](builder&, arguments e) { return relay::nn::dense(e[0], e[1]); });
    CHECK(narrow.type() == dtype::int8);
    CHECK(test::difference(narrow, {1, 2}, {46, -100}, 0) == "");
}

TEST_CASE("kernels/dense: each operand of a batch may be transposed", "[relay][eval]") {
    const tensor a({1, 2, 2}, {1.F, 2.F, 3.F, 4.F});
    const tensor b({2, 2, 2}, {1.F, 10.F, 100.F, 1000.F, 2.F, 0.F, 0.F, 2.F});
    const auto product = [&](const relay::batch_matmul_attributes& attributes) {
        return test::values(
            result({a, b}, [&](builder&, arguments e) { return relay::nn::batch_matmul(e[0], e[1], attributes); }));
    };
    using numbers = std::vector<double>;
    CHECK(product({}) == numbers{201, 2010, 403, 4030, 2, 4, 6, 8});
    CHECK(product({.transpose_a = true}) == numbers{301, 3010, 402, 4020, 2, 6, 4, 8});
    CHECK(product({.transpose_b = true}) == numbers{21, 2100, 43, 4300, 2, 4, 6, 8});
    CHECK(product({.transpose_a = true, .transpose_b = true}) == numbers{31, 3100, 42, 4200, 2, 6, 4, 8});
    CHECK(result({a, b}, [&](builder&, arguments e) {
              return relay::nn::batch_matmul(e[0], e[1], {.out_dtype = dtype::float64});
          }).type() == dtype::float64);
}

TEST_CASE("kernels/dense: bias_add takes its axis", "[relay][eval]") {
    const tensor x({1, 2, 2}, {1.F, 3.F, 2.F, 6.F});
    const tensor two({2}, {1.F, 2.F});
    CHECK(test::difference(
              result({x, two}, [](builder&, arguments e) { return relay::nn::bias_add(e[0], e[1], {.axis = -2}); }),
              {1, 2, 2}, {2, 4, 4, 8}, 0) == "");
}

TEST_CASE("kernels/dense: each operand of matmul may be transposed", "[relay][eval]") {
    const tensor a({2, 2}, {1.F, 2.F, 3.F, 4.F});
    const tensor b({2, 2}, {1.F, 10.F, 100.F, 1000.F});
    const auto product = [&](const relay::matmul_attributes& attributes) {
        return test::values(
            result({a, b}, [&](builder&, arguments e) { return relay::nn::matmul(e[0], e[1], attributes); }));
    };
    using numbers = std::vector<double>;
    CHECK(product({}) == numbers{201, 2010, 403, 4030});
    CHECK(product({.transpose_a = true}) == numbers{301, 3010, 402, 4020});
    CHECK(product({.transpose_b = true}) == numbers{21, 2100, 43, 4300});
}

TEST_CASE("kernels/dense: slopes along an axis", "[relay][eval]") {
    const std::vector<tensor> out = test::computed(
        relay::kernels::dense_kernels<>, {tensor({2, 2}, {-1.F, -1.F, 2.F, -2.F}), tensor({2}, {3.F, 4.F})},
        [](relay::builder&, std::span<const relay::expr> e) { return relay::nn::prelu(e[0], e[1], {.axis = 0}); });
    CHECK(test::difference(out[0], {2, 2}, {-3, -3, 2, -8}, 0) == "");
}
