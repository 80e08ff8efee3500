#include <tutti/relay/eval/evaluation.hpp>

#include <tutti/relay/eval/reference.hpp>
#include <tutti/relay/text/parser.hpp>

#include "support/catch.hpp"

#include <array>
#include <span>

using namespace tutti;

TEST_CASE("evaluation: verifies the module, infers its types and runs it", "[relay][eval]") {
    relay::detail::evaluation e(relay::parse("def @main(%x: float32, %y: float32) { subtract(%x, %y) }"),
                                relay::kernels::reference(), {});
    const std::array values{relay::tensor::scalar(5.0F), relay::tensor::scalar(3.0F)};
    relay::no_observer nobody;
    CHECK(e.run(e.in_order(values), nobody)[0].elements<float>()[0] == 2);
    const std::array named{relay::named_input{"y", &values[0]}, relay::named_input{"x", &values[1]}};
    CHECK(e.run(e.in_order(named), nobody)[0].elements<float>()[0] == -2);
    CHECK(e.module().find("main")->graph.type(e.module().find("main")->root) != relay::type_id::none);
    CHECK(e.inputs().parameters().size() == 2);
}

TEST_CASE("evaluation: refuses a malformed module", "[relay][eval]") {
    relay::ir_module m = relay::parse("def @main(%x: float32) { %x }");
    m.find("main")->root = relay::expr_id{100};
    CHECK_THROWS_WITH(relay::detail::evaluation(m, relay::kernels::reference(), {}),
                      Catch::Matchers::Contains("@main"));
}
