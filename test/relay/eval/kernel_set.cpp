#include <tutti/relay/eval/kernel_set.hpp>

#include <tutti/relay/eval/reference.hpp>
#include <tutti/relay/op/standard_ops.hpp>

#include "catch.hpp"

#include <array>

namespace relay = tutti::relay;

namespace {

bool no_kernel(const relay::invocation&) { return false; }

struct my_kernels {
    static constexpr relay::kernel_function find(const relay::op_def& op) {
        if (op.name == "add") return no_kernel;
        return relay::kernels::reference::find(op);
    }
};

static_assert(relay::kernel_set<relay::kernels::reference>);
static_assert(relay::kernel_set<my_kernels>);
static_assert(!relay::kernel_set<int>);

constexpr std::array second{relay::kernel_entry{"b", no_kernel}, relay::kernel_entry{"d", no_kernel}};
constexpr relay::kernel_table table{second, std::array{relay::kernel_entry{"a", no_kernel}}};
static_assert(table.find("a") == no_kernel && table.find("d") == no_kernel);
static_assert(table.find("c") == nullptr && table.find("e") == nullptr && table.find("") == nullptr);

} // namespace

TEST_CASE("kernel_set: a program's own set goes before another", "[relay][eval]") {
    CHECK(my_kernels::find(relay::definition<relay::op::add>) == &no_kernel);
    const auto multiply = my_kernels::find(relay::definition<relay::op::multiply>);
    CHECK(multiply != nullptr);
    CHECK(multiply == relay::kernels::reference::find(relay::definition<relay::op::multiply>));
}
