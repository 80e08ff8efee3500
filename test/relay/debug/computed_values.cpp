#include <tutti/relay/debug/computed_values.hpp>

#include <tutti/relay/eval/evaluator.hpp>
#include <tutti/relay/eval/synthetic.hpp>
#include <tutti/relay/text/parser.hpp>

#include "support/catch.hpp"

namespace relay = tutti::relay;

TEST_CASE("computed_values: every result of every operator, with its place, in order", "[relay][debug]") {
    relay::evaluator e(relay::parse(R"(#[version = "0.0.5"]
def @f(%a: Tensor[(4), float32]) { nn.relu(%a) }

def @main(%x: Tensor[(4), float32]) {
  let %y = exp(%x);
  let %g = fn (%z: Tensor[(4), float32]) { log(%z) };
  %0 = split(@f(%y), indices_or_sections=2);
  (%0.1, %g(%y))
}
)"));
    std::string seen;
    relay::computed_values trace{e.module(), [&](const relay::computed_value& v) {
                                     seen += place_of(v) + " of " + std::to_string(v.call->inputs.size()) + " of " +
                                             std::to_string(v.value->size()) + '\n';
                                 }};
    const relay::tensor x = relay::synthetic_input("x", e.types(), e.parameters()[0].type);
    e.run(std::span<const relay::tensor>(&x, 1), trace);
    CHECK(seen == "@main 5:12 %y, exp of 1 of 4\n"
                  "@f 2:36 nn.relu of 1 of 4\n"
                  "@main 7:8 split, result 0 of 1 of 2\n"
                  "@main 7:8 split, result 1 of 1 of 2\n"
                  "@main 6:44 log of 1 of 4\n");
}
