#include <tutti/relay/transform/passes/infer_type.hpp>

#include <tutti/pass/pass_context.hpp>
#include <tutti/pass/sequential.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/conv.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/text/printer.hpp>

#include "relay/programs.hpp"
#include "support/catch.hpp"
#include "support/recorder.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

using namespace tutti;
using namespace tutti::test;

static_assert(relay::infer_type::info.name == "InferType" && relay::infer_type::info.opt_level == 0);

TEST_CASE("InferType: refuses a conv2d with a wrong number of channels, and leaves the module unchanged",
          "[relay][infer_type]") {
    relay::builder b;
    const auto x = b.variable("x", {1, 3, 8, 8});
    const auto weight = b.variable("weight", {16, 4, 3, 3});
    const auto bias = b.variable("bias");
    relay::ir_module m(closed(b, relay::add(relay::nn::conv2d(x, weight), bias)));
    std::string events;
    full_recorder recorder("r", events, recording::hooks_and_passes);
    pass_context ctx{instruments(recorder)};
    const std::string said = refusal(m, [&](relay::ir_module& it) {
        with(ctx, [&](auto& scope) { scope.run(sequential(relay::infer_type{}), it); });
    });
    CHECK(said == "@main: nn.conv2d, argument `weight`: Tensor[(16, 4, 3, 3), float32] does not fit `data`, "
                  "Tensor[(1, 3, 8, 8), float32]; expected Tensor[(16, 3, 3, 3), float32]");
    CHECK_THAT(events, Catch::Matchers::Contains("r pass_failed InferType\n"));
    CHECK(relay::to_text(m) ==
          "#[version = \"0.0.5\"]\n"
          "def @main(%x: Tensor[(1, 3, 8, 8), float32], %weight: Tensor[(16, 4, 3, 3), float32], %bias) {\n"
          "  %0 = nn.conv2d(%x, %weight, padding=[0, 0, 0, 0]);\n"
          "  add(%0, %bias)\n"
          "}\n");
}

TEST_CASE("InferType: an unused function with undetermined parameters keeps its types", "[relay][infer_type]") {
    for (
        const std::string_view program : {
            "def @main(%x: float32) {\n  let %f = fn (%a) {\n    %a\n  };\n  %x\n}",
            "def @main(%x: float32) {\n  let %f = fn (%a) {\n    %a\n  };\n  let %g = fn (%b, %c) {\n    %f(%b)\n  };\n  %x\n}",
            "def @main(%x: float32) {\n  let %f = fn (%a) {\n    %a\n  };\n  let %g = fn (%a) {\n    %a\n  };\n  %g(%x)\n}",
        }) {
        INFO(program);
        relay::ir_module m = relay::parse(program);
        relay::infer_types(m);
        const std::string once = relay::to_text(m);
        CHECK_NOTHROW(relay::infer_types(m));
        CHECK(relay::to_text(m) == once);
    }
    relay::ir_module used = relay::parse("def @main() {\n  let %f = fn (%a) {\n    %a\n  };\n  %f\n}");
    CHECK_THROWS_AS(relay::infer_types(used), tutti::error);
}
