#include <tutti/relay/transform/passes/normal_form.hpp>

#include <tutti/relay/ir/verify.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/elementwise.hpp>

#include "relay/programs.hpp"
#include "relay/transform/fuse_programs.hpp"
#include "support/catch.hpp"

#include <string>

using namespace tutti;

namespace {

std::string bound(std::string_view text, relay::let_binding what) {
    relay::ir_module m = test::typed(text);
    relay::detail::bind_with_lets(m, what, relay::pass_notes());
    relay::verify_structure(m);
    const std::string before = test::bare_text(m);
    relay::infer_types(m); // checks that the result is well typed
    const std::string result = test::bare_text(m);
    CHECK(before.substr(0, before.find('\n')) == result.substr(0, result.find('\n')));
    return before;
}

constexpr std::string_view branches = R"(
def @main(%c: bool, %x: Tensor[(2), float32]) -> Tensor[(2), float32] {
  %0 = exp(%x);
  %1 = log(%0);
  if (%c) {
    %2 = tanh(%1);
    add(%2, %0)
  } else {
    %3 = if (%c) {
      %0
    } else {
      sqrt(%1)
    };
    negative(%3)
  }
}
)";

} // namespace

TEST_CASE("normal_form: values shared by branches are bound before the if, unless they are used earlier",
          "[relay][transform][normal_form]") {
    CHECK(bound(branches, relay::let_binding::shared) ==
          "def @main(%c: bool, %x: Tensor[(2), float32]) -> Tensor[(2), float32] {\n"
          "  %0 = exp(%x);\n"
          "  let %x_0 = log(%0);\n"
          "  if (%c) {\n"
          "    %1 = tanh(%x_0);\n"
          "    add(%1, %0)\n"
          "  } else {\n"
          "    %2 = if (%c) {\n"
          "      %0\n"
          "    } else {\n"
          "      sqrt(%x_0)\n"
          "    };\n"
          "    negative(%2)\n"
          "  }\n"
          "}\n");
}

TEST_CASE("normal_form: binds everything, in a branch if only that branch uses it", "[relay][transform][normal_form]") {
    CHECK(bound(branches, relay::let_binding::everything) ==
          "def @main(%c: bool, %x: Tensor[(2), float32]) -> Tensor[(2), float32] {\n"
          "  let %x_0 = exp(%x);\n"
          "  let %x_1 = log(%x_0);\n"
          "  let %x_7 = if (%c) {\n"
          "    let %x_2 = tanh(%x_1);\n"
          "    let %x_3 = add(%x_2, %x_0);\n"
          "    %x_3\n"
          "  } else {\n"
          "    let %x_5 = if (%c) {\n"
          "      %x_0\n"
          "    } else {\n"
          "      let %x_4 = sqrt(%x_1);\n"
          "      %x_4\n"
          "    };\n"
          "    let %x_6 = negative(%x_5);\n"
          "    %x_6\n"
          "  };\n"
          "  %x_7\n"
          "}\n");
}

TEST_CASE("normal_form: lets keep their variables; if everything is bound, uses of a value become uses of its alias",
          "[relay][transform][normal_form]") {
    const char* const text =
        "def @main(%x: float32) {\n  let %a: float32 = exp(%x);\n  let %b: float32 = %a;\n  add(%a, %b)\n}";
    CHECK(
        bound(text, relay::let_binding::shared) ==
        "def @main(%x: float32) -> float32 {\n  let %a: float32 = exp(%x);\n  let %b: float32 = %a;\n  add(%a, %b)\n}\n");
    CHECK(
        bound(text, relay::let_binding::everything) ==
        "def @main(%x: float32) -> float32 {\n  let %a: float32 = exp(%x);\n  let %b: float32 = %a;\n  let %x_0 = add(%b, %b);\n"
        "  let %x_1 = %x_0;\n  let %x_2 = %x_1;\n  %x_2\n}\n");
}

TEST_CASE("normal_form: a value with a variable gets a second one", "[relay][transform][normal_form]") {
    CHECK(bound("def @main(%x: float32) {\n  %0 = exp(%x);\n  let %a: float32 = add(%0, %0);\n  let %b: float32 = %0;\n"
                "  add(%a, %b)\n}",
                relay::let_binding::everything) ==
          "def @main(%x: float32) -> float32 {\n  let %x_0 = exp(%x);\n  let %a: float32 = add(%x_0, %x_0);\n"
          "  let %b: float32 = %x_0;\n  let %x_1 = add(%a, %b);\n  let %x_2 = %x_1;\n  let %x_3 = %x_2;\n  %x_3\n}\n");
}

TEST_CASE("normal_form: functions are scopes; recursive ones stay recursive, primitive ones are unchanged",
          "[relay][transform][normal_form]") {
    CHECK(
        bound(
            "def @main(%x: float32) {\n"
            "  let %f: fn (float32) -> float32 = fn (%y: float32) -> float32 {\n    %0 = exp(%x);\n    %1 = add(%0, %y);\n"
            "    %f(%1)\n  };\n"
            "  %2 = fn (%p0: float32, Primitive=1) -> float32 {\n    %3 = exp(%p0);\n    tanh(%3)\n  };\n"
            "  %4 = %2(%x);\n  %f(%4)\n}",
            relay::let_binding::everything) == "def @main(%x: float32) -> float32 {\n"
                                               "  let %f: fn (float32) -> float32 = fn (%y: float32) -> float32 {\n"
                                               "    let %x_0 = exp(%x);\n"
                                               "    let %x_1 = add(%x_0, %y);\n"
                                               "    let %x_2 = %f(%x_1);\n"
                                               "    %x_2\n"
                                               "  };\n"
                                               "  let %x_3 = fn (%p0: float32, Primitive=1) -> float32 {\n"
                                               "    %0 = exp(%p0);\n"
                                               "    tanh(%0)\n"
                                               "  };\n"
                                               "  let %x_4 = %x_3(%x);\n"
                                               "  let %x_5 = %f(%x_4);\n"
                                               "  let %x_6 = %x_5;\n"
                                               "  %x_6\n"
                                               "}\n");
}

TEST_CASE("normal_form: functions for other compilers, and primitive ones, are unchanged",
          "[relay][transform][normal_form]") {
    for (const char* const text : {"def @main(%x: float32, Compiler=\"other\") -> float32 {\n  exp(%x)\n}\n",
                                   "def @main(%x: float32, Primitive=1) -> float32 {\n  exp(%x)\n}\n"}) {
        CHECK(bound(text, relay::let_binding::everything) == text);
        CHECK(bound(text, relay::let_binding::shared) == text);
    }
}

TEST_CASE("normal_form: a chain of 30,000 calls, lets or ifs needs no stack", "[relay][transform][normal_form]") {
    for (const int kind : {0, 1, 2}) {
        relay::builder b;
        const auto x = b.variable("x", {});
        const auto c = b.variable("c", {}, relay::dtype::boolean);
        relay::expr last = relay::exp(x);
        for (int i = 0; i < 30'000; ++i) {
            if (kind == 0) last = relay::add(last, x);
            if (kind == 1) last = b.let(b.variable("v"), relay::negative(x), last);
            if (kind == 2) last = b.conditional(c, last, x);
        }
        for (const auto what : {relay::let_binding::everything, relay::let_binding::shared}) {
            relay::builder copy;
            copy.graph() = b.graph();
            relay::ir_module m(copy.function({{&copy.graph(), x.id}, {&copy.graph(), c.id}}, {&copy.graph(), last.id}));
            relay::detail::bind_with_lets(m, what, relay::pass_notes());
            relay::verify_structure(m);
            CHECK(m.find("main")->graph.size() > 30'000);
        }
    }
}
