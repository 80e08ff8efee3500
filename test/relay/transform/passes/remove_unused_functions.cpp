#include <tutti/relay/transform/passes/remove_unused_functions.hpp>

#include <tutti/relay/text/parser.hpp>

#include "relay/programs.hpp"
#include "support/catch.hpp"

using namespace tutti;

namespace {

relay::ir_module program() {
    return relay::parse("def @alone(%x: float32) {\n  @alone(%x)\n}\n"
                        "def @even(%x: float32) {\n  @odd(%x)\n}\n"
                        "def @leaf(%x: float32) {\n  exp(%x)\n}\n"
                        "def @main(%x: float32) {\n  let %f = @middle;\n  %f(%x)\n}\n"
                        "def @middle(%x: float32) {\n  @leaf(%x)\n}\n"
                        "def @odd(%x: float32) {\n  @even(%x)\n}\n");
}

std::string left(relay::remove_unused_functions pass) {
    relay::ir_module m = program();
    pass(m);
    std::string names;
    for (const auto& [name, f] : m) names += name + ' ';
    return names;
}

} // namespace

TEST_CASE("remove_unused_functions: keeps functions that main needs, directly or indirectly", "[relay][transform]") {
    CHECK(left({}) == "leaf main middle ");
    CHECK(left({.entry_functions = {"main"}}) == "leaf main middle ");
    CHECK(left({.entry_functions = {"odd"}}) == "even odd ");
    CHECK(left({.entry_functions = {"middle", "even", "alone"}}) == "alone even leaf middle odd ");
}

TEST_CASE("remove_unused_functions: refuses missing entries and callees", "[relay][transform]") {
    relay::ir_module m = program();
    CHECK(test::refusal(m, [](relay::ir_module& it) {
              relay::remove_unused_functions{.entry_functions = {"mian"}}(it);
          }) == "RemoveUnusedFunctions: @mian: is not in the module; did you mean `@main`?");
    m.remove_if([](const auto& d) { return d.name == "leaf"; });
    CHECK(test::refusal(m, [](relay::ir_module& it) { relay::remove_unused_functions{}(it); }) ==
          "RemoveUnusedFunctions: @leaf: is not in the module; expected a function of the module");
}
