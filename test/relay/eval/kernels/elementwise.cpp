#include <tutti/relay/eval/kernels/elementwise.hpp>

#include "support.hpp"

#include <cmath>
#include <string>
#include <vector>

using test::tensor;

namespace {

constexpr test::kernel_table kernels = tutti::relay::kernels::elementwise_kernels<>;

struct function {
    std::string name;
    double (*element)(double);
};

const function functions[] = {
    {"abs", [](double x) { return std::abs(x); }},
    {"ceil", [](double x) { return std::ceil(x); }},
    {"copy", [](double x) { return x; }},
    {"erf", [](double x) { return std::erf(x); }},
    {"exp", [](double x) { return std::exp(x); }},
    {"fast_erf", [](double x) { return std::erf(x); }},
    {"fast_exp", [](double x) { return std::exp(x); }},
    {"fast_tanh", [](double x) { return std::tanh(x); }},
    {"floor", [](double x) { return std::floor(x); }},
    {"isfinite", [](double x) { return std::isfinite(x) ? 1.0 : 0.0; }},
    {"isinf", [](double x) { return std::isinf(x) ? 1.0 : 0.0; }},
    {"log", [](double x) { return std::log(x); }},
    {"negative", [](double x) { return -x; }},
    {"round", [](double x) { return std::round(x); }},
    {"rsqrt", [](double x) { return 1 / std::sqrt(x); }},
    {"sigmoid", [](double x) { return 1 / (1 + std::exp(-x)); }},
    {"sqrt", [](double x) { return std::sqrt(x); }},
    {"tanh", [](double x) { return std::tanh(x); }},
    {"acos", [](double x) { return std::acos(x); }},
    {"acosh", [](double x) { return std::acosh(x); }},
    {"asin", [](double x) { return std::asin(x); }},
    {"asinh", [](double x) { return std::asinh(x); }},
    {"atan", [](double x) { return std::atan(x); }},
    {"atanh", [](double x) { return std::atanh(x); }},
    {"cos", [](double x) { return std::cos(x); }},
    {"cosh", [](double x) { return std::cosh(x); }},
    {"log10", [](double x) { return std::log10(x); }},
    {"log2", [](double x) { return std::log2(x); }},
    {"sin", [](double x) { return std::sin(x); }},
    {"sinh", [](double x) { return std::sinh(x); }},
    {"tan", [](double x) { return std::tan(x); }},
    {"trunc", [](double x) { return std::trunc(x); }},
    {"isnan", [](double x) { return std::isnan(x) ? 1.0 : 0.0; }},
    {"sign", [](double x) { return x > 0   ? 1.0
                                   : x < 0 ? -1.0
                                           : 0.0; }},
    {"nn.relu", [](double x) { return x > 0 ? x : 0; }},
};

} // namespace

TEST_CASE("kernels/elementwise: each operator of one operand is the function of its name", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (const function& f : functions)
        for (const tensor& x : {random.filled<float>({2, 7}, -4, 4), random.filled<double>({}, -4, 4)}) {
            std::vector<double> expected;
            for (const double v : test::values(x)) expected.push_back(f.element(v));
            INFO(f.name);
            const tensor y = test::first_of(kernels, f.name + "(%a)", {x});
            CHECK(test::difference(y, {x.shape().begin(), x.shape().end()}, expected, 1e-6) == "");
        }
}

TEST_CASE("kernels/elementwise: bits are turned over", "[relay][eval]") {
    const test::call_row rows[]{
        {"logical_not(%a)", {tensor({2}, {false, true})}, {2}, {1, 0}},
        {"bitwise_not(%a)", {tensor({2}, {0, 5})}, {2}, {-1, -6}},
    };
    test::check(kernels, rows);
}

TEST_CASE("kernels/elementwise: clip and leaky_relu use their attributes", "[relay][eval]") {
    const tensor x({4}, {-3.F, -1.F, 1.F, 3.F});
    const test::call_row rows[]{
        {"clip(%a, a_min=-2f, a_max=2.5f)", {x}, {4}, {-2, -1, 1, 2.5}},
        {"nn.leaky_relu(%a)", {x}, {4}, {-0.75, -0.25, 1, 3}},
        {"nn.leaky_relu(%a, alpha=0.5f)", {x}, {4}, {-1.5, -0.5, 1, 3}},
    };
    test::check(kernels, rows);
}

TEST_CASE("kernels/elementwise: copy shares the elements", "[relay][eval]") {
    const tensor x({2}, {1, 2});
    CHECK(test::first_of(kernels, "copy(%a)", {x}).same_elements(x));
}
