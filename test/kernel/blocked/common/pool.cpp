#include <tutti/kernel/blocked/common/pool.hpp>

#include <tutti/parallel/thread_pool.hpp>

#include "kernel/placed.hpp"
#include "kernel/support.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace kernel = tutti::kernel;
namespace blocked = tutti::kernel::blocked;
using kernel::dtype;
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

// Returns random values of a type, including its bounds.
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

// Returns random float32 numbers or integers.
tensor any_elements(test::random_source& random, const shape_t& shape, dtype type) {
    return type == dtype::float32 ? random.filled<float>(shape) : any_integers(random, shape, type);
}

constexpr dtype pooled_types[]{dtype::float32, dtype::int8, dtype::uint8, dtype::int32};

// Describes the fault in the result, or returns "". Returns "left to others" if the kernel does not support the case.
// Integers must match exactly.
std::string difference(const pair_of_kernels& k, const tensor& data, const pool_options& options, tensor& room,
                       tutti::executor_ref on = {}) {
    bool known = false;
    const tensor got = test::made([&](tensor& out) { known = k.computed(data, options, out, room, on); });
    if (!known) return "left to others";
    const tensor expected = test::made([&](tensor& out) { k.expected(data, options, out, {}); });
    if (data.type() != dtype::float32) return test::identical(got, expected) ? "" : "other integers";
    return test::difference(got, shape_t(expected.shape().begin(), expected.shape().end()), test::values(expected),
                            1e-6);
}

} // namespace

TEST_CASE("blocked/pool: any windows, padding, dilation and layouts agree with the definition", "[kernel][blocked]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    tutti::thread_pool pool(2);
    tensor room; // kept from previous calls
    int computed = 0;
    for (int round = test::rounds(800); round > 0; --round) {
        const auto rank = static_cast<std::size_t>(random.integer(1, 3));
        pool_options o;
        o.layout = test::any_data_layout(random, rank);
        o.out_layout = random.integer(0, 1) == 0 ? o.layout : test::any_data_layout(random, rank);
        if (random.integer(0, 1) == 0 && rank == 2)
            o.out_layout = o.layout = random.integer(0, 1) == 0 ? "NHWC" : "NCHW";
        o.ceil_mode = random.integer(0, 1) == 0;
        o.count_include_pad = random.integer(0, 1) == 0;
        test::coords sizes{random.integer(1, 2), 4 * random.integer(0, 20), 1, 1, 1};
        for (std::size_t i = 0; i < rank; ++i) {
            o.size[i] = random.integer(1, 5);
            o.strides[i] = random.integer(1, 4);
            o.dilation[i] = random.integer(1, 3);
            o.before[i] = random.integer(0, 4);
            o.after[i] = random.integer(0, 4);
            const std::int64_t least = (o.size[i] - 1) * o.dilation[i] + 1 - o.before[i] - o.after[i];
            sizes[5 - rank + i] = std::max<std::int64_t>(1, least) + random.integer(0, i + 1 == rank ? 90 : 12);
        }
        if (random.integer(0, 1) == 0 && (o.layout == "NCHW" || o.layout == "NHWC") && o.out_layout == o.layout)
            sizes[1] += random.integer(0, 3);
        const dtype type = pooled_types[random.integer(0, 3)];
        const auto shape = test::data_in(o.layout, sizes).shape();
        tensor data = any_elements(random, {shape.begin(), shape.end()}, type);
        const pair_of_kernels& k = kernels[random.integer(0, 3)];
        const bool strange =
            type == dtype::float32 && random.integer(0, 3) == 0 && data.size() != 0 && k.name == "max_pool";
        if (strange) data.mutable_data<float>()[random.integer(0, data.size() - 1)] = std::nanf("");
        INFO(k.name << " of " << kernel::text(data) << " in " << o.layout << " to " << o.out_layout);
        const std::string found = difference(k, data, o, room);
        CHECK((found == "" || found == "left to others"));
        if (found != "") continue;
        ++computed;
        const auto made = [&](tutti::executor_ref on) {
            return test::made([&](tensor& out) { k.computed(data, o, out, room, on); });
        };
        CHECK(test::identical(made(pool), made({})));
    }
    CHECK(computed > test::rounds(800) / 4);
}

TEST_CASE("blocked/pool: windows in the padding only, and an image that is one row", "[kernel][blocked]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    tensor room;
    const auto check = [&](const shape_t& shape, const pool_options& o) {
        for (const pair_of_kernels& k : kernels)
            for (const dtype type : pooled_types) {
                const tensor data = any_elements(random, shape, type);
                INFO(k.name << " of " << kernel::text(data));
                const bool is_left = kernel::bytes(type) == 1 && k.name.find("avg") != std::string_view::npos;
                CHECK(difference(k, data, o, room) == (is_left ? "left to others" : ""));
            }
    };
    check({1, 3, 5, 40}, {.size = {2, 2}, .strides = {2, 2}, .before = {4, 6}, .after = {4, 6}});
    check({1, 3, 5, 40}, {.size = {5, 40}});
    check({2, 7, 7, 1}, {.size = {3, 3}, .layout = "NHWC"});
    check({2, 3, 4096}, {.size = {4096}});
    check({1, 64, 7, 7}, {.size = {7, 7}});
}

TEST_CASE("blocked/pool: means of int32 are exact, and rounded toward zero", "[kernel][blocked]") {
    constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
    tensor room;
    for (const std::int32_t first : {most, most - 1, -most, -most - 1, 1, -1}) {
        tensor data(dtype::int32, {1, 1, 64, 512});
        std::ranges::fill(data.mutable_elements<std::int32_t>(), first);
        data.mutable_elements<std::int32_t>()[77] = first > 0 ? first - 1 : first + 1;
        const tensor got = test::made([&](tensor& out) { blocked::global_avg_pool(data, {}, out, room); });
        CHECK(test::identical(got, test::made([&](tensor& out) { kernel::global_avg_pool(data, {}, out); })));
    }
}

TEST_CASE("blocked/pool: leaves other element types and layouts in blocks", "[kernel][blocked]") {
    tensor room;
    for (const pair_of_kernels& k : kernels) {
        for (const dtype type : {dtype::int16, dtype::int64, dtype::float64})
            CHECK(difference(k, tensor(type, {1, 4, 3, 3}), {}, room) == "left to others");
        for (const dtype type : pooled_types)
            CHECK(difference(k, tensor(type, {1, 1, 3, 3, 4}), {.layout = "NCHW4c"}, room) == "left to others");
    }
}
