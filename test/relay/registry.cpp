#include <tutti/relay/registry.hpp>

#include <tutti/pass/with.hpp>
#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/model/resnet.hpp>
#include <tutti/relay/op/attribute_edit.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/text/printer.hpp>
#include <tutti/relay/text/write_metadata.hpp>
#include <tutti/runtime/parse_instruments.hpp>
#include <tutti/runtime/parse_pipeline.hpp>

#include "support/catch.hpp"

namespace relay = tutti::relay;
namespace runtime = tutti::runtime;

TEST_CASE("registered_passes: every pass of the library by its name", "[relay][registry]") {
    const auto known = relay::registered_passes();
    for (const char* name : {"AlterOpLayout", "BackwardFoldScaleAxis", "CanonicalizeOps", "ConvertLayout",
                             "FoldConstant", "FoldScaleAxis", "ForwardFoldScaleAxis", "FuseOps", "InferType"}) {
        INFO(name);
        const auto* pass = known.find(name);
        REQUIRE(pass != nullptr);
        CHECK(known.make(name).info.opt_level == pass->opt_level);
    }
    CHECK(known.find("CanonicalizeOps")->required == std::vector<std::string_view>{"InferType"});
    CHECK(known.explain_missing<relay::ir_module>("FoldConst").meant == "FoldConstant");
    CHECK(tutti::write_pipeline(runtime::parse_pipeline("InferType,FoldScaleAxis", known)) ==
          "InferType,FoldScaleAxis");
}

TEST_CASE("registered_instruments: work around Relay modules", "[relay][registry]") {
    const auto known = relay::registered_instruments();
    std::string text;
    const auto write = [&](std::string_view part) { text += part; };
    runtime::pass_context<relay::ir_module> ctx{
        {.opt_level = 3,
         .instruments =
             runtime::parse_instruments("op_diff,verify,print_ir{after=[CanonicalizeOps]}", known, {.write = write})}};
    auto m = relay::model::resnet();
    tutti::with(ctx, [&](auto& scope) {
        scope.run(runtime::parse_pipeline("InferType,CanonicalizeOps", relay::registered_passes()), m);
    });
    CHECK(text.starts_with("// after CanonicalizeOps\n#[version = \"0.0.5\"]\n"));
    CHECK(text.ends_with("sequential: +1 add, -1 nn.bias_add\n\tCanonicalizeOps: +1 add, -1 nn.bias_add\n"));
}

TEST_CASE("registered_passes: PrintIR writes to the given writer", "[relay][registry]") {
    std::string text;
    const auto known = relay::registered_passes([&](std::string_view part) { text += part; });
    const std::string pipeline = R"(PrintIR,InferType,PrintIR{header="with \"types\"",show_meta_data=True})";
    const auto passes = runtime::parse_pipeline(pipeline, known);
    CHECK(tutti::write_pipeline(passes) == pipeline);

    relay::builder b;
    const auto x = b.variable("x", {2}, tutti::kernel::dtype::float32);
    relay::ir_module m(b.function({x}, relay::add(x, b.constant(tutti::kernel::tensor({2}, {1.0F, 2.0F})))));
    const std::string before = relay::to_text(m);
    runtime::pass_context<relay::ir_module> ctx;
    tutti::with(ctx, [&](auto& scope) { scope.run(passes, m); });
    CHECK(text == "PrintIR():\n" + before + "\nPrintIR(with \"types\"):\n" +
                      relay::to_text(m, {.metadata = relay::write_metadata}));
}

TEST_CASE("registered_passes: a layout target that was registered is usable from text", "[relay][registry]") {
    const auto known =
        relay::registered_passes(tutti::internal::write_to_stderr{}, {{"mine", [](relay::layout_change& c) {
                                                                           if (c.op->name != "nn.conv2d") return;
                                                                           relay::attribute_edit edit = c.edit();
                                                                           edit.set("data_layout", "NCHW4c");
                                                                           c.attributes = edit.commit();
                                                                       }}});
    const auto altered = [&](const std::string& pipeline) {
        const auto passes = runtime::parse_pipeline(pipeline, known);
        CHECK(tutti::write_pipeline(passes) == pipeline);
        relay::ir_module m =
            relay::parse("def @main(%x: Tensor[(1, 8, 6, 6), float32], %w: Tensor[(16, 8, 3, 3), float32]) "
                         "{ nn.conv2d(%x, %w, padding=[0, 0, 0, 0]) }");
        runtime::pass_context<relay::ir_module> ctx{{.opt_level = 3}};
        tutti::with(ctx, [&](auto& scope) { scope.run(passes, m); });
        return relay::to_text(m);
    };
    using Catch::Matchers::Contains;
    CHECK_THAT(altered("AlterOpLayout{target=mine}"), Contains("data_layout=\"NCHW4c\""));
    CHECK_THAT(altered("AlterOpLayout{target=images_in_NHWC}"), Contains("data_layout=\"NHWC\""));
    CHECK_THAT(altered("AlterOpLayout"), !Contains("layout_transform"));
    CHECK_THROWS_WITH(altered("AlterOpLayout{target=images_in_NHCW}"), Contains("did you mean `images_in_NHWC`?"));
}
