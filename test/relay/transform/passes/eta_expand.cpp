#include <tutti/relay/transform/passes/eta_expand.hpp>

#include <tutti/relay/op/verify.hpp>

#include "relay/programs.hpp"
#include "relay/transform/fuse_programs.hpp"
#include "support/catch.hpp"

using namespace tutti;

namespace {

constexpr std::string_view program = "def @f(%x: float32, %y: float32) -> float32 {\n  add(%x, %y)\n}\n\n"
                                     "def @main(%c: bool, %z: float32) -> float32 {\n"
                                     "  %0 = if (%c) {\n    @f\n  } else {\n    @f\n  };\n"
                                     "  %0(%z, %z)\n}\n";

} // namespace

TEST_CASE("eta_expand: a function of the module becomes a literal that calls it", "[relay][transform]") {
    relay::ir_module m = test::typed(program);
    relay::eta_expand{.expand_global_var = true}(m);
    CHECK(test::bare_text(m) == "def @f(%x: float32, %y: float32) -> float32 {\n  add(%x, %y)\n}\n\n"
                                "def @main(%c: bool, %z: float32) -> float32 {\n"
                                "  %1 = if (%c) {\n"
                                "    %0 = fn (%eta_expand_param: float32, %eta_expand_param1: float32) -> float32 {\n"
                                "      @f(%eta_expand_param, %eta_expand_param1)\n    };\n    %0\n"
                                "  } else {\n    %0\n  };\n  %1(%z, %z)\n}\n");
    relay::infer_types(m);
    relay::verify(m);
}

TEST_CASE("eta_expand: calls lose their types, literals get one", "[relay][transform]") {
    relay::ir_module m = test::typed("def @f(%x: float32) -> float32 {\n  exp(%x)\n}\n\ndef @main() {\n  @f\n}\n");
    relay::eta_expand{.expand_global_var = true}(m);
    const relay::function& f = *m.find("f");
    CHECK(f.graph.type(f.graph.body(f.root)) == relay::type_id::none);
    const relay::function& main = *m.find("main");
    const relay::expr_id literal = main.graph.body(main.root);
    CHECK(relay::to_text(main.graph.types(), main.graph.type(literal)) == "fn (float32) -> float32");
    CHECK(main.graph.type(main.graph.body(literal)) == relay::type_id::none);
}

TEST_CASE("eta_expand: without expand_global_var, functions are unchanged", "[relay][transform]") {
    relay::ir_module m = test::typed(program);
    const std::string before = test::bare_text(m);
    relay::eta_expand{.expand_constructor = true}(m);
    CHECK(test::bare_text(m) == before);
}

TEST_CASE("eta_expand: refuses to expand nothing, and missing functions", "[relay][transform]") {
    relay::ir_module m = test::typed(program);
    CHECK(test::refusal(m, [](relay::ir_module& it) { relay::eta_expand{}(it); }) ==
          "EtaExpand: nothing is to be expanded; expected expand_constructor or expand_global_var");
    m.remove_if([](const auto& d) { return d.name == "f"; });
    CHECK(test::refusal(m, [](relay::ir_module& it) { relay::eta_expand{.expand_global_var = true}(it); }) ==
          "EtaExpand: @f: is not in the module; expected a function of the module");
}
