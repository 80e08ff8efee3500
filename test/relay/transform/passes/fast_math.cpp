#include <tutti/relay/transform/passes/fast_math.hpp>

#include "relay/programs.hpp"
#include "relay/transform/evaluate.hpp"
#include "relay/transform/fuse_programs.hpp"
#include "support/catch.hpp"

using namespace tutti;

TEST_CASE("fast_math: exp, erf, tanh and softmax become their approximations", "[relay][transform]") {
    const auto after = test::after(test::typed("def @main(%x: Tensor[(2, 3), float32]) {\n"
                                               "  %0 = exp(%x);\n  %1 = erf(%0);\n  %2 = tanh(%1);\n"
                                               "  %3 = nn.softmax(%2, axis=0);\n  sigmoid(%3)\n}"),
                                   relay::fast_math{});
    CHECK(test::bare_text(after) == "def @main(%x: Tensor[(2, 3), float32]) -> Tensor[(2, 3), float32] {\n"
                                    "  %0 = fast_exp(%x);\n"
                                    "  %1 = fast_erf(%0);\n"
                                    "  %2 = fast_tanh(%1);\n"
                                    "  %3 = nn.fast_softmax(%2, axis=0);\n"
                                    "  sigmoid(%3)\n"
                                    "}\n");
    CHECK(test::bare_text(test::after(after, relay::fast_math{})) == test::bare_text(after));
}

TEST_CASE("fast_math: refuses a module without types", "[relay][transform]") {
    relay::ir_module m = relay::parse("def @main(%x: Tensor[(2), float32]) {\n  exp(%x)\n}");
    CHECK(test::refusal(m, [](relay::ir_module& it) {
              with(pass_context{}, [&](auto& scope) { scope.run(relay::fast_math{}, it); });
          }) == "FastMath: a function has no types; expected InferType to have run before");
}
