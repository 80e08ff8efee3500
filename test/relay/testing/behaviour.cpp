#include <tutti/relay/testing/behaviour.hpp>

#include <tutti/relay/text/parser.hpp>

#include "support/catch.hpp"

#include <cstdint>
#include <string>

using namespace tutti;
using relay::testing::behaviour;

namespace {

std::string difference(const std::string& before, const std::string& after) {
    const relay::ir_module m =
        relay::parse("def @main(%x: Tensor[(4), float32], %n: Tensor[(4), int8]) { " + before + " }");
    const relay::ir_module other =
        relay::parse("def @main(%x: Tensor[(4), float32], %n: Tensor[(4), int8]) { " + after + " }");
    behaviour b(m, {kernel::tensor({4}, {0.1F, -0.3F, 1e6F, 0.7F}),
                    kernel::tensor({4}, {std::int8_t{1}, std::int8_t{-2}, std::int8_t{127}, std::int8_t{-128}})});
    return b.difference(other);
}

} // namespace

TEST_CASE("behaviour: rounding is no difference, and larger errors are", "[relay][testing][behaviour]") {
    CHECK(difference("add(add(%x, 0.1f), 0.7f)", "add(%x, add(0.1f, 0.7f))").empty());
    CHECK(difference("multiply(%x, 3f)", "divide(%x, 0.33333334f)").empty());
    CHECK(difference("less(subtract(%x, %x), 0f)", "less(add(%x, negative(%x)), 0f)").empty());
    CHECK(difference("nn.relu(%x)", "maximum(%x, 0f)").empty());
    CHECK_FALSE(difference("multiply(%x, 3f)", "multiply(%x, 3.001f)").empty());
    CHECK_FALSE(difference("nn.relu(%x)", "multiply(nn.relu(%x), 1.0000001f)").empty());
    CHECK_FALSE(difference("less(%x, 0f)", "less_equal(%x, -0.5f)").empty());
    CHECK_FALSE(difference("add(%n, 1i8)", "add(%n, 2i8)").empty());
    CHECK_FALSE(difference("%x", "(%x, %x)").empty());
    CHECK_FALSE(difference("%x", "cast(%x, dtype=\"float64\")").empty());
}

TEST_CASE("behaviour: counts comparisons, and takes a tolerance", "[relay][testing][behaviour]") {
    const auto parsed = [](const std::string& body) {
        return relay::parse("def @main(%x: Tensor[(2), float32], %n: Tensor[(2), int8]) { " + body + " }");
    };
    const kernel::tensor x({2}, {0.1F, 3.F}), n({2}, {std::int8_t{1}, std::int8_t{2}});
    const auto counted = behaviour(parsed("(exp(%x), %n)"), {x, n}).count();
    CHECK(counted.exact == 2);
    CHECK(counted.within == 2);
    CHECK(counted.skipped == 0);
    CHECK(behaviour(parsed("%x"), {x, n}, 0.01).difference(parsed("multiply(%x, 1.005f)")).empty());
    CHECK_FALSE(behaviour(parsed("%x"), {x, n}, 0.001).difference(parsed("multiply(%x, 1.005f)")).empty());
    CHECK(behaviour(parsed("%x"), {x, n}).failure(parsed("exp(%x)")).empty());
    CHECK_FALSE(behaviour(parsed("%x"), {x, n}).failure(parsed("(%x, %x)")).empty());
}
