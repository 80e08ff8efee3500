#include <tutti/relay/unit.hpp>

#include <tutti/instrument/print_changed.hpp>
#include <tutti/instrument/print_ir.hpp>
#include <tutti/instrument/print_on_failure.hpp>
#include <tutti/pass/adaptors.hpp>
#include <tutti/pass/each.hpp>
#include <tutti/pass/make_pass.hpp>
#include <tutti/pass/pass_context.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/relay/ir/builder.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/transform/function_pass.hpp>
#include <tutti/search/reproducer.hpp>

#include "relay/open_function.hpp"
#include "support/catch.hpp"

using namespace tutti;

inline constexpr auto idle_function = make_pass<"Idle">([](relay::function&) {});

static_assert(tutti::internal::has_text<relay::ir_module> && tutti::internal::has_operators<relay::ir_module> &&
              tutti::internal::is_verified<relay::ir_module>);
static_assert(tutti::internal::has_graph<relay::ir_module> && tutti::internal::has_graph<relay::function>);

TEST_CASE("unit: the text of a module is the printer's", "[relay][unit]") {
    relay::builder b;
    const relay::ir_module m(b.function({}, b.constant(1)));
    CHECK(unit_traits<relay::ir_module>::to_text(m) == "#[version = \"0.0.5\"]\ndef @main() {\n  1\n}\n");
}

TEST_CASE("unit: the text of one function alone", "[relay][unit]") {
    relay::builder b;
    relay::ir_module m(b.function({}, b.constant(1)));
    m.set("other", b.function({}, b.constant(2)));
    CHECK(unit_traits<relay::ir_module>::to_text(m, "main") == "def @main() {\n  1\n}\n");
    CHECK(unit_traits<relay::ir_module>::to_text(m, "other") == "def @other() {\n  2\n}\n");
    CHECK(unit_traits<relay::ir_module>::to_text(m, "mian").empty());
}

TEST_CASE("unit: a change in one function is shown, and a program's text may be in comments", "[relay][unit]") {
    relay::builder b;
    relay::ir_module m(b.function({}, b.constant(1)));
    m.set("other", b.function({}, b.constant(2)));
    std::string text;
    instrument::print_changed print{{.part = "main"}, [&](std::string_view part) { text += part; }};
    pass_context ctx{instruments(print)};
    const auto three = make_pass<"Three">([](relay::ir_module& module) {
        relay::builder in;
        module.set("main", in.function({}, in.constant(3)));
    });
    with(ctx, [&](auto& scope) { scope.run(three, m); });
    CHECK(text == "// after Three:\n@@ -1,3 +1,3 @@\n def @main() {\n-  1\n+  3\n }\n");

    const std::string whole = unit_traits<relay::ir_module>::to_full_text(m);
    const std::string kept = instrument::to_text({.pass = "Three", .passes = "Three,InferType", .unit = whole});
    CHECK(unit_traits<relay::ir_module>::to_full_text(relay::parse(kept)) == whole);
}

TEST_CASE("unit: all that prints can print one function alone", "[relay][unit]") {
    relay::builder b;
    relay::ir_module m(b.function({}, b.constant(1)));
    m.set("other", b.function({}, b.constant(2)));
    std::string text;
    const auto write = [&](std::string_view part) { text += part; };
    instrument::print_ir print{{.after = {"Fails", "Idle"}, .part = "other"}, write};
    instrument::print_ir none{{.before = {"Idle"}, .part = "mian"}, write};
    instrument::print_on_failure failed{write, "main"};
    const auto idle = make_pass<"Idle">([](relay::ir_module&) {});
    const auto fails = make_pass<"Fails">([](relay::ir_module& module) {
        if (module.size() > 0) throw error{"Fails", "cannot"};
    });
    pass_context ctx{instruments(print, none, failed)};
    CHECK_THROWS(
        with(ctx, [&](auto& scope) { scope.run(sequential(idle, each<relay::function>(idle_function), fails), m); }));
    CHECK(text == "// before Idle\n// no mian\n// after Idle\ndef @other() {\n  2\n}\n"
                  "// before Fails, which failed: Fails: cannot\ndef @main() -> int32 {\n  1 /* ty=int32 */\n}\n");
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
    relay::ir_module broken(tutti::test::open_function(free, {}, relay::nn::relu(y)));
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
        const relay::expr_id logged = relay::add_call<relay::op::log>(g, body); // first, as it may move the parameters
        f.root = g.function(g.params(f.root), logged);
        return changed;
    });
    relay::builder b;
    const auto x = b.variable("x", {2});
    relay::ir_module m(b.function({x}, relay::exp(x)));
    m.set("other", *m.find("main"));
    pass_context ctx{instruments(seen)};
    with(ctx, [&](auto& scope) { CHECK(scope.run(fixpoint(each<relay::function>(add_log)), m) == changed); });
    CHECK(seen.functions == 2 * 2);   // two functions in two rounds, the second without changes
    CHECK(seen.modules == 1 + 2 * 2); // the fixpoint, and two rounds of `each` and InferType
    CHECK(relay::calls<relay::op::log>(m.find("main")->graph, m.find("main")->graph.body(m.find("main")->root)));
}

namespace {

// Returns a program of add(x, c), where c has 1000 elements. They count up from `first`, except the last one, which is
// `last`.
relay::ir_module biased(float first, float last, std::string_view name = "x") {
    kernel::tensor values(kernel::dtype::float32, {1000});
    for (float& each : values.mutable_elements<float>()) each = first++;
    values.mutable_elements<float>().back() = last;
    relay::builder b;
    const auto x = b.variable(name, {1000});
    return relay::ir_module(b.function({x}, relay::add(x, b.constant(values))));
}

} // namespace

TEST_CASE("unit: a fingerprint is of all that a text shows and of constants, and of nothing else", "[relay][unit]") {
    using traits = unit_traits<relay::ir_module>;
    static_assert(tutti::internal::has_fingerprint<relay::ir_module> &&
                  tutti::internal::has_fingerprint<relay::function>);
    const std::uint64_t print = traits::fingerprint(biased(0, 7));
    CHECK(print == traits::fingerprint(biased(0, 7)));
    CHECK(print != traits::fingerprint(biased(0, 8)));
    CHECK(print != traits::fingerprint(biased(1, 7)));
    CHECK(print != traits::fingerprint(biased(0, 7, "y")));
    CHECK(unit_traits<relay::ir_module>::to_text(biased(0, 7)) == unit_traits<relay::ir_module>::to_text(biased(0, 8)));
    relay::ir_module typed = biased(0, 7);
    relay::infer_types(typed);
    CHECK(print != traits::fingerprint(typed));
    relay::ir_module named;
    named.set("other", *biased(0, 7).find("main"));
    CHECK(print != traits::fingerprint(named));
    // Unused expressions and source locations do not matter.
    relay::ir_module more = biased(0, 7);
    more.find("main")->graph.constant(kernel::tensor::scalar(1.0F));
    more.find("main")->graph.set_location(more.find("main")->root, {3, 4});
    CHECK(print == traits::fingerprint(more));
    // A shared expression differs from two equal expressions.
    const auto sum = [](bool shared) {
        relay::builder b;
        const auto x = b.variable("x", {2});
        const auto one = relay::exp(x);
        return relay::ir_module(b.function({x}, relay::add(one, shared ? one : relay::exp(x))));
    };
    CHECK(traits::fingerprint(sum(true)) != traits::fingerprint(sum(false)));
    // Definitions of types matter, even unused ones.
    const auto defining = [](std::string_view types) {
        return traits::fingerprint(relay::parse(std::string(types) + "def @main() { 1 }"));
    };
    const std::uint64_t pair = defining("type P[A, B] { Pair(A, B) }\n");
    CHECK(pair == defining("type P[A, B] { Pair(A, B) }\n"));
    for (const char* other :
         {"", "type Q[A, B] { Pair(A, B) }\n", "type P[A, B] { Both(A, B) }\n", "type P[A, B] { Pair(B, A) }\n",
          "type P[A, B] { Pair(A) }\n", "type P[A, B] { Pair(A, B), Neither }\n",
          "type P[A, B] { Pair(A, List[B]) }\nextern type List[A]\n"})
        CHECK(pair != defining(other));
}

TEST_CASE("unit: changes of only constants are reported, and passes that deny them", "[relay][unit]") {
    const auto edit = [](relay::ir_module& m) { m = biased(0, 8); };
    const auto honest = make_pass<"Honest">(edit);
    const auto liar = make_pass<"Liar">([&](relay::ir_module& m) {
        edit(m);
        return unchanged;
    });
    const auto idle = make_pass<"Idle">([](relay::ir_module&) {});
    const auto said = [&](const auto& pass, instrument::changed_form form) {
        std::string text;
        instrument::print_changed print{{.form = form}, [&](std::string_view part) { text += part; }};
        pass_context ctx{instruments(print)};
        relay::ir_module m = biased(0, 7);
        with(ctx, [&](auto& scope) { scope.run(pass, m); });
        return text;
    };
    using instrument::changed_form;
    CHECK(said(honest, changed_form::quiet) == "// after Honest\n");
    CHECK(said(honest, changed_form::diff) == "// after Honest: changed, but not in its text\n");
    for (const changed_form form : {changed_form::quiet, changed_form::diff, changed_form::text})
        CHECK(said(liar, form).starts_with("// after Liar: it reported no change, but changed the unit\n"));
    CHECK(said(idle, changed_form::quiet) == "");
    CHECK(said(idle, changed_form::diff) == "// after Idle: no change\n");
}

TEST_CASE("unit: a fixpoint of passes that do not report changes ends when nothing changes", "[relay][unit]") {
    int runs = 0;
    const auto until_ten = make_pass<"UntilTen">([&](relay::ir_module& m) {
        if (++runs < 10) m = biased(0, static_cast<float>(runs));
    });
    relay::ir_module m = biased(0, 0);
    pass_context ctx{};
    with(ctx, [&](auto& scope) { CHECK(scope.run(fixpoint(until_ten), m) == changed); });
    CHECK(runs == 10);
}

TEST_CASE("unit: a function is drawn as a module's main", "[relay][unit]") {
    relay::builder b;
    const relay::function f = b.function({}, b.constant(1));
    const unit_graph g = unit_traits<relay::function>::graph(f);
    REQUIRE(g.nodes.size() == 2);
    CHECK(g.nodes[0].label == "@main");
    CHECK(g.nodes[1].label == "1");
    CHECK(unit_traits<relay::ir_module>::graph(relay::ir_module(f)).nodes.size() == 2);
}
