#include <tutti/relay/transform/function_pass.hpp>

#include <tutti/pass/pass_context.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/relay/ir/rewrite.hpp>
#include <tutti/relay/op/elementwise.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/runtime/parse_pipeline.hpp>
#include <tutti/runtime/registry.hpp>

#include "../programs.hpp"
#include "catch.hpp"
#include "recorder.hpp"

#include <stdexcept>
#include <string>
#include <utility>

using namespace tutti;
using namespace tutti::test;

namespace {

// exp(x) for log(x); with `wrong_after` the functions from that number on become ones that have no type.
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

TEST_CASE("function_pass: leaves functions for other compilers alone, and those that say so",
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

TEST_CASE("function_pass: if a function is refused, all of the module is as it was", "[relay][function_pass]") {
    relay::ir_module m = two_functions();
    const std::string before = relay::to_text(m);
    run r;
    CHECK_THROWS_AS(r(relay::function_pass(throws{}), m), std::runtime_error); // the second of two
    CHECK(relay::to_text(m) == before);
}

TEST_CASE("function_pass: if InferType refuses what was made, the module is as it was", "[relay][function_pass]") {
    relay::ir_module m = two_functions();
    run r;
    CHECK(refusal(m, [&](relay::ir_module& it) { r(relay::function_pass(exp_for_log{.wrong_after = 0}), it); }) ==
          "@a: %lost: has no type; expected an annotation or a use that says it");
    CHECK_THAT(r.events, Catch::Matchers::Contains("r pass_failed InferType\nr pass_failed ExpForLog\n"));
}

namespace {
struct limited {
    static constexpr pass_info info{.name = "Limited", .opt_level = 2};
    static constexpr config_key<std::int64_t> most{"test.Limited.most", 7};
    using required = passes<relay::infer_type>;
    using config = config_list<most>;
    int by = 1;
    static constexpr tutti::members<&limited::by> options{"by"};

    relay::function operator()(relay::function f, auto& ctx) const {
        CHECK(f.graph.type(f.root) != relay::type_id::none); // InferType has run over the module
        last = by * 100 + static_cast<int>(tutti::config(ctx, most));
        return f;
    }
    static inline int last = 0;
};
} // namespace

TEST_CASE("function_pass: keeps what the pass requires, its config keys and its options, static and from text",
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
