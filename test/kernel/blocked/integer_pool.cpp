#include <tutti/kernel/blocked/integer_pool.hpp>

#include <tutti/thread_pool.hpp>

#include "../placed.hpp"
#include "../support.hpp"
#include "catch.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

namespace kernel = tutti::kernel;
namespace blocked = tutti::kernel::blocked;
using kernel::dtype;
using kernel::pool_options;
using kernel::tensor;

namespace {

struct integer_pools {
    std::string_view name;
    void (*expected)(const tensor&, const pool_options&, tensor&, kernel::scratch);
    bool (*computed)(const tensor&, const pool_options&, tensor&, tensor&, tutti::executor_ref);
};

constexpr integer_pools all_integer_pools[]{
    {"max_pool", kernel::max_pool, blocked::max_pool_integers},
    {"avg_pool", kernel::avg_pool, blocked::avg_pool_integers},
    {"global_max_pool", kernel::global_max_pool, blocked::global_max_pool_integers},
    {"global_avg_pool", kernel::global_avg_pool, blocked::global_avg_pool_integers},
};

// All values of a type, its bounds often.
tensor any_integers(test::random_source& random, const std::vector<std::int64_t>& shape, dtype type) {
    const auto range = kernel::values_of(type);
    tensor wide(dtype::int32, shape);
    for (std::int32_t& x : wide.mutable_elements<std::int32_t>()) {
        const std::int64_t kind = random.integer(0, 9);
        x = static_cast<std::int32_t>(kind == 0   ? range.least
                                      : kind == 1 ? range.greatest
                                                  : random.integer(range.least, range.greatest));
    }
    return test::converted(wide, type);
}

} // namespace

TEST_CASE(
    "blocked/integer_pool: any windows, padding, dilation and layouts give the reference's integers, on any number of threads",
    "[kernel][blocked]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    tutti::thread_pool pool(3);
    tensor room; // of other calls before
    int computed = 0;
    for (int round = test::rounds(600); round > 0; --round) {
        const auto rank = static_cast<std::size_t>(random.integer(1, 2));
        pool_options o;
        o.layout = test::any_data_layout(random, rank);
        o.out_layout = random.integer(0, 1) == 0 ? o.layout : test::any_data_layout(random, rank);
        if (random.integer(0, 1) == 0 && rank == 2)
            o.out_layout = o.layout = random.integer(0, 1) == 0 ? "NHWC" : "NCHW";
        o.ceil_mode = random.integer(0, 1) == 0;
        o.count_include_pad = random.integer(0, 1) == 0;
        test::coords sizes{random.integer(1, 2), 4 * random.integer(0, 20), 1, 1, 1};
        if (random.integer(0, 1) == 0 && (o.layout == "NCHW" || o.layout == "NHWC") && o.out_layout == o.layout)
            sizes[1] += random.integer(0, 3);
        for (std::size_t i = 0; i < rank; ++i) {
            o.size[i] = random.integer(1, 5);
            o.strides[i] = random.integer(1, 4);
            o.dilation[i] = random.integer(1, 3);
            o.before[i] = random.integer(0, 4);
            o.after[i] = random.integer(0, 4);
            const std::int64_t least = (o.size[i] - 1) * o.dilation[i] + 1 - o.before[i] - o.after[i];
            sizes[5 - rank + i] = std::max<std::int64_t>(1, least) + random.integer(0, i + 1 == rank ? 90 : 12);
        }
        constexpr dtype types[]{dtype::int8, dtype::uint8, dtype::int32};
        const dtype type = types[random.integer(0, 2)];
        const auto shape = test::data_in(o.layout, sizes).shape();
        const tensor data = any_integers(random, {shape.begin(), shape.end()}, type);
        const integer_pools& k = all_integer_pools[random.integer(0, 3)];
        INFO(k.name << " of " << kernel::text(data) << " in " << o.layout << " to " << o.out_layout);
        tensor got;
        if (!k.computed(data, o, got, room, round % 2 == 0 ? tutti::executor_ref(pool) : tutti::executor_ref()))
            continue;
        ++computed;
        CHECK(test::identical(got, test::made([&](tensor& out) { k.expected(data, o, out, {}); })));
    }
    CHECK(computed > test::rounds(600) / 4);
}

TEST_CASE("blocked/integer_pool: windows in the padding only, and images of one row", "[kernel][blocked]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    tensor room;
    const auto check = [&](const std::vector<std::int64_t>& shape, const pool_options& o) {
        for (const integer_pools& k : all_integer_pools)
            for (const dtype type : {dtype::int8, dtype::uint8, dtype::int32}) {
                const bool is_mean = k.name.find("avg") != std::string_view::npos;
                const tensor data = any_integers(random, shape, type);
                INFO(k.name << " of " << kernel::text(data));
                tensor got;
                const bool known = k.computed(data, o, got, room, {});
                CHECK(known == (type == dtype::int32 || !is_mean));
                if (known) CHECK(test::identical(got, test::made([&](tensor& out) { k.expected(data, o, out, {}); })));
            }
    };
    check({1, 3, 5, 40}, {.size = {2, 2}, .strides = {2, 2}, .before = {4, 6}, .after = {4, 6}});
    check({1, 3, 5, 40}, {.size = {5, 40}});
    check({2, 7, 7, 1}, {.size = {3, 3}, .layout = "NHWC"});
    check({2, 3, 4096}, {.size = {4096}});
    check({1, 64, 7, 7}, {.size = {7, 7}});
}

TEST_CASE("blocked/integer_pool: means are exact, and rounded toward zero", "[kernel][blocked]") {
    constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
    tensor room;
    for (const std::int32_t first : {most, most - 1, -most, -most - 1, 1, -1}) {
        tensor data(dtype::int32, {1, 1, 64, 512});
        std::ranges::fill(data.mutable_elements<std::int32_t>(), first);
        data.mutable_elements<std::int32_t>()[77] = first > 0 ? first - 1 : first + 1;
        const tensor got = test::made([&](tensor& out) { blocked::global_avg_pool_integers(data, {}, out, room); });
        CHECK(test::identical(got, test::made([&](tensor& out) { kernel::global_avg_pool(data, {}, out); })));
    }
}

TEST_CASE("blocked/integer_pool: leaves other element types and layouts in blocks", "[kernel][blocked]") {
    tensor room;
    tensor out;
    for (const integer_pools& k : all_integer_pools) {
        for (const dtype type : {dtype::int16, dtype::int64, dtype::float32})
            CHECK(!k.computed(tensor(type, {1, 4, 3, 3}), {}, out, room, {}));
        CHECK(!k.computed(tensor(dtype::int32, {1, 1, 3, 3, 4}), {.layout = "NCHW4c"}, out, room, {}));
    }
    CHECK(out.empty());
}
