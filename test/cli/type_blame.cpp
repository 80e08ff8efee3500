// Tests the command line's search for the pass that produced an ill-typed program.

#include "../../tools/tutti/type_blame.hpp"

#include <tutti/pass/make_pass.hpp>
#include <tutti/pass/pass_context.hpp>
#include <tutti/pass/sequential.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/transform/function_pass.hpp>
#include <tutti/relay/transform/passes/infer_type.hpp>

#include "support/catch.hpp"

#include <string>

using namespace tutti;

namespace {

relay::ir_module well_typed() { return relay::parse("def @main(%x: Tensor[(2, 3), float32]) { nn.relu(%x) }"); }
relay::ir_module ill_typed() {
    return relay::parse("def @main(%x: Tensor[(2, 3), float32], %y: Tensor[(4, 5), float32]) { add(%x, %y) }");
}

constexpr auto keep = make_pass<"Keep">([](relay::ir_module&) {});
constexpr auto spoil = make_pass<"Spoil">([](relay::ir_module& m) { m = ill_typed(); });
// Runs InferType itself, as passes over functions do.
constexpr auto spoil_and_infer = make_pass<"SpoilAndInfer">([](relay::ir_module& m, auto& ctx) {
    m = ill_typed();
    ctx.run(relay::infer_type{}, m);
});

std::string blamed(const auto& pipeline) {
    relay::ir_module m = well_typed();
    program::type_blame blame;
    pass_context ctx{instruments(blame)};
    try {
        with(ctx, [&](auto& scope) { scope.run(pipeline, m); });
    } catch (const error&) {
        return blame.culprit;
    }
    return "(nothing failed)";
}

} // namespace

TEST_CASE("type_blame: it is the pass that made the program, not the one that found out", "[cli]") {
    CHECK(blamed(sequential(keep, spoil, keep, relay::infer_type{})) == "Spoil");
    CHECK(blamed(sequential(keep, sequential(spoil), relay::infer_type{})) == "Spoil");
    CHECK(blamed(sequential(relay::infer_type{}, keep, spoil_and_infer)) == "SpoilAndInfer");
    CHECK(blamed(sequential(keep, relay::infer_type{})) == "(nothing failed)");
}

TEST_CASE("type_blame: tells a program that is well typed", "[cli]") {
    CHECK(program::is_well_typed(well_typed()));
    CHECK_FALSE(program::is_well_typed(ill_typed()));
}
