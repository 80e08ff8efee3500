#include <tutti/relay/eval/flatten.hpp>

#include "support/catch.hpp"

#include <string>

namespace eval = tutti::relay::detail;
using eval::opcode;

TEST_CASE("flatten: branches stand behind their test, with jumps between them", "[relay][eval]") {
    // The body (list 1) has an `if` with branches 2 and 3. Branch 2 has an `if` with branches 4 and 5.
    tutti::vector<tutti::relay::plain_vector<eval::step>> steps{
        {},
        {{.what = opcode::release}, {.what = opcode::jump_unless, .target = 2}, {.what = opcode::leave}},
        {{.what = opcode::release}, {.what = opcode::jump_unless, .target = 4}},
        {{.what = opcode::call_op, .target = 7}},
        {{.what = opcode::call_op, .target = 8}},
        {{.what = opcode::call_op, .target = 9}}};
    std::string text;
    for (const eval::step& i : eval::flatten(steps, 1)) {
        text += i.what == opcode::jump_unless ? "unless "
                : i.what == opcode::jump      ? "jump "
                : i.what == opcode::call_op   ? "call "
                                              : "";
        text += i.what == opcode::release ? "release" : i.what == opcode::leave ? "leave" : std::to_string(i.target);
        text += "; ";
    }
    CHECK(text == "release; unless 8; release; unless 6; call 8; jump 7; call 9; jump 9; call 7; leave; ");
    CHECK(steps[1].empty());
}
