#include <tutti/relay/eval/evaluator.hpp>

#include <tutti/parallel/thread_pool.hpp>
#include <tutti/relay/eval/kernel_set.hpp>
#include <tutti/relay/eval/reference.hpp>
#include <tutti/relay/op/invocation.hpp>

#include "counted_allocations.hpp"
#include "programs.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace relay = tutti::relay;
using relay::tensor;
using tutti::test::allocations;
using tutti::test::computed;
using tutti::test::floats;
using tutti::test::peak;
using tutti::test::program;
using tutti::test::refusal;
using tutti::test::used;

namespace {

using list = std::vector<float>;

tensor number(float x) { return tensor::scalar(x); }
tensor truth(bool x) { return tensor::scalar(x); }

/// A recursive function that counts down to 0 and sums the numbers.
constexpr const char* countdown = R"(
def @count(%n: float32, %sum: float32) -> float32 {
  %0 = cast(%n, dtype="bool");
  if (%0) { @count(subtract(%n, 1f), add(%sum, %n)) } else { %sum }
}
def @main(%n: float32) { @count(%n, 0f) }
)";

} // namespace

TEST_CASE("evaluator: operators, tuples, lets and constants", "[relay][eval]") {
    CHECK(computed("def @main(%x: float32) { %0 = exp(%x); let %y = add(%0, 1f); (multiply(%y, %y), (2f, %0), %x) }",
                   {number(0)}) == list{4, 2, 1, 0});
    CHECK(computed("def @main(%t: (float32, (float32, float32))) { %0 = %t.1; subtract(%t.0, %0.1) }",
                   {number(5), number(1), number(2)}) == list{3});
    CHECK(computed("def @main() { () }", {}).empty());
}

TEST_CASE("evaluator: if takes one branch", "[relay][eval]") {
    const auto text = R"(
def @main(%c: bool, %d: bool, %x: float32) {
  %0 = add(%x, 1f);
  if (%c) { if (%d) { (%0, %x) } else { %1 = multiply(%0, 2f); (%1, %1) } } else { (%x, negative(%0)) }
})";
    CHECK(computed(text, {truth(true), truth(true), number(3)}) == list{4, 3});
    CHECK(computed(text, {truth(true), truth(false), number(3)}) == list{8, 8});
    CHECK(computed(text, {truth(false), truth(true), number(3)}) == list{3, -4});
}

TEST_CASE("evaluator: functions are values, with their captures", "[relay][eval]") {
    const auto text = R"(
def @twice(%f: fn (float32) -> float32, %x: float32) -> float32 { %f(%f(%x)) }
def @main(%x: float32, %c: bool) {
  %0 = add(%x, 1f);
  let %plus = fn (%y: float32) -> float32 { add(%y, %0) };
  let %make = fn (%k: float32) { fn (%y: float32) -> float32 { add(%plus(%y), %k) } };
  %1 = %make(10f);
  %2 = if (%c) { %1 } else { fn (%z: float32) -> float32 { exp(%z) } };
  %3 = (@twice, %2);
  %4 = %3.0;
  %5 = %3.1;
  (%4(%plus, %x), @twice(%1, 0f), %4(%5, 0f))
})";
    CHECK(computed(text, {number(2), truth(true)}) == list{8, 26, 26});
    CHECK(computed(text, {number(2), truth(false)})[2] == std::exp(1.F));
}

TEST_CASE("evaluator: functions call themselves, by name and by let", "[relay][eval]") {
    CHECK(computed(countdown, {number(100)}) == list{5050});
    CHECK(computed(R"(
def @main(%n: float32, %step: float32) {
  let %count = fn (%i: float32, %sum: float32) -> float32 {
    %0 = cast(%i, dtype="bool");
    let %next = fn (%s: float32) -> float32 { %count(subtract(%i, %step), %s) };
    if (%0) { %next(add(%sum, %i)) } else { %sum }
  };
  %count(%n, 0f)
})",
                   {number(10), number(2)}) == list{30});
    CHECK(computed(R"(
def @even(%n: float32) -> bool { %0 = cast(%n, dtype="bool"); if (%0) { @odd(subtract(%n, 1f)) } else { True } }
def @odd(%n: float32) -> bool { %0 = cast(%n, dtype="bool"); if (%0) { @even(subtract(%n, 1f)) } else { False } }
def @main(%n: float32) { %0 = @even(%n); if (%0) { 1f } else { 0f } })",
                   {number(7)}) == list{0});
}

TEST_CASE("evaluator: a primitive function is a function", "[relay][eval]") {
    CHECK(computed("def @main(%x: float32) { %0 = fn (%p: float32, Primitive=1) { add(exp(%p), 1f) }; %0(%0(%x)) }",
                   {number(0)}) == list{std::exp(2.F) + 1});
}

TEST_CASE("evaluator: 100,000 calls deep; a recursion without end is an error", "[relay][eval]") {
    relay::evaluator e(program(countdown));
    CHECK(floats(e, {number(100'000)}).size() == 1);
    CHECK(floats(e, {number(10)}) == list{55});
    const std::string said =
        refusal("def @f(%x: float32) -> float32 { @f(add(%x, 1f)) } def @main(%x: float32) { @f(%x) }", {number(0)});
    CHECK(said.find("@f") == 0);
    CHECK(said.find("no more than 250000 calls, or a larger max_depth") != std::string::npos);
    relay::evaluator few(program(countdown), {.max_depth = 20});
    CHECK(floats(few, {number(10)}) == list{55});
    CHECK_THROWS_AS(floats(few, {number(20)}), tutti::error);
    CHECK(floats(few, {number(10)}) == list{55});
}

TEST_CASE("evaluator: a chain of a million calls", "[relay][eval]") {
    relay::builder b;
    const auto x = b.variable("x", {});
    auto y = x;
    const auto one = b.constant(1.F);
    for (int i = 0; i < 1'000'000; ++i) y = relay::add(y, one);
    relay::evaluator e(relay::ir_module{b.function({x}, y)});
    CHECK(floats(e, {number(5)}) == list{1'000'005});
}

TEST_CASE("evaluator: a chain of a hundred thousand lets and functions within functions", "[relay][eval]") {
    relay::builder b;
    const auto x = b.variable("x", {});
    std::vector<relay::expr> names{x};
    for (int i = 0; i < 100'000; ++i) names.push_back(b.variable("y"));
    auto body = names.back();
    for (std::size_t i = names.size() - 1; i > 0; --i) body = b.let(names[i], names[i - 1], body);
    const auto f = b.function({x}, body);
    relay::evaluator e(relay::ir_module{f});
    CHECK(floats(e, {number(5)}) == list{5});

    relay::builder deep;
    const auto z = deep.variable("z", {});
    auto inner = relay::add(z, z);
    for (int i = 0; i < 2'000; ++i) inner = deep.call(deep.nested({}, inner), {});
    relay::evaluator d(relay::ir_module{deep.function({z}, inner)});
    CHECK(floats(d, {number(5)}) == list{10});
}

TEST_CASE("evaluator: a second run allocates nothing", "[relay][eval]") {
    const char* texts[]{countdown, R"(
def @main(%n: float32) {
  %0 = broadcast_to(%n, shape=[64, 64]);
  %1 = expand_dims(%0, axis=0);
  %2 = squeeze(%1);
  %3 = exp(%2);
  let %f = fn (%y: Tensor[(64, 64), float32]) { add(%y, %3) };
  %4 = %f(%f(%0));
  %5 = cast(%4, dtype="float32");
  %6 = nn.batch_flatten(%5);
  (%4, nn.relu(%6), %1)
})"};
    for (const char* text : texts) {
        relay::evaluator e(program(text));
        const std::vector<tensor> inputs{number(50)};
        std::vector<tensor> kept;
        std::span<const tensor> results;
        for (int run = 0; run < 3; ++run) {
            const std::size_t before = allocations;
            results = e.run(std::span<const tensor>(inputs));
            if (run > 0) CHECK(allocations - before == 0);
        }
        CHECK(results[0].elements<float>()[0] == (text == countdown ? 1275 : 50 + 2 * std::exp(50.F)));
    }
}

TEST_CASE("evaluator: planned memory does not change results", "[relay][eval]") {
    struct watcher {
        int calls = 0;
        void after_call(const relay::op_def&, const relay::invocation&) { ++calls; }
    };
    const auto values = [](std::span<const tensor> results) {
        list all;
        for (const tensor& t : results) all.insert(all.end(), t.elements<float>().begin(), t.elements<float>().end());
        return all;
    };
    // Values are passed to and returned from a function, and some results share memory.
    const char* floats = R"(
def @f(%y: Tensor[(2, 2), float32]) -> (Tensor[(2, 2), float32], Tensor[(2, 2), float32]) { (%y, exp(%y)) }
def @main(%x: Tensor[(2, 2), float32]) {
  %0 = exp(%x);
  %1 = @f(cast(%0, dtype="float32"));
  %2 = negative(%0);
  (add(transpose(%2, axes=[1, 0]), %1.0), %1.1, reshape(%2, newshape=[4]), %2)
})";
    // The plan does not expect that round returns its integer operand %0 itself. The memory of %0 is reused while this
    // alias is still needed.
    const char* integers = R"(
def @f(%y: Tensor[(2, 2), int32]) -> (Tensor[(2, 2), int32], Tensor[(2, 2), int32]) { (%y, negative(%y)) }
def @main(%x: Tensor[(2, 2), float32]) {
  %3 = cast(%x, dtype="int32");
  %4 = sum(%3, axis=[0]);
  %5 = nn.bias_add(%4, %4, axis=0);
  %0 = negative(nn.bias_add(%3, %5));
  %1 = @f(round(%0));
  %2 = abs(%0);
  (cast(%1.0, dtype="float32"), cast(%1.1, dtype="float32"), cast(%2, dtype="float32"))
})";
    const std::vector<tensor> inputs{tensor({2, 2}, {1.F, 2.F, 3.F, 4.F})};
    for (const char* text : {floats, integers}) {
        relay::evaluator e(program(text));
        watcher seen;
        const list apart = values(e.run(std::span<const tensor>(inputs), seen));
        CHECK(seen.calls > 0);
        for (int run = 0; run < 4; ++run) {
            const std::size_t before = allocations;
            const auto results = e.run(std::span<const tensor>(inputs));
            if (run > 1) CHECK(allocations - before == 0);
            CHECK(values(results) == apart);
        }
        CHECK(e.memory().planned > 0);
    }
}

TEST_CASE("evaluator: results that share their arguments' memory and are not used cost nothing the second time",
          "[relay][eval]") {
    relay::evaluator e(program(R"(
def @main(%n: float32) {
  %0 = broadcast_to(%n, shape=[1, 4, 2, 2]);
  %1 = broadcast_to(%n, shape=[4]);
  %2 = nn.batch_norm(%0, %1, %1, %1, %1);
  %2.0
})"));
    const std::vector<tensor> inputs{number(50)};
    for (int run = 0; run < 3; ++run) {
        const std::size_t before = allocations;
        const auto results = e.run(std::span<const tensor>(inputs));
        if (run > 0) CHECK(allocations - before == 0);
        CHECK(results[0].elements<float>()[0] == 50);
    }
}

TEST_CASE("evaluator: memory covers only live values", "[relay][eval]") {
    relay::builder b;
    const auto x = b.variable("x", {1024, 1024});
    auto y = x;
    for (int i = 0; i < 50; ++i) y = relay::exp(relay::negative(relay::nn::relu(y)));
    const relay::ir_module chain{b.function({x}, y)};
    const std::vector<tensor> inputs{tensor(relay::dtype::float32, {1024, 1024})};
    constexpr std::size_t one = std::size_t{4} << 20;
    const auto memory = [&](auto e) {
        const std::size_t before = used;
        peak = before;
        e.run(std::span<const tensor>(inputs));
        return peak - before;
    };
    const std::size_t apart = memory(relay::evaluator(chain, relay::kernels::reference()));
    CHECK(apart >= one); // each call overwrites its operand
    CHECK(apart < one + 100'000);
    // As one chain, the program needs memory only for the result and for one block of intermediate values.
    const std::size_t as_one = memory(relay::evaluator(chain));
    CHECK(as_one >= one);
    CHECK(as_one < one + 100'000);
}

TEST_CASE("evaluator: results that are copied stay as they are; inputs and constants are not copied", "[relay][eval]") {
    relay::evaluator e(program("def @main(%x: float32) { (exp(%x), %x) }"));
    const std::vector<tensor> zero{number(0)};
    const std::vector<tensor> one{number(1)};
    const tensor kept = e.run(std::span<const tensor>(zero))[0];
    CHECK(e.run(std::span<const tensor>(zero))[1].same_elements(zero[0]));
    e.run(std::span<const tensor>(one));
    CHECK(kept.elements<float>()[0] == 1);
    CHECK_FALSE(zero[0].is_shared());
    relay::evaluator moved = std::move(e);
    CHECK(floats(moved, {number(0)}) == list{1, 0});
}

TEST_CASE("evaluator: an error names mismatched inputs", "[relay][eval]") {
    const auto text = "def @main(%x: Tensor[(2, 3), float32], %n: int32) { %x }";
    const tensor fits(relay::dtype::float32, {2, 3});
    CHECK(refusal(text, {fits}) == "@main: is given 1 inputs; expected 2");
    CHECK(refusal(text, {fits, number(1)}) == "@main: parameter %n: is given float32; expected int32");
    CHECK(refusal(text, {tensor(relay::dtype::float32, {3, 2}), tensor::scalar(1)}) ==
          "@main: parameter %x: is given Tensor[(3, 2), float32]; expected Tensor[(2, 3), float32]");
    CHECK(refusal(text, {tensor(), tensor::scalar(1)}).find("an empty tensor") != std::string::npos);
    CHECK(refusal("def @f(%x: float32) { %x }").find("@main") != std::string::npos);
    CHECK(refusal("def @main(%f: fn (float32) -> float32) { %f(1f) }").find("%f") != std::string::npos);
    CHECK(refusal("def @main(%x: float32) { fn (%y: float32) { %y } }").find("result") != std::string::npos);
    CHECK(computed("def @main(%x: Tensor[(?, 2), float32]) { nn.relu(%x) }", {tensor({1, 2}, {1.F, -1.F})}) ==
          list{1, 0});
}

TEST_CASE("evaluator: a result of more elements than can be counted is refused", "[relay][eval]") {
    const std::string said =
        refusal("def @main(%x: float32) { broadcast_to(%x, shape=[1099511627776i64, 1099511627776i64]) }", {number(1)});
    CHECK(said.find("expected fewer than 2^48 elements") != std::string::npos);
}

TEST_CASE("evaluator: a call without a kernel is an error that names the operator", "[relay][eval]") {
    relay::evaluator e(program("def @main(%x: float32) { (%x, exp(%x)) }"), relay::kernel_set{});
    const std::vector<tensor> inputs{number(1)};
    CHECK_THROWS_WITH(e.run(std::span<const tensor>(inputs)), Catch::Matchers::Contains("exp: has no kernel"));
}

TEST_CASE("evaluator: inputs by name", "[relay][eval]") {
    relay::evaluator e(program("def @main(%data: float32, %t: (float32, float32)) { (%data, %t.0, %t.1) }"));
    const std::vector<tensor> v{number(1), number(2), number(3)};
    const auto run = [&](std::initializer_list<relay::named_input> inputs) -> std::string {
        try {
            std::string text;
            for (const tensor& r : e.run(std::span<const relay::named_input>(inputs.begin(), inputs.size())))
                text += std::to_string(static_cast<int>(r.elements<float>()[0]));
            return text;
        } catch (const tutti::error& what) {
            return what.what();
        }
    };
    CHECK(run({{"t.1", &v[0]}, {"data", &v[1]}, {"t.0", &v[2]}}) == "231");
    CHECK(run({{"t.1", &v[0]}, {"data", &v[1]}}) == "parameter %t.0: has no input; expected float32");
    CHECK(run({{"dato", &v[0]}}) == "input %dato: there is no such parameter; expected %data");
    CHECK(run({{"data", &v[0]}, {"data", &v[0]}}) == "input %data: is given twice");
    relay::builder b;
    const auto one = b.variable("x", {});
    const auto two = b.variable("x", {});
    relay::evaluator same(relay::ir_module{b.function({one, two}, relay::add(one, two))});
    const relay::named_input x[]{{"x", &v[0]}};
    CHECK_THROWS_AS(same.run(x), tutti::error);
}

TEST_CASE("evaluator: an observer sees the calls of operators; results of kernels are checked", "[relay][eval]") {
    struct {
        std::string seen;
        void before_call(const relay::op_def& op, const relay::invocation&) { seen += std::string(op.name) + '('; }
        void after_call(const relay::op_def&, const relay::invocation& c) {
            seen += std::to_string(c.result().size()) + ") ";
        }
    } observer;
    relay::evaluator e(program("def @main(%x: Tensor[(2), float32]) { nn.relu(exp(%x)) }"));
    const std::vector<tensor> inputs{tensor({2}, {1.F, 2.F})};
    e.run(std::span<const tensor>(inputs), observer);
    CHECK(observer.seen == "exp(2) nn.relu(2) ");

    const relay::kernel_table liar{std::array{relay::kernel_for<relay::op::exp>(
        [](const relay::invocation& c, const auto&) { c.result() = tensor::scalar(1); })}};
    relay::evaluator lied(program("def @main(%x: Tensor[(2), float32]) { exp(%x) }"), relay::kernel_set(liar));
    try {
        lied.run(std::span<const tensor>(inputs));
        FAIL("not refused");
    } catch (const tutti::error& what) {
        CHECK(std::string(what.what()) == "@main: exp: its kernel returned int32; expected Tensor[(2), float32]");
    }
}

namespace {

/// Runs a program twice with these inputs and options. Returns the error.
std::string run_refusal(std::string_view definitions, const std::vector<tensor>& inputs,
                        const relay::evaluate_options& options = {}) {
    relay::evaluator e(program(definitions), options);
    for (int i = 0; i < 2; ++i) {
        try {
            e.run(inputs);
        } catch (const tutti::error& what) {
            return what.what();
        }
    }
    return "(not refused)";
}

} // namespace

TEST_CASE("evaluator: respects its memory limit, and first frees unused memory", "[relay][eval][limits]") {
    // Two values of 100 kB are live at a time. One value, %4, has 200 kB.
    const auto text = R"(
def @main(%x: Tensor[(25000), float32]) {
  %0 = exp(%x); %1 = log(%0); %2 = exp(%1); %3 = log(%2); %4 = cast(%3, dtype="float64"); sum(%4)
})";
    const std::vector<tensor> x{tensor(tutti::kernel::dtype::float32, {25'000})};
    CHECK(run_refusal(text, x, {.max_bytes = 300'100}) == "(not refused)");
    CHECK(
        run_refusal(text, x, {.max_bytes = 250'000}) ==
        "@main: evaluation: more than 250,000 bytes of tensors at the same time; expected no more, or a larger max_bytes");
    relay::evaluator often(program(text), {.max_bytes = 400'000});
    std::vector<tensor> kept;
    for (int i = 0; i < 50; ++i) kept.push_back(often.run(x)[0]);
    CHECK(often.allowance().bytes_left() < 400'000);
    relay::evaluator first(program(text), {.max_bytes = 500'000});
    first.run(x);
    relay::evaluator second(program(text), {.allowance = &first.allowance()}); // 2 * 300'000 bytes do not fit
    CHECK_THROWS_AS(second.run(x), tutti::error);
    CHECK_NOTHROW(first.run(x));
}

TEST_CASE("evaluator: a short text cannot ask for more memory than there is", "[relay][eval][limits]") {
    const std::string said =
        "@main: evaluation: more than 4,294,967,296 bytes of tensors at the same time; expected no more, or a larger max_bytes";
    CHECK(run_refusal("def @main() { zeros(shape=[100000, 100000], dtype=\"float32\") }", {}) == said);
    CHECK(run_refusal("def @main(%s: Tensor[(2), int64]) { dyn.zeros(%s, shape=None, dtype=\"float32\") }",
                      {tensor({2}, {std::int64_t{100'000}, std::int64_t{100'000}})}) == said);
    CHECK(run_refusal("def @main(%x: Tensor[(1), float32]) { repeat(%x, repeats=2000000000, axis=0) }",
                      {tensor({1}, {1.0F})}) == said);
}

TEST_CASE("evaluator: a run takes no more steps than it may", "[relay][eval][limits]") {
    std::string twice = "def @f40(%x: float32) -> float32 { exp(%x) }\n";
    for (int i = 0; i < 40; ++i) {
        const std::string next = "@f" + std::to_string(i + 1);
        twice += "def @f" + std::to_string(i) + "(%x: float32) -> float32 { " + next + "(" + next + "(%x)) }\n";
    }
    // Both calls of functions and the work of operators count towards the limit.
    CHECK(run_refusal(twice + "def @main(%x: float32) { @f0(%x) }", {number(0)}, {.max_work = 1'000'000})
              .ends_with("evaluation: more than 1,000,000 steps; expected no more, or a larger max_work"));
    CHECK(run_refusal("def @main(%x: Tensor[(100, 100), float32]) { nn.dense(%x, %x, units=None) }",
                      {tensor(tutti::kernel::dtype::float32, {100, 100})}, {.max_work = 1'000'000}) ==
          "@main: evaluation: more than 1,000,000 steps; expected no more, or a larger max_work");
    CHECK(run_refusal("def @main(%x: float32) { exp(%x) }", {number(0)}, {.max_work = 5'000}) == "(not refused)");
}
