#include <tutti/relay/debug/edit_signatures.hpp>

#include <tutti/relay/op/standard_ops.hpp>

#include "edited.hpp"
#include "support/catch.hpp"

#include <string>

using namespace tutti::relay;

namespace {
const std::string functions = R"(def @f(%y: float32, %z: float32) -> float32 { exp(%y) }
def @g(%y: float32) -> float32 { @f(%y, %y) }
def @main(%x: float32, %w: float32, %v: float32) {
  %0 = fn (%a: float32, %b: float32) { nn.relu(%b) };
  %1 = %0(%w, %x);
  @f(%1, %1)
})";
} // namespace

TEST_CASE("drop_functions: with those that call them", "[relay][debug]") {
    CHECK(places(functions, drop_functions) == 3);
    CHECK(edited(functions, drop_functions, {1}).find("@g") == std::string::npos);
    CHECK(edited(functions, drop_functions, {0}).empty());
    CHECK(edited(functions, drop_functions, {1, 2}).find("@main") == std::string::npos);
}

TEST_CASE("drop_parameters: with the arguments", "[relay][debug]") {
    CHECK(places(functions, drop_parameters) == 3); // %z, %v, %a
    const std::string all = edited(functions, drop_parameters, {0, 1, 2});
    CHECK(all.find("def @f(%y: float32) {") != std::string::npos);
    CHECK(all.find("@f(%y1)") != std::string::npos);
    CHECK(all.find("def @main(%x: float32, %w: float32) {") != std::string::npos);
    CHECK(all.find("(%x)") != std::string::npos);
    CHECK(all.find("@f(%1)") != std::string::npos);
    CHECK(edited(functions, drop_parameters, {1}).find("@f(%1, %1)") != std::string::npos);
}

TEST_CASE("merge_parameters: applies to functions without callers", "[relay][debug]") {
    const std::string text = "def @main(%x: float32, %y: float32, %z: int32, %w: float32) { add(add(%x, %y), %w) }";
    CHECK(places(text, merge_parameters) == 2);
    const std::string both = edited(text, merge_parameters, {0, 1});
    CHECK(both.find("(%x: float32, %z: int32)") != std::string::npos);
    CHECK(both.find("add(%0, %x)") != std::string::npos);
    CHECK(places(functions, merge_parameters) == 2); // @main's
}

TEST_CASE("drop_function_attributes", "[relay][debug]") {
    const std::string text = "def @main(%x: float32) { %0 = fn (%y: float32, Primitive=1) { exp(%y) }; %0(%x) }";
    CHECK(places(text, drop_function_attributes) == 1);
    CHECK(edited(text, drop_function_attributes, {0}).find("Primitive") == std::string::npos);
}

TEST_CASE("open_functions: their parameters are the outer function's", "[relay][debug]") {
    const std::string text = "def @main(%x: float32) { fn (%y: float32) { add(%x, %y) } }";
    CHECK(places(text, open_functions) == 1);
    const std::string opened = edited(text, open_functions, {0});
    CHECK(opened == "def @main(%x: float32, %y: float32) {\n  add(%x, %y)\n}\n");
}
