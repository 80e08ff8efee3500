#include <tutti/relay/ir/located_error.hpp>

#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/op/dense.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/op/verify.hpp>

#include "support/catch.hpp"

#include <utility>

namespace relay = tutti::relay;

namespace {

// Returns a program with a matrix product at the location `where`. Its sizes match if `columns` is 3.
relay::ir_module program(std::int64_t columns, relay::source_location where) {
    relay::builder b;
    const auto x = b.variable("x", {2, 3});
    const auto w = b.variable("w", {4, columns});
    const auto y = relay::nn::dense(x, w);
    auto f = b.function({x, w}, y);
    f.graph.set_location(y.id, where);
    return relay::ir_module{std::move(f)};
}

relay::source_location place_of_error(relay::ir_module m, bool verified) {
    try {
        if (verified)
            relay::verify(m);
        else
            relay::infer_types(m);
    } catch (const relay::located_error& e) {
        CHECK(e.where().starts_with("@main: nn.dense"));
        return e.location();
    } catch (const tutti::error&) {}
    return {};
}

} // namespace

TEST_CASE("located_error: type inference says where the expression was read", "[relay][located_error]") {
    CHECK(place_of_error(program(5, {3, 14}), false) == relay::source_location{3, 14});
    CHECK(place_of_error(program(5, {}), false) == relay::source_location{});
    CHECK(place_of_error(program(3, {3, 14}), false) == relay::source_location{});
}

TEST_CASE("located_error: the verifier says where a type was noted that is not the inferred one",
          "[relay][located_error]") {
    auto m = program(3, {3, 14});
    relay::infer_types(m);
    CHECK(place_of_error(m, true) == relay::source_location{});
    auto& f = *m.find("main");
    f.graph.set_type(f.graph.body(f.root), f.graph.types().tensor(relay::dims{2, 5}, relay::dtype::float32));
    CHECK(place_of_error(m, true) == relay::source_location{3, 14});
}

TEST_CASE("throw_within: puts more before the place and keeps it", "[relay][located_error]") {
    const relay::located_error located(tutti::error("add", "is wrong", "right"), {1, 2});
    try {
        relay::throw_within("@main: ", located);
    } catch (const relay::located_error& e) {
        CHECK(std::string(e.what()) == "@main: add: is wrong; expected right");
        CHECK(e.location() == relay::source_location{1, 2});
    }
    CHECK_THROWS_AS(relay::throw_within("@main: ", tutti::error("add", "is wrong")), tutti::error);
}

TEST_CASE("located_error: an expression whose source has a name is said with it, once", "[relay][located_error]") {
    relay::builder b;
    const auto x = b.variable("x", {2, 3});
    const auto w = b.variable("w", {4, 5});
    const auto y = relay::nn::dense(x, w);
    auto f = b.function({x, w}, y);
    f.graph.set_source_name(y.id, "fc1");
    relay::ir_module m{std::move(f)};
    std::string where;
    try {
        relay::infer_types(m);
    } catch (const tutti::error& e) {
        CHECK(dynamic_cast<const relay::located_error*>(&e) == nullptr);
        where = e.where();
    }
    CHECK(where.find("of fc1") != std::string::npos);
    CHECK(where.find("fc1", where.find("fc1") + 1) == std::string::npos);
}
