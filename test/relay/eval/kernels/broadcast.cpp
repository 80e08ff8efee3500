#include <tutti/relay/eval/kernels/broadcast.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <cmath>
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
    return test::computed(relay::kernels::broadcast_kernels<>, inputs, build).front();
}

struct pairing {
    expr (*call)(expr, expr);
    double (*element)(double, double);
};

const pairing pairings[] = {
    {relay::add, [](double a, double b) { return a + b; }},
    {relay::divide, [](double a, double b) { return a / b; }},
    {relay::floor_divide, [](double a, double b) { return std::floor(a / b); }},
    {relay::floor_mod, [](double a, double b) { return a - std::floor(a / b) * b; }},
    {relay::mod, [](double a, double b) { return std::fmod(a, b); }},
    {relay::trunc_divide, [](double a, double b) { return std::trunc(a / b); }},
    {relay::trunc_mod, [](double a, double b) { return a - std::trunc(a / b) * b; }},
    {relay::maximum, [](double a, double b) { return std::fmax(a, b); }},
    {relay::minimum, [](double a, double b) { return std::fmin(a, b); }},
    {relay::multiply, [](double a, double b) { return a * b; }},
    {relay::subtract, [](double a, double b) { return a - b; }},
};

} // namespace

TEST_CASE("kernels/broadcast: each operator of two operands broadcasts them", "[relay][eval]") {
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
    const pairing bits[] = {
        {relay::bitwise_and, [](double a, double b) { return double(int(a) & int(b)); }},
        {relay::bitwise_or, [](double a, double b) { return double(int(a) | int(b)); }},
        {relay::bitwise_xor, [](double a, double b) { return double(int(a) ^ int(b)); }},
        {relay::right_shift, [](double a, double b) { return std::floor(a / std::exp2(b)); }},
    };
    for (const pairing& p : bits) {
        const tensor a({2, 1}, {-6, 5});
        const tensor b({3}, {0, 1, 3});
        std::vector<double> expected;
        for (const double x : test::values(a))
            for (const double y : test::values(b)) expected.push_back(p.element(x, y));
        const tensor y = result({a, b}, [&](builder&, arguments e) { return p.call(e[0], e[1]); });
        CHECK(test::difference(y, {2, 3}, expected, 0) == "");
    }
    const tensor any = result({tensor({2, 1}, {true, false}), tensor({2}, {true, false})},
                              [](builder&, arguments e) { return relay::logical_or(e[0], e[1]); });
    CHECK(test::difference(any, {2, 2}, {1, 1, 1, 0}, 0) == "");
    const tensor one = result({tensor({2, 1}, {true, false}), tensor({2}, {true, false})},
                              [](builder&, arguments e) { return relay::logical_xor(e[0], e[1]); });
    CHECK(test::difference(one, {2, 2}, {0, 1, 1, 0}, 0) == "");
    const tensor shifted = result({tensor({3}, {1, -2, 3}), tensor::scalar(4)},
                                  [](builder&, arguments e) { return relay::left_shift(e[0], e[1]); });
    CHECK(test::difference(shifted, {3}, {16, -32, 48}, 0) == "");
}
