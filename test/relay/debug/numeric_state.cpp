#include <tutti/relay/debug/numeric_state.hpp>

#include <tutti/relay/eval/reference.hpp>
#include <tutti/relay/text/parser.hpp>

#include "support/catch.hpp"

namespace relay = tutti::relay;
namespace state = tutti::relay::detail;

namespace {
relay::ir_module program(const std::string& text) { return relay::parse("#[version = \"0.0.5\"]\n" + text); }
} // namespace

TEST_CASE("numeric_state: types that are inferred make no other program", "[relay][debug]") {
    state::numeric_state s{.module = program("def @main(%x: float32) { exp(%x) }")};
    relay::ir_module typed = s.module;
    relay::infer_types(typed);
    CHECK(state::is_same_program(s, typed));
    CHECK(state::is_same_program(s, program("def @main(%y: float32) -> float32 { exp(%y) }")));
    CHECK_FALSE(state::is_same_program(s, program("def @main(%x: float32) { log(%x) }")));
    CHECK_FALSE(
        state::is_same_program(s, program("def @main(%x: Tensor[(2), float32]) { reshape(%x, newshape=[3]) }")));
}

TEST_CASE("numeric_state: noise says how far results may be apart", "[relay][debug]") {
    state::numeric_state s{
        .module = program("def @main(%x: Tensor[(4), float32]) { (exp(%x), nn.relu(add(%x, 9f)), argmax(%x), "
                          "cast(subtract(add(%x, 1e9f), 1e9f), dtype=\"int32\")) }")};
    state::evaluate_state(s, relay::kernels::reference(), {}, 0, 1);
    REQUIRE(s.refusal.empty());
    state::disturb_state(s, relay::kernels::reference(), {}, 4);
    CHECK(s.noisy_runs == 4);
    for (const double x : s.noise[0]) CHECK((x > 0 && x < 1e-3));
    for (const double x : s.noise[1]) CHECK((x > 0 && x < 1e-3));
    CHECK(s.noise[2][0] == 0);
    for (const double x : s.noise[3]) CHECK(x == std::numeric_limits<double>::infinity());
}

TEST_CASE("numeric_state: has the reason if a program cannot be evaluated", "[relay][debug]") {
    state::numeric_state s{.module = program("def @main(%x: fn (float32) -> float32) { 1f }")};
    state::evaluate_state(s, relay::kernels::reference(), {}, 0, 1);
    CHECK(s.refusal == "@main: parameter %x: is of type fn (float32) -> float32; expected a tensor");
}
