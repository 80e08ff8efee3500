#include <tutti/relay/eval/kernel_set.hpp>

#include <tutti/relay/eval/blocked.hpp>
#include <tutti/relay/eval/evaluate.hpp>
#include <tutti/relay/eval/reference.hpp>
#include <tutti/relay/op/default_operators.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/standard_ops.hpp>
#include <tutti/relay/text/parser.hpp>

#include "support/catch.hpp"

#include <utility>

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

} // namespace

TEST_CASE("kernel_set: a program's own set goes before another", "[relay][eval]") {
    CHECK(my_kernels::find(relay::definition<relay::op::add>) == &no_kernel);
    const auto multiply = my_kernels::find(relay::definition<relay::op::multiply>);
    CHECK(multiply != nullptr);
    CHECK(multiply == relay::kernels::reference::find(relay::definition<relay::op::multiply>));
}

TEST_CASE("kernel_set: an operator with the name of a built-in one has its own kernel, or none", "[relay][eval]") {
    struct another_relu : relay::op::elementwise, relay::named<"nn.relu"> {};
    const relay::op_def& another = relay::definition<another_relu>;
    CHECK(!relay::is_built_in(another));
    CHECK(relay::is_built_in(relay::definition<relay::op::nn::relu>));
    for (const relay::kernel_functions& set :
         {relay::functions_of<relay::kernels::reference>(), relay::functions_of<relay::kernels::blocked>()}) {
        CHECK(set.find(another) == nullptr);
        CHECK(set.find(relay::definition<relay::op::nn::relu>) != nullptr);
        CHECK(set.find_result_memory(another) == relay::result_memory::own);
        CHECK((set.find_prepare == nullptr || set.find_prepare(another) == nullptr));
        CHECK((set.find_block_step == nullptr || set.find_block_step(another) == nullptr));
    }

    relay::ir_module m = relay::parse("def @main(%x: Tensor[(2), float32]) { nn.relu(%x) }",
                                      {.operators = relay::default_operators().with<another_relu>()});
    const relay::tensor x({2}, {-1.F, 1.F});
    CHECK_THROWS_WITH(relay::evaluate(std::move(m), {&x, 1}), Catch::Matchers::Contains("nn.relu"));
}

TEST_CASE("kernel_set: as a value, its functions, with null for those it lacks", "[relay][eval]") {
    constexpr relay::kernel_functions mine = relay::functions_of<my_kernels>();
    CHECK(mine.find == &my_kernels::find);
    CHECK((mine.find_block_step == nullptr && mine.find_prepare == nullptr));
    CHECK((mine.find_result_memory == nullptr && mine.is_concurrent == nullptr));
    const relay::kernel_functions blocked = relay::functions_of<relay::kernels::blocked>();
    CHECK(blocked.find == &relay::kernels::blocked::find);
    CHECK(blocked.find_prepare == relay::prepares_of<relay::kernels::blocked>());
    CHECK((blocked.find_block_step != nullptr && blocked.find_result_memory != nullptr));
    CHECK(blocked.is_concurrent != nullptr);
}
