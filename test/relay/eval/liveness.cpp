#include <tutti/relay/eval/liveness.hpp>

#include "support/catch.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace eval = tutti::relay::detail;
using eval::opcode;
using eval::operand_id;

namespace {

struct coder {
    eval::code c{};

    void step(opcode what, std::vector<operand_id> inputs, std::vector<operand_id> outputs, std::uint32_t target = 0) {
        c.steps.push_back({.what = what,
                           .target = target,
                           .first = static_cast<std::uint32_t>(c.operands.size()),
                           .inputs = static_cast<std::uint32_t>(inputs.size()),
                           .outputs = static_cast<std::uint32_t>(outputs.size())});
        for (const auto& list : {inputs, outputs})
            for (const operand_id o : list) {
                c.operands.push_back(o);
                if (!eval::is_constant(o)) c.slots = std::max(c.slots, o + 1);
            }
    }

    // Returns the values that each step releases, and "-" for each unused result.
    std::string released() {
        eval::note_last_uses(c);
        std::string text;
        for (const eval::step& i : c.steps) {
            std::vector<operand_id> all(c.released_by(i).begin(), c.released_by(i).end());
            std::ranges::sort(all);
            for (const operand_id o : all) text += std::to_string(o);
            for (const operand_id o : c.outputs(i)) text += o == eval::nowhere ? "-" : "";
            text += ' ';
        }
        return text;
    }
};

} // namespace

TEST_CASE("liveness: a slot is released by the step that uses it last, a result without use at once", "[relay][eval]") {
    coder c;
    c.c.params = 3; // the third is unused
    c.step(opcode::release, {}, {});
    c.step(opcode::call_op, {0, 0}, {3, 4});
    c.step(opcode::call_op, {1, 3}, {5});
    c.step(opcode::call_op, {5, 3}, {6});
    c.step(opcode::leave, {6, 6, eval::constant_bit | 1}, {});
    CHECK(c.released() == "2 0- 1 35 6 ");
}

TEST_CASE("liveness: a value used in one branch is released there and at the start of the other", "[relay][eval]") {
    coder c;
    c.c.params = 5; // 0 is the condition; 1 is used before the branches, 2 in the first, 3 in both, 4 after them
    c.step(opcode::release, {}, {});
    c.step(opcode::call_op, {1}, {5});
    c.step(opcode::jump_unless, {0}, {}, 7);
    c.step(opcode::release, {}, {});
    c.step(opcode::call_op, {2, 3}, {6});
    c.step(opcode::move, {6}, {7});
    c.step(opcode::jump, {}, {}, 9);
    c.step(opcode::release, {}, {});
    c.step(opcode::move, {3}, {7});
    c.step(opcode::call_op, {7, 4}, {8});
    c.step(opcode::leave, {8}, {});
    CHECK(c.released() == " 1- 0  23 6  2 3 47 8 ");
}

TEST_CASE("liveness: branches within branches", "[relay][eval]") {
    coder c;
    c.c.params = 4;                           // 0: conditions; 1 and 2 are used in the inner branches, 3 in the outer
    c.step(opcode::release, {}, {});          // 0
    c.step(opcode::jump_unless, {0}, {}, 11); // 1
    c.step(opcode::release, {}, {});          // 2
    c.step(opcode::jump_unless, {0}, {}, 7);  // 3
    c.step(opcode::release, {}, {});          // 4
    c.step(opcode::move, {1}, {4});           // 5
    c.step(opcode::jump, {}, {}, 9);          // 6
    c.step(opcode::release, {}, {});          // 7
    c.step(opcode::move, {2}, {4});           // 8
    c.step(opcode::move, {4}, {5});           // 9
    c.step(opcode::jump, {}, {}, 13);         // 10
    c.step(opcode::release, {}, {});          // 11
    c.step(opcode::move, {3}, {5});           // 12
    c.step(opcode::leave, {5}, {});           // 13
    CHECK(c.released() == "  3 0 2 1  1 2 4  012 3 5 ");
}
