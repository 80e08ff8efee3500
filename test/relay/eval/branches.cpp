#include <tutti/relay/eval/branches.hpp>

#include <tutti/base/error.hpp>
#include <tutti/parallel/executor.hpp>
#include <tutti/parallel/thread_pool.hpp>
#include <tutti/relay/eval/blocked.hpp>
#include <tutti/relay/eval/evaluator.hpp>
#include <tutti/relay/eval/lowering.hpp>
#include <tutti/relay/eval/op_caller.hpp>
#include <tutti/relay/eval/synthetic.hpp>
#include <tutti/relay/op/infer.hpp>

#include "programs.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace relay = tutti::relay;
namespace eval = tutti::relay::detail;
using relay::tensor;

namespace {

constexpr const char* matrix_type = "Tensor[(64, 96), float32]";
const std::string takes_x = std::string("def @main(%x: ") + matrix_type + ") {\n";

eval::program flat(const relay::ir_module& m, const relay::kernel_set& kernels) {
    return eval::lower(m, "main", kernels, {.forks = true});
}

/// Returns the forks of a program, each as the numbers of steps in its branches.
std::string forks_of(const relay::kernel_set& kernels, const std::string& body) {
    relay::ir_module m = tutti::test::program(takes_x + body + "}");
    relay::infer_types(m);
    const eval::program p = flat(m, kernels);
    std::string text;
    for (const eval::step& s : p.codes[p.entry].steps) {
        if (s.what != eval::opcode::fork) continue;
        const eval::fork& f = p.forks[s.target];
        text += text.empty() ? "" : ", ";
        for (std::size_t n = 0; n < f.branches.size(); ++n)
            text += (n == 0 ? "" : "+") + std::to_string(f.end(n) - f.branches[n]);
    }
    return text;
}

std::string forks_of(const std::string& body) { return forks_of(relay::kernels::reference(), body); }

/// Generates a program of random steps on tensors of one shape. Each step takes one or two of the last few values.
std::string random_body(std::mt19937& random, int steps) {
    const char* const unary[]{"exp", "tanh", "nn.softmax", "sigmoid", "negative"};
    std::string text;
    for (int n = 0; n < steps; ++n) {
        const auto value = [&] {
            const int back = static_cast<int>(random() % 6U);
            return n - 1 - back < 0 ? std::string("%x") : "%" + std::to_string(n - 1 - back);
        };
        text += "  %" + std::to_string(n) + " = ";
        switch (random() % 4U) {
        case 0:
            text += "add(" + value() + ", " + value() + ")";
            break;
        case 1:
            text += "reshape(" + value() + ", newshape=[64, 96])";
            break;
        case 2:
            text += "reverse(" + value() + ", axis=" + std::to_string(random() % 2U) + ")";
            break;
        default:
            text += std::string(unary[random() % 5U]) + "(" + value() + ")";
        }
        text += ";\n";
    }
    return text + "  (%" + std::to_string(steps - 1) + ", %" + std::to_string(steps - 2) + ")\n";
}

/// An executor that runs its calls serially, in reverse order.
struct backwards {
    static unsigned concurrency() { return 4; }
    static void bulk(std::size_t count, tutti::bulk_function f) {
        for (std::size_t i = count; i-- > 0;) f(i);
    }
};

void check_on(const relay::kernel_set& kernels, const relay::ir_module& m, tutti::executor_ref on,
              const std::vector<tensor>& expected, const std::vector<tensor>& inputs) {
    relay::evaluator e(m, kernels, {.on = on});
    for (int run = 0; run < 2; ++run) {
        const std::span<const tensor> made = e.run(inputs);
        REQUIRE(made.size() == expected.size());
        for (std::size_t n = 0; n < made.size(); ++n)
            CHECK(std::ranges::equal(made[n].elements<float>(), expected[n].elements<float>()));
    }
}

} // namespace

TEST_CASE("branches: adjacent calls without dependencies", "[relay][eval]") {
    CHECK(forks_of("(exp(%x), tanh(%x))") == "1+1");
    CHECK(forks_of("add(exp(tanh(%x)), exp(sin(cos(%x))))") == "2+3");
    CHECK(forks_of("tanh(exp(%x))") == "");
    CHECK(forks_of("%0 = exp(%x); %1 = tanh(%0); %2 = add(%0, %1); (sin(%2), cos(%2), tan(%2))") == "1+1+1");
    // The add uses results of both branches, so it is in neither.
    CHECK(forks_of("%0 = exp(%x); %1 = tanh(%x); %2 = add(%1, %0); sin(%2)") == "1+1");
}

TEST_CASE("branches: a chain is one step", "[relay][eval]") {
    CHECK(forks_of(relay::kernels::blocked(), "(exp(tanh(nn.softmax(%x))), tanh(nn.softmax(%x)))") == "1+1");
    CHECK(forks_of("(exp(tanh(nn.softmax(%x))), tanh(nn.softmax(%x)))") == "3+2");
}

TEST_CASE("branches: small amounts of work join a neighbour", "[relay][eval]") {
    CHECK(forks_of("(mean(%x), exp(%x))") == "");
    CHECK(forks_of("(max(%x), exp(%x), exp(%x))") == "2+1");
}

TEST_CASE("branches: none where a function is called, or a branch of an if begins", "[relay][eval]") {
    CHECK(forks_of("(exp(%x), if (True) { tanh(%x) } else { exp(%x) })") == "");
    CHECK(forks_of("let %f = fn (%y: " + std::string(matrix_type) + ") { exp(%y) }; (exp(%x), %f(%x))") == "");
}

TEST_CASE("branches: results are the same, to the bit, on any executor", "[relay][eval]") {
    std::mt19937 random(7);
    tutti::thread_pool two(2), four(4);
    backwards reversed;
    std::size_t met = 0;
    for (int round = 0; round < 40; ++round) {
        const relay::ir_module m = tutti::test::program(takes_x + random_body(random, 4 + round % 20) + "}");
        relay::evaluator alone(m, relay::kernels::blocked());
        const std::vector<tensor> inputs{
            relay::synthetic_input("x", alone.types(), alone.parameters()[0].type, static_cast<unsigned>(round))};
        std::vector<tensor> expected;
        for (const tensor& t : alone.run(inputs)) expected.push_back(t);
        check_on(relay::kernels::blocked(), m, two, expected, inputs);
        check_on(relay::kernels::blocked(), m, four, expected, inputs);
        check_on(relay::kernels::blocked(), m, reversed, expected, inputs);
        const eval::program p = flat(alone.module(), relay::kernels::blocked());
        for (const eval::step& s : p.codes[p.entry].steps) met += s.what == eval::opcode::fork ? 1U : 0U;
    }
    CHECK(met > 20);
}

TEST_CASE("branches: reports the first failing branch, as in serial execution", "[relay][eval]") {
    tutti::thread_pool pool(2);
    backwards reversed;
    // If the mode is "raise", a call with an invalid index throws.
    const auto refusal = [&](tutti::executor_ref on, bool first, bool second) -> std::string {
        const auto mode = [](bool refused) { return refused ? "\"raise\"" : "\"clip\""; };
        relay::evaluator e(
            tutti::test::program(
                "def @main(%x: Tensor[(64, 96), float32], %i: Tensor[(9000), int64], %j: Tensor[(9001), int64]) "
                "{ (take(%x, %i, mode=" +
                std::string(mode(first)) + "), take(%x, %j, mode=" + mode(second) + ")) }"),
            relay::kernels::reference(), {.on = on});
        std::vector<tensor> inputs;
        for (const relay::parameter& p : e.parameters())
            inputs.push_back(relay::synthetic_input(p.name, e.types(), p.type, 1));
        try {
            e.run(inputs);
        } catch (const tutti::error& failure) {
            return failure.what();
        }
        return "(not refused)";
    };
    for (const bool first : {false, true})
        for (const bool second : {false, true}) {
            const std::string expected = refusal({}, first, second);
            CHECK((expected.find("(9000)") != std::string::npos) == first);
            CHECK((expected.find("(9001)") != std::string::npos) == (second && !first));
            CHECK(refusal(pool, first, second) == expected);
            CHECK(refusal(reversed, first, second) == expected);
        }
}

TEST_CASE("branches: max_work covers all branches together", "[relay][eval]") {
    const relay::ir_module m = tutti::test::program(takes_x + "(exp(%x), tanh(%x)) }");
    tutti::thread_pool pool(2);
    const auto suffices = [&](std::uint64_t most) {
        relay::evaluator e(m, relay::kernels::reference(), {.max_work = most, .on = pool});
        const std::vector<tensor> inputs{relay::synthetic_input("x", e.types(), e.parameters()[0].type, 1)};
        try {
            e.run(inputs);
            return true;
        } catch (const tutti::error&) {
            return false;
        }
    };
    constexpr std::uint64_t one = eval::steps_of_call + 64 * 96 * (eval::steps_of_reading + eval::steps_of_writing);
    CHECK(suffices(2 * one));
    CHECK_FALSE(suffices(2 * one - 1));
}
