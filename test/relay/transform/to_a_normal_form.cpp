#include <tutti/relay/transform/to_a_normal_form.hpp>

#include "catch.hpp"

#include "../programs.hpp"
#include "evaluate.hpp"
#include "fuse_programs.hpp"

using namespace tutti;

TEST_CASE("to_a_normal_form: computes the same", "[relay][transform]") {
    relay::ir_module m = test::typed(test::residual_block);
    const kernel::tensor expected = test::evaluate(m, 7);
    relay::to_a_normal_form{}(m);
    CHECK(test::bare_text(m).find("let %x_5 = add(%x_3, %x_4);\n  %x_5\n") != std::string::npos);
    CHECK(test::relative_difference(expected, test::evaluate(m, 7)) == 0);
}

TEST_CASE("to_a_normal_form: numbers its variables through all functions of a module", "[relay][transform]") {
    relay::ir_module m = test::typed("def @f(%x: float32) {\n  exp(%x)\n}\ndef @g(%x: float32) {\n  @f(%x)\n}");
    relay::to_a_normal_form{}(m);
    CHECK(test::bare_text(m) == "def @f(%x: float32) -> float32 {\n  let %x_0 = exp(%x);\n  %x_0\n}\n\n"
                                "def @g(%x1: float32) -> float32 {\n  let %x_1 = @f(%x1);\n  %x_1\n}\n");
}
