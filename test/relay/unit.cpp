#include <tutti/relay/unit.hpp>

#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/elementwise.hpp>

#include "catch.hpp"

using namespace tutti;

static_assert(has_text<relay::ir_module> && has_operators<relay::ir_module> && is_verified<relay::ir_module>);

TEST_CASE("unit: a module's text is what the printer writes", "[relay][unit]") {
    relay::builder b;
    const relay::ir_module m(b.function({}, b.constant(1)));
    CHECK(unit_traits<relay::ir_module>::to_text(m) == "#[version = \"0.0.5\"]\ndef @main() {\n  1\n}\n");
}

TEST_CASE("unit: counts the calls of each operator in all functions", "[relay][unit]") {
    relay::builder b;
    const auto x = b.variable("x", {2, 2});
    const auto sum = relay::add(x, x);
    relay::ir_module m(b.function({x}, relay::add(relay::nn::relu(sum), sum)));
    m.set("other", *m.find("main"));
    CHECK(unit_traits<relay::ir_module>::count_operators(m) == operator_counts{{"add", 4}, {"nn.relu", 2}});
}

TEST_CASE("unit: a module that breaks a rule is refused", "[relay][unit]") {
    relay::builder b;
    const auto x = b.variable("x", {2, 2});
    relay::ir_module m(b.function({x}, relay::nn::relu(x)));
    unit_traits<relay::ir_module>::verify(m);
    relay::builder free;
    const auto y = free.variable("y", {2, 2});
    relay::ir_module broken(free.function({}, relay::nn::relu(y)));
    CHECK_THROWS_AS(unit_traits<relay::ir_module>::verify(broken), tutti::error);
}
