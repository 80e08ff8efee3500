#include <tutti/kernel/blocked/integer/channels.hpp>

#include <tutti/parallel/thread_pool.hpp>

#include "kernel/support.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <vector>

namespace kernel = tutti::kernel;
namespace blocked = tutti::kernel::blocked;
using kernel::dtype;
using kernel::tensor;
using test::shape_t;

namespace {

struct channel_number {
    std::int32_t number = -1;
};
struct channel_numbers {
    blocked::signed_words number;
    void set(std::int64_t lane, const channel_number& c) { number[lane] = c.number; }
    void fill(const channel_number& c) { number = blocked::signed_words{} + c.number; }
};

} // namespace

TEST_CASE("blocked/channels: each element is met once, with the factors of its channel", "[kernel][blocked]") {
    TUTTI_TEST_SEED();
    test::random_source random;
    tutti::thread_pool pool(3);
    tensor room;
    for (int round = test::rounds(100); round > 0; --round) {
        shape_t shape(static_cast<std::size_t>(random.integer(1, 4)));
        for (std::int64_t& d : shape) d = random.integer(1, random.integer(0, 2) == 0 ? 300 : 20);
        const std::int64_t axis = random.integer(0, static_cast<std::int64_t>(shape.size()) - 1);
        const std::int64_t count = shape[static_cast<std::size_t>(axis)];
        const tensor data(dtype::uint8, shape);
        const tensor scale(dtype::float32, {random.integer(0, 1) == 0 ? 1 : count});
        const tensor zero(dtype::int32, {random.integer(0, 1) == 0 ? 1 : count});
        const bool several = scale.size() != 1 || zero.size() != 1;
        const std::int64_t rank = static_cast<std::int64_t>(shape.size());
        blocked::detail::channel_rows rows;
        REQUIRE(rows.set(data, {scale, zero, random.integer(0, 1) == 0 ? axis : axis - rank}));
        CHECK(rows.channels() == (several ? count : 1));
        CHECK(rows.length() * rows.count() == data.size());
        blocked::detail::channel_factors<channel_number, channel_numbers> factors;
        REQUIRE(factors.set(rows, room, [](std::int64_t c, channel_number& n) {
            n.number = static_cast<std::int32_t>(c);
            return true;
        }));
        std::vector<std::int32_t> met(static_cast<std::size_t>(data.size()), -1);
        const auto each = [&](std::int64_t first, std::int64_t n, const auto& each_row) {
            std::int64_t end = 0;
            each_row([&](std::int64_t at, std::int64_t length, const channel_numbers* f) {
                if (at != end) FAIL_CHECK("rows that are no neighbours");
                end = at + length;
                for (std::int64_t i = 0; i < length; ++i)
                    met[static_cast<std::size_t>(first + at + i)] +=
                        1 + f[rows.are_short() ? i / blocked::lanes : 0].number[i % blocked::lanes];
            });
            if (end != n || n > blocked::detail::block_length) FAIL_CHECK("a block of " << n << ", met " << end);
        };
        if (random.integer(0, 1) == 0)
            factors.each_block({}, data.size(), each);
        else
            factors.each_block(pool, 1 << 20, each);
        std::int64_t inner = 1;
        for (std::size_t d = static_cast<std::size_t>(axis) + 1; d < shape.size(); ++d) inner *= shape[d];
        for (std::int64_t i = 0; i < data.size(); ++i) {
            const std::int64_t channel = several ? i / inner % count : 0;
            if (met[static_cast<std::size_t>(i)] != channel)
                FAIL("element " << i << " of " << kernel::text(data) << " along " << axis);
        }
    }
}

TEST_CASE("blocked/channels: scales and zero points that do not fit are refused", "[kernel][blocked]") {
    const tensor data(dtype::int8, {2, 3});
    const tensor one = tensor::scalar(1.F);
    const tensor zero = tensor::scalar(0);
    blocked::detail::channel_rows rows;
    CHECK(rows.set(data, {one, zero, 7})); // for a single scale the axis does not matter
    CHECK(!rows.set(data, {tensor(dtype::float32, {3}), zero, 2}));
    CHECK(!rows.set(data, {tensor(dtype::float32, {3}), zero, 0}));
    CHECK(!rows.set(data, {one, tensor(dtype::int32, {1, 1}), 0}));
    CHECK(!rows.set(data, {zero, zero, 0}));
    CHECK(!rows.set(data, {one, one, 0}));
    CHECK(!rows.set(tensor(dtype::int8, {0, 3}), {one, zero, 0}));
}
