#include <tutti/relay/eval/kernel_entry.hpp>

#include <tutti/relay/eval/evaluator.hpp>
#include <tutti/relay/eval/reference.hpp>
#include <tutti/relay/op/broadcast.hpp>

#include "programs.hpp"
#include "support/catch.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace relay = tutti::relay;

namespace {

bool no_kernel(const relay::invocation&) { return false; }

constexpr std::array second{relay::kernel_entry{"b", no_kernel}, relay::kernel_entry{"d", no_kernel}};
constexpr relay::kernel_table table{second, std::array{relay::kernel_entry{"a", no_kernel}}};
static_assert(table.find("a") == no_kernel && table.find("d") == no_kernel);
static_assert(table.find("c") == nullptr && table.find("e") == nullptr && table.find("") == nullptr);

using relay::invocation;
using relay::tensor;
using tutti::test::floats;
using tutti::test::program;

int doublings_prepared = 0;

/// Doubles a constant second factor of a product when the evaluator is constructed; skips other calls.
struct doubling_kernels {
    static constexpr relay::kernel_table own{
        std::array{relay::kernel_before<relay::op::multiply, relay::kernels::reference>(
            [](const invocation& c, const auto&) {
                if (c.prepared == nullptr) return false;
                const std::int64_t shape[]{1};
                c.result().reset(relay::dtype::float32, shape);
                c.result().mutable_data<float>()[0] =
                    c.input(0).data<float>()[0] * *static_cast<const float*>(c.prepared);
                return true;
            },
            [](const invocation& c, const auto&) -> std::shared_ptr<void> {
                ++doublings_prepared;
                CHECK(c.input(0).shape()[0] == 1);
                if (!c.is_constant(1)) return nullptr;
                return std::make_shared<float>(2 * c.input(1).data<float>()[0]);
            })}};
    static constexpr relay::kernel_function find(const relay::op_def& op) {
        const auto mine = own.find(op.name);
        return mine != nullptr ? mine : relay::kernels::reference::find(op);
    }
    static constexpr relay::prepare_function find_prepare(const relay::op_def& op) { return own.find_prepare(op.name); }
};

/// Delegates everything to `doubling_kernels`.
struct leaving_kernels {
    static constexpr relay::kernel_function named(std::string_view op) { return doubling_kernels::own.find(op); }
    static constexpr relay::prepare_function prepare_named(std::string_view op) {
        return doubling_kernels::own.find_prepare(op);
    }
    static constexpr relay::kernel_table own{std::array{relay::kernel_before<relay::op::multiply, leaving_kernels>(
        [](const invocation&, const auto&) { return false; },
        [](const invocation&, const auto&) { return std::shared_ptr<void>(); })}};
    static constexpr relay::kernel_function find(const relay::op_def& op) {
        const auto mine = own.find(op.name);
        return mine != nullptr ? mine : relay::kernels::reference::find(op);
    }
    static constexpr relay::prepare_function find_prepare(const relay::op_def& op) { return own.find_prepare(op.name); }
};

static_assert(relay::prepares_of<relay::kernels::reference>() == nullptr);
static_assert(relay::prepares_of<doubling_kernels>() != nullptr);

} // namespace

TEST_CASE("kernel_entry: constants are prepared once, when the evaluator is constructed", "[relay][eval]") {
    relay::ir_module m = program(
        "def @main(%x: Tensor[(1), float32], %y: Tensor[(1), float32]) { (multiply(%x, 3f), multiply(%x, %y)) }");
    doublings_prepared = 0;
    relay::evaluator<doubling_kernels> e(m);
    CHECK(doublings_prepared == 2);
    const tensor two({1}, {2.F});
    const tensor five({1}, {5.F});
    for (int run = 0; run < 2; ++run) CHECK(floats(e, {two, five}) == std::vector<float>{12, 10});
    CHECK(doublings_prepared == 2);
    relay::evaluator<leaving_kernels> left(m);
    CHECK(floats(left, {two, five}) == std::vector<float>{12, 10});
    relay::evaluator<relay::kernels::reference> plain(m);
    CHECK(floats(plain, {two, five}) == std::vector<float>{6, 10});
}
