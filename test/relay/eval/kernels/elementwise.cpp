#include <tutti/relay/eval/kernels/elementwise.hpp>

#include "catch.hpp"
#include "support.hpp"

#include <cmath>
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

template <class Build>
tensor result(const std::vector<tensor>& inputs, Build build) {
    return test::computed(relay::kernels::elementwise_kernels, inputs, build).front();
}

struct function {
    expr (*call)(expr);
    double (*element)(double);
};

const function functions[] = {
    {relay::abs, [](double x) { return std::abs(x); }},
    {relay::ceil, [](double x) { return std::ceil(x); }},
    {relay::copy, [](double x) { return x; }},
    {relay::erf, [](double x) { return std::erf(x); }},
    {relay::exp, [](double x) { return std::exp(x); }},
    {relay::fast_erf, [](double x) { return std::erf(x); }},
    {relay::fast_exp, [](double x) { return std::exp(x); }},
    {relay::fast_tanh, [](double x) { return std::tanh(x); }},
    {relay::floor, [](double x) { return std::floor(x); }},
    {relay::isfinite, [](double x) { return std::isfinite(x) ? 1.0 : 0.0; }},
    {relay::isinf, [](double x) { return std::isinf(x) ? 1.0 : 0.0; }},
    {relay::log, [](double x) { return std::log(x); }},
    {relay::negative, [](double x) { return -x; }},
    {relay::round, [](double x) { return std::round(x); }},
    {relay::rsqrt, [](double x) { return 1 / std::sqrt(x); }},
    {relay::sigmoid, [](double x) { return 1 / (1 + std::exp(-x)); }},
    {relay::sqrt, [](double x) { return std::sqrt(x); }},
    {relay::tanh, [](double x) { return std::tanh(x); }},
    {relay::nn::relu, [](double x) { return x > 0 ? x : 0; }},
};

struct pairing {
    expr (*call)(expr, expr);
    double (*element)(double, double);
};

const pairing pairings[] = {
    {relay::add, [](double a, double b) { return a + b; }},
    {relay::divide, [](double a, double b) { return a / b; }},
    {relay::maximum, [](double a, double b) { return std::fmax(a, b); }},
    {relay::minimum, [](double a, double b) { return std::fmin(a, b); }},
    {relay::multiply, [](double a, double b) { return a * b; }},
    {relay::subtract, [](double a, double b) { return a - b; }},
    {relay::equal, [](double a, double b) { return a == b ? 1.0 : 0.0; }},
    {relay::greater, [](double a, double b) { return a > b ? 1.0 : 0.0; }},
    {relay::greater_equal, [](double a, double b) { return a >= b ? 1.0 : 0.0; }},
    {relay::less, [](double a, double b) { return a < b ? 1.0 : 0.0; }},
    {relay::less_equal, [](double a, double b) { return a <= b ? 1.0 : 0.0; }},
    {relay::not_equal, [](double a, double b) { return a != b ? 1.0 : 0.0; }},
};

} // namespace

TEST_CASE("kernels/elementwise: each operator of one operand is the function of its name", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (std::size_t i = 0; i < std::size(functions); ++i)
        for (const tensor& x : {random.filled<float>({2, 7}, -4, 4), random.filled<double>({}, -4, 4)}) {
            std::vector<double> expected;
            for (const double v : test::values(x)) expected.push_back(functions[i].element(v));
            INFO("operator " << i);
            const tensor y = result({x}, [&](builder&, arguments a) { return functions[i].call(a[0]); });
            CHECK(test::difference(y, {x.shape().begin(), x.shape().end()}, expected, 1e-6) == "");
        }
}

TEST_CASE("kernels/elementwise: each operator of two operands broadcasts them", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (std::size_t i = 0; i < std::size(pairings); ++i) {
        const tensor a = test::converted(random.filled<float>({3, 1}, -4, 4), dtype::float64);
        const tensor b = test::converted(random.filled<float>({4}, -4, 4), dtype::float64);
        std::vector<double> expected;
        for (const double x : test::values(a))
            for (const double y : test::values(b)) expected.push_back(pairings[i].element(x, y));
        INFO("operator " << i);
        const tensor y = result({a, b}, [&](builder&, arguments e) { return pairings[i].call(e[0], e[1]); });
        CHECK(test::difference(y, {3, 4}, expected, 0) == "");
    }
    const tensor powers = result({tensor({2, 1}, {2.0, 3.0}), tensor({2}, {3.0, -1.0})},
                                 [](builder&, arguments e) { return relay::power(e[0], e[1]); });
    CHECK(test::difference(powers, {2, 2}, {8, 0.5, 27, 1.0 / 3}, 1e-12) == "");
    const tensor both = result({tensor({2, 1}, {true, false}), tensor({2}, {true, false})},
                               [](builder&, arguments e) { return relay::logical_and(e[0], e[1]); });
    CHECK(test::difference(both, {2, 2}, {1, 0, 0, 0}, 0) == "");
    const tensor shifted = result({tensor({3}, {1, -2, 3}), tensor::scalar(4)},
                                  [](builder&, arguments e) { return relay::left_shift(e[0], e[1]); });
    CHECK(test::difference(shifted, {3}, {16, -32, 48}, 0) == "");
}

TEST_CASE("kernels/elementwise: clip, leaky_relu and where take what they are given", "[relay][eval]") {
    const tensor x({4}, {-3.F, -1.F, 1.F, 3.F});
    CHECK(test::difference(
              result({x}, [](builder&, arguments e) { return relay::clip(e[0], {.a_min = -2.0, .a_max = 2.5}); }), {4},
              {-2, -1, 1, 2.5}, 0) == "");
    CHECK(test::difference(result({x}, [](builder&, arguments e) { return relay::nn::leaky_relu(e[0]); }), {4},
                           {-0.75, -0.25, 1, 3}, 0) == "");
    CHECK(
        test::difference(result({x}, [](builder&, arguments e) { return relay::nn::leaky_relu(e[0], {.alpha = 0.5}); }),
                         {4}, {-1.5, -0.5, 1, 3}, 0) == "");
    CHECK(test::difference(result({tensor({2, 1}, {true, false}), x, tensor::scalar(7.F)},
                                  [](builder&, arguments e) { return relay::where(e[0], e[1], e[2]); }),
                           {2, 4}, {-3, -1, 1, 3, 7, 7, 7, 7}, 0) == "");
}

TEST_CASE("kernels/elementwise: copy shares the elements", "[relay][eval]") {
    const tensor x({2}, {1, 2});
    CHECK(result({x}, [](builder&, arguments e) { return relay::copy(e[0]); }).same_elements(x));
}
