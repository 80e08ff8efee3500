#include <tutti/relay/eval/call_space.hpp>

#include "support/catch.hpp"

#include <vector>

namespace eval = tutti::relay::detail;

TEST_CASE("call_space: operands are slots of the frame or constants of the program", "[relay][eval]") {
    eval::cell one, two, three;
    eval::cell* const slots[]{&one, &two};
    eval::cell* const constants[]{&three};
    const std::vector<eval::operand_id> operands{1, 0 | eval::constant_bit, 0};
    const eval::operand_values values{operands, slots, constants};
    REQUIRE(values.size() == 3);
    CHECK(values[0] == &two);
    CHECK(values[1] == &three);
    CHECK(values[2] == &one);
    CHECK(values.first(1).size() == 1);
    CHECK(values.first(1)[0] == &two);
    eval::call_space space;
    space.read(values);
    CHECK(space.inputs.size() == 3);
    space.read(values.first(2)); // replaces the inputs of the previous call
    REQUIRE(space.inputs.size() == 2);
    CHECK(space.inputs[1] == &three.value);
}
