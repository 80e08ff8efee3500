#include <tutti/relay/unit.hpp>

#include <tutti/pass/adaptors.hpp>
#include <tutti/pass/each.hpp>
#include <tutti/pass/make_pass.hpp>
#include <tutti/pass/pass_context.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/transform/function_pass.hpp>

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

TEST_CASE("unit: passes over the functions of a module, and again until nothing changes", "[relay][unit]") {
    struct sees {
        int modules = 0, functions = 0;
        void run_after_pass(const relay::ir_module&, const pass_info&, change) { ++modules; }
        void run_before_pass(const relay::function&, const pass_info&) { ++functions; }
    } seen;
    const auto add_log = make_pass<"AddLog">([](relay::function& f) {
        relay::graph& g = f.graph;
        if (relay::calls<relay::op::log>(g, g.body(f.root))) return unchanged;
        const relay::expr_id body[]{g.body(f.root)};
        const relay::expr_id logged = relay::add_call<relay::op::log>(g, body); // before the parameters are looked at
        f.root = g.function(g.params(f.root), logged);
        return changed;
    });
    relay::builder b;
    const auto x = b.variable("x", {2});
    relay::ir_module m(b.function({x}, relay::exp(x)));
    m.set("other", *m.find("main"));
    pass_context ctx{instruments(seen)};
    with(ctx, [&](auto& scope) { CHECK(scope.run(fixpoint(each<relay::function>(add_log)), m) == changed); });
    CHECK(seen.functions == 2 * 2);   // twice, and the second time nothing changes
    CHECK(seen.modules == 1 + 2 * 2); // the fixpoint, and each time the functions and InferType
    CHECK(relay::calls<relay::op::log>(m.find("main")->graph, m.find("main")->graph.body(m.find("main")->root)));
}
