#include <tutti/relay/passes.hpp>

#include <tutti/pass/pass_context.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/pipeline/literal.hpp>
#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/model/resnet.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/text/printer.hpp>
#include <tutti/relay/text/write_metadata.hpp>

#include "relay/constant_evaluation.hpp"
#include "support/catch.hpp"
#include "support/stderr_of.hpp"

#include <sstream>
#include <string>
#include <type_traits>

namespace relay = tutti::relay;

namespace {
constexpr auto pipeline = tutti::pipeline<"InferType,seq[Inner](FoldConstant),FoldScaleAxis">(relay::passes);
constexpr auto written = tutti::sequential(relay::infer_type{}, tutti::sequential<"Inner">(relay::fold_constant{}),
                                           relay::fold_scale_axis{});
static_assert(std::is_same_v<decltype(pipeline), decltype(written)>);
} // namespace

TEST_CASE("passes: a pipeline of names is the sequential written out", "[relay][passes]") {
    const auto run = [](const auto& passes) {
        auto m = relay::model::resnet();
        tutti::with(tutti::pass_context{tutti::opt_level<3>}, [&](auto& scope) { scope.run(passes, m); });
        return relay::to_text(m);
    };
    CHECK(run(pipeline) == run(written));
}

TEST_CASE("passes: PrintIR writes to standard error at its position", "[relay][passes]") {
    const auto printed = [](const auto& passes, relay::ir_module m) {
        return written_to_stderr(
            [&] { tutti::with(tutti::pass_context{}, [&](auto& scope) { scope.run(passes, m); }); });
    };
    relay::builder b;
    const auto x = b.variable("x", {2}, tutti::kernel::dtype::float32);
    const relay::ir_module m(b.function({x}, relay::add(x, b.constant(tutti::kernel::tensor({2}, {1.0F, 2.0F})))));

    CHECK(printed(tutti::pipeline<"PrintIR">(relay::passes), m) == "PrintIR():\n" + relay::to_text(m) + "\n");
#if TUTTI_TEST_CONSTEXPR_STRING
    CHECK(printed(tutti::pipeline<"PrintIR{header=\"so far\",show_meta_data=True}">(relay::passes), m) ==
          "PrintIR(so far):\n" + relay::to_text(m, {.metadata = relay::write_metadata}));
#endif
}
