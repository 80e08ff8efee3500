#include <tutti/relay/debug/edit_expressions.hpp>

#include <tutti/relay/op/standard_ops.hpp>

#include "edited.hpp"
#include "support/catch.hpp"

#include <string>

using namespace tutti::relay;

namespace {
const std::string chain = R"(def @main(%x: Tensor[(2, 3), float32], %p0: Tensor[(2, 3), float32]) {
  %0 = nn.relu(%x);
  %1 = add(%0, %p0);
  exp(%1)
})";
const std::string lets = R"(def @main(%x: Tensor[(2), float32]) {
  let %a = exp(%x);
  let %b = add(%a, %a);
  nn.relu(%b)
})";
const std::string branches = R"(def @main(%c: bool, %x: Tensor[(2), float32]) {
  if (%c) {
    exp(%x)
  } else {
    nn.relu(%x)
  }
})";
} // namespace

TEST_CASE("replace_by_parameters: uses free names, and removes unused expressions", "[relay][debug]") {
    CHECK(places(chain, replace_by_parameters) == 3);
    CHECK(edited(chain, replace_by_parameters, {1}) ==
          R"(def @main(%x: Tensor[(2, 3), float32], %p0: Tensor[(2, 3), float32], %p1: Tensor[(2, 3), float32]) {
  exp(%p1)
}
)");
    CHECK(edited(chain, replace_by_parameters, {0}).find("add(%p1, %p0)") != std::string::npos);
    const std::string two =
        edited(R"(def @main(%x: Tensor[(2), float32]) { add(exp(%x), nn.relu(%x)) })", replace_by_parameters, {0, 1});
    CHECK(two.find("add(%p0, %p1)") != std::string::npos);
    // No parameters are added to a function that is called.
    CHECK(places("def @f(%x: float32) -> float32 { exp(%x) }\ndef @main(%x: float32) { @f(%x) }",
                 replace_by_parameters) == 1);
}

TEST_CASE("replace_by_operands: arguments of the same type, branches", "[relay][debug]") {
    CHECK(places(chain, replace_by_operands) == 4);
    CHECK(edited(chain, replace_by_operands, {0, 1, 3}).ends_with("{\n  %x\n}\n"));
    CHECK(edited(chain, replace_by_operands, {2}).find("exp(%p0)") != std::string::npos);
    CHECK(edited(branches, replace_by_operands, {0, 1, 3}).ends_with("{\n  %x\n}\n"));
    CHECK(edited(branches, replace_by_operands, {3}).find("nn.relu(%x)") != std::string::npos);
    CHECK(edited(R"(def @main(%x: Tensor[(1, 2), float32], %s: Tensor[(2), float32]) {
  nn.batch_norm(%x, %s, %s, %s, %s).0
})",
                 replace_by_operands, {0})
              .ends_with("{\n  %x\n}\n"));
}

TEST_CASE("replace_by_zeros, replace_by_ones: replaces small tensors", "[relay][debug]") {
    CHECK(places(chain, replace_by_zeros) == 3);
    CHECK(edited("def @main(%x: float32) { add(exp(%x), %x) }", replace_by_zeros, {0}).find("add(0f, %x)") !=
          std::string::npos);
    CHECK(edited("def @main(%x: float32) { add(exp(%x), %x) }", replace_by_ones, {0}).find("add(1f, %x)") !=
          std::string::npos);
    CHECK(places("def @main(%x: Tensor[(1000, 1000), float32]) { exp(%x) }", replace_by_ones) == 0);
}

TEST_CASE("cut_ends: the last first", "[relay][debug]") {
    CHECK(places(chain, cut_ends) == 2);
    CHECK(edited(chain, cut_ends, {0}).find("exp") == std::string::npos);
    CHECK(edited(chain, cut_ends, {0, 1}).find("add") == std::string::npos);
    CHECK(edited(chain, cut_ends, {1}).find("nn.relu") != std::string::npos);
}

TEST_CASE("cut_lets, inline_lets", "[relay][debug]") {
    CHECK(places(lets, cut_lets) == 2);
    CHECK(edited(lets, cut_lets, {0}).find("nn.relu") == std::string::npos);
    CHECK(edited(lets, cut_lets, {0, 1}).find("add") == std::string::npos);
    CHECK(places(lets, inline_lets) == 2);
    CHECK(edited(lets, inline_lets, {0, 1}).find("let") == std::string::npos);
    CHECK(edited(lets, inline_lets, {1}).find("let %b") != std::string::npos);
    CHECK(edited(lets, inline_lets, {0}).find("nn.relu(%0)") != std::string::npos);
    // A recursive function is not inlined.
    CHECK(places(R"(def @main(%x: float32) -> float32 {
  let %f = fn (%n: float32) -> float32 { %f(%n) };
  %f(%x)
})",
                 inline_lets) == 0);
}

TEST_CASE("inline_calls: inlines function literals, and functions of the module", "[relay][debug]") {
    const std::string text = R"(def @f(%y: Tensor[(2), float32]) -> Tensor[(2), float32] { exp(%y) }
def @main(%x: Tensor[(2), float32]) {
  %0 = fn (%z: Tensor[(2), float32]) { add(%z, %z) };
  %1 = %0(%x);
  @f(%1)
})";
    CHECK(places(text, inline_calls) == 2);
    const std::string both = edited(text, inline_calls, {0, 1});
    CHECK(both.find("%0 = add(%x, %x);\n  exp(%0)") != std::string::npos);
}

TEST_CASE("drop_fields, take_fields", "[relay][debug]") {
    const std::string text = R"(def @main(%x: Tensor[(2), float32]) {
  %0 = (exp(%x), nn.relu(%x), %x);
  (%0.1, concatenate((%x, %x)))
})";
    CHECK(places(text, drop_fields) == 4); // a tuple that is projected is not edited
    CHECK(edited(text, drop_fields, {0}).find("= (%x,);") != std::string::npos);
    CHECK(edited(text, drop_fields, {3}).ends_with(".1\n}\n")); // the field itself, not a tuple of one field
    CHECK(places(text, take_fields) == 1);
    CHECK(edited(text, take_fields, {0}).find("exp") == std::string::npos);
}
