#include <tutti/relay/eval/call_results.hpp>

#include <tutti/relay/eval/buffer_placer.hpp>

#include "support/catch.hpp"

#include <cstdint>
#include <vector>

namespace eval = tutti::relay::detail;
using eval::buffer;
using tutti::kernel::tensor;

namespace {

/// Returns the plan of two calls: the first result has a buffer, the second has none.
eval::memory_plan one_planned() {
    eval::memory_plan plan;
    plan.buffers.push_back({.bytes = 64, .first = 1, .last = 2});
    plan.first_result = {0, 1};
    plan.buffer_of = {0, buffer::none};
    plan.shares.assign(2, 0);
    plan.sizes = {64, 0};
    eval::buffer_placer{plan};
    return plan;
}

} // namespace

TEST_CASE("call_results: only planned results have cells here, in runs without an observer", "[relay][eval]") {
    eval::call_results results(one_planned(), 2);
    CHECK_FALSE(results.is_planned());
    results.begin();
    CHECK(results.is_planned());
    REQUIRE(results.planned(0, 0) != nullptr);
    CHECK(results.planned(0, 0)->placed_in == 0);
    CHECK(results.planned(1, 0) == nullptr);
}

TEST_CASE("call_results: a size larger than the plan's is news", "[relay][eval]") {
    eval::call_results results(one_planned(), 2);
    eval::cell_pool pool;
    for (const std::int64_t size : {2, 4, 3}) {
        eval::cell* made = pool.take(0, 1);
        made->value = tensor(tutti::kernel::dtype::float32, {size});
        pool.release(results.note(pool, 1, 0, 1, {{}, nullptr, nullptr}, made));
    }
    CHECK(results.has_outgrown());
    CHECK(results.seen()[1] == 16);
    results.replace(one_planned());
    CHECK_FALSE(results.has_outgrown());
    CHECK(results.is_planned());
}

TEST_CASE("call_results: a result does not share a buffer that is reused earlier", "[relay][eval]") {
    eval::call_results results(one_planned(), 2);
    eval::cell_pool pool;
    results.begin();
    eval::cell* const operand = results.planned(0, 0);
    operand->value.reset(tutti::kernel::dtype::float32, std::vector<std::int64_t>{2});
    operand->value.mutable_data<float>()[0] = 5;
    const std::vector<eval::operand_id> operands{0};
    const eval::operand_values inputs{operands, &operand, nullptr};
    eval::call_space space;
    space.made.push_back(pool.take(8, 1));
    space.made[0]->value.share(operand->value, operand->value.shape());
    results.settle(space, 1, 0, inputs);
    CHECK_FALSE(space.made[0]->shares);
    CHECK_FALSE(space.made[0]->value.same_elements(operand->value));
    CHECK(space.made[0]->value.elements<float>()[0] == 5);
    CHECK_FALSE(results.shares(1, 0));
}
