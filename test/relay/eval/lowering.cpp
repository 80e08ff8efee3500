#include <tutti/relay/eval/lowering.hpp>

#include <algorithm>
#include <vector>

#include <tutti/relay/op/infer.hpp>

#include "catch.hpp"
#include "programs.hpp"

namespace relay = tutti::relay;
using relay::opcode;

namespace {

relay::kernel_function no_kernel(const relay::op_def&) { return nullptr; }

std::size_t count(const relay::program& p, opcode what) {
    std::size_t n = 0;
    for (const relay::code& c : p.codes)
        n += static_cast<std::size_t>(std::ranges::count(c.instructions, what, &relay::instruction::what));
    return n;
}

struct lowered {
    explicit lowered(std::string_view text) : module(tutti::test::program(text)) {
        relay::infer_types(module);
        program = relay::lower(module, "main", no_kernel);
    }
    relay::ir_module module;
    relay::program program;
};

} // namespace

TEST_CASE("lowering: tuples leave no steps, and what is shared is computed once", "[relay][eval]") {
    const lowered l(
        "def @main(%x: float32) { %0 = exp(%x); let %t = (%0, (%x, %0)); %1 = %t.1; (%1.1, %0, %t) }");
    CHECK(count(l.program, opcode::call_op) == 1);
    const auto& main = l.program.codes[l.program.entry];
    REQUIRE(main.instructions.size() == 3);
    CHECK(main.inputs(main.instructions.back()).size() == 5);
}

TEST_CASE("lowering: an expression belongs to the innermost branch or function that all its uses are in",
          "[relay][eval]") {
    const lowered one(
        "def @main(%c: bool, %x: float32) { %0 = exp(%x); if (%c) { add(%0, %0) } else { %x } }");
    const auto& steps = one.program.codes[one.program.entry].instructions;
    CHECK(steps[1].what == opcode::jump_unless);
    const lowered both(
        "def @main(%c: bool, %x: float32) { %0 = exp(%x); if (%c) { add(%0, %0) } else { %0 } }");
    CHECK(both.program.codes[both.program.entry].instructions[1].what == opcode::call_op);
    const lowered inner(
        "def @main(%x: float32) { %0 = exp(%x); %1 = fn (%y: float32) { add(%y, %0) }; %1(%x) }");
    CHECK(inner.program.codes.back().captured.size() == 1);
}

TEST_CASE("lowering: a function that captures nothing is a constant, called directly", "[relay][eval]") {
    const lowered l("def @f(%x: float32) { %x } def @main(%x: float32) { %0 = fn (%y: float32) { exp(%y) }; "
                    "%1 = %0(%x); %0(@f(%1)) }");
    CHECK(count(l.program, opcode::call_code) == 3);
    CHECK(count(l.program, opcode::make_closure) == 0);
    CHECK(count(l.program, opcode::call_closure) == 0);
}

TEST_CASE("lowering: functions that are not called are not lowered", "[relay][eval]") {
    const lowered l("def @f(%x: float32) { exp(%x) } def @main(%x: float32) { %x }");
    CHECK(count(l.program, opcode::call_op) == 0);
}

TEST_CASE("lowering: a value that needs itself is refused", "[relay][eval]") {
    const std::string said =
        tutti::test::refusal("def @main(%x: float32) { let %y: float32 = add(%x, %y); %y }");
    CHECK(said.find("before it has a value") != std::string::npos);
    CHECK(said.find("@main") == 0);
    CHECK(tutti::test::refusal("def @main() { let %y: float32 = %y; %y }").find("itself") !=
          std::string::npos);
}
