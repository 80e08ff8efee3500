#include <tutti/relay/eval/function_lowering.hpp>

#include "lowered.hpp"
#include "support/catch.hpp"

namespace eval = tutti::relay::detail;
using eval::opcode;
using tutti::test::lowered;
using tutti::test::refusal;

TEST_CASE("function_lowering: tuples take no steps, and shared values are computed once", "[relay][eval]") {
    const lowered l("def @main(%x: float32) { %0 = exp(%x); let %t = (%0, (%x, %0)); %1 = %t.1; (%1.1, %0, %t) }");
    CHECK(l.count(opcode::call_op) == 1);
    REQUIRE(l.main().steps.size() == 3);
    CHECK(l.main().inputs(l.main().steps.back()).size() == 5);
}

TEST_CASE("function_lowering: an expression is computed in the innermost branch or function that all its "
          "uses are in",
          "[relay][eval]") {
    const lowered one("def @main(%c: bool, %x: float32) { %0 = exp(%x); if (%c) { add(%0, %0) } else { %x } }");
    CHECK(one.main().steps[1].what == opcode::jump_unless);
    const lowered both("def @main(%c: bool, %x: float32) { %0 = exp(%x); if (%c) { add(%0, %0) } else { %0 } }");
    CHECK(both.main().steps[1].what == opcode::call_op);
    const lowered inner("def @main(%x: float32) { %0 = exp(%x); %1 = fn (%y: float32) { add(%y, %0) }; %1(%x) }");
    CHECK(inner.program.codes.back().captured.size() == 1);
}

TEST_CASE("function_lowering: functions between a value and its use capture it once each", "[relay][eval]") {
    const lowered l("def @main(%x: float32) { %0 = exp(%x); %2 = fn () { %1 = fn () { (%0, %0, %x) }; %1() "
                    "}; (%2(), %0) }");
    CHECK(l.program.codes[1].captured.size() == 2);
    CHECK(l.program.codes[2].captured.size() == 2);
    CHECK(l.count(opcode::make_closure) == 2);
}

TEST_CASE("function_lowering: a function that captures nothing is a constant, called directly", "[relay][eval]") {
    const lowered l("def @f(%x: float32) { %x } def @main(%x: float32) { %0 = fn (%y: float32) { exp(%y) }; "
                    "%1 = %0(%x); %0(@f(%1)) }");
    CHECK(l.count(opcode::call_code) == 3);
    CHECK(l.count(opcode::make_closure) == 0);
    CHECK(l.count(opcode::call_closure) == 0);
}

TEST_CASE("function_lowering: a function that calls itself has a slot for itself", "[relay][eval]") {
    const lowered l("def @main(%x: float32) { let %f = fn (%y: float32) -> float32 { %f(%y) }; %f(%x) }");
    CHECK(l.program.codes[0].self == eval::nowhere);
    CHECK(l.program.codes[1].self == 1);
}

TEST_CASE("function_lowering: a short text whose tuples have more values than memory is refused", "[relay][eval]") {
    std::string text = "def @main(%x: float32) { %0 = (%x, %x);";
    const auto line = [&](int n, bool twice) {
        const std::string before = '%' + std::to_string(n - 1);
        text += " %" + std::to_string(n) + " = (" + before + (twice ? ", " + before + ");" : ",);");
    };
    for (int n = 1; n < 20; ++n) line(n, true); // doubles the number of values, up to 2^20
    for (int n = 20; n < 300; ++n) line(n, false);
    CHECK(refusal(text + " %299 }").find("too many values") != std::string::npos);
}

TEST_CASE("function_lowering: an operator that is no call's is refused", "[relay][eval]") {
    CHECK(refusal("def @main(%x: float32) { let %f: fn (float32) -> float32 = exp; %f(%x) }") != "(not refused)");
}
