#include <tutti/relay/eval/arena.hpp>

#include <tutti/relay/eval/buffer_placer.hpp>

#include "support/catch.hpp"

#include <array>
#include <cstdint>
#include <utility>

namespace eval = tutti::relay::detail;
using eval::buffer;
using tutti::kernel::dtype;
using tutti::kernel::tensor;

namespace {

/// Returns the plan of two calls. The result of the first call does not escape. The second call has a result that
/// escapes, and one without a buffer.
eval::memory_plan two_calls() {
    eval::memory_plan plan;
    plan.buffers.push_back({.bytes = 256, .first = 1, .last = 2});
    plan.buffers.push_back({.bytes = 128, .first = 2, .last = 3, .leaves = true});
    plan.first_result = {0, buffer::none, 1};
    plan.buffer_of = {0, 1, buffer::none};
    plan.shares.assign(3, 0);
    eval::buffer_placer{plan};
    return plan;
}

float* written(eval::cell* c, std::int64_t size) {
    c->value.reset(dtype::float32, std::array{size});
    return c->value.mutable_data<float>();
}

} // namespace

TEST_CASE("arena: the same cells and places in each run", "[relay][eval]") {
    eval::arena memory(two_calls());
    CHECK(memory.at(0, 0) == nullptr);
    memory.begin();
    eval::cell* const stays = memory.at(0, 0);
    REQUIRE(stays != nullptr);
    CHECK(stays->users == 1);
    CHECK(stays->value.capacity() == 256);
    const float* const place = written(stays, 64);
    CHECK(reinterpret_cast<std::uintptr_t>(place) % 64 == 0);
    CHECK(memory.at(1, 0) == nullptr);
    CHECK(memory.at(2, 1) == nullptr);
    eval::arena moved = std::move(memory);
    moved.begin();
    CHECK(moved.at(0, 0) == stays);
    CHECK(written(stays, 8) == place);
}

TEST_CASE("arena: a result that is kept stays as it is, and the next has other memory", "[relay][eval]") {
    tensor kept;
    {
        eval::arena memory(two_calls());
        memory.begin();
        float* const place = written(memory.at(2, 0), 1);
        *place = 1;
        kept = memory.at(2, 0)->value;
        memory.begin();
        float* const other = written(memory.at(2, 0), 1);
        CHECK(other != place);
        *other = 2;
        memory.begin();
        CHECK(written(memory.at(2, 0), 1) == other);
    }
    CHECK(kept.elements<float>()[0] == 1);
}

TEST_CASE("arena: there is none where it is more than may be taken", "[relay][eval]") {
    tutti::kernel::allowance few({"a test", "bytes", "most", 300}, {"a test", "steps", "most", 1});
    const tutti::kernel::allowance::use here(few);
    eval::arena memory(two_calls());
    memory.begin();
    CHECK(memory.at(0, 0) == nullptr);
    CHECK(few.bytes_left() == 300);
}

TEST_CASE("arena: memory planned for another value is not shared any longer", "[relay][eval]") {
    eval::arena memory(two_calls());
    memory.begin();
    const eval::cell& stays = *memory.at(0, 0);
    const eval::cell& leaves = *memory.at(2, 0);
    CHECK(memory.outlasts(stays, stays));
    CHECK(memory.outlasts(leaves, stays));
    CHECK_FALSE(memory.outlasts(stays, leaves));
    CHECK_FALSE(memory.outlasts(leaves, eval::cell{}));
}
