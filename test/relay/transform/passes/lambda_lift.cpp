#include <tutti/relay/transform/passes/lambda_lift.hpp>

#include <tutti/relay/op/verify.hpp>

#include "relay/programs.hpp"
#include "relay/transform/fuse_programs.hpp"
#include "support/catch.hpp"

#include <cctype>
#include <map>

using namespace tutti;

namespace {

// Removes the digits that make variable names unique, since these digits depend on the order of the functions.
std::string without_digits(const std::string& text) {
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t start = i++;
        if (text[start] == '%' && i < text.size() && std::isalpha(static_cast<unsigned char>(text[i])) != 0) {
            while (i < text.size() && std::isalnum(static_cast<unsigned char>(text[i])) != 0) ++i;
            std::size_t end = i;
            while (std::isdigit(static_cast<unsigned char>(text[end - 1])) != 0) --end;
            out += text.substr(start, end - start);
        } else {
            out += text[start];
        }
    }
    return out;
}

// Runs the pass, and checks that the module is well formed. Returns the printed module, in which the lifted functions
// are numbered by first appearance.
std::string lifted(relay::ir_module m) {
    relay::lambda_lift{}(m);
    relay::verify_structure(m);
    const std::string once = test::bare_text(m);
    relay::infer_types(m);
    relay::verify(m);
    relay::lambda_lift{}(m);
    if (test::bare_text(m) != once) return "not idempotent: " + once + "\nthen\n" + test::bare_text(m);
    std::string text;
    for (const bool main : {true, false}) // main first, so that the numbers do not depend on hashes
        for (std::size_t at = once.find("def @"); at != std::string::npos;) {
            const std::size_t next = once.find("def @", at + 1);
            const std::string definition = once.substr(at, next == std::string::npos ? next : next - at);
            if (definition.starts_with("def @main") == main) text += definition;
            at = next;
        }
    std::map<std::string, std::size_t> numbers;
    for (std::size_t at = 0; (at = text.find("lifted_name", at)) != std::string::npos;) {
        std::size_t end = at + 11;
        while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
        const std::size_t number = numbers.try_emplace(text.substr(at, end - at), numbers.size()).first->second;
        const std::string name = "lifted" + std::to_string(number);
        text.replace(at, end - at, name);
        at += name.size();
    }
    return without_digits(text);
}

std::string lifted(std::string_view text) { return lifted(test::typed(text)); }

} // namespace

TEST_CASE("lambda_lift: a literal becomes a function of the module", "[relay][transform]") {
    CHECK(
        lifted("def @main(%x: float32) -> float32 {\n"
               "  let %f: fn (float32) -> float32 = fn (%a: float32) -> float32 {\n    exp(%a)\n  };\n  %f(%x)\n}\n") ==
        "def @main(%x: float32) -> float32 {\n  let %f: fn (float32) -> float32 = @lifted0;\n  %f(%x)\n}\n"
        "def @lifted0(%a: float32) -> float32 {\n  exp(%a)\n}\n\n");
}

TEST_CASE("lambda_lift: equal literals become one function", "[relay][transform]") {
    CHECK(lifted("def @main(%x: float32) -> float32 {\n"
                 "  %0 = fn (%a: float32) -> float32 {\n    exp(%a)\n  };\n  %1 = %0(%x);\n"
                 "  %2 = fn (%b: float32) -> float32 {\n    exp(%b)\n  };\n  %2(%1)\n}\n") ==
          "def @main(%x: float32) -> float32 {\n  %0 = @lifted0(%x);\n  @lifted0(%0)\n}\n"
          "def @lifted0(%b: float32) -> float32 {\n  exp(%b)\n}\n\n");
}

TEST_CASE("lambda_lift: variables captured by a function literal become parameters", "[relay][transform]") {
    CHECK(lifted("def @main(%x: float32, %y: float32) -> float32 {\n"
                 "  let %f: fn (float32) -> float32 = fn (%a: float32) -> float32 {\n"
                 "    %0 = add(%y, %a);\n    multiply(%0, %x)\n  };\n  %f(%x)\n}\n") ==
          "def @main(%x: float32, %y: float32) -> float32 {\n"
          "  let %f: fn (float32) -> float32 = @lifted0(%y, %x);\n  %f(%x)\n}\n"
          "def @lifted0(%y: float32, %x: float32, Closure=1) -> fn (float32) -> float32 {\n"
          "  fn (%a: float32) -> float32 {\n    %0 = add(%y, %a);\n    multiply(%0, %x)\n  }\n}\n\n");
}

TEST_CASE("lambda_lift: a recursive literal calls its function", "[relay][transform]") {
    const std::string text = lifted("def @main(%n: int32, %step: int32) -> int32 {\n"
                                    "  let %f: fn (int32) -> int32 = fn (%i: int32) -> int32 {\n"
                                    "    %0 = equal(%i, 0);\n    if (%0) {\n      %i\n    } else {\n"
                                    "      %1 = subtract(%i, %step);\n      %f(%1)\n    }\n  };\n  %f(%n)\n}\n");
    INFO(text);
    CHECK(text.find("let %f: fn (int32) -> int32 = @lifted0(%step);") != std::string::npos);
    CHECK(text.find(" = @lifted0(%step);") != std::string::npos);
    CHECK(text.find("%f(%1)") == std::string::npos);
}

TEST_CASE("lambda_lift: a nested literal may refer to the outer one", "[relay][transform]") {
    const std::string text =
        lifted("def @main(%n: int32, %step: int32) -> int32 {\n"
               "  let %f: fn (int32) -> int32 = fn (%i: int32) -> int32 {\n"
               "    let %g: fn () -> int32 = fn () -> int32 {\n"
               "      %0 = subtract(%i, %step);\n      %f(%0)\n    };\n"
               "    %1 = equal(%i, 0);\n    if (%1) {\n      %i\n    } else {\n      %g()\n    }\n  };\n"
               "  let %h: fn (int32) -> int32 = fn (%j: int32) -> int32 {\n    %f(%j)\n  };\n"
               "  %h(%n)\n}\n");
    INFO(text);
    CHECK(text.find("let %f: fn (int32) -> int32 = @lifted0(%step") != std::string::npos);
    CHECK(text.find("let %h: fn (int32) -> int32 = @lifted1(%f)") != std::string::npos);
    CHECK(text.find("Closure=1) -> fn () -> int32 {") != std::string::npos);
}

TEST_CASE("lambda_lift: keeps primitive functions and functions for other compilers", "[relay][transform]") {
    for (const char* attribute : {"Primitive=1", "Compiler=\"x\""}) {
        const std::string text =
            std::string("def @main(%x: float32") + (attribute[0] == 'C' ? std::string(", ") + attribute : "") +
            ") -> float32 {\n  %0 = fn (%a: float32, " + attribute + ") -> float32 {\n    exp(%a)\n  };\n  %0(%x)\n}\n";
        CHECK(lifted(text) == text);
    }
}

TEST_CASE("lambda_lift: many literals", "[relay][transform]") {
    std::string text = "def @main(%x: float32) -> float32 {\n";
    for (int i = 0; i < 300; ++i) {
        const std::string n = std::to_string(i);
        text += "  let %f" + n + ": fn (float32) -> float32 = fn (%a" + n + ": float32) -> float32 {\n    add(%a" + n +
                ", " + n + "f)\n  };\n";
    }
    relay::ir_module m = test::typed(text + "  %f299(%x)\n}\n");
    relay::lambda_lift{}(m);
    CHECK(m.size() == 301);
    relay::verify(m);
}

TEST_CASE("lambda_lift: requires types if there are literals", "[relay][transform]") {
    relay::ir_module m =
        relay::parse("def @main(%x: float32) {\n  let %f = fn (%a: float32) {\n    add(%a, %x)\n  };\n  %f(%x)\n}\n");
    CHECK(test::refusal(m, [](relay::ir_module& it) { relay::lambda_lift{}(it); }) ==
          "LambdaLift: a function has no types; expected InferType to have run before");
    m = relay::parse("def @main(%x: float32) {\n  exp(%x)\n}\n");
    relay::lambda_lift{}(m);
    CHECK(m.size() == 1);
}

TEST_CASE("lambda_lift: respects the limit on expressions, and leaves the module unchanged",
          "[relay][transform][limits]") {
    std::string text = "%x";
    for (int i = 0; i < 100; ++i)
        text = "let %f" + std::to_string(i) + " = fn () { " + text + " }; %f" + std::to_string(i) + "()";
    relay::ir_module m = test::typed("def @main(%x: float32) { " + text + " }");
    CHECK(test::refusal(m, relay::lambda_lift{.max_nodes = 1000}) ==
          "LambdaLift: more than 1,000 expressions of literals beyond the size of the program; expected no more, or a "
          "larger max_nodes");
    relay::lambda_lift{}(m);
    CHECK(m.size() == 101);
}
