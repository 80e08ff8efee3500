#include <tutti/relay/transform/passes/bind_params.hpp>

#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/text/parser.hpp>

#include "relay/programs.hpp"
#include "relay/transform/evaluate.hpp"
#include "support/catch.hpp"

using namespace tutti;

namespace {

relay::function read(std::string_view text) { return *relay::parse(text).find("main"); }

std::string bound(std::string_view text, const std::map<std::string, relay::tensor, std::less<>>& values) {
    try {
        return test::bare_text(relay::ir_module(relay::bind_params_by_name(read(text), values)));
    } catch (const error& e) {
        return e.what();
    }
}

constexpr std::string_view sum = "def @main(%x: Tensor[(2, 2), float32], %w: Tensor[(2), float32], %s: float32) { "
                                 "%0 = add(%x, %w); multiply(%0, %s) }";

constexpr bool binds_in_constant_evaluation() {
    relay::builder b;
    const auto x = b.variable("x", {2});
    const auto y = b.variable("y", {2});
    const relay::function f =
        b.function({x, y}, relay::expr{&b.graph(), b.graph().tuple(std::array{x.id, y.id, x.id})});
    const relay::tensor value({2}, {1.0F, 2.0F});
    const auto made = relay::bind_params(f, [&](std::string_view name) { return name == "x" ? &value : nullptr; });
    const relay::graph& g = made.graph;
    const auto fields = g.operands(g.body(made.root));
    return g.params(made.root).size() == 1 && fields[0] == fields[2] &&
           g.constant_value(fields[0]).elements<float>()[1] == 2 && g.kind(fields[1]) == relay::expr_kind::variable;
}

} // namespace

TEST_CASE("bind_params: a parameter with a value becomes a constant", "[relay][transform]") {
    CHECK(binds_in_constant_evaluation());
    CHECK(
        bound(sum, {{"s", relay::tensor::scalar(2.0F)}, {"other", relay::tensor::scalar(1)}}) ==
        "def @main(%x: Tensor[(2, 2), float32], %w: Tensor[(2), float32]) {\n  %0 = add(%x, %w);\n  multiply(%0, 2f)\n}\n");
}

TEST_CASE("bind_params: without values nothing changes", "[relay][transform]") {
    relay::ir_module m = relay::parse(sum);
    relay::infer_types(m);
    const relay::ir_module same(relay::bind_params_by_name(*m.find("main"), {}));
    CHECK(relay::to_text(same) == relay::to_text(m));
}

TEST_CASE("bind_params: refuses values of a different type", "[relay][transform]") {
    CHECK(bound(sum, {{"s", relay::tensor::scalar(2)}}) == "parameter `%s`: a value of type int32; expected float32");
    CHECK(bound(sum, {{"w", relay::tensor({3}, {1.0F, 2.0F, 3.0F})}}) ==
          "parameter `%w`: a value of type Tensor[(3), float32]; expected Tensor[(2), float32]");
    CHECK(bound("def @main(%w: Tensor[(?), float32]) { %w }", {{"w", relay::tensor({3}, {1.0F, 2.0F, 3.0F})}})
              .starts_with("def @main()"));
}

TEST_CASE("bind_params: refuses a name that two parameters share", "[relay][transform]") {
    relay::builder b;
    const auto x = b.variable("x", {});
    const auto y = b.variable("x", {});
    const relay::function f = b.function({x, y}, relay::add(x, y));
    const std::map<std::string, relay::tensor, std::less<>> values{{"x", relay::tensor::scalar(1.0F)}};
    CHECK_THROWS_AS(relay::bind_params_by_name(f, values), error);
    CHECK_NOTHROW(relay::bind_params_by_name(f, {}));
}
