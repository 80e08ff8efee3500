#include <tutti/relay/transform/passes/to_a_normal_form.hpp>

#include <tutti/relay/ir/verify.hpp>

#include "relay/programs.hpp"
#include "relay/transform/evaluate.hpp"
#include "relay/transform/fuse_programs.hpp"
#include "support/catch.hpp"

#include <string>
#include <string_view>

using namespace tutti;

TEST_CASE("to_a_normal_form: keeps results", "[relay][transform]") {
    relay::ir_module m = test::typed(test::residual_block);
    const kernel::tensor expected = test::evaluate(m, 7);
    relay::to_a_normal_form{}(m);
    CHECK(test::bare_text(m).find("let %x_5 = add(%x_3, %x_4);\n  %x_5\n") != std::string::npos);
    CHECK(test::relative_difference(expected, test::evaluate(m, 7)) == 0);
}

TEST_CASE("to_a_normal_form: numbers its variables across all functions of a module", "[relay][transform]") {
    relay::ir_module m = test::typed("def @f(%x: float32) {\n  exp(%x)\n}\ndef @g(%x: float32) {\n  @f(%x)\n}");
    relay::to_a_normal_form{}(m);
    CHECK(test::bare_text(m) == "def @f(%x: float32) -> float32 {\n  let %x_0 = exp(%x);\n  %x_0\n}\n\n"
                                "def @g(%x1: float32) -> float32 {\n  let %x_1 = @f(%x1);\n  %x_1\n}\n");
}

TEST_CASE("to_a_normal_form: avoids names that the program uses", "[relay][transform]") {
    relay::ir_module m = test::typed("def @main(%x_0: float32, %x_2: float32) {\n  exp(add(%x_0, %x_2))\n}");
    relay::to_a_normal_form{}(m);
    relay::verify_structure(m);
    CHECK(test::bare_text(m) == "def @main(%x_0: float32, %x_2: float32) -> float32 {\n"
                                "  let %x_01 = add(%x_0, %x_2);\n  let %x_1 = exp(%x_01);\n  %x_1\n}\n");
    relay::graph& g = m.find("main")->graph;
    const auto strings = g.strings().size();
    g.strings().add("x_0");
    g.strings().add("x_1");
    CHECK(g.strings().size() == strings);
}

TEST_CASE("to_a_normal_form: a let of a parameter leaves the parameter in the function", "[relay][transform]") {
    relay::ir_module m =
        test::typed("def @main(%d: int32, %b: int32) -> int32 {\n  let %a = %b;\n  let %c = %d;\n  negative(%c)\n}");
    relay::to_a_normal_form{}(m);
    relay::verify_structure(m);
    CHECK(test::bare_text(m) == "def @main(%d: int32, %b: int32) -> int32 {\n  let %a: int32 = %b;\n"
                                "  let %c: int32 = %d;\n  let %x_0 = negative(%c);\n  let %x_1 = %x_0;\n"
                                "  let %x_2 = %x_1;\n  %x_2\n}\n");
}

TEST_CASE("to_a_normal_form: a program in normal form is unchanged", "[relay][transform]") {
    for (
        const std::string_view program : {
            "def @main(%x: float32) {\n  let %a = add(%x, 1f);\n  multiply(%a, %a)\n}",
            "def @main(%d: int32) {\n  let %c = %d;\n  %c\n}",
            "def @main(%x: float32, %c: bool) {\n  let %a = if (%c) {\n    negative(exp(%x))\n  } else {\n    %x\n  };\n"
            "  let %f = fn (%y: float32) {\n    add(%y, %a)\n  };\n  %f(%a)\n}",
        }) {
        relay::ir_module m = test::typed(program);
        relay::to_a_normal_form{}(m);
        const std::string once = test::bare_text(m);
        relay::to_a_normal_form{}(m);
        CHECK(test::bare_text(m) == once);
        relay::infer_types(m);
        relay::to_a_normal_form{}(m);
        relay::infer_types(m);
        const std::string typed = test::bare_text(m);
        relay::to_a_normal_form{}(m);
        CHECK(test::bare_text(m) == typed);
    }
}

TEST_CASE("to_a_normal_form: a let of a let's variable leaves the variable in its let", "[relay][transform]") {
    relay::ir_module m = test::typed("def @main(%x: float32) {\n  let %a = %x;\n  let %b = %a;\n  let %c = %a;\n"
                                     "  %0 = add(%c, %b);\n  multiply(%0, %x)\n}");
    relay::to_a_normal_form{}(m);
    relay::verify_structure(m);
    relay::infer_types(m);
    CHECK(test::bare_text(m) ==
          "def @main(%x: float32) -> float32 {\n  let %a: float32 = %x;\n  let %b: float32 = %a;\n"
          "  let %c: float32 = %b;\n  let %x_0: float32 = add(%c, %b);\n"
          "  let %x_1: float32 = multiply(%x_0, %a);\n  let %x_2: float32 = %x_1;\n"
          "  let %x_3: float32 = %x_2;\n  let %x_4: float32 = %x_3;\n  %x_4\n}\n");
}

TEST_CASE("to_a_normal_form: a let of a parameter inside a function leaves it in that function", "[relay][transform]") {
    relay::ir_module m =
        test::typed("def @main(%x: float32) {\n  let %f = fn (%p: float32, %q: float32) {\n    let %r = %q;\n"
                    "    add(%p, %r)\n  };\n  let %g = %f;\n  let %y = %x;\n  %g(%y, %x)\n}");
    relay::to_a_normal_form{}(m);
    relay::verify_structure(m);
    relay::infer_types(m);
    CHECK(test::bare_text(m).find("fn (%p: float32, %q: float32) -> float32 {\n    let %r: float32 = %q;") !=
          std::string::npos);
}
