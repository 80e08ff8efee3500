#include <tutti/relay/eval/kernels/elementwise.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <cmath>
#include <span>
#include <vector>

namespace relay = tutti::relay;
using relay::builder;
using relay::expr;
using test::tensor;

namespace {

using arguments = std::span<const expr>;

template <class Build>
tensor result(const std::vector<tensor>& inputs, Build build) {
    return test::computed(relay::kernels::elementwise_kernels<>, inputs, build).front();
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
    {relay::acos, [](double x) { return std::acos(x); }},
    {relay::acosh, [](double x) { return std::acosh(x); }},
    {relay::asin, [](double x) { return std::asin(x); }},
    {relay::asinh, [](double x) { return std::asinh(x); }},
    {relay::atan, [](double x) { return std::atan(x); }},
    {relay::atanh, [](double x) { return std::atanh(x); }},
    {relay::cos, [](double x) { return std::cos(x); }},
    {relay::cosh, [](double x) { return std::cosh(x); }},
    {relay::log10, [](double x) { return std::log10(x); }},
    {relay::log2, [](double x) { return std::log2(x); }},
    {relay::sin, [](double x) { return std::sin(x); }},
    {relay::sinh, [](double x) { return std::sinh(x); }},
    {relay::tan, [](double x) { return std::tan(x); }},
    {relay::trunc, [](double x) { return std::trunc(x); }},
    {relay::isnan, [](double x) { return std::isnan(x) ? 1.0 : 0.0; }},
    {relay::sign, [](double x) { return x > 0   ? 1.0
                                        : x < 0 ? -1.0
                                                : 0.0; }},
    {relay::nn::relu, [](double x) { return x > 0 ? x : 0; }},
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

TEST_CASE("kernels/elementwise: bits are turned over", "[relay][eval]") {
    const tensor truths({2}, {false, true});
    CHECK(test::difference(result({truths}, [](builder&, arguments e) { return relay::logical_not(e[0]); }), {2},
                           {1, 0}, 0) == "");
    const tensor numbers({2}, {0, 5});
    CHECK(test::difference(result({numbers}, [](builder&, arguments e) { return relay::bitwise_not(e[0]); }), {2},
                           {-1, -6}, 0) == "");
}

TEST_CASE("kernels/elementwise: clip and leaky_relu use their attributes", "[relay][eval]") {
    const tensor x({4}, {-3.F, -1.F, 1.F, 3.F});
    CHECK(test::difference(
              result({x}, [](builder&, arguments e) { return relay::clip(e[0], {.a_min = -2.0, .a_max = 2.5}); }), {4},
              {-2, -1, 1, 2.5}, 0) == "");
    CHECK(test::difference(result({x}, [](builder&, arguments e) { return relay::nn::leaky_relu(e[0]); }), {4},
                           {-0.75, -0.25, 1, 3}, 0) == "");
    CHECK(
        test::difference(result({x}, [](builder&, arguments e) { return relay::nn::leaky_relu(e[0], {.alpha = 0.5}); }),
                         {4}, {-1.5, -0.5, 1, 3}, 0) == "");
}

TEST_CASE("kernels/elementwise: copy shares the elements", "[relay][eval]") {
    const tensor x({2}, {1, 2});
    CHECK(result({x}, [](builder&, arguments e) { return relay::copy(e[0]); }).same_elements(x));
}
