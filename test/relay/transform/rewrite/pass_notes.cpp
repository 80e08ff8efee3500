#include <tutti/relay/transform/rewrite/pass_notes.hpp>

#include <tutti/instrument/remarks.hpp>
#include <tutti/instrument/statistics.hpp>
#include <tutti/pass/make_pass.hpp>
#include <tutti/pass/sequential.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/text/printer.hpp>
#include <tutti/relay/transform/passes/div_to_mul.hpp>
#include <tutti/relay/transform/passes/fast_math.hpp>
#include <tutti/relay/transform/passes/simplify_expr.hpp>
#include <tutti/relay/transform/passes/simplify_inference.hpp>
#include <tutti/runtime/pass_context.hpp>

#include "relay/programs.hpp"
#include "relay/transform/evaluate.hpp"
#include "support/catch.hpp"

#include <string>

using namespace tutti;

namespace {

const auto of_each = make_pass<"Says">([](relay::ir_module& m, auto& ctx) {
    const relay::pass_notes notes(ctx);
    for (const auto& [name, f] : m) {
        const relay::pass_notes here = notes.in(name);
        for (const relay::expr_id e : relay::post_order(f.graph, f.root))
            if (f.graph.kind(e) != relay::expr_kind::op) here.missed(f.graph, e, "too small");
        here.applied("met");
    }
});

constexpr std::string_view program = "def @f(%x: Tensor[(2), float32]) {\n  exp(%x)\n}\n"
                                     "def @main(%x: Tensor[(2), float32]) {\n  let %y = @f(%x);\n  (%y, 1f).0\n}\n";

std::string said(const auto& pass, relay::ir_module m) {
    instrument::remarks all;
    instrument::statistics counted;
    with(pass_context{opt_level<4>, instruments(all, counted)}, [&](auto& scope) { scope.run(pass, m); });
    return all.render() + counted.render();
}

} // namespace

TEST_CASE("pass_notes: have the location, the function and the operator", "[relay][transform][pass_notes]") {
    CHECK(said(of_each, relay::parse(program)) == "Says: missed: f:1:8: %x: too small\n"
                                                  "Says: missed: f:2:3: exp: too small\n"
                                                  "Says: missed: f:1:1: function: too small\n"
                                                  "Says: applied: f: met\n"
                                                  "Says: missed: main:4:11: %x: too small\n"
                                                  "Says: missed: main:5:7: %y: too small\n"
                                                  "Says: missed: main:5:12: @f: too small\n"
                                                  "Says: missed: main:5:12: call: too small\n"
                                                  "Says: missed: main:6:8: constant: too small\n"
                                                  "Says: missed: main:6:3: tuple: too small\n"
                                                  "Says: missed: main:6:3: projection: too small\n"
                                                  "Says: missed: main:5:3: let: too small\n"
                                                  "Says: missed: main:4:1: function: too small\n"
                                                  "Says: applied: main: met\n"
                                                  "2  Says  met\n");
}

TEST_CASE("pass_notes: an expression without a place has its function's", "[relay][transform][pass_notes]") {
    relay::builder b;
    const relay::ir_module m(test::closed(b, relay::exp(b.variable("x", {2}))));
    CHECK(said(of_each, m).starts_with("Says: missed: main: %x: too small\nSays: missed: main: exp: too small\n"));
}

TEST_CASE("pass_notes: are not heard if no instrument listens, even at run time", "[relay][transform][pass_notes]") {
    struct only_before {
        void run_before_pass(const relay::ir_module&, const pass_info&) {}
    };
    struct only_remarks {
        void pass_remarked(const pass_info&, const remark&) {}
    };
    struct only_counts {
        void pass_counted(const pass_info&, std::string_view, std::int64_t) {}
    };
    int heard = 0;
    const auto asks = make_pass<"Asks">([&](relay::ir_module&, auto& ctx) {
        const relay::pass_notes notes(ctx);
        heard = 10 * heard + (notes.misses_heard() ? 3 : notes.heard() ? 1 : 2);
    });
    relay::ir_module m;
    const auto in = [&](auto&& ctx) { with(ctx, [&](auto& scope) { scope.run(asks, m); }); };
    in(pass_context{});
    in(pass_context{instruments(only_before{})});
    in(runtime::pass_context<relay::ir_module>{{.instruments = {only_before{}}}});
    CHECK(heard == 222);
    in(pass_context{instruments(only_remarks{})});
    in(pass_context{instruments(only_counts{})});
    in(runtime::pass_context<relay::ir_module>{{.instruments = {only_before{}, only_remarks{}}}});
    in(runtime::pass_context<relay::ir_module>{{.instruments = {only_counts{}}}});
    CHECK(heard == 2223131);
}

TEST_CASE("pass_notes: ask if a rewrite may be made, and say where", "[relay][transform][pass_notes]") {
    struct decides {
        std::string refused_rule{}, asked{};
        bool should_apply(const pass_info& info, const rewrite_site& site) {
            asked.append(info.name).append(", ").append(site.rule).append(", ").append(site.part).append(": ");
            asked.append(site.where).append("\n");
            return site.rule != refused_rule;
        }
    };
    const auto asked = [](const relay::ir_module& given, const std::string& refused) {
        relay::ir_module m = given;
        decides decide{refused};
        with(pass_context{opt_level<4>, instruments(decide)}, [&](auto& scope) {
            scope.run(sequential(relay::infer_type{}, relay::simplify_expr{}, relay::fast_math{}), m);
        });
        return decide.asked + relay::to_text(m, {.type_comments = false});
    };
    const relay::ir_module m =
        relay::parse("def @main(%x: Tensor[(2), float32]) {\n  %0 = add(%x, %x);\n  tanh(%0)\n}\n");
    CHECK(asked(m, "").starts_with("SimplifyExpr, add_to_itself, main: main:2:8\nFastMath, tanh, main: main:3:3\n"));
    const std::string refused = asked(m, "add_to_itself");
    CHECK(refused.starts_with("SimplifyExpr, add_to_itself, main: main:2:8\nFastMath, tanh, main: main:3:3\n"));
    CHECK(refused.find("add(%x, %x)") != std::string::npos);
    CHECK(refused.find("fast_tanh") != std::string::npos);

    relay::builder b;
    const relay::expr x = b.variable("x", {2});
    const relay::ir_module made(test::closed(b, relay::tanh(relay::add(relay::exp(relay::abs(x)), x))));
    CHECK(asked(made, "tanh")
              .starts_with(
                  "FastMath, exp, main: main: exp(abs(%x))\nFastMath, tanh, main: main: tanh(add(exp(...), %x))\n"));
}

TEST_CASE("pass_notes: report and count rules by name", "[relay][transform][pass_notes]") {
    const relay::ir_module m =
        relay::parse("def @main(%x: Tensor[(2), float32]) {\n  %0 = add(%x, %x);\n  tanh(%0)\n}\n");
    CHECK(said(sequential(relay::infer_type{}, relay::simplify_expr{}, relay::fast_math{}), m) ==
          "SimplifyExpr: applied: main:2:8: add: add_to_itself\n"
          "FastMath: applied: main:3:3: tanh: rewritten\n"
          "1  SimplifyExpr  add_to_itself\n"
          "1  FastMath      tanh\n");
}

TEST_CASE("pass_notes: a rule reports why it left a near match", "[relay][transform][pass_notes]") {
    const relay::ir_module m = relay::parse("def @main(%x: Tensor[(2), float32], %n: Tensor[(2), int32]) {\n"
                                            "  %0 = divide(%x, 0f);\n  %1 = divide(%x, %0);\n  %2 = divide(%n, 3);\n"
                                            "  %3 = divide(%1, 4f);\n  (%3, %2)\n}\n");
    const std::string divisions = said(sequential(relay::div_to_mul{}), m);
    for (const char* const each :
         {"DivToMul: missed: main:2:8: divide: an element of the divisor is zero, or its reciprocal is infinite or "
          "subnormal\n",
          "DivToMul: missed: main:4:8: divide: the reciprocal of an integer is not an integer\n",
          "DivToMul: applied: main:5:8: divide: rewritten\n"})
        CHECK(divisions.find(each) != std::string::npos);
    CHECK(divisions.find("DivToMul: missed: main:3:8") ==
          std::string::npos); // a divisor that is not constant is not a near match
    CHECK(said(sequential(relay::simplify_inference{}),
               relay::parse("def @main(%x: Tensor[(2, 3), float32], %g: Tensor[(3), float32]) {\n"
                            "  nn.instance_norm(%x, %g, %g)\n}\n")) ==
          "SimplifyInference: missed: main:2:3: nn.instance_norm: each element is all of its instance and channel\n");
}
