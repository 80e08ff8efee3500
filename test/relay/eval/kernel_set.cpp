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

#include <array>
#include <string>
#include <utility>

namespace relay = tutti::relay;
using relay::invocation;
using relay::kernel_row;

namespace {

bool no_kernel(const invocation&) { return false; }
bool first_kernel(const invocation&) { return false; }

struct b_op : relay::op::elementwise, relay::named<"b"> {};
struct another_b : relay::op::elementwise, relay::named<"b"> {};
struct a_op : relay::op::elementwise, relay::named<"a"> {};

constexpr relay::kernel_table table{
    std::array{kernel_row{&relay::definition<b_op>, first_kernel},
               kernel_row{&relay::definition<another_b>, no_kernel}},
    std::array{kernel_row{&relay::definition<a_op>, no_kernel}, kernel_row{&relay::definition<b_op>, no_kernel}}};

/// A kernel of `add` that is identified by its result, 7.
constexpr relay::kernel_table seven{std::array{relay::kernel_for<relay::op::add>(
    [](const invocation& c, const auto&) { c.result() = relay::tensor::scalar(7.F); })}};

relay::ir_module program() { return relay::parse("def @main(%x: float32) { multiply(%x, add(2f, 3f)) }"); }

} // namespace

TEST_CASE("kernel_set: finds an operator's kernels in order, and no other operator's of its name", "[relay][eval]") {
    constexpr relay::kernel_set set(table);
    static_assert(set.rows_of(relay::definition<a_op>).size() == 1);
    static_assert(set.rows_of(relay::definition<b_op>).size() == 2);
    static_assert(set.rows_of(relay::definition<b_op>)[0].run == first_kernel);
    static_assert(set.rows_of(relay::definition<b_op>)[1].run == no_kernel);
    static_assert(set.rows_of(relay::definition<another_b>).size() == 1);
    static_assert(set.rows_of(relay::definition<relay::op::add>).empty());
    static_assert(relay::kernel_set{}.rows_of(relay::definition<a_op>).empty());
    static_assert(set.next() == nullptr);
}

TEST_CASE("kernel_set: a program's own set goes before another", "[relay][eval]") {
    const relay::kernel_set mine(seven, relay::kernels::blocked());
    const relay::tensor x = relay::tensor::scalar(2.F);
    CHECK(relay::evaluate(program(), {&x, 1}, mine)[0].elements<float>()[0] == 14);
    CHECK(relay::evaluate(program(), {&x, 1})[0].elements<float>()[0] == 10);
}

TEST_CASE("kernel_set: passes compute constants with a set", "[relay][eval]") {
    const relay::kernel_set mine(seven, relay::kernels::blocked());
    const auto folded = [](const relay::fold_constant& pass) {
        return tutti::test::bare_text(tutti::test::after(program(), pass));
    };
    CHECK(folded({.kernels = &mine}).find("multiply(%x, 7f") != std::string::npos);
    CHECK(folded({}).find("multiply(%x, 5f") != std::string::npos);
    const relay::kernel_set none;
    CHECK(folded({.kernels = &none}).find("add(2f") != std::string::npos);
    static constexpr relay::kernel_table of_products{std::array{relay::kernel_for<relay::op::multiply>(
        [](const invocation& c, const auto&) { c.result() = relay::tensor::scalar(8.F); })}};
    const relay::kernel_set products(of_products, relay::kernels::blocked());
    const auto twice = [] { return relay::parse("def @main(%x: float32) { multiply(multiply(%x, 3f), 2f) }"); };
    const auto simplified = [&](const relay::simplify_expr& pass) {
        return tutti::test::bare_text(tutti::test::after(twice(), pass));
    };
    CHECK(simplified({.kernels = &products}).find("multiply(%x, 8f") != std::string::npos);
    CHECK(simplified({}).find("multiply(%x, 6f") != std::string::npos);
}

TEST_CASE("kernel_set: an operator with the name of a built-in one has its own kernel, or none", "[relay][eval]") {
    struct another_relu : relay::op::elementwise, relay::named<"nn.relu"> {};
    struct own_relu : relay::op::elementwise, relay::named<"nn.relu"> {
        static void evaluate(const invocation& c, const relay::no_attributes&) {
            c.result().share(c.input(0), c.input(0).shape());
        }
    };
    CHECK(!relay::is_built_in(relay::definition<another_relu>));
    const relay::tensor x({2}, {-1.F, 1.F});
    for (const relay::kernel_set* set : {&relay::kernels::reference(), &relay::kernels::blocked()}) {
        CHECK(relay::computes(*set, relay::definition<relay::op::nn::relu>));
        CHECK(!relay::computes(*set, relay::definition<another_relu>));
        CHECK(relay::computes(*set, relay::definition<own_relu>));
        const auto with = [&](const relay::op_set& operators) {
            return relay::evaluate(relay::parse("def @main(%x: Tensor[(2), float32]) { nn.relu(exp(nn.relu(%x))) }",
                                                {.operators = operators}),
                                   {&x, 1}, *set);
        };
        CHECK_THROWS_WITH(with(relay::default_operators().with<another_relu>()),
                          Catch::Matchers::Contains("nn.relu: has no kernel"));
        CHECK(with(relay::default_operators().with<own_relu>())[0].elements<float>()[0] < 0.5F); // e^-1, not e^0
    }
}

TEST_CASE("kernel_set: a set before an operator's own kernel", "[relay][eval]") {
    struct own : relay::op::elementwise, relay::named<"own"> {
        static void evaluate(const invocation& c, const relay::no_attributes&) {
            c.result() = relay::tensor::scalar(1.F);
        }
    };
    static constexpr relay::kernel_table faster{std::array{
        relay::kernel_for<own>([](const invocation& c, const auto&) { c.result() = relay::tensor::scalar(2.F); })}};
    const auto result = [](const relay::kernel_set& kernels) {
        const relay::tensor x = relay::tensor::scalar(0.F);
        return relay::evaluate(relay::parse("def @main(%x: float32) { own(%x) }",
                                            {.operators = relay::default_operators().with<own>()}),
                               {&x, 1}, kernels)[0]
            .elements<float>()[0];
    };
    CHECK(result(relay::kernels::blocked()) == 1);
    CHECK(result(relay::kernel_set(faster, relay::kernels::blocked())) == 2);
}

TEST_CASE("kernel_set: a set for run time is skipped in constant evaluation", "[relay][eval]") {
    static constexpr relay::kernel_set set = relay::kernel_set(table).at_run_time();
    static_assert(set.rows_of(relay::definition<b_op>).empty());
    CHECK(set.rows_of(relay::definition<b_op>).size() == 2);
}
