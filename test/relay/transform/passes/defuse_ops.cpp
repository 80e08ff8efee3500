#include <tutti/relay/transform/passes/defuse_ops.hpp>

#include <tutti/pass/pass_context.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/relay/ir/verify.hpp>
#include <tutti/relay/transform/passes/fuse_ops.hpp>

#include "relay/programs.hpp"
#include "relay/transform/fuse_programs.hpp"
#include "support/catch.hpp"

using namespace tutti;

namespace {

template <class Pass>
void run(const Pass& pass, relay::ir_module& m) {
    pass_context ctx{opt_level<3>};
    with(ctx, [&](auto& scope) { scope.run(pass, m); });
}

std::string defused(std::string_view text) {
    relay::ir_module m = test::typed(text);
    run(relay::defuse_ops{}, m);
    return test::bare_text(m);
}

} // namespace

TEST_CASE("defuse_ops: reverses fuse_ops", "[relay][transform]") {
    for (const int level : {0, 1, 2}) {
        relay::ir_module m = test::typed(test::residual_block);
        const std::string before = relay::to_text(m);
        run(relay::fuse_ops{.fuse_opt_level = level}, m);
        CHECK(relay::to_text(m).find("Primitive=1") != std::string::npos);
        run(relay::defuse_ops{}, m);
        CHECK(relay::to_text(m) == before);
        run(relay::defuse_ops{}, m);
        CHECK(relay::to_text(m) == before);
    }
}

TEST_CASE("defuse_ops: copies a function that is called twice", "[relay][transform]") {
    CHECK(defused("def @main(%x: Tensor[(2), float32], %y: Tensor[(2), float32]) {\n"
                  "  %1 = fn (%p: Tensor[(2), float32]) {\n    %0 = exp(%p);\n    add(%0, %y)\n  };\n"
                  "  %2 = %1(%x);\n  %1(%2)\n}") ==
          "def @main(%x: Tensor[(2), float32], %y: Tensor[(2), float32]) -> Tensor[(2), float32] {\n"
          "  %0 = exp(%x);\n  %1 = add(%0, %y);\n  %2 = exp(%1);\n  add(%2, %y)\n}\n");
}

TEST_CASE("defuse_ops: inlines nested functions, too", "[relay][transform]") {
    CHECK(defused(
              "def @main(%x: Tensor[(2), float32]) {\n"
              "  %2 = fn (%p: Tensor[(2), float32]) {\n"
              "    %1 = fn (%q: Tensor[(2), float32]) {\n      %0 = exp(%q);\n      log(%0)\n    };\n    %1(%p)\n  };\n"
              "  %2(%x)\n}") == "def @main(%x: Tensor[(2), float32]) -> Tensor[(2), float32] {\n"
                                "  %0 = exp(%x);\n  log(%0)\n}\n");
}

TEST_CASE("defuse_ops: leaves a well-formed program", "[relay][transform]") {
    relay::ir_module m = test::typed(R"(
def @main(%x: Tensor[(1, 4, 8, 8), float32], %w: Tensor[(4, 4, 1, 1), float32]) {
  %0 = nn.conv2d(%x, %w, padding=[0, 0, 0, 0]);
  %1 = nn.relu(%0);
  %2 = nn.conv2d(%1, %w, padding=[0, 0, 0, 0]);
  %3 = nn.relu(%2);
  %4 = nn.conv2d(%1, %w, padding=[0, 0, 0, 0]);
  %5 = nn.relu(%4);
  (%3, %5)
}
)");
    const std::string before = test::bare_text(m);
    run(relay::fuse_ops{.fuse_opt_level = 2}, m);
    relay::verify_structure(m);
    run(relay::defuse_ops{}, m);
    relay::verify_structure(m);
    CHECK(test::bare_text(m) == before);
}

TEST_CASE("defuse_ops: leaves a well-formed program for all uses of functions", "[relay][transform]") {
    relay::ir_module m =
        test::typed("def @main(%x: Tensor[(2), float32]) {\n"
                    "  %2 = fn (%p: Tensor[(2), float32]) {\n"
                    "    %1 = fn (%q: Tensor[(2), float32]) {\n      %0 = exp(%q);\n      log(%0)\n    };\n"
                    "    %1(%p)\n  };\n"
                    "  %3 = fn (%r: Tensor[(2), float32]) {\n    %2(%r)\n  };\n"
                    "  let %f = %3;\n  %4 = %2(%x);\n  %5 = %3(%4);\n  %6 = %f(%5);\n  %2(%6)\n}");
    run(relay::defuse_ops{}, m);
    relay::verify_structure(m);
    const std::string once = test::bare_text(m);
    run(relay::defuse_ops{}, m);
    relay::verify_structure(m);
    CHECK(test::bare_text(m) == once);
}

TEST_CASE("defuse_ops: inlines any function at its call", "[relay][transform]") {
    const auto called = [](std::string_view body) {
        const std::string text = defused(
            "def @main(%c: bool, %x: Tensor[(2), float32]) {\n  %0 = fn (%b: bool, %p: Tensor[(2), float32]) {\n    " +
            std::string(body) + "\n  };\n  %0(%c, %x)\n}");
        const std::size_t begin = text.find("{\n") + 2;
        return text.substr(begin, text.rfind("\n}") - begin);
    };
    CHECK(called("(%p,)") == "  (%x,)");
    CHECK(called("%1 = (%b, %p); %1.1") == "  %0 = (%c, %x);\n  %0.1");
    CHECK(called("%p") == "  %x");
    CHECK(called("1f") == "  1f");
    CHECK(called("let %t = exp(%p); add(%t, %t)") == "  let %t: Tensor[(2), float32] = exp(%x);\n  add(%t, %t)");
    CHECK(called("if (%b) { exp(%p) } else { %p }") == "  if (%c) {\n    exp(%x)\n  } else {\n    %x\n  }");
}

TEST_CASE("defuse_ops: keeps bound functions", "[relay][transform]") {
    const std::string bound =
        "def @main(%x: float32) -> float32 {\n"
        "  let %f: fn (float32) -> float32 = fn (%p: float32) -> float32 {\n    exp(%p)\n  };\n  %f(%x)\n}\n";
    CHECK(defused(bound) == bound);
}

TEST_CASE("defuse_ops: a chain of many functions", "[relay][transform]") {
    relay::ir_module m = test::typed(test::chain(20'000));
    const std::string before = relay::to_text(m);
    run(relay::fuse_ops{.fuse_opt_level = 0}, m);
    run(relay::defuse_ops{}, m);
    CHECK(relay::to_text(m) == before);
}

TEST_CASE("defuse_ops: refuses a module without types", "[relay][transform]") {
    relay::ir_module m = relay::parse(test::residual_block);
    CHECK(test::refusal(m, [](relay::ir_module& it) { run(relay::defuse_ops{}, it); }) ==
          "DefuseOps: a function has no types; expected InferType to have run before");
}

TEST_CASE("defuse_ops: respects the limit on copies, and leaves the module unchanged", "[relay][transform][limits]") {
    std::string text = "def @main(%x: float32) -> float32 {\n  %0 = fn (%y: float32) {\n    exp(%y)\n  };\n";
    for (int i = 1; i <= 40; ++i) {
        const std::string before = "%" + std::to_string(i - 1);
        const std::string inner = "%" + std::to_string(i + 1000);
        text += "  %" + std::to_string(i) + " = fn (%y: float32) {\n    " + inner + " = " + before + "(%y);\n    " +
                before + "(" + inner + ")\n  };\n";
    }
    relay::ir_module m = test::typed(text + "  %2000 = %40(%x);\n  %40(%2000)\n}\n");
    const std::string before = relay::to_text(m);
    CHECK(test::refusal(m, [](relay::ir_module& it) { run(relay::defuse_ops{}, it); }) ==
          "DefuseOps: more than 2,097,152 expressions copied beyond the size of the program; expected no more, or a "
          "larger max_nodes");
    CHECK(relay::to_text(m) == before);
}
