#include <tutti/relay/transform/passes/to_basic_block_normal_form.hpp>

#include <tutti/relay/ir/verify.hpp>

#include "relay/programs.hpp"
#include "relay/transform/fuse_programs.hpp"
#include "support/catch.hpp"

using namespace tutti;

TEST_CASE("to_basic_block_normal_form: changes only types if scopes share nothing", "[relay][transform]") {
    relay::ir_module m = test::typed(test::residual_block);
    const std::string before = test::bare_text(m);
    relay::to_basic_block_normal_form{}(m);
    CHECK(test::bare_text(m) == before);
}

TEST_CASE("to_basic_block_normal_form: is idempotent", "[relay][transform]") {
    relay::ir_module m =
        test::typed("def @main(%c: bool, %x: float32) {\n  %0 = exp(%x);\n  %1 = fn () {\n    log(%0)\n  };\n"
                    "  %2 = fn () {\n    tanh(%0)\n  };\n  %3 = (%1, %2);\n  %3\n}");
    relay::to_basic_block_normal_form{}(m);
    const std::string once = test::bare_text(m);
    CHECK(once.find("let %x_0 = exp(%x);") != std::string::npos);
    relay::to_basic_block_normal_form{}(m);
    CHECK(test::bare_text(m) == once);
}

TEST_CASE(
    "to_basic_block_normal_form: a let of a variable that moves out of a branch renames nothing, also the second time",
    "[relay][transform]") {
    relay::ir_module m = test::typed("def @main(%c: bool, %x: float32) {\n  if (%c) {\n    %x\n  } else {\n"
                                     "    let %y = %x;\n    exp(%y)\n  }\n}");
    relay::to_basic_block_normal_form{}(m);
    const std::string once = test::bare_text(m);
    INFO(once);
    CHECK(once.find(" = %x;\n  if (%c) {\n    %x\n") != std::string::npos);
    relay::to_basic_block_normal_form{}(m);
    CHECK(test::bare_text(m) == once);
}

TEST_CASE("to_basic_block_normal_form: a let of a parameter leaves the parameter in the function",
          "[relay][transform]") {
    relay::ir_module m =
        test::typed("def @main(%d: int32, %b: int32) -> int32 {\n  let %a = %b;\n  let %c = %d;\n  %c\n}");
    const std::string before = test::bare_text(m);
    relay::to_basic_block_normal_form{}(m);
    relay::verify_structure(m);
    CHECK(test::bare_text(m) == before);
}
