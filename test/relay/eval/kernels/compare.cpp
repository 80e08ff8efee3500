#include <tutti/relay/eval/kernels/compare.hpp>

#include "support.hpp"

#include <string_view>
#include <vector>

using test::dtype;
using test::tensor;

namespace {

constexpr test::kernel_table kernels = tutti::relay::kernels::compare_kernels<>;

struct pairing {
    std::string_view call;
    bool (*element)(double, double);
};

constexpr pairing pairings[] = {
    {"equal(%a, %b)", [](double a, double b) { return a == b; }},
    {"greater(%a, %b)", [](double a, double b) { return a > b; }},
    {"greater_equal(%a, %b)", [](double a, double b) { return a >= b; }},
    {"less(%a, %b)", [](double a, double b) { return a < b; }},
    {"less_equal(%a, %b)", [](double a, double b) { return a <= b; }},
    {"not_equal(%a, %b)", [](double a, double b) { return a != b; }},
};

} // namespace

TEST_CASE("kernels/compare: each comparison broadcasts its operands", "[relay][eval]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    std::vector<test::call_row> rows;
    for (const pairing& p : pairings) {
        const tensor a = test::converted(random.filled<float>({3, 1}, -4, 4), dtype::float64);
        const tensor b = test::converted(random.filled<float>({4}, -4, 4), dtype::float64);
        rows.push_back({p.call, {a, b}, {3, 4}, {}});
        for (const double x : test::values(a))
            for (const double y : test::values(b)) rows.back().expected.push_back(p.element(x, y));
    }
    test::check(kernels, rows);
}

TEST_CASE("kernels/compare: where takes from either", "[relay][eval]") {
    const tensor x({4}, {-3.F, -1.F, 1.F, 3.F});
    const test::call_row rows[]{
        {"where(%a, %b, 7f)", {tensor({2, 1}, {true, false}), x}, {2, 4}, {-3, -1, 1, 3, 7, 7, 7, 7}},
    };
    test::check(kernels, rows);
}
