#include <tutti/relay/transform/passes/canonicalize_cast.hpp>

#include "relay/programs.hpp"
#include "relay/transform/evaluate.hpp"
#include "relay/transform/fuse_programs.hpp"
#include "support/catch.hpp"

using namespace tutti;

namespace {

std::string body(std::string_view statements, std::string_view element = "int8") {
    const std::string text =
        test::bare_text(test::after(test::typed("def @main(%x: Tensor[(2, 2), " + std::string(element) + "]) {\n" +
                                                std::string(statements) + "\n}"),
                                    relay::canonicalize_cast{}));
    return text.substr(text.find('\n') + 1);
}

} // namespace

TEST_CASE("canonicalize_cast: each elementwise use of a widening cast gets its own cast", "[relay][transform]") {
    CHECK(body("%0 = cast(%x, dtype=\"float32\");\n%1 = exp(%0);\n%2 = log(%0);\n%3 = add(%1, %2);\nadd(%3, %0)") ==
          "  %0 = cast(%x, dtype=\"float32\");\n"
          "  %1 = cast(%x, dtype=\"float32\");\n"
          "  %2 = exp(%0);\n"
          "  %3 = log(%1);\n"
          "  %4 = add(%2, %3);\n"
          "  %5 = cast(%x, dtype=\"float32\");\n"
          "  add(%4, %5)\n"
          "}\n");
    CHECK(body("%0 = cast(%x, dtype=\"int32\");\nadd(%0, %0)") == "  %0 = cast(%x, dtype=\"int32\");\n"
                                                                  "  %1 = cast(%x, dtype=\"int32\");\n"
                                                                  "  add(%0, %1)\n}\n");
}

TEST_CASE("canonicalize_cast: the first user keeps the cast, which users that are not elementwise share",
          "[relay][transform]") {
    // The first user of the cast is `%3`, not `exp`: the pass visits the first operand of `%3`, which is the cast,
    // before it visits the operands of `exp`.
    CHECK(
        body(
            "%0 = cast(%x, dtype=\"float32\");\n%1 = exp(%0);\n%2 = nn.softmax(%0);\n%3 = add(%0, %1);\nadd(%3, %2)") ==
        "  %0 = cast(%x, dtype=\"float32\");\n"
        "  %1 = cast(%x, dtype=\"float32\");\n"
        "  %2 = exp(%0);\n"
        "  %3 = add(%1, %2);\n"
        "  %4 = nn.softmax(%1);\n"
        "  add(%3, %4)\n}\n");
}

TEST_CASE("canonicalize_cast: casts that do not widen stay shared", "[relay][transform]") {
    const std::string narrow = "  %0 = cast(%x, dtype=\"int8\");\n  add(%0, %0)\n}\n";
    CHECK(body("%0 = cast(%x, dtype=\"int8\");\nadd(%0, %0)", "int32") == narrow);
    CHECK(body("%0 = cast(%x, dtype=\"int8\");\nadd(%0, %0)") == narrow);
    CHECK(body("%0 = cast(%x, dtype=\"int8\");\nadd(%0, %0)", "bool") != narrow);
}

TEST_CASE("canonicalize_cast: a second run changes nothing", "[relay][transform]") {
    const auto once = test::after(
        test::typed("def @main(%x: Tensor[(2), int8]) {\n  %0 = cast(%x, dtype=\"float32\");\n  %1 = exp(%0);\n"
                    "  add(%1, %0)\n}"),
        relay::canonicalize_cast{});
    CHECK(test::bare_text(test::after(once, relay::canonicalize_cast{})) == test::bare_text(once));
}

TEST_CASE("canonicalize_cast: refuses a module without types", "[relay][transform]") {
    relay::ir_module m = relay::parse("def @main(%x: Tensor[(2), float32]) {\n  exp(%x)\n}");
    CHECK(test::refusal(m, [](relay::ir_module& it) {
              with(pass_context{}, [&](auto& scope) { scope.run(relay::canonicalize_cast{}, it); });
          }) == "CanonicalizeCast: a function has no types; expected InferType to have run before");
}
