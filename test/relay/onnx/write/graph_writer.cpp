#include <tutti/relay/onnx/write/graph_writer.hpp>

#include <tutti/relay/transform/passes/fuse_ops.hpp>

#include "../round_trip.hpp"
#include "relay/transform/evaluate.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::relay::onnx;
using namespace tutti::test;

namespace {

std::string change_in(std::string_view text, elements kind = elements::small) {
    return change_of(program_of(text), kind);
}
std::string nodes(std::string_view text) { return nodes_of(program_of(text)); }
std::string refusal(std::string_view text) {
    return refused([&] { nodes_of(program_of(text)); });
}

// A loop that counts to %n and doubles %x in each step.
constexpr std::string_view counting = R"(
def @main(%n: int64, %x: Tensor[(2), float32]) {
  let %loop: fn (int64, Tensor[(2), float32]) -> (int64, Tensor[(2), float32]) =
    fn (%i: int64, %v: Tensor[(2), float32]) {
      if (less(%i, %n)) { %loop(add(%i, 1i64), multiply(%v, 2f)) } else { (%i, %v) }
    };
  %loop(0i64, %x)
})";

} // namespace

TEST_CASE("graph_writer: an if is a node whose graphs use values around it", "[relay][onnx][graph_writer]") {
    constexpr std::string_view text = R"(
def @main(%c: bool, %x: Tensor[(2), float32]) {
  %0 = exp(%x);
  if (%c) { add(%0, %x) } else { (negative(%0)) }
})";
    CHECK(change_in(text) == "");
    CHECK(nodes(text) == "If(c) -> If\nIdentity(If) -> out_0\n");
}

TEST_CASE("graph_writer: a value that several graphs use belongs to the graph around them",
          "[relay][onnx][graph_writer]") {
    CHECK(change_in(R"(
def @main(%c: bool, %d: bool, %x: Tensor[(2), float32]) {
  %0 = exp(%x);
  %1 = if (%c) { if (%d) { add(%0, %x) } else { multiply(%0, 3f) } } else { negative(%0) };
  (%1, %0, subtract(%1, %0))
})") == "");
    // Values may be used in both branches and after the `if`.
    CHECK(change_in(R"(
def @main(%c: bool, %d: bool, %x: Tensor[(2), float32]) {
  %0 = tanh(%x);
  %1 = if (%c) { add(%0, 1f) } else { add(%0, 2f) };
  %2 = if (%d) { (%0, %1) } else { (%1, %0) };
  (%2.0, %2, add(%0, %2.1))
})") == "");
    CHECK(change_in(R"(
def @main(%c: bool, %x: float32) {
  let %a = if (%c) { let %y = add(%x, 1f); multiply(%y, %y) } else { %x };
  let %b = if (logical_not(%c)) { %a } else { let %y = %a; add(%y, %x) };
  (%a, %b)
})") == "");
}

TEST_CASE("graph_writer: a function that calls itself last is a Loop", "[relay][onnx][graph_writer]") {
    CHECK(change_in(counting) == "");
    CHECK(change_in(counting, elements::positive) == "");
    CHECK(nodes(counting) ==
          "Less(constant, n) -> Less\nLoop(, Less, constant, x) -> Loop Loop_1\nIdentity(Loop) -> out_0\n"
          "Identity(Loop_1) -> out_1\n");
    // The `else` branch may continue the loop. The result may use the last state and values from outside of the loop.
    CHECK(change_in(R"(
def @main(%n: int64, %x: Tensor[(2), float32]) {
  %0 = exp(%x);
  let %loop: fn (int64, Tensor[(2), float32]) -> Tensor[(2), float32] =
    fn (%i: int64, %v: Tensor[(2), float32]) {
      if (greater_equal(%i, %n)) { add(%v, %0) } else { %loop(add(%i, 1i64), subtract(%v, %0)) }
    };
  (%loop(0i64, %x), %loop(1i64, %0))
})",
                    elements::positive) == "");
    // Lets may surround the recursive call.
    CHECK(change_in(R"(
def @main(%n: int64, %x: float32) {
  let %loop: fn (int64, float32) -> float32 = fn (%i: int64, %v: float32) {
    if (less(%i, %n)) {
      let %a = multiply(%v, %x);
      let %f = fn (%y: float32) { add(%y, %a) };
      let %j = add(%i, 1i64);
      %loop(%j, %f(%a))
    } else { let %r = add(%v, 1f); %r }
  };
  %loop(0i64, %x)
})",
                    elements::positive) == "");
    // The condition and the next state share an expression.
    CHECK(change_in(R"(
def @main(%n: int64, %x: float32) {
  let %loop: fn (int64, float32) -> (int64, float32) = fn (%i: int64, %v: float32) {
    %0 = add(%i, 1i64);
    if (less(%0, %n)) { %loop(%0, add(%v, %x)) } else { (%i, %v) }
  };
  %loop(0i64, %x)
})",
                    elements::positive) == "");
    // The state variables may swap places.
    CHECK(change_in(R"(
def @main(%n: int64, %x: float32, %y: float32) {
  let %loop: fn (int64, float32, float32) -> (float32, float32) =
    fn (%i: int64, %a: float32, %b: float32) {
      if (less(%i, %n)) { %loop(add(%i, 1i64), %b, %a) } else { (%a, %b) }
    };
  %loop(0i64, %x, %y)
})",
                    elements::positive) == "");
}

TEST_CASE("graph_writer: a function that calls itself elsewhere is refused", "[relay][onnx][graph_writer]") {
    const std::string why =
        "cannot be written as ONNX: a function that is recursive, or nested too deeply: only tail recursion becomes a Loop";
    CHECK(refusal(R"(
def @main(%n: int64) {
  let %f: fn (int64) -> int64 =
    fn (%i: int64) { if (less(%i, 1i64)) { 1i64 } else { multiply(%i, %f(subtract(%i, 1i64))) } };
  %f(%n)
})") == why);
    CHECK(refusal(R"(
def @main(%n: int64) {
  let %f: fn (int64) -> int64 = fn (%i: int64) {
    if (less(%i, %n)) { %f(add(%f(subtract(%i, 1i64)), %i)) } else { %i }
  };
  %f(%n)
})") == why);
}

TEST_CASE("graph_writer: loops in loops and branches", "[relay][onnx][graph_writer]") {
    CHECK(change_in(R"(
def @main(%n: int64, %x: float32) {
  let %outer: fn (int64, float32) -> float32 =
    fn (%i: int64, %a: float32) {
      if (less(%i, %n)) {
        let %inner: fn (int64, float32) -> float32 =
          fn (%j: int64, %b: float32) { if (less(%j, %i)) { %inner(add(%j, 1i64), add(%b, %x)) } else { %b } };
        %outer(add(%i, 1i64), %inner(0i64, %a))
      } else { %a }
    };
  %outer(0i64, %x)
})",
                    elements::positive) == "");
    CHECK(change_in(R"(
def @main(%n: int64, %c: bool, %x: float32) {
  if (%c) {
    let %loop: fn (int64, float32) -> float32 =
      fn (%j: int64, %b: float32) { if (less(%j, %n)) { %loop(add(%j, 1i64), add(%b, %x)) } else { %b } };
    %loop(0i64, %x)
  } else { negative(%x) }
})",
                    elements::positive) == "");
}

TEST_CASE("graph_writer: functions are written as their bodies", "[relay][onnx][graph_writer]") {
    constexpr std::string_view primitive = R"(
def @main(%x: Tensor[(2), float32]) {
  %0 = fn (%p: Tensor[(2), float32], Primitive=1) { tanh(exp(%p)) };
  %0(%x)
})";
    CHECK(change_in(primitive) == "");
    CHECK(nodes(primitive) == "Exp(x) -> Exp\nTanh(Exp) -> out_0\n");
    constexpr std::string_view twice = R"(
def @main(%x: float32, %y: float32) {
  let %f = fn (%a: float32, %b: float32) { (subtract(%a, %b), %a) };
  %0 = %f(%x, %y);
  %1 = %f(%0.0, %0.1);
  (%0, %1.0)
})";
    CHECK(change_in(twice) == "");
    CHECK(change_in(R"(
def @main(%x: float32) {
  let %f = fn (%a: float32) { let %g = fn (%b: float32) { add(%b, %a) }; %g(multiply(%a, 2f)) };
  let %h = %f;
  add(%f(%x), %h(1f))
})") == "");
}

TEST_CASE("graph_writer: a fused program", "[relay][onnx][graph_writer]") {
    const relay::ir_module m =
        after(program_of("def @main(%x: Tensor[(2, 3), float32]) { %0 = exp(%x); add(tanh(%0), negative(%0)) }"),
              relay::fuse_ops{});
    REQUIRE(relay::to_text(m).find("Primitive=1") != std::string::npos);
    CHECK(change_of(m) == "");
    CHECK(nodes_of(m) == "Exp(x) -> Exp\nTanh(Exp) -> Tanh\nNeg(Exp) -> Neg\nAdd(Tanh, Neg) -> out_0\n");
}

TEST_CASE("graph_writer: calls of global functions", "[relay][onnx][graph_writer]") {
    constexpr std::string_view text = R"(
def @double(%x: Tensor[(2), float32]) -> Tensor[(2), float32] { add(%x, %x) }
def @four(%x: Tensor[(2), float32]) -> Tensor[(2), float32] { @double(@double(%x)) }
def @main(%x: Tensor[(2), float32]) { subtract(@four(%x), @double(%x)) }
)";
    CHECK(change_in(text) == "");
    CHECK(nodes(text) == "Add(x, x) -> Add\nAdd(Add, Add) -> Add_1\nAdd(x, x) -> Add_2\nSub(Add_1, Add_2) -> out_0\n");
    // Recursion is refused at once, even with two recursive calls.
    CHECK(refusal("def @f(%x: float32) -> float32 { add(@f(%x), @f(exp(%x))) }\ndef @main(%x: float32) { @f(%x) }") ==
          "cannot be written as ONNX: @f (2 times): is recursive, or nested too deeply");
    CHECK(refusal("def @f(%x: float32) -> float32 { add(@f(%x), 1f) }\ndef @main(%x: float32) { @f(%x) }") ==
          "cannot be written as ONNX: @f: is recursive, or nested too deeply");
}

TEST_CASE("graph_writer: tuples are taken apart", "[relay][onnx][graph_writer]") {
    constexpr std::string_view text = R"(
def @main(%x: float32, %y: float32) {
  %0 = ((%x, (%y, exp(%x))), negative(%y));
  %1 = %0.0;
  (%1.1, add(%1.0, %0.1), %1.1.1)
})";
    CHECK(change_in(text) == "");
    CHECK(change_in("def @main(%x: Tensor[(4, 2), float32]) { split(%x, indices_or_sections=2, axis=0).1 }") == "");
    // A parameter that is a tuple is refused, even if only its fields are used.
    CHECK(refusal("def @main(%x: (float32, (float32, int64))) { (%x.1, %x.1.1) }") ==
          "cannot be written as ONNX: parameter %x: is not a tensor");
    CHECK(refusal("def @main(%x: float32) { (%x, ()) }") == "cannot be written as ONNX: an empty tuple: ONNX has none");
}

TEST_CASE("graph_writer: a parameter that is returned is copied", "[relay][onnx][graph_writer]") {
    CHECK(change_in("def @main(%x: float32) { %x }") == "");
    CHECK(nodes("def @main(%x: float32) { %x }") == "Identity(x) -> out_0\n");
    CHECK(nodes("def @main(%x: float32) { (%x, %x) }") == "Identity(x) -> out_0\nIdentity(x) -> out_1\n");
    CHECK(change_in("def @main(%x: float32) { %0 = exp(%x); (%0, %x, %0) }") == "");
    CHECK(nodes("def @main(%x: float32) { %0 = exp(%x); (%0, %0) }") == "Exp(x) -> out_0\nIdentity(out_0) -> out_1\n");
    CHECK(change_in("def @main() { (1f, 2i64, 1f) }") == "");
}

TEST_CASE("graph_writer: names of parameters and results do not collide", "[relay][onnx][graph_writer]") {
    CHECK(change_in("def @main(%out_0: float32, %constant: float32, %Exp: float32) "
                    "{ (exp(%out_0), add(%constant, 1f), exp(%Exp)) }") == "");
    CHECK(nodes("def @main(%out_0: float32) { exp(%out_0) }") == "Exp(out_0) -> out_0_1\n");
}

TEST_CASE("graph_writer: everything that is refused is named once", "[relay][onnx][graph_writer]") {
    CHECK(
        refusal("def @main(%x: Tensor[(3), int64]) { "
                "invert_permutation(add(invert_permutation(%x), fixed_point_multiply(%x, multiplier=3, shift=1))) }") ==
        "cannot be written as ONNX: invert_permutation (2 times): ONNX has no such operator; fixed_point_multiply: "
        "ONNX has no such operator");
    CHECK(
        refusal(
            "def @main(%c: bool, %x: Tensor[(3), int64], %y: Tensor[(5), int64]) { "
            "if (%c) { invert_permutation(%y) } else { nn.mirror_pad(%x, mode=\"SYMMETRIC\", pad_width=[[1, 1]]) } }") ==
        "cannot be written as ONNX: invert_permutation: ONNX has no such operator; nn.mirror_pad: mode SYMMETRIC; "
        "expected constant, edge or reflect");
    CHECK(refusal("def @main(%f: fn (float32) -> float32, %x: float32) { %f(%x) }") ==
          "cannot be written as ONNX: parameter %f: is not a tensor; a call of a value: ONNX has no first-class "
          "functions");
}

TEST_CASE("graph_writer: tuples of very many tensors are refused", "[relay][onnx][graph_writer]") {
    const std::string why = "has tuples with more than 2^22 tensors in total; expected fewer tensors";
    std::string text = "%0 = (%x, %x);", type = "float32";
    for (int i = 1; i < 60; ++i) {
        const std::string before = "%" + std::to_string(i - 1);
        text += "%" + std::to_string(i) + " = (" + before + ", " + before + ");";
    }
    CHECK(refusal("def @main(%x: float32) {" + text + " %59 }") == why);
    for (int i = 60; i < 120; ++i) text += "%" + std::to_string(i) + " = %" + std::to_string(i - 1) + ".0;";
    CHECK(refusal("def @main(%x: float32) {" + text + " %119 }") == why);
    CHECK(refusal("def @main(%x: float32) {" + text.substr(0, text.find("%10 =")) + " %9.0.0.0.0.0.1.1.0.0.0 }") == "");
}

TEST_CASE("graph_writer: very many calls of functions are refused", "[relay][onnx][write]") {
    std::string text = "def @f0(%x: float32) -> float32 { exp(%x) }\n";
    for (int i = 1; i < 40; ++i) {
        const std::string n = std::to_string(i), below = "@f" + std::to_string(i - 1);
        text += "def @f" + n + "(%x: float32) -> float32 { " + below + "(" + below + "(%x)) }\n";
    }
    CHECK(refused([&] { model_bytes(program_of(text + "def @main(%x: float32) { @f39(%x) }")); }) ==
          "has more than 2^18 function calls to inline; expected fewer calls");
}
