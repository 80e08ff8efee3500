#include <tutti/relay/eval/lowering.hpp>

#include "lowered.hpp"
#include "support/catch.hpp"

namespace eval = tutti::relay::detail;
using eval::opcode;
using tutti::test::lowered;
using tutti::test::refusal;

TEST_CASE("lowering: functions of the module call each other by number", "[relay][eval]") {
    const lowered l("def @f(%x: float32) { %x } def @main(%x: float32) { @f(@f(%x)) }");
    CHECK(l.program.codes[0].name == "f");
    CHECK(l.program.entry == 1);
    CHECK(l.count(opcode::call_code) == 2);
    CHECK(l.main().steps[1].target == 0);
}

TEST_CASE("lowering: functions that are not called are not lowered", "[relay][eval]") {
    const lowered l("def @f(%x: float32) { exp(%x) } def @main(%x: float32) { %x }");
    CHECK(l.count(opcode::call_op) == 0);
    CHECK(l.program.codes[0].steps.empty());
}

TEST_CASE("lowering: refuses a missing function, and an error in a function names it", "[relay][eval]") {
    const lowered l("def @main(%x: float32) { %x }");
    try {
        eval::lower(l.module, "none", {});
        FAIL("not refused");
    } catch (const tutti::error& e) {
        CHECK(e.where() == "@none");
    }
    const std::string said = refusal("def @main(%x: float32) { let %y: float32 = add(%x, %y); %y }");
    CHECK(said.find("before it has a value") != std::string::npos);
    CHECK(said.find("@main") == 0);
}
