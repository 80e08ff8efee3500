#include <tutti/relay/eval/plan_memory.hpp>

#include <tutti/parallel/thread_pool.hpp>
#include <tutti/relay/eval/evaluator.hpp>
#include <tutti/relay/eval/lowering.hpp>
#include <tutti/relay/eval/reference.hpp>
#include <tutti/relay/op/infer.hpp>

#include "programs.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <string>

namespace relay = tutti::relay;
namespace eval = tutti::relay::detail;
using relay::tensor;
using relay::kernels::reference;

namespace {

const std::string takes_x = "def @main(%c: bool, %x: Tensor[(64, 96), float32]) {\n";

struct planned_program {
    explicit planned_program(const std::string& body) : module(tutti::test::program(takes_x + body + "}")) {
        relay::infer_types(module);
        program = eval::lower(module, "main", reference(), {.forks = true});
    }

    const eval::code& entry() const { return program.codes[program.entry]; }
    std::ptrdiff_t count(eval::opcode what) const { return std::ranges::count(entry().steps, what, &eval::step::what); }

    relay::ir_module module;
    eval::program program;
};

} // namespace

TEST_CASE("plan_memory: forks are steps of the code that runs without an observer", "[relay][eval]") {
    const planned_program p("(exp(%x), tanh(%x))");
    CHECK(p.count(eval::opcode::fork) == 1);
    CHECK(p.entry().single.size() + 1 == p.entry().steps.size());
    CHECK(std::ranges::count(p.entry().single, eval::opcode::fork, &eval::step::what) == 0);
}

TEST_CASE("plan_memory: jumps lead past forks and to them", "[relay][eval]") {
    const planned_program p("%0 = if (%c) { (exp(%x), tanh(%x)) } else { (%x, %x) };\n"
                            "(sin(%0.0), cos(%0.1), tan(%x))");
    REQUIRE(p.count(eval::opcode::fork) == 1);
    const auto end_of_if = std::ranges::find(p.entry().steps, eval::opcode::jump, &eval::step::what);
    REQUIRE(end_of_if != p.entry().steps.end());
    CHECK(p.entry().steps[end_of_if->target].what == eval::opcode::fork);
    tutti::thread_pool pool(2);
    relay::evaluator alone(p.module, reference()), threads(p.module, reference(), {.on = pool});
    const tensor x(relay::dtype::float32, {64, 96});
    for (const bool c : {false, true}) {
        const tensor inputs[]{tensor::scalar(c), x};
        const auto expected = alone.run(inputs);
        const auto made = threads.run(inputs);
        for (std::size_t n = 0; n < made.size(); ++n)
            CHECK(std::ranges::equal(made[n].elements<float>(), expected[n].elements<float>()));
    }
}

TEST_CASE("plan_memory: no fork if it takes a tenth more memory than the peak", "[relay][eval]") {
    std::string body;
    std::string all;
    for (int n = 0; n < 5; ++n) { // each sum has a large operand of its own
        const std::string name = "%" + std::to_string(n);
        body += name + " = sum(transpose(transpose(%x, axes=[1, 0]), axes=[1, 0]), axis=[0]);\n";
        all += (n == 0 ? "" : ", ") + name;
    }
    const planned_program p(body + "concatenate((" + all + "))");
    CHECK(p.count(eval::opcode::fork) == 0);
    CHECK(p.program.forks.empty());
}
