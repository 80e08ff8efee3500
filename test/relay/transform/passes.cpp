#include <tutti/relay/transform/passes.hpp>

#include "catch.hpp"

#include <tutti/pass/pipeline.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/relay/model/resnet.hpp>
#include <tutti/relay/text/printer.hpp>

#include <type_traits>

namespace relay = tutti::relay;

namespace {
constexpr auto pipeline = tutti::pipeline<"InferType,seq[Inner](FoldConstant),FoldScaleAxis">(relay::passes);
constexpr auto written = tutti::sequential(
    relay::infer_type{}, tutti::sequential<"Inner">(relay::fold_constant{}), relay::fold_scale_axis{});
static_assert(std::is_same_v<decltype(pipeline), decltype(written)>);
} // namespace

TEST_CASE("passes: a pipeline of names is the sequential written out", "[relay][transform][passes]") {
    const auto run = [](const auto& passes) {
        auto m = relay::model::resnet();
        tutti::with(tutti::pass_context{tutti::opt_level<3>}, [&](auto& scope) { scope.run(passes, m); });
        return relay::to_text(m);
    };
    CHECK(run(pipeline) == run(written));
}
