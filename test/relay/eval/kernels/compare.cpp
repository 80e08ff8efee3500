#include <tutti/relay/eval/kernels/compare.hpp>

#include "support.hpp"
#include "support/catch.hpp"

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
    return test::computed(relay::kernels::compare_kernels<>, inputs, build).front();
}

struct pairing {
    expr (*call)(expr, expr);
    double (*element)(double, double);
};

const pairing pairings[] = {
    {relay::equal, [](double a, double b) { return a == b ? 1.0 : 0.0; }},
    {relay::greater, [](double a, double b) { return a > b ? 1.0 : 0.0; }},
    {relay::greater_equal, [](double a, double b) { return a >= b ? 1.0 : 0.0; }},
    {relay::less, [](double a, double b) { return a < b ? 1.0 : 0.0; }},
    {relay::less_equal, [](double a, double b) { return a <= b ? 1.0 : 0.0; }},
    {relay::not_equal, [](double a, double b) { return a != b ? 1.0 : 0.0; }},
};

} // namespace

TEST_CASE("kernels/compare: each comparison broadcasts its operands", "[relay][eval]") {
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
}

TEST_CASE("kernels/compare: where takes from either", "[relay][eval]") {
    const tensor x({4}, {-3.F, -1.F, 1.F, 3.F});
    CHECK(test::difference(result({tensor({2, 1}, {true, false}), x, tensor::scalar(7.F)},
                                  [](builder&, arguments e) { return relay::where(e[0], e[1], e[2]); }),
                           {2, 4}, {-3, -1, 1, 3, 7, 7, 7, 7}, 0) == "");
}
