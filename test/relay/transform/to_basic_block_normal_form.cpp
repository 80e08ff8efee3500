#include <tutti/relay/transform/to_basic_block_normal_form.hpp>

#include "catch.hpp"

#include "../programs.hpp"
#include "fuse_programs.hpp"

using namespace tutti;

TEST_CASE("to_basic_block_normal_form: changes nothing but types where no scopes share", "[relay][transform]") {
    relay::ir_module m = test::typed(test::residual_block);
    const std::string before = test::bare_text(m);
    relay::to_basic_block_normal_form{}(m);
    CHECK(test::bare_text(m) == before);
}

TEST_CASE("to_basic_block_normal_form: done twice is done once", "[relay][transform]") {
    relay::ir_module m = test::typed("def @main(%c: bool, %x: float32) {\n  %0 = exp(%x);\n  %1 = fn () {\n    log(%0)\n  };\n"
                                     "  %2 = fn () {\n    tanh(%0)\n  };\n  %3 = (%1, %2);\n  %3\n}");
    relay::to_basic_block_normal_form{}(m);
    const std::string once = test::bare_text(m);
    CHECK(once.find("let %x_0 = exp(%x);") != std::string::npos);
    relay::to_basic_block_normal_form{}(m);
    CHECK(test::bare_text(m) == once);
}
