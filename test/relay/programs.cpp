#include "programs.hpp"

#include <tutti/relay/op/broadcast.hpp>

#include "support/catch.hpp"

using namespace tutti;
using namespace tutti::test;

TEST_CASE("test helper: a missing refusal is distinguished from an actual one", "[relay][programs]") {
    relay::builder b;
    relay::ir_module m(b.function({}, b.tuple({})));
    CHECK(refusal(m, [](relay::ir_module&) {}) == "(not refused)");
    CHECK(refusal(m, [](relay::ir_module&) { throw error("here", "bad"); }) == "here: bad");
}

TEST_CASE("test helper: a refusal that changes the module is noticed", "[relay][programs]") {
    relay::builder b;
    relay::ir_module m(b.function({}, b.tuple({})));
    const std::string said = refusal(m, [](relay::ir_module& it) {
        relay::infer_types(it);
        throw error("here", "bad");
    });
    CHECK(said == "here: bad (the module is not as it was)");
}

TEST_CASE("test helper: closes a function over its free variables, and returns the type of its result",
          "[relay][programs]") {
    relay::builder b;
    const auto x = b.variable("x", {2, 1});
    const auto y = b.variable("y", {3});
    CHECK(inferred(b, relay::add(y, x)) == "Tensor[(2, 3), float32]");
    const auto z = b.variable("z", {2});
    CHECK(inference_refusal(b, relay::add(z, z)) == "(not refused) (the module is not as it was)");
}
