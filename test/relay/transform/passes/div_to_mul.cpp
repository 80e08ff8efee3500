#include <tutti/relay/transform/passes/div_to_mul.hpp>

#include <tutti/pass/sequential.hpp>
#include <tutti/relay/op/broadcast.hpp>

#include "relay/programs.hpp"
#include "relay/transform/evaluate.hpp"
#include "relay/transform/fuse_programs.hpp"
#include "support/catch.hpp"

using namespace tutti;

namespace {

std::string body(const relay::ir_module& m) {
    const std::string text = test::bare_text(m);
    return text.substr(text.find('\n') + 1);
}

std::string rewritten(std::string_view type, std::string_view divisor, const relay::div_to_mul& pass = {}) {
    const std::string of(type);
    return body(test::after(
        test::typed("def @main(%x: Tensor[(2), " + of + "]) {\n  divide(%x, " + std::string(divisor) + ")\n}"), pass));
}

} // namespace

TEST_CASE("div_to_mul: a constant floating-point divisor becomes a factor", "[relay][transform]") {
    CHECK(rewritten("float32", "4f") == "  multiply(%x, 0.25f)\n}\n");
    CHECK(rewritten("float64", "4f64") == "  multiply(%x, 0.25f64)\n}\n");
    CHECK(rewritten("float16", "4f16") == "  multiply(%x, 0.25f16)\n}\n");
}

TEST_CASE("div_to_mul: skips integers, zeros and divisors that are not constant", "[relay][transform]") {
    CHECK(rewritten("int32", "4") == "  divide(%x, 4)\n}\n");
    CHECK(rewritten("float32", "0f") == "  divide(%x, 0f)\n}\n");
    CHECK(rewritten("float64", "-0f64") == "  divide(%x, -0f64)\n}\n");
    CHECK(rewritten("float16", "0f16") == "  divide(%x, 0f16)\n}\n");
    CHECK(rewritten("float32", "%x") == "  divide(%x, %x)\n}\n");
}

TEST_CASE("div_to_mul: keeps a divisor whose reciprocal is infinite or subnormal", "[relay][transform]") {
    for (const auto& [type, divisor] : {std::pair("float32", "9.99995e-41f"), std::pair("float32", "3e+38f"),
                                        std::pair("float64", "1e+308f64"), std::pair("float16", "30000f16")}) {
        INFO(divisor);
        const std::string division = "  divide(%x, " + std::string(divisor) + ")\n}\n";
        CHECK(rewritten(type, divisor) == division);
        CHECK(rewritten(type, divisor, {.as_reference = true}).find("multiply") != std::string::npos);
    }
    CHECK(rewritten("float32", "8e+37f").find("multiply") != std::string::npos);
    CHECK(rewritten("float32", "0f", {.as_reference = true}) == "  divide(%x, 0f)\n}\n");
}

TEST_CASE("div_to_mul: a single zero element keeps the division", "[relay][transform]") {
    for (const float last : {2.0F, 0.0F}) {
        relay::builder b;
        relay::tensor divisor(relay::dtype::float32, {2});
        divisor.mutable_elements<float>()[0] = 1;
        divisor.mutable_elements<float>()[1] = last;
        const relay::ir_module m(test::closed(b, relay::divide(b.variable("x", {2}), b.constant(std::move(divisor)))));
        const bool multiplies = body(test::after(m, relay::div_to_mul{})).find("multiply") != std::string::npos;
        CHECK(multiplies == (last != 0));
    }
}

TEST_CASE("div_to_mul: keeps results", "[relay][transform]") {
    const auto before = test::typed("def @main(%x: Tensor[(8), float32]) {\n  divide(%x, 3f)\n}");
    const auto after = test::after(before, relay::div_to_mul{});
    CHECK(test::relative_difference(test::evaluate(before, 1), test::evaluate(after, 1)) < 1e-6);
}

TEST_CASE("div_to_mul: requires types and folded constants", "[relay][transform]") {
    relay::ir_module m = relay::parse("def @main(%x: Tensor[(2), float32]) {\n  divide(%x, 2f)\n}");
    CHECK(test::refusal(m, [](relay::ir_module& it) {
              with(pass_context{}, [&](auto& scope) { scope.run(relay::div_to_mul{}, it); });
          }) == "DivToMul: a function has no types; expected InferType to have run before");
    m = relay::parse("def @main(%x: Tensor[(2), float32]) {\n  %0 = add(1f, 1f);\n  divide(%x, %0)\n}");
    with(pass_context{}, [&](auto& scope) { scope.run(sequential(relay::div_to_mul{}), m); });
    CHECK(body(m) == "  multiply(%x, 0.5f)\n}\n");
}
