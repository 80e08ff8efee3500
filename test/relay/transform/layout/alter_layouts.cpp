#include <tutti/relay/transform/layout/alter_layouts.hpp>

#include <tutti/pass/pass_context.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/relay/op/layout_conversion.hpp>
#include <tutti/relay/op/layout_rule.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/text/printer.hpp>
#include <tutti/relay/transform/passes/infer_type.hpp>

#include "support/catch.hpp"

#include <string>

using namespace tutti;

namespace {

// Converts the data of convolutions to NHWC.
class to_nhwc final : public relay::detail::call_alteration {
public:
    void operator()(relay::layout_change& change, const relay::pass_notes&) override {
        if (change.op->name != "nn.conv2d") return;
        relay::attribute_edit edit = change.edit();
        edit.set("data_layout", "NHWC");
        change.attributes = edit.commit();
    }
};

struct alters {
    static constexpr pass_info info{.name = "Alters"};

    template <class Context>
    void operator()(relay::ir_module& m, Context& ctx) const {
        to_nhwc alter;
        auto any = relay::as_module_context<relay::infer_type>(ctx);
        relay::detail::alter_layouts(m, any, info, &relay::layout_rules::standard::find, alter);
    }
};

} // namespace

TEST_CASE("alter_layouts: alters calls, and converts tensors for the others", "[relay][layout]") {
    relay::ir_module m =
        relay::parse("def @main(%x: Tensor[(1, 3, 8, 8), float32], %w: Tensor[(4, 3, 1, 1), float32]) {\n"
                     "  nn.softmax(nn.relu(nn.conv2d(%x, %w)))\n"
                     "}");
    pass_context ctx;
    with(ctx, [&](auto& scope) {
        scope.run(relay::infer_type{}, m);
        scope.run(alters{}, m);
    });
    const std::string text = relay::to_text(m);
    CHECK_THAT(text, Catch::Matchers::Contains("layout_transform(%x, src_layout=\"NCHW\", dst_layout=\"NHWC\")"));
    CHECK_THAT(text, Catch::Matchers::Contains("nn.relu(%1) /* ty=Tensor[(1, 8, 8, 4), float32] */"));
    CHECK_THAT(text, Catch::Matchers::Contains("src_layout=\"NHWC\", dst_layout=\"NCHW\""));
}

TEST_CASE("alter_layouts: names the pass in errors, and leaves the module unchanged", "[relay][layout]") {
    relay::ir_module m = relay::parse("def @main(%x: Tensor[(1, 3, 8, 8), float32]) { nn.relu(%x) }");
    const std::string before = relay::to_text(m);
    pass_context ctx;
    CHECK_THROWS_WITH(with(ctx, [&](auto& scope) { scope.run(alters{}, m); }), Catch::Matchers::Contains("Alters"));
    CHECK(relay::to_text(m) == before);
}
