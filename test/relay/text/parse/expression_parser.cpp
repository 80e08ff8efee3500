#include <tutti/relay/text/parse/expression_parser.hpp>

#include <tutti/base/error.hpp>
#include <tutti/relay/ir/equal.hpp>
#include <tutti/relay/ir/verify.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/text/printer.hpp>

#include "support/catch.hpp"

#include <string>
#include <string_view>

using namespace tutti;

namespace {

constexpr std::string_view list_type = "type List[A] {\n  Cons(A, List[A]),\n  Nil,\n}\n\n";

// Parses a program after a definition of lists. Returns the printed form, or the error.
std::string read(std::string_view text) {
    try {
        const relay::ir_module m = relay::parse(std::string(list_type) + std::string(text));
        relay::verify_structure(m);
        const std::string out = relay::to_text(m, {.version_line = false});
        CHECK(relay::structural_equal(relay::parse(out), m));
        return out.substr(list_type.size());
    } catch (const error& e) {
        return e.what();
    }
}

} // namespace

TEST_CASE("expression_parser: the reference's matches are parsed and printed unchanged", "[relay][text]") {
    for (const char* text : {"def @main(%x: List[int32]) -> int32 {\n"
                             "  match (%x) {\n"
                             "    Cons(%h, _) => {\n"
                             "      %0 = add(%h, 1);\n"
                             "      add(%0, %0)\n"
                             "    },\n"
                             "    Nil => {\n"
                             "      0\n"
                             "    },\n"
                             "  }\n"
                             "}\n",
                             "def @f[A](%x: List[A], %y: (A, A)) -> List[A] {\n"
                             "  %1 = match? (%x) {\n"
                             "    Cons(%a: A /* ty=A */, Cons(%b, %c)) => {\n"
                             "      %0 = Nil /* ty=List[A] */;\n"
                             "      Cons(%a, %0)\n"
                             "    },\n"
                             "    Cons(_, Nil) => {\n"
                             "      Nil\n"
                             "    },\n"
                             "  };\n"
                             "  %2 = (%1, %y);\n"
                             "  match (%2) {\n"
                             "    (%l, (%p, _)) => {\n"
                             "      Cons(%p, %l)\n"
                             "    },\n"
                             "    _ => {\n"
                             "      %x\n"
                             "    },\n"
                             "  }\n"
                             "}\n",
                             "def @g[A]() -> fn (A, List[A]) -> List[A] {\n"
                             "  Cons\n"
                             "}\n",
                             "def @r(%x: ref(float32)) -> fn [B](B) -> B {\n"
                             "  %0 = ref(%x);\n"
                             "  %1 = ref_read(%0);\n"
                             "  let %v = ref_write(%1, 1f);\n"
                             "  fn [B](%b: B) -> B {\n"
                             "    %b\n"
                             "  }\n"
                             "}\n"}) {
        INFO(text);
        CHECK(read(text) == text);
    }
}

TEST_CASE("expression_parser: hand-written variants are parsed, too", "[relay][text]") {
    CHECK(read("def @main(%x: List[int32]) { match (%x) { Cons(%h, _) => %h + 1, Nil => { let %y = 2; %y } } }") ==
          "def @main(%x: List[int32]) {\n  match (%x) {\n    Cons(%h, _) => {\n      add(%h, 1)\n    },\n"
          "    Nil => {\n      let %y = 2;\n      %y\n    },\n  }\n}\n");
    CHECK(read("def @main(%x: int32) { %x + 2 * 3 - %x / 4 < 5 == True }") ==
          "def @main(%x: int32) {\n  %0 = multiply(2, 3);\n  %1 = add(%x, %0);\n  %2 = divide(%x, 4);\n"
          "  %3 = subtract(%1, %2);\n  %4 = less(%3, 5);\n  equal(%4, True)\n}\n");
    CHECK(read("def @main(%x: int32) { %0 = %x-1; %0 == %x; { %0 != 3 } }") ==
          "def @main(%x: int32) {\n  %0 = subtract(%x, 1);\n  let %v = equal(%0, %x);\n  not_equal(%0, 3)\n}\n");
    CHECK(read("def @main(%x: _, %y: List[_]) { match? %x { } }") ==
          "def @main(%x: _, %y: List[_]) {\n  match? (%x) {\n    \n  }\n}\n");
}

TEST_CASE("expression_parser: reports errors", "[relay][text]") {
    const auto says = [](std::string_view text, std::string_view what) {
        const std::string said = read(text);
        INFO(said);
        CHECK(said.find(what) != said.npos);
    };
    says("def @main(%x: List[int32]) { match (%x) { Con(%h, _) => %h } }",
         "no constructor `Con`; did you mean `Cons`?");
    says("def @main(%x: Lisp[int32]) { 1 }", "did you mean `List`?");
    says("def @main(%x: List[int32]) { match (%x) { Cons(%h) => %h } }", "a pattern gives Cons 1 fields");
    says("def @main(%x: List[int32]) { match (%x) { Nil => %h } }", "`%h` is not defined");
    says("def @main(%x: List[int32]) { match (%x) { Cons(%h, _) -> %h } }", "`=>`");
    says("def @main(%x: List[int32, int32]) { 1 }", "has a wrong number of arguments");
    says("def @main(%x: int32) { 1 + }", "an expression");
    says("def @main(%x: List[int32]) { match (%x) { Cons(%h, _) => (%h, }; 1 }", "an expression");
}
