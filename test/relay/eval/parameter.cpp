#include <tutti/relay/eval/parameter.hpp>

#include <tutti/relay/eval/evaluator.hpp>
#include <tutti/relay/ir/type_text.hpp>
#include <tutti/relay/text/parser.hpp>

#include "support/catch.hpp"

#include <string>

using namespace tutti;

TEST_CASE("parameter: a tuple is several, named after their places", "[relay][eval]") {
    const relay::evaluator e(relay::parse("def @main(%x: (float32, (Tensor[(2), int32],)), %y: bool) { %y }"));
    std::string all;
    for (const relay::parameter& p : e.parameters()) all += p.name + ": " + relay::to_text(e.types(), p.type) + "; ";
    CHECK(all == "x.0: float32; x.1.0: Tensor[(2), int32]; y: bool; ");
}

TEST_CASE("named_input: has no value until it is given one", "[relay][eval]") {
    CHECK(relay::named_input{.name = "x"}.value == nullptr);
}
