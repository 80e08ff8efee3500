#include <tutti/relay/transform/function_pass.hpp>

#include <tutti/parallel/thread_pool.hpp>
#include <tutti/pass/each.hpp>
#include <tutti/pass/make_pass.hpp>
#include <tutti/pass/parallel.hpp>
#include <tutti/pass/pass_context.hpp>
#include <tutti/pass/stop.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/relay/ir/equal.hpp>
#include <tutti/relay/ir/hash.hpp>
#include <tutti/relay/ir/rewrite.hpp>
#include <tutti/relay/op/broadcast.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/op/op_def.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/runtime/parse_pipeline.hpp>
#include <tutti/runtime/pass_context.hpp>
#include <tutti/runtime/registry.hpp>

#include "../programs.hpp"
#include "support/catch.hpp"
#include "support/recorder.hpp"

#include <stdexcept>
#include <string>
#include <utility>

using namespace tutti;
using namespace tutti::test;

namespace {

// Replaces log(x) with exp(x). If `wrong_after` is 0, the argument becomes an unbound variable, so that the function
// has no type.
struct exp_for_log {
    static constexpr pass_info info{.name = "ExpForLog", .opt_level = 1};
    int wrong_after = 100;

    relay::function operator()(relay::function f) const {
        relay::rewriter r(f.graph, f.root);
        const relay::expr_id root = r.run([&](relay::rewriter& into, relay::expr_id e) {
            if (!relay::calls<relay::op::log>(into.from(), e)) return into.rebuild(e);
            const relay::expr_id argument[]{wrong_after == 0 ? into.to().variable("lost")
                                                             : into[into.from().arguments(e)[0]]};
            return relay::add_call<relay::op::exp>(into.to(), argument);
        });
        return {std::move(r.to()), root};
    }
};

struct runs_another {
    static constexpr pass_info info{.name = "RunsAnother"};

    relay::function operator()(relay::function f, auto& ctx) const {
        relay::ir_module m(std::move(f));
        ctx.run(relay::infer_type{}, m);
        return std::move(*m.find("main"));
    }
};

// An analysis that counts the expressions of a function. CountsExpressions compares its result with the actual number.
struct expressions {
    std::size_t operator()(const relay::function& f) const { return f.graph.size(); }
};
template <class Wrong>
struct counts_expressions {
    static constexpr pass_info info{.name = "CountsExpressions"};
    Wrong* wrong;

    change operator()(relay::function& f, auto& ctx) const {
        if (ctx.template get<expressions>(f) != f.graph.size()) ++*wrong;
        return unchanged;
    }
};

struct throws {
    static constexpr pass_info info{.name = "Throws"};
    relay::function operator()(relay::function f) const {
        if (relay::calls<relay::op::exp>(f.graph, f.graph.body(f.root))) throw std::runtime_error("no exp");
        return exp_for_log{}(std::move(f));
    }
};

relay::ir_module two_functions() {
    relay::ir_module m;
    for (const char* name : {"a", "b"}) {
        relay::builder b;
        const auto x = b.variable("x", {2});
        m.set(name, b.function({x}, name[0] == 'a' ? relay::log(x) : relay::exp(x)));
    }
    return m;
}

struct run {
    std::string events{};

    void operator()(const auto& pass, relay::ir_module& m) {
        full_recorder recorder("r", events, recording::hooks_and_passes);
        pass_context ctx{instruments(recorder)};
        with(ctx, [&](auto& scope) { scope.run(pass, m); });
    }
};

} // namespace

TEST_CASE("function_pass: takes its name and level from the pass", "[relay][function_pass]") {
    constexpr auto pass = relay::function_pass(exp_for_log{});
    static_assert(pass.info.name == "ExpForLog" && pass.info.opt_level == 1);
    CHECK(pass.pass.wrong_after == 100);
}

TEST_CASE("function_pass: runs over each function, then InferType, which instruments see inside it",
          "[relay][function_pass]") {
    relay::ir_module m = two_functions();
    run r;
    r(relay::function_pass(exp_for_log{}), m);
    CHECK(bare_text(m) == "def @a(%x: Tensor[(2), float32]) -> Tensor[(2), float32] {\n  exp(%x)\n}\n\n"
                          "def @b(%x1: Tensor[(2), float32]) -> Tensor[(2), float32] {\n  exp(%x1)\n}\n");
    CHECK(r.events == "r enter_pass_ctx\n"
                      "r should_run ExpForLog\n"
                      "r run_before_pass ExpForLog\n"
                      "r should_run InferType\n"
                      "r run_before_pass InferType\n"
                      "r run_after_pass InferType\n"
                      "r run_after_pass ExpForLog\n"
                      "r exit_pass_ctx\n");
}

TEST_CASE("function_pass: skips functions for other compilers, and those with SkipOptimization",
          "[relay][function_pass]") {
    const std::string text =
        "def @a(%x: Tensor[(2), float32], Compiler=\"own\") -> Tensor[(2), float32] {\n  log(%x)\n}\n\n"
        "def @b(%x1: Tensor[(2), float32], SkipOptimization=1) -> Tensor[(2), float32] {\n  log(%x1)\n}\n\n"
        "def @c(%x2: Tensor[(2), float32], SkipOptimization=0) -> Tensor[(2), float32] {\n  log(%x2)\n}\n";
    relay::ir_module m = relay::parse(text);
    run r;
    r(relay::function_pass(exp_for_log{}), m);
    CHECK(bare_text(m) == std::string(text).replace(text.rfind("log"), 3, "exp"));
    for (const auto& [name, f] : std::as_const(m)) CHECK(f.graph.type(f.root) != relay::type_id::none);

    relay::ir_module refused = relay::parse(text);
    CHECK_THROWS_AS(r(relay::function_pass(exp_for_log{.wrong_after = 0}), refused), error);
    CHECK(relay::to_text(refused) == relay::to_text(relay::parse(text)));
}

TEST_CASE("function_pass: may run other passes in the context", "[relay][function_pass]") {
    relay::builder b;
    relay::ir_module m(b.function({}, b.constant(1)));
    run r;
    r(relay::function_pass(runs_another{}), m);
    CHECK(bare_text(m) == "def @main() -> int32 {\n  1\n}\n");
}

TEST_CASE("function_pass: a run that is stopped keeps the functions transformed so far, with types",
          "[relay][function_pass]") {
    const std::string text = "def @a(%x: Tensor[(2), float32]) -> Tensor[(2), float32] {\n  log(%x)\n}\n\n"
                             "def @b(%x1: Tensor[(2), float32]) -> Tensor[(2), float32] {\n  log(%x1)\n}\n";
    const auto run_in = [&](auto make_context, const auto& pass) {
        stop_token token;
        const auto stops = make_pass<"Stops">([&](relay::ir_module&) { token.request(); });
        relay::ir_module m = relay::parse(text);
        with(make_context(token), [&](auto& scope) { scope.run(sequential(pass(token), stops), m); });
        CHECK(token.stopped());
        CHECK(token.stopped_at() == "StopsAfterA");
        CHECK(bare_text(m) == std::string(text).replace(text.find("log"), 3, "exp"));
        for (const auto& [name, f] : std::as_const(m)) CHECK(f.graph.type(f.root) != relay::type_id::none);
    };
    const auto by_function = [](stop_token& token) {
        return relay::function_pass(make_pass<"StopsAfterA">([&](relay::function& f) {
            f = exp_for_log{}(std::move(f));
            token.request();
        }));
    };
    const auto by_module = [](stop_token& token) {
        return make_pass<"StopsAfterA">([&](relay::ir_module& m, auto& ctx) {
            relay::transform_functions(m, ctx, [&](const relay::function& f) {
                relay::function made = exp_for_log{}(f);
                token.request();
                return made;
            });
        });
    };
    const auto fixed = [](stop_token& token) { return pass_context{stoppable{token}}; };
    const auto erased = [](stop_token& token) {
        return runtime::pass_context<relay::ir_module>{runtime::context_options<relay::ir_module>{.stop = &token}};
    };
    run_in(fixed, by_function);
    run_in(fixed, by_module);
    run_in(erased, by_function);
    run_in(erased, by_module);
}

TEST_CASE("function_pass: if a function is refused, the whole module is unchanged", "[relay][function_pass]") {
    relay::ir_module m = two_functions();
    const std::string before = relay::to_text(m);
    run r;
    CHECK_THROWS_AS(r(relay::function_pass(throws{}), m), std::runtime_error); // thrown for the second of two functions
    CHECK(relay::to_text(m) == before);
}

TEST_CASE("function_pass: if InferType refuses the result, the module is unchanged", "[relay][function_pass]") {
    relay::ir_module m = two_functions();
    run r;
    CHECK(refusal(m, [&](relay::ir_module& it) { r(relay::function_pass(exp_for_log{.wrong_after = 0}), it); }) ==
          "@a: %lost: has no type; expected an annotation or a use that determines it");
    CHECK_THAT(r.events, Catch::Matchers::Contains("r pass_failed InferType\nr pass_failed ExpForLog\n"));
}

namespace {
struct limited {
    static constexpr pass_info info{.name = "Limited", .opt_level = 2};
    static constexpr config_key<std::int64_t> most{"test.Limited.most", 7};
    using required = passes<relay::infer_type>;
    using config = tutti::config_list<most>;
    int by = 1;
    static constexpr tutti::option_list<&limited::by> options{"by"};

    relay::function operator()(relay::function f, auto& ctx) const {
        CHECK(f.graph.type(f.root) != relay::type_id::none); // InferType has run over the module
        last = by * 100 + static_cast<int>(tutti::config(ctx, most));
        return f;
    }
    static inline int last = 0;
};
} // namespace

TEST_CASE("function_pass: keeps the pass's requirements, config keys and options, static and from text",
          "[relay][function_pass]") {
    const auto lifted = relay::function_pass(limited{.by = 3});
    relay::builder b;
    const auto x = b.variable("x", {2});
    const relay::ir_module untyped(b.function({x}, relay::log(x)));
    relay::ir_module m = untyped;
    with(pass_context{opt_level<3>, set_config(limited::most, 5)},
         [&](auto& scope) { scope.run(sequential(lifted), m); });
    CHECK(limited::last == 305);
    CHECK(write_pipeline(sequential(lifted)) == "Limited{by=3}");

    runtime::registry<relay::ir_module> known;
    known.add(relay::function_pass(limited{}));
    CHECK(known.config().find("test.Limited.most").name == "test.Limited.most");
    const auto read = runtime::parse_pipeline("Limited{by=4}", known);
    runtime::pass_context<relay::ir_module> ctx{
        {.opt_level = 3, .config = {known.config(), {{"test.Limited.most", std::int64_t{6}}}}}};
    m = untyped;
    with(ctx, [&](auto& scope) { scope.run(read, m); });
    CHECK(limited::last == 406);
    CHECK(write_pipeline(read) == "Limited{by=4}");
}

namespace {

// Returns the function after `f` in the module. A pass that saw a module with changed functions would get the wrong
// one.
relay::function next_of(const relay::function& f, const relay::ir_module& m) {
    auto at = m.begin();
    while (!(relay::structural_equal(at->function, f))) ++at;
    return (++at == m.end() ? m.begin() : at)->function;
}

struct in_place_with_context {
    static constexpr pass_info info{.name = "Rotate"};
    void operator()(relay::function& f, const relay::ir_module& m, auto& ctx) const {
        ctx.count("rotated");
        f = next_of(f, m);
    }
};
struct in_place_that_tells {
    static constexpr pass_info info{.name = "Rotate"};
    change operator()(relay::function& f, const relay::ir_module& m, auto&) const {
        f = next_of(f, m);
        return changed;
    }
};
struct in_place_alone {
    static constexpr pass_info info{.name = "Rotate"};
    void operator()(relay::function& f, const relay::ir_module& m) const { f = next_of(f, m); }
};
struct by_value_with_context {
    static constexpr pass_info info{.name = "Rotate"};
    relay::function operator()(relay::function f, const relay::ir_module& m, auto&) const { return next_of(f, m); }
};
struct by_value_alone {
    static constexpr pass_info info{.name = "Rotate"};
    relay::function operator()(relay::function f, const relay::ir_module& m) const { return next_of(f, m); }
};

relay::ir_module many_functions(int count) {
    relay::ir_module m;
    for (int i = 0; i < count; ++i) {
        relay::builder b;
        const auto x = b.variable("x", {i + 1});
        m.set("f" + std::to_string(1000 + i), b.function({x}, relay::exp(x)));
    }
    return m;
}

template <class Pass>
void check_rotates(const Pass& pass) {
    INFO(typeid(Pass).name());
    relay::ir_module expected = many_functions(40);
    relay::function first = expected.begin()->function;
    for (auto at = expected.begin(); at != expected.end(); ++at)
        at->function = std::next(at) == expected.end() ? first : std::next(at)->function;
    relay::infer_types(expected);
    const std::string text = relay::to_text(expected);
    const auto lifted = relay::function_pass(pass);
    runtime::registry<relay::ir_module> known;
    known.add(lifted);
    const auto erased = runtime::parse_pipeline("Rotate", known);
    thread_pool threads{3};
    const auto check = [&](const auto& run) {
        relay::ir_module m = many_functions(40);
        run(m);
        CHECK(relay::to_text(m) == text);
    };
    check([&](relay::ir_module& m) { with(pass_context{}, [&](auto& scope) { scope.run(lifted, m); }); });
    check([&](relay::ir_module& m) { with(pass_context{on(threads)}, [&](auto& scope) { scope.run(lifted, m); }); });
    check([&](relay::ir_module& m) {
        runtime::pass_context<relay::ir_module> ctx;
        with(ctx, [&](auto& scope) { scope.run(erased, m); });
    });
    check([&](relay::ir_module& m) {
        runtime::pass_context<relay::ir_module> ctx{{.executor = on(threads)}};
        with(ctx, [&](auto& scope) { scope.run(erased, m); });
    });
}

} // namespace

TEST_CASE("function_pass: a pass may see the module as it was, static and erased, serially and in parallel",
          "[relay][function_pass]") {
    check_rotates(in_place_with_context{});
    check_rotates(in_place_that_tells{});
    check_rotates(in_place_alone{});
    check_rotates(by_value_with_context{});
    check_rotates(by_value_alone{});
}

namespace {

// A pass with a faulty rule, which does not map an operand into the new graph.
struct forgetful {
    static constexpr pass_info info{.name = "Forgetful"};
    relay::function operator()(relay::function f) const {
        return relay::rewriter(f).rewrite([](relay::rewriter& r, relay::expr_id e) {
            if (!relay::calls<relay::op::log>(r.from(), e)) return r.rebuild(e);
            return relay::add_call<relay::op::exp>(r.to(), {r.from().arguments(e)[0]});
        });
    }
};

// A pass with a faulty rule, which maps an operand in one place and uses the old operand in another.
struct half_forgetful {
    static constexpr tutti::pass_info info{.name = "HalfForgetful"};
    relay::function operator()(const relay::function& f) const {
        return relay::rewriter(f).rewrite([](relay::rewriter& r, relay::expr_id e) {
            if (!relay::calls<relay::op::log>(r.from(), e)) return r.rebuild(e);
            const relay::expr_id x = r.from().arguments(e)[0];
            return relay::add_call<relay::op::add>(r.to(), {r[x], x});
        });
    }
};

} // namespace

TEST_CASE("function_pass: the error of a rule that confuses the graphs names the pass", "[relay][function_pass]") {
    const auto said_with_unused = [](int constants) { // unused constants shift the new ids
        relay::builder b;
        for (int i = 0; i < constants; ++i) b.constant(1.0F);
        const auto x = b.variable("x", {2});
        relay::ir_module m(b.function({x}, relay::log(x)));
        run r;
        return refusal(m, [&](relay::ir_module& it) { r(relay::function_pass(forgetful{}), it); });
    };
    CHECK(said_with_unused(2).starts_with("Forgetful, rewriting call: the rule used an operator as an operand, or "));
    CHECK(said_with_unused(5) ==
          "Forgetful, rewriting call: the rule used as an operand an expression that is not in the new "
          "graph; expected r[old], r.rebuild(old) or an expression made in r.to()");
}

TEST_CASE("function_pass: an old id that is also a new one is reported as the rule's error", "[relay][function_pass]") {
    relay::builder b;
    b.constant(1.0F); // unused, so that ids of the new graph are smaller
    const auto x = b.variable("x", {2}), y = b.variable("y", {3});
    relay::ir_module m(b.function({x, y}, b.tuple({relay::log(x), y})));
    const std::string text = relay::to_text(m);
    run r;
    const std::string said = refusal(m, [&](relay::ir_module& it) { r(relay::function_pass(half_forgetful{}), it); });
    CHECK(said ==
          "HalfForgetful, rewriting call: the rule used as an operand an expression that is not in the new graph; "
          "expected r[old], r.rebuild(old) or an expression made in r.to()");
    CHECK(relay::to_text(m) == text);
}

TEST_CASE(
    "function_pass: a pass gets analyses of its own function, in static and run-time contexts, in each and lifted",
    "[relay][function_pass]") {
    relay::ir_module untyped;
    for (int i = 1; i <= 3; ++i) {
        relay::builder b;
        const auto x = b.variable("x", {2});
        auto body = relay::exp(x);
        for (int n = 1; n < i; ++n) body = relay::exp(body);
        untyped.set("f" + std::to_string(i), b.function({x}, body));
    }
    int wrong = 0;
    const counts_expressions<int> counts{&wrong};
    const auto run = [&](auto&& ctx, const auto& pass) {
        relay::ir_module m = untyped;
        with(ctx, [&](auto& scope) { scope.run(pass, m); });
        CHECK(wrong == 0);
    };
    const auto passes = sequential(relay::function_pass(counts), each<relay::function>(counts, counts));
    run(pass_context{analysis_cache{}}, passes);
    run(runtime::pass_context<relay::ir_module>{}, passes);
}
