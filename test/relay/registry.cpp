#include <tutti/relay/registry.hpp>

#include "catch.hpp"

#include <tutti/relay/model/resnet.hpp>
#include <tutti/runtime/parse_pipeline.hpp>
#include <tutti/runtime/with.hpp>

namespace relay = tutti::relay;
namespace runtime = tutti::runtime;

TEST_CASE("registered_passes: every pass of the library by its name", "[relay][registry]") {
    const auto known = relay::registered_passes();
    for (const char* name : {"AlterOpLayout", "BackwardFoldScaleAxis", "CanonicalizeOps", "ConvertLayout",
                             "FoldConstant", "FoldScaleAxis",
                             "ForwardFoldScaleAxis", "FuseOps", "InferType"}) {
        INFO(name);
        const auto* pass = known.find(name);
        REQUIRE(pass != nullptr);
        CHECK(known.make(name).info.opt_level == pass->opt_level);
    }
    CHECK(known.find("CanonicalizeOps")->required == std::vector<std::string>{"InferType"});
    CHECK(known.nearest("FoldConst") == "FoldConstant");
    CHECK(runtime::write_pipeline(runtime::parse_pipeline("InferType,FoldScaleAxis", known)) ==
          "InferType,FoldScaleAxis");
}

TEST_CASE("registered_instruments: work around Relay modules", "[relay][registry]") {
    const auto known = relay::registered_instruments();
    std::string text;
    const auto write = [&](std::string_view part) { text += part; };
    runtime::pass_context<relay::ir_module> ctx{
        {.opt_level = 3,
         .instruments = {known.make("op-diff", {{}, write}), known.make("verify-each", {{}, write}),
                         known.make("print-ir-after", {{"CanonicalizeOps"}, write})}}};
    auto m = relay::model::resnet();
    runtime::with(ctx, [&](auto& scope) {
        scope.run(runtime::parse_pipeline("InferType,CanonicalizeOps", relay::registered_passes()), m);
    });
    CHECK(text.starts_with("// after CanonicalizeOps\n#[version = \"0.0.5\"]\n"));
    CHECK(text.ends_with("sequential: +1 add, -1 nn.bias_add\n\tCanonicalizeOps: +1 add, -1 nn.bias_add\n"));
}
