#include <tutti/kernel/blocked/pool.hpp>

#include <tutti/thread_pool.hpp>

#include "../placed.hpp"
#include "../support.hpp"
#include "catch.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace kernel = tutti::kernel;
namespace blocked = tutti::kernel::blocked;
using kernel::pool_options;
using kernel::tensor;
using test::shape_t;

namespace {

using reference_pool = void (*)(const tensor&, const pool_options&, tensor&, kernel::scratch);
using blocked_pool = bool (*)(const tensor&, const pool_options&, tensor&, tensor&, tutti::executor_ref);

struct pair_of_kernels {
    std::string_view name;
    reference_pool expected;
    blocked_pool computed;
};

constexpr pair_of_kernels kernels[]{
    {"max_pool", kernel::max_pool, blocked::max_pool},
    {"avg_pool", kernel::avg_pool, blocked::avg_pool},
    {"global_max_pool", kernel::global_max_pool, blocked::global_max_pool},
    {"global_avg_pool", kernel::global_avg_pool, blocked::global_avg_pool},
};

// What is wrong with the result, or nothing; and whether it was left to others.
std::string difference(const pair_of_kernels& k, const tensor& data, const pool_options& options, tensor& room,
                       tutti::executor_ref on = {}) {
    bool known = false;
    const tensor got = test::made([&](tensor& out) { known = k.computed(data, options, out, room, on); });
    if (!known) return "left to others";
    const tensor expected = test::made([&](tensor& out) { k.expected(data, options, out, {}); });
    return test::difference(got, shape_t(expected.shape().begin(), expected.shape().end()), test::values(expected),
                            1e-6);
}

} // namespace

TEST_CASE("blocked/pool: any windows, padding, dilation and layouts agree with the definition", "[kernel][blocked]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    tutti::thread_pool pool(2);
    tensor room; // of other calls before
    int computed = 0;
    for (int round = test::rounds(400); round > 0; --round) {
        const auto rank = static_cast<std::size_t>(random.integer(1, 3));
        pool_options o;
        o.layout = test::any_data_layout(random, rank);
        o.out_layout = random.integer(0, 1) == 0 ? o.layout : test::any_data_layout(random, rank);
        if (random.integer(0, 1) == 0 && rank == 2)
            o.out_layout = o.layout = random.integer(0, 1) == 0 ? "NHWC" : "NCHW";
        o.ceil_mode = random.integer(0, 1) == 0;
        o.count_include_pad = random.integer(0, 1) == 0;
        test::coords sizes{random.integer(1, 2), 4 * random.integer(0, 5), 1, 1, 1};
        for (std::size_t i = 0; i < rank; ++i) {
            o.size[i] = random.integer(1, 5);
            o.strides[i] = random.integer(1, 4);
            o.dilation[i] = random.integer(1, 3);
            o.before[i] = random.integer(0, 4);
            o.after[i] = random.integer(0, 4);
            const std::int64_t least = (o.size[i] - 1) * o.dilation[i] + 1 - o.before[i] - o.after[i];
            sizes[5 - rank + i] = std::max<std::int64_t>(1, least) + random.integer(0, 30);
        }
        tensor data = random.filled<float>(test::data_in(o.layout, sizes).shape());
        const pair_of_kernels& k = kernels[random.integer(0, 3)];
        const bool strange = random.integer(0, 3) == 0 && data.size() != 0 && k.name == "max_pool";
        if (strange) data.mutable_data<float>()[random.integer(0, data.size() - 1)] = std::nanf("");
        INFO(k.name << " of " << kernel::text(data) << " in " << o.layout << " to " << o.out_layout);
        const std::string found = difference(k, data, o, room);
        CHECK((found == "" || found == "left to others"));
        if (found != "") continue;
        ++computed;
        const auto made = [&](tutti::executor_ref on) {
            return test::made([&](tensor& out) { k.computed(data, o, out, room, on); });
        };
        if (!strange) CHECK(test::values(made(pool)) == test::values(made({})));
    }
    CHECK(computed > test::rounds(400) / 4);
}

TEST_CASE("blocked/pool: windows in the padding only, and an image that is one row", "[kernel][blocked]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    tensor room;
    const tensor data = random.filled<float>({1, 3, 5, 40});
    for (const pair_of_kernels& k : kernels) {
        INFO(k.name);
        CHECK(difference(k, data, {.size = {2, 2}, .strides = {2, 2}, .before = {4, 6}, .after = {4, 6}}, room) == "");
        CHECK(difference(k, data, {.size = {5, 40}}, room) == "");
        CHECK(difference(k, random.filled<float>({2, 7, 7, 1}), {.size = {3, 3}, .layout = "NHWC"}, room) == "");
        CHECK(difference(k, random.filled<float>({2, 3, 4096}), {.size = {4096}}, room) == "");
    }
}

TEST_CASE("blocked/pool: leaves other element types and layouts in blocks", "[kernel][blocked]") {
    tensor room;
    const tensor whole(kernel::dtype::int8, {1, 4, 3, 3});
    const tensor blocks(kernel::dtype::float32, {1, 1, 3, 3, 4});
    for (const pair_of_kernels& k : kernels) {
        CHECK(difference(k, whole, {}, room) == "left to others");
        CHECK(difference(k, blocks, {.layout = "NCHW4c"}, room) == "left to others");
    }
}
