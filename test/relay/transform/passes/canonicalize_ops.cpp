#include <tutti/relay/transform/passes/canonicalize_ops.hpp>

#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/op/dense.hpp>
#include <tutti/relay/op/infer.hpp>
#include <tutti/relay/text/printer.hpp>

#include "relay/transform/evaluate.hpp"
#include "support/catch.hpp"

using namespace tutti;

namespace {

relay::ir_module with_bias(std::int64_t axis) {
    relay::builder b;
    const auto x = b.variable("x", {2, 4, 5, 6});
    const auto bias = b.variable("bias");
    return relay::ir_module(b.function({x, bias}, relay::nn::bias_add(x, bias, {.axis = axis})));
}

std::string body(const relay::ir_module& m) {
    const std::string text = relay::to_text(m, {.version_line = false, .type_comments = false, .metadata_note = false});
    return text.substr(text.find('\n') + 1);
}

} // namespace

TEST_CASE("canonicalize_ops: bias_add becomes an addition, with the bias expanded to its axis", "[relay][transform]") {
    CHECK(body(test::after(with_bias(1), relay::canonicalize_ops{})) ==
          "  %0 = expand_dims(%bias, axis=1, num_newaxis=2);\n"
          "  add(%x, %0)\n"
          "}\n");
    CHECK(body(test::after(with_bias(-1), relay::canonicalize_ops{})) == "  add(%x, %bias)\n}\n");
    CHECK(body(test::after(with_bias(3), relay::canonicalize_ops{})) == "  add(%x, %bias)\n}\n");
}

TEST_CASE("canonicalize_ops: keeps results for every axis", "[relay][transform]") {
    for (const std::int64_t axis : {0, 1, 2, 3, -1, -4}) {
        relay::ir_module before = with_bias(axis);
        relay::infer_types(before);
        CHECK(test::relative_difference(test::evaluate(before, 9),
                                        test::evaluate(test::after(before, relay::canonicalize_ops{}), 9)) == 0);
    }
}

TEST_CASE("canonicalize_ops: refuses a module without types", "[relay][transform]") {
    relay::ir_module m = with_bias(1);
    pass_context ctx{};
    CHECK_THROWS_AS(with(ctx, [&](auto& scope) { scope.run(relay::canonicalize_ops{}, m); }), error);
}
