#include <tutti/relay/eval/bounded_calls.hpp>

#include <tutti/kernel/dense.hpp>

#include "support/catch.hpp"

namespace relay = tutti::relay;
using relay::invocation;
using relay::tensor;
using tutti::kernel::dtype;

TEST_CASE("bounded_calls: a kernel that takes too much is not called to its end", "[relay][eval][limits]") {
    relay::bounded_calls calls({"here", "bytes", "max_bytes", 100}, {"here", "steps", "max_work", 1000});
    tensor result;
    const auto call = [&](relay::kernel_function kernel) {
        relay::op_def op;
        op.evaluate = kernel;
        return calls({}, op, {.results = std::span(&result, 1)});
    };
    constexpr auto of_80_bytes = [](const invocation& c) {
        c.result() = tensor(dtype::uint8, {80});
        return true;
    };
    CHECK(call(of_80_bytes));
    CHECK_FALSE(call([](const invocation& c) {
        c.result() = tensor(dtype::uint8, {120});
        return true;
    }));
    tensor first = std::move(result);
    CHECK_FALSE(call(of_80_bytes)); // the first result is still alive
    first = tensor();
    result = tensor();
    CHECK(call(of_80_bytes));
    CHECK_FALSE(call([](const invocation&) { return false; }));
    for (int i = 0; i < 2; ++i)
        CHECK(call([](const invocation&) {
            tutti::kernel::spend(900);
            return true;
        }));
    CHECK_FALSE(call([](const invocation&) {
        tutti::kernel::spend(1001);
        return true;
    }));
}
