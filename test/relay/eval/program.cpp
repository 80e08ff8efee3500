#include <tutti/relay/eval/program.hpp>

#include "support/catch.hpp"

#include <vector>

namespace eval = tutti::relay::detail;

TEST_CASE("program: a step's operands are in its code's lists", "[relay][eval]") {
    const eval::code c{.name = "main", .operands = {9, 1, 2, 3, 4}, .released = {7, 1, 2}};
    const eval::step i{
        .what = eval::opcode::move, .first = 1, .inputs = 1, .outputs = 3, .first_released = 1, .released = 2};
    const auto list = [](auto span) { return std::vector<eval::operand_id>(span.begin(), span.end()); };
    CHECK(list(c.inputs(i)) == std::vector<eval::operand_id>{1});
    CHECK(list(c.outputs(i)) == std::vector<eval::operand_id>{2, 3, 4});
    CHECK(list(c.released_by(i)) == std::vector<eval::operand_id>{1, 2});
    CHECK(eval::is_constant(5 | eval::constant_bit));
    CHECK_FALSE(eval::is_constant(5));
}
