#include <tutti/relay/eval/op_kernels.hpp>

#include <tutti/relay/eval/block_step.hpp>
#include <tutti/relay/eval/kernel_set.hpp>
#include <tutti/relay/op/elementwise.hpp>

#include "support/catch.hpp"

#include <array>

namespace relay = tutti::relay;
using relay::kernel_row;
using relay::kernel_set;
using relay::result_memory;
using relay::detail::kernels_of;

namespace {

bool one(const relay::invocation&) { return false; }
bool two(const relay::invocation&) { return false; }
bool its_own(const relay::invocation&) { return false; }

constexpr const relay::op_def& abs_op = relay::definition<relay::op::abs>;
constexpr relay::block_step_entry on_blocks{.op = &abs_op};

constexpr relay::kernel_table behind{std::array{
    kernel_row{.op = &abs_op, .run = two, .memory = result_memory::overwrites, .concurrent = true},
    kernel_row{.op = &abs_op, .on_blocks = &on_blocks},
}};
constexpr kernel_set last(behind);

} // namespace

TEST_CASE("op_kernels: come from a set, the sets after it, and the operator", "[relay][eval]") {
    static constexpr relay::kernel_table front{std::array{kernel_row{.op = &abs_op, .run = one}}};
    CHECK(kernels_of({}, abs_op).rows.empty());
    const auto both = kernels_of(kernel_set(front, last), abs_op);
    REQUIRE(both.rows.size() == 2);
    CHECK(both.rows[0].run == one);
    CHECK(both.rows[1].run == two);
    relay::op_def mine = abs_op;
    mine.evaluate = its_own;
    const auto own = kernels_of(kernel_set(front, last), mine); // `mine` has its own kernel, so it is another operator
    REQUIRE(own.rows.size() == 1);
    CHECK(own.rows[0].run == its_own);
    CHECK(!own.concurrent); // a custom kernel promises nothing
}

TEST_CASE("op_kernels: what one kernel does not promise, the operator does not", "[relay][eval]") {
    const auto alone = kernels_of(last, abs_op);
    CHECK(alone.memory == result_memory::overwrites);
    CHECK(alone.concurrent);
    CHECK(alone.on_blocks == &on_blocks);
    static constexpr relay::kernel_table front{std::array{kernel_row{.op = &abs_op, .run = one}}};
    const auto both = kernels_of(kernel_set(front, last), abs_op);
    CHECK(both.memory == result_memory::own);
    CHECK(!both.concurrent);
    CHECK(both.on_blocks == nullptr); // it would bypass the first kernel
    static constexpr relay::kernel_table similar{
        std::array{kernel_row{.op = &abs_op, .run = one, .memory = result_memory::overwrites, .concurrent = true}}};
    const auto alike = kernels_of(kernel_set(similar, last), abs_op);
    CHECK(alike.memory == result_memory::overwrites);
    CHECK(alike.concurrent);
}

TEST_CASE("op_kernels: a program lists each operator's once", "[relay][eval]") {
    tutti::vector<relay::detail::op_kernels> made;
    relay::detail::called_kernels called(last, made);
    CHECK(called(abs_op) == 0);
    CHECK(called(relay::definition<relay::op::exp>) == 1);
    CHECK(called(abs_op) == 0);
    REQUIRE(made.size() == 2);
    CHECK(made[0].op == &abs_op);
    CHECK(made[1].rows.empty());
}
