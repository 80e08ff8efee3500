#include <tutti/relay/eval/kernels/broadcast.hpp>

#include "support.hpp"

#include <cmath>
#include <string_view>
#include <vector>

using test::dtype;
using test::tensor;

namespace {

constexpr test::kernel_table kernels = tutti::relay::kernels::broadcast_kernels<>;

struct pairing {
    std::string_view call;
    double (*element)(double, double);
};

constexpr pairing pairings[] = {
    {"add(%a, %b)", [](double a, double b) { return a + b; }},
    {"divide(%a, %b)", [](double a, double b) { return a / b; }},
    {"floor_divide(%a, %b)", [](double a, double b) { return std::floor(a / b); }},
    {"floor_mod(%a, %b)", [](double a, double b) { return a - std::floor(a / b) * b; }},
    {"mod(%a, %b)", [](double a, double b) { return std::fmod(a, b); }},
    {"trunc_divide(%a, %b)", [](double a, double b) { return std::trunc(a / b); }},
    {"trunc_mod(%a, %b)", [](double a, double b) { return a - std::trunc(a / b) * b; }},
    {"maximum(%a, %b)", [](double a, double b) { return std::fmax(a, b); }},
    {"minimum(%a, %b)", [](double a, double b) { return std::fmin(a, b); }},
    {"multiply(%a, %b)", [](double a, double b) { return a * b; }},
    {"subtract(%a, %b)", [](double a, double b) { return a - b; }},
};
constexpr pairing bits[] = {
    {"bitwise_and(%a, %b)", [](double a, double b) { return double(int(a) & int(b)); }},
    {"bitwise_or(%a, %b)", [](double a, double b) { return double(int(a) | int(b)); }},
    {"bitwise_xor(%a, %b)", [](double a, double b) { return double(int(a) ^ int(b)); }},
    {"right_shift(%a, %b)", [](double a, double b) { return std::floor(a / std::exp2(b)); }},
};

/// Returns the row for a column `a` and a list `b`.
test::call_row row_of(const pairing& p, const tensor& a, const tensor& b) {
    std::vector<double> expected;
    for (const double x : test::values(a))
        for (const double y : test::values(b)) expected.push_back(p.element(x, y));
    return {p.call, {a, b}, {a.size(), b.size()}, expected};
}

} // namespace

TEST_CASE("kernels/broadcast: each operator of two operands broadcasts them", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const tensor column({2, 1}, {true, false});
    const tensor list({2}, {true, false});
    std::vector<test::call_row> rows{
        {"power(%a, %b)", {tensor({2, 1}, {2.0, 3.0}), tensor({2}, {3.0, -1.0})}, {2, 2}, {8, 0.5, 27, 1.0 / 3}, 1e-12},
        {"logical_and(%a, %b)", {column, list}, {2, 2}, {1, 0, 0, 0}},
        {"logical_or(%a, %b)", {column, list}, {2, 2}, {1, 1, 1, 0}},
        {"logical_xor(%a, %b)", {column, list}, {2, 2}, {0, 1, 1, 0}},
        {"left_shift(%a, 4)", {tensor({3}, {1, -2, 3})}, {3}, {16, -32, 48}},
    };
    for (const pairing& p : pairings)
        rows.push_back(row_of(p, test::converted(random.filled<float>({3, 1}, -4, 4), dtype::float64),
                              test::converted(random.filled<float>({4}, -4, 4), dtype::float64)));
    for (const pairing& p : bits) rows.push_back(row_of(p, tensor({2, 1}, {-6, 5}), tensor({3}, {0, 1, 3})));
    test::check(kernels, rows);
}
