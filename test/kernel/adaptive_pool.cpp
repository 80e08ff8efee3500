#include <tutti/kernel/adaptive_pool.hpp>

#include "placed.hpp"
#include "support.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::adaptive_pool_options;
using kernel::dtype;
using kernel::float16;
using kernel::tensor;
using test::coords;

namespace {

tensor max_pool(const tensor& data, const adaptive_pool_options& options) {
    return test::made([](auto&... a) { kernel::adaptive_max_pool(a...); }, data, options);
}

tensor avg_pool(const tensor& data, const adaptive_pool_options& options) {
    return test::made([](auto&... a) { kernel::adaptive_avg_pool(a...); }, data, options);
}

constexpr bool pools_in_constant_evaluation() {
    tensor out;
    kernel::adaptive_max_pool(tensor({1, 1, 5}, {1, 5, 2, 4, 3}), {.size = {2}}, out);
    return out.elements<int>()[0] == 5 && out.elements<int>()[1] == 4;
}

template <class T>
void check(test::random_source& random, double tolerance) {
    const auto rank = static_cast<std::size_t>(random.integer(1, 3));
    adaptive_pool_options o;
    o.layout = test::any_data_layout(random, rank);
    o.out_layout = test::any_data_layout(random, rank);
    coords in{random.integer(0, 2), random.integer(0, 1) * 4, 1, 1, 1};
    coords out = in;
    for (std::size_t i = 0; i < rank; ++i) {
        in[5 - rank + i] = random.integer(1, 7);
        out[5 - rank + i] = o.size[i] = random.integer(0, 9);
    }
    const test::placed from = test::data_in(o.layout, in);
    const test::placed to = test::data_in(o.out_layout, out);
    const tensor data = random.filled<T>(from.shape(), -100, 100);
    const std::vector<double> x = test::values(data);
    const auto count = static_cast<std::size_t>(kernel::element_count(to.shape()));
    std::vector<double> largest(count);
    std::vector<double> mean(count);
    test::for_each_place(out, [&](const coords& at) {
        coords first{};
        coords cells{1, 1, 1, 1, 1};
        for (std::size_t d = 2; d < 5; ++d) {
            const auto n = static_cast<double>(in[d]);
            const auto parts = static_cast<double>(out[d]);
            first[d] = static_cast<std::int64_t>(std::floor(static_cast<double>(at[d]) * n / parts));
            cells[d] = static_cast<std::int64_t>(std::ceil(static_cast<double>(at[d] + 1) * n / parts)) - first[d];
        }
        double sum = 0;
        double top = -1e9;
        double n = 0;
        test::for_each_place(cells, [&](const coords& c) {
            const double v = x[from.at({at[0], at[1], first[2] + c[2], first[3] + c[3], first[4] + c[4]})];
            sum += v;
            top = std::max(top, v);
            ++n;
        });
        largest[to.at(at)] = top;
        mean[to.at(at)] = std::is_integral_v<T> ? std::trunc(sum / n) : sum / n;
    });
    INFO(o.layout << " to " << o.out_layout << ", " << kernel::text(to.shape()));
    CHECK(test::difference(max_pool(data, o), to.shape(), largest, 0) == "");
    CHECK(test::difference(avg_pool(data, o), to.shape(), mean, tolerance) == "");
}

} // namespace

TEST_CASE("adaptive_pool: computes in constant evaluation", "[kernel][pool]") {
    static_assert(pools_in_constant_evaluation());
    CHECK(pools_in_constant_evaluation());
}

TEMPLATE_TEST_CASE("adaptive_pool: agrees with the definition along one to three axes in any layout", "[kernel][pool]",
                   float, double, float16, std::int8_t, std::uint8_t, std::int32_t) {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = test::rounds(60); round > 0; --round)
        check<TestType>(random, sizeof(TestType) == 2 ? 1e-3 : sizeof(TestType) == 8 ? 1e-13 : 2e-6);
}

TEST_CASE("adaptive_pool: NaN is the largest", "[kernel][pool]") {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    CHECK(std::isnan(max_pool(tensor({1, 1, 3}, {nan, 1.F, 2.F}), {}).elements<float>()[0]));
    CHECK(std::isnan(max_pool(tensor({1, 1, 3}, {1.F, 2.F, nan}), {}).elements<float>()[0]));
}

TEST_CASE("adaptive_pool: sizes that make no sense are errors", "[kernel][pool]") {
    const auto error = [](const kernel::tensor& t, std::int64_t size) {
        return test::error_of([&] { avg_pool(t, {.size = {size}}); });
    };
    CHECK(error(tensor(dtype::float32, {1, 1, 4}), -1) ==
          "kernel::adaptive_avg_pool: -1 windows along an axis of 4 cells; expected fewer than 2^31 of each, and at "
          "least one cell if there are windows");
    CHECK(error(tensor(dtype::float32, {1, 1, 0}), 2)
              .starts_with("kernel::adaptive_avg_pool: 2 windows along an axis of 0"));
    CHECK(error(tensor(dtype::float32, {1, 1, 4}), std::int64_t{1} << 40).starts_with("kernel::adaptive_avg_pool: "));
    CHECK(avg_pool(tensor(dtype::float32, {1, 1, 0}), {.size = {0}}).size() == 0);
}
