#include <tutti/relay/eval/kernel_set.hpp>

#include <tutti/relay/eval/blocked.hpp>
#include <tutti/relay/eval/evaluate.hpp>
#include <tutti/relay/eval/reference.hpp>
#include <tutti/relay/op/default_operators.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/standard_ops.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/transform/passes/fold_constant.hpp>
#include <tutti/relay/transform/passes/simplify_expr.hpp>

#include "relay/programs.hpp"
#include "relay/transform/evaluate.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <array>
#include <string>
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

// A set whose functions have no address of the expected type: stored lambdas, default arguments, an operator by value.
struct loosely_typed {
    static constexpr auto find = [](const auto& op, bool = false) { return relay::kernels::blocked::find(op); };
    static constexpr auto find_block_step = [](relay::op_def op) -> const relay::block_step_entry* {
        return op.name == "add" ? relay::kernels::blocked::find_block_step(op) : nullptr;
    };
    static constexpr relay::prepare_function find_prepare(relay::op_def, int = 0) { return nullptr; }
    template <class Op>
    static constexpr relay::result_memory find_result_memory(const Op&) {
        return relay::result_memory::own;
    }
    static constexpr bool is_concurrent(const relay::op_def& op, bool all = true) { return all && op.name == "add"; }
};

static_assert(relay::kernel_set<relay::kernels::reference>);
static_assert(relay::kernel_set<loosely_typed>);
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
    const relay::op_def& add = relay::definition<relay::op::add>;
    constexpr relay::kernel_functions mine = relay::functions_of<my_kernels>();
    CHECK(mine.find(add) == &no_kernel);
    CHECK((mine.find_block_step == nullptr && mine.find_prepare == nullptr));
    CHECK((mine.find_result_memory == nullptr && mine.is_concurrent == nullptr));
    const relay::kernel_functions blocked = relay::functions_of<relay::kernels::blocked>();
    CHECK(blocked.find(add) == relay::kernels::blocked::find(add));
    CHECK(blocked.find_prepare == relay::prepares_of<relay::kernels::blocked>());
    CHECK((blocked.find_block_step != nullptr && blocked.find_result_memory != nullptr));
    CHECK(blocked.is_concurrent != nullptr);
}

TEST_CASE("kernel_set: functions of a set need not be plain functions", "[relay][eval]") {
    const relay::op_def& add = relay::definition<relay::op::add>;
    const relay::kernel_functions set = relay::functions_of<loosely_typed>();
    CHECK(set.find(add) == relay::kernels::blocked::find(add));
    CHECK(set.find_block_step(relay::definition<relay::op::multiply>) == nullptr);
    CHECK(set.find_prepare(add) == nullptr);
    CHECK(set.find_result_memory(add) == relay::result_memory::own);
    CHECK((set.is_concurrent(add) && !set.is_concurrent(relay::definition<relay::op::multiply>)));

    const auto program = [] {
        return relay::parse("def @main(%x: Tensor[(2), float32]) { add(%x, multiply(2f, 3f)) }");
    };
    const relay::tensor x({2}, {-1.F, 1.F});
    relay::ir_module m = program();
    relay::infer_types(m);
    relay::evaluator<loosely_typed> e(m);
    CHECK(std::ranges::equal(e.run({&x, 1})[0].elements<float>(), std::array{5.F, 7.F}));

    const std::string text =
        tutti::test::bare_text(tutti::test::after(program(), relay::basic_fold_constant<loosely_typed>{}));
    CHECK(text.find("multiply") == std::string::npos);
    CHECK(tutti::test::bare_text(tutti::test::after(program(), relay::basic_simplify_expr<loosely_typed>{})) ==
          tutti::test::bare_text(tutti::test::after(program(), relay::simplify_expr{})));
}
