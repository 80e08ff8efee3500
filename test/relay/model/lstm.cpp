#include <tutti/relay/model/lstm.hpp>

#include "networks.hpp"
#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::test;
using Catch::Matchers::Contains;
using relay::model::lstm;

TEST_CASE("lstm: each step has its parameters, and the last output is the result", "[relay][model]") {
    const relay::ir_module m = lstm({.steps = 2, .hidden = 5, .batch = 3});
    CHECK(result_type(m) == "Tensor[(3, 5), float32]");
    const relay::function& f = *m.find("main");
    CHECK(f.graph.params(f.root).size() == 2 * 5);
    CHECK(parameter_type(m, "h2h_1_weight") == "Tensor[(20, 5), float32]");
    CHECK(parameter_type(m, "h2h_2_weight") == "(no such parameter)");
}

TEST_CASE("lstm: sizes below 1 are refused", "[relay][model]") {
    CHECK_THAT(refused(lstm, {.steps = 0}), Contains("steps"));
    CHECK_THAT(refused(lstm, {.hidden = 0}), Contains("units"));
    CHECK_THAT(refused(lstm, {.batch = 0}), Contains("inputs"));
}
