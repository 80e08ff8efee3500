#include <tutti/relay/transform/properties.hpp>

#include <tutti/pass/with.hpp>
#include <tutti/relay/passes.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/runtime/parse_pipeline.hpp>
#include <tutti/runtime/pass_context.hpp>
#include <tutti/runtime/property.hpp>

#include "support/catch.hpp"

#include <string>
#include <string_view>

using namespace tutti;

namespace {

constexpr std::string_view program = R"(
def @main(%x: Tensor[(2), float32]) {
  %0 = exp(%x);
  add(%0, negative(%0))
})";

constexpr std::string_view skipped = R"(
def @main(%x: Tensor[(2), float32], Compiler="other") {
  add(exp(%x), negative(%x))
})";

} // namespace

TEST_CASE("properties: tell programs apart", "[relay][transform][properties]") {
    relay::ir_module m = relay::parse(program);
    CHECK_FALSE(relay::typed::holds(m));
    CHECK_FALSE(relay::in_a_normal_form::holds(m));
    tutti::pass_context ctx{opt_level<3>};
    tutti::with(ctx, [&](auto& scope) {
        scope.run(relay::infer_type{}, m);
        CHECK(relay::typed::holds(m));
        scope.run(relay::to_a_normal_form{}, m);
        CHECK(relay::in_a_normal_form::holds(m));
        CHECK_FALSE(relay::typed::holds(m));
        scope.run(relay::to_graph_normal_form{}, m);
        CHECK_FALSE(relay::in_a_normal_form::holds(m));
        CHECK(unit_traits<relay::ir_module>::holds(m, relay::typed{}));
    });
}

TEST_CASE("properties: functions that passes skip have all", "[relay][transform][properties]") {
    const relay::ir_module m = relay::parse(skipped);
    CHECK(relay::typed::holds(m));
    CHECK(relay::in_a_normal_form::holds(m));
}

TEST_CASE("properties: pipelines of Relay's passes are checked", "[relay][transform][properties]") {
    constexpr auto works = []<class... P>(P...) { return order_works<decltype(tutti::sequential(P{}...))>; };
    using namespace relay;
    STATIC_REQUIRE(works(infer_type{}, to_a_normal_form{}, infer_type{}, to_mixed_precision{}));
    STATIC_REQUIRE_FALSE(works(infer_type{}, to_a_normal_form{}, to_mixed_precision{}));
    STATIC_REQUIRE_FALSE(works(eta_expand{}, to_mixed_precision{}));
    STATIC_REQUIRE_FALSE(works(to_a_normal_form{}, fold_constant{}, to_mixed_precision{})); // at level 1
    STATIC_REQUIRE(works(to_basic_block_normal_form{}, fuse_ops{}, to_mixed_precision{})); // FuseOps requires InferType
    STATIC_REQUIRE(tutti::effect_on<typed, fold_scale_axis>.gives);
    STATIC_REQUIRE(tutti::effect_on<in_a_normal_form, fold_scale_axis>.breaks);
}
