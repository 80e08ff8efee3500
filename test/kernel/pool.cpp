#include <tutti/kernel/pool.hpp>

#include "placed.hpp"
#include "support.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace kernel = tutti::kernel;
using kernel::dtype;
using kernel::float16;
using kernel::pool_options;
using kernel::tensor;
using test::coords;

namespace {

tensor max_pool(const tensor& data, const pool_options& options) {
    return test::made([](auto&... a) { kernel::max_pool(a...); }, data, options);
}

tensor avg_pool(const tensor& data, const pool_options& options) {
    return test::made([](auto&... a) { kernel::avg_pool(a...); }, data, options);
}

struct problem {
    std::size_t rank = 2;
    coords data{};
    coords out{};
    pool_options options;
};

// Applies `reduce` to the elements of each window that are inside the image.
template <class F>
std::vector<double> naive(const problem& p, const tensor& data, F reduce) {
    const std::vector<double> x = test::values(data);
    const test::placed in = test::data_in(p.options.layout, p.data);
    const test::placed to = test::data_in(p.options.out_layout, p.out);
    coords cells{1, 1, 1, 1, 1};
    for (std::size_t i = 0; i < p.rank; ++i) cells[5 - p.rank + i] = p.options.size[i];
    std::vector<double> out(static_cast<std::size_t>(kernel::element_count(to.shape())));
    test::for_each_place(p.out, [&](const coords& at) {
        std::vector<double> inside;
        test::for_each_place(cells, [&](const coords& cell) {
            coords from = at;
            for (std::size_t i = 0; i < p.rank; ++i) {
                const std::size_t axis = 5 - p.rank + i;
                from[axis] = at[axis] * p.options.strides[i] + cell[axis] * p.options.dilation[i] - p.options.before[i];
                if (from[axis] < 0 || from[axis] >= p.data[axis]) return;
            }
            inside.push_back(x[in.at(from)]);
        });
        out[to.at(at)] = reduce(inside);
    });
    return out;
}

template <class T>
void check(test::random_source& random, double range, double tolerance) {
    problem p;
    p.rank = static_cast<std::size_t>(random.integer(1, 3));
    pool_options& o = p.options;
    o.layout = test::any_data_layout(random, p.rank);
    o.out_layout = test::any_data_layout(random, p.rank);
    o.ceil_mode = random.integer(0, 1) == 0;
    o.count_include_pad = random.integer(0, 1) == 0;
    p.data = {random.integer(0, 2), random.integer(0, 1) * 4, 1, 1, 1};
    p.out = p.data;
    std::int64_t cells = 1;
    for (std::size_t i = 0; i < p.rank; ++i) {
        const std::size_t axis = 5 - p.rank + i;
        o.size[i] = random.integer(1, 4);
        o.strides[i] = random.integer(1, 4);
        o.dilation[i] = random.integer(1, 3);
        o.before[i] = random.integer(0, 4);
        o.after[i] = random.integer(0, 4);
        const std::int64_t reach = (o.size[i] - 1) * o.dilation[i] + 1;
        p.data[axis] = random.integer(std::max<std::int64_t>(0, reach - o.before[i] - o.after[i]), 10);
        const double room =
            static_cast<double>(p.data[axis] + o.before[i] + o.after[i] - reach) / static_cast<double>(o.strides[i]);
        p.out[axis] = static_cast<std::int64_t>(o.ceil_mode ? std::ceil(room) : std::floor(room)) + 1;
        cells *= o.size[i];
    }
    const tensor data = random.filled<T>(test::data_in(o.layout, p.data).shape(), -range, range);
    const bool whole_numbers = kernel::is_integer(data.type());
    INFO("data " << o.layout << " " << kernel::text(data) << ", out " << o.out_layout << ", size "
                 << kernel::text(o.size) << ", strides " << kernel::text(o.strides) << ", dilation "
                 << kernel::text(o.dilation) << ", before " << kernel::text(o.before) << ", after "
                 << kernel::text(o.after) << ", ceil_mode " << o.ceil_mode << ", count_include_pad "
                 << o.count_include_pad);
    const double least =
        whole_numbers ? static_cast<double>(kernel::widen(std::numeric_limits<T>::lowest())) : -INFINITY;
    const auto out_shape = test::data_in(o.out_layout, p.out).shape();
    CHECK(test::difference(max_pool(data, o), out_shape,
                           naive(p, data,
                                 [&](const std::vector<double>& inside) {
                                     return inside.empty() ? least : *std::max_element(inside.begin(), inside.end());
                                 }),
                           0) == "");
    CHECK(test::difference(avg_pool(data, o), out_shape,
                           naive(p, data,
                                 [&](const std::vector<double>& inside) {
                                     double sum = 0;
                                     for (const double x : inside) sum += x;
                                     const double count = o.count_include_pad ? static_cast<double>(cells)
                                                                              : static_cast<double>(inside.size());
                                     const double mean = inside.empty() ? 0 : sum / count;
                                     return whole_numbers ? std::trunc(mean) : mean;
                                 }),
                           tolerance) == "");
}

constexpr bool pools_in_constant_evaluation() {
    const tensor data({1, 1, 2, 3}, {1.F, 5.F, 2.F, 4.F, 3.F, 6.F});
    tensor top;
    tensor mean;
    tensor all;
    kernel::max_pool(data, {.size = {2, 2}}, top);
    kernel::avg_pool(data, {.size = {2, 2}, .strides = {2, 2}, .ceil_mode = true}, mean);
    kernel::global_avg_pool(data, {}, all);
    return top.elements<float>()[0] == 5 && top.elements<float>()[1] == 6 && mean.elements<float>()[0] == 3.25F &&
           mean.elements<float>()[1] == 4 && all.elements<float>()[0] == 3.5F;
}

} // namespace

TEST_CASE("pool: computes in constant evaluation", "[kernel][pool]") {
    static_assert(pools_in_constant_evaluation());
    CHECK(pools_in_constant_evaluation());
}

TEST_CASE("pool: any window, padding, dilation and layout agrees with the definition", "[kernel][pool]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    for (int round = 0; round < 60; ++round) {
        check<float>(random, 1, 1e-6);
        check<double>(random, 1, 1e-15);
        check<float16>(random, 1, 0.0005);
        check<std::int8_t>(random, 128, 0);
        check<std::int32_t>(random, 1000, 0);
        check<std::uint8_t>(random, 200, 0);
        check<std::uint64_t>(random, 200, 0);
    }
}

TEST_CASE("pool: a row longer than a block is pooled whole", "[kernel][pool]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const tensor data = random.filled<float>({1, 1, 1200});
    problem p{1, {1, 1, 1, 1, 1200}, {1, 1, 1, 1, 1199}, {.size = {2}, .layout = "NCW", .out_layout = "NCW"}};
    CHECK(test::difference(max_pool(data, p.options), {1, 1, 1199},
                           naive(p, data, [](const std::vector<double>& x) { return std::max(x[0], x[1]); }), 0) == "");
}

TEST_CASE("pool: a NaN in the window is its maximum and its mean", "[kernel][pool]") {
    const tensor data({1, 1, 1, 4}, {NAN, 1.F, 2.F, -INFINITY});
    const pool_options pair{.size = {1, 2}};
    CHECK(test::difference(max_pool(data, pair), {1, 1, 1, 3}, {NAN, 2, 2}, 0) == "");
    CHECK(test::difference(avg_pool(data, pair), {1, 1, 1, 3}, {NAN, 1.5, -INFINITY}, 0) == "");
}

TEST_CASE("pool: the window of global pooling is the image", "[kernel][pool]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    const auto mean = [](const tensor& data, const pool_options& o) {
        return test::made([](auto&... a) { kernel::global_avg_pool(a...); }, data, o);
    };
    const auto top = [](const tensor& data, const pool_options& o) {
        return test::made([](auto&... a) { kernel::global_max_pool(a...); }, data, o);
    };
    for (int round = 0; round < 20; ++round) {
        problem p{2, {2, 4, 1, random.integer(1, 5), random.integer(1, 5)}, {2, 4, 1, 1, 1}, {}};
        p.options.size = {p.data[3], p.data[4]};
        p.options.layout = p.options.out_layout = test::any_data_layout(random, 2);
        const tensor data = random.filled<float>(test::data_in(p.options.layout, p.data).shape());
        const auto shape = test::data_in(p.options.layout, p.out).shape();
        const pool_options all{.layout = p.options.layout};
        CHECK(test::difference(mean(data, all), shape,
                               naive(p, data,
                                     [](const std::vector<double>& inside) {
                                         double sum = 0;
                                         for (const double x : inside) sum += x;
                                         return sum / static_cast<double>(inside.size());
                                     }),
                               1e-6) == "");
        CHECK(test::difference(top(data, all), shape,
                               naive(p, data,
                                     [](const std::vector<double>& inside) {
                                         return *std::max_element(inside.begin(), inside.end());
                                     }),
                               0) == "");
    }
    const tensor none(dtype::float32, {1, 2, 0, 5});
    CHECK(test::difference(mean(none, {}), {1, 2, 1, 1}, {0, 0}, 0) == "");
    CHECK(test::difference(top(none, {}), {1, 2, 1, 1}, {-INFINITY, -INFINITY}, 0) == "");
}

TEST_CASE("pool: windows in the padding or without elements cost nothing", "[kernel][pool]") {
    constexpr std::int64_t far = (std::int64_t{1} << 31) - 2;
    const tensor one({1, 1, 1, 1}, {5.F});
    const pool_options wide{.size = {3, far}, .before = {1, far - 1}, .after = {1, 0}};
    CHECK(test::made([](auto&... a) { kernel::max_pool(a...); }, one, wide).elements<float>()[0] == 5);
    CHECK(test::made([](auto&... a) { kernel::avg_pool(a...); }, one, wide).elements<float>()[0] == 5);
    const pool_options high{.size = {far, 2}, .dilation = {1, far / 2}, .before = {0, far / 2}, .after = {far - 1, 0}};
    CHECK(test::made([](auto&... a) { kernel::avg_pool(a...); }, one, high).elements<float>()[0] == 5);
    for (const test::shape_t& shape : {test::shape_t{1, 2, 1 << 30, 0}, test::shape_t{1, 2, 0, 1 << 30}}) {
        const tensor none(dtype::float32, shape);
        CHECK(test::difference(test::made([](auto&... a) { kernel::global_avg_pool(a...); }, none, pool_options{}),
                               {1, 2, 1, 1}, {0, 0}, 0) == "");
        CHECK(test::difference(test::made([](auto&... a) { kernel::global_max_pool(a...); }, none, pool_options{}),
                               {1, 2, 1, 1}, {-INFINITY, -INFINITY}, 0) == "");
    }
    const tensor batch(dtype::float32, {std::int64_t{1} << 40, 0, 3, 3});
    CHECK(test::made([](auto&... a) { kernel::max_pool(a...); }, batch, pool_options{}).size() == 0);
}

TEST_CASE("pool: invalid operands are an error", "[kernel][pool]") {
    CHECK(
        test::error_of([] { max_pool(tensor(dtype::float32, {2, 2}), {.layout = "NCHW"}); }) ==
        "kernel::max_pool: data has shape (2, 2) and layout \"NCHW\"; expected a layout such as NCHW, NHWC, NCHW16c or OIHW, "
        "for a tensor of this shape");
    CHECK(test::error_of([] { avg_pool(tensor(dtype::float32, {1, 1, 2, 2}), {.size = {1, 3}}); }) ==
          "kernel::avg_pool: width: a window that spans 3 cells; expected at most 2, the size of the padded image");
    constexpr std::int64_t large = (std::int64_t{1} << 31) - 1;
    CHECK(test::error_of([] {
              avg_pool(tensor(dtype::float32, {1, 1, 1, 1}),
                       {.size = {large, large}, .before = {large, large}, .count_include_pad = true});
          }).find("fewer than 2^48 elements") != std::string::npos);
    CHECK(test::error_of([] { avg_pool(tensor(dtype::boolean, {1, 1, 2, 2}), {}); }) ==
          "kernel::avg_pool: cannot compute with elements of type bool; expected an integer or floating-point type");
}
