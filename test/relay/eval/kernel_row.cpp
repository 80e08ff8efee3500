#include <tutti/relay/eval/kernel_row.hpp>

#include <tutti/relay/eval/evaluator.hpp>
#include <tutti/relay/eval/kernel_set.hpp>
#include <tutti/relay/eval/reference.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/elementwise.hpp>

#include "programs.hpp"
#include "support/catch.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace relay = tutti::relay;
using relay::invocation;
using relay::tensor;
using tutti::test::floats;
using tutti::test::program;

namespace {

int doublings_prepared = 0;

/// Computes products with a constant second factor, which it doubles when the evaluator is constructed. Declines other
/// calls.
constexpr relay::kernel_table doubling{std::array{relay::kernel_for<relay::op::multiply>(
    [](const invocation& c, const auto&) {
        if (c.prepared == nullptr) return false;
        c.result().reset(relay::dtype::float32, std::array<std::int64_t, 1>{1});
        c.result().mutable_data<float>()[0] = c.input(0).data<float>()[0] * *static_cast<const float*>(c.prepared);
        return true;
    },
    [](const invocation& c, const auto&) -> std::shared_ptr<void> {
        ++doublings_prepared;
        CHECK(c.input(0).shape()[0] == 1);
        if (!c.is_constant(1)) return nullptr;
        return std::make_shared<float>(2 * c.input(1).data<float>()[0]);
    })}};

/// Declines all calls, and prepares no call.
constexpr relay::kernel_table leaving{std::array{
    relay::kernel_for<relay::op::multiply>([](const invocation&, const auto&) { return false; },
                                           [](const invocation&, const auto&) { return std::shared_ptr<void>(); })}};

int decoded = 0;
int runs = 0;

} // namespace

TEST_CASE("kernel_row: constants are prepared once, when the evaluator is constructed", "[relay][eval]") {
    const relay::ir_module m = program(
        "def @main(%x: Tensor[(1), float32], %y: Tensor[(1), float32]) { (multiply(%x, 3f), multiply(%x, %y)) }");
    doublings_prepared = 0;
    const relay::kernel_set doubles(doubling, relay::kernels::reference());
    relay::evaluator e(m, doubles);
    CHECK(doublings_prepared == 2);
    const tensor two({1}, {2.F});
    const tensor five({1}, {5.F});
    for (int run = 0; run < 2; ++run) CHECK(floats(e, {two, five}) == std::vector<float>{12, 10});
    CHECK(doublings_prepared == 2);
    relay::evaluator left(m, relay::kernel_set(leaving, doubles));
    CHECK(floats(left, {two, five}) == std::vector<float>{12, 10});
    relay::evaluator plain(m, relay::kernels::reference());
    CHECK(floats(plain, {two, five}) == std::vector<float>{6, 10});
}

TEST_CASE("kernel_row: attributes are decoded once per call site, not per run", "[relay][eval]") {
    relay::kernel_row clip =
        relay::kernel_for<relay::op::clip>([](const invocation& c, const relay::clip_attributes& a) {
            CHECK(c.decoded == &a);
            ++runs;
            c.result().reset(relay::dtype::float32, std::array<std::int64_t, 1>{1});
            c.result().mutable_data<float>()[0] = static_cast<float>(a.a_max);
        });
    clip.decode = [](const relay::graph& g, relay::attrs_id id) {
        ++decoded;
        return relay::detail::decoder_of<relay::clip_attributes>(g, id);
    };
    decoded = runs = 0;
    const relay::kernel_table mine{std::array{clip}};
    relay::evaluator e(program("def @main(%x: Tensor[(1), float32]) { (clip(%x, a_min=0f, a_max=1f), "
                               "clip(%x, a_min=0f, a_max=2f)) }"),
                       relay::kernel_set(mine));
    const tensor x({1}, {5.F});
    for (int run = 0; run < 3; ++run) CHECK(floats(e, {x}) == std::vector<float>{1, 2});
    CHECK(decoded == 2);
    CHECK(runs == 6);
}

TEST_CASE("kernel_row: an operator without attributes has nothing to decode", "[relay][eval]") {
    constexpr relay::kernel_row row = relay::kernel_for<relay::op::multiply>([](const invocation&, const auto&) {});
    static_assert(row.decode == nullptr && row.prepare == nullptr && row.memory == relay::result_memory::own);
    static_assert(!row.concurrent);
}
