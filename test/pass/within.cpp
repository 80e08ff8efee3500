#include <tutti/pass/within.hpp>

#include <tutti/parallel/thread_pool.hpp>
#include <tutti/pass/parallel.hpp>

#include "support/catch.hpp"
#include "support/levels.hpp"
#include "support/stoppable.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>

namespace {

constexpr auto next = tutti::make_pass<"Next">([](int& n) { ++n; });
constexpr auto sleep_a_little = [] { std::this_thread::sleep_for(std::chrono::milliseconds(2)); };
const auto slow = tutti::make_pass<"Slow">([](int& n) {
    ++n;
    sleep_a_little();
    return tutti::changed;
});
// Waits until its run is to end.
const auto waits = tutti::make_pass<"Waits">([](int& n, auto& ctx) {
    while (!ctx.stop_requested()) {}
    n += 100;
});

struct owner {
    int n = 0;
    owner() = default;
    owner(owner&&) = delete;
};

struct needs {
    static constexpr tutti::pass_info info{.name = "Needs"};
    using required = tutti::passes<std::remove_const_t<decltype(next)>>;
    void operator()(int& n) const { n *= 2; }
};

using known = tutti::passes<std::remove_const_t<decltype(next)>, std::remove_const_t<decltype(slow)>,
                            std::remove_const_t<decltype(waits)>, tutti::within_adaptor>;

} // namespace

TEMPLATE_TEST_CASE("within: skips the members for which there is no time, and says so", "[pass][within]", static_layer,
                   erased_layer) {
    stop_notes heard;
    auto ctx = TestType::template context<int>({}, heard);
    int n = 0;
    TestType::with(ctx, [&](auto& scope) {
        scope.run(tutti::sequential(tutti::within(tutti::sequential(slow, next, next), 1), next), n);
    });
    CHECK(n == 2);
    CHECK(heard.text == noted{"Slow", "-Next", "-Next", "sequential",
                              "within: Next: the time limit was reached; the rest was skipped", "within", "Next",
                              "sequential"});
}

TEMPLATE_TEST_CASE("within: with enough time everything runs, and nothing is said", "[pass][within]", static_layer,
                   erased_layer) {
    stop_notes heard;
    auto ctx = TestType::template context<int>({}, heard);
    int n = 0;
    TestType::with(ctx, [&](auto& scope) {
        CHECK(scope.run(tutti::within(tutti::sequential(next, next), 1'000'000), n) == tutti::change::unknown);
    });
    CHECK(n == 2);
    CHECK(heard.text == noted{"Next", "Next", "sequential", "within"});
}

TEMPLATE_TEST_CASE("within: without any time nothing runs", "[pass][within]", static_layer, erased_layer) {
    auto ctx = TestType::template context<int>({});
    int n = 0;
    TestType::with(ctx, [&](auto& scope) { CHECK(scope.run(tutti::within(next, 0), n) == tutti::unchanged); });
    CHECK(n == 0);
}

TEMPLATE_TEST_CASE("within: ends fixpoints, repetitions and passes that poll", "[pass][within]", static_layer,
                   erased_layer) {
    auto ctx = TestType::template context<int>({});
    int n = 0;
    TestType::with(ctx, [&](auto& scope) {
        scope.run(tutti::within(tutti::fixpoint(slow, 1'000'000), 5), n);
        CHECK(n > 0);
        CHECK(n <= 3);
        n = 0;
        scope.run(tutti::within(tutti::repeat(slow, 1'000'000), 5), n);
        CHECK(n > 0);
        CHECK(n <= 3);
        n = 0;
        scope.run(tutti::within(waits, 1), n);
        CHECK(n == 100);
    });
}

TEMPLATE_TEST_CASE("within: the inner limit ends inner passes, the outer one all", "[pass][within]", static_layer,
                   erased_layer) {
    auto ctx = TestType::template context<int>({});
    int n = 0;
    TestType::with(ctx, [&](auto& scope) {
        scope.run(tutti::within(tutti::sequential(tutti::within(waits, 1), next), 1'000'000), n);
        CHECK(n == 101);
        n = 0;
        scope.run(tutti::sequential(tutti::within(tutti::sequential(tutti::within(waits, 1'000'000), next), 1), next),
                  n);
        CHECK(n == 101);
    });
}

TEMPLATE_TEST_CASE("within: the token of the context stops it, too, and is not the time limit", "[pass][within]",
                   stoppable_static, stoppable_erased) {
    tutti::stop_token token;
    stop_notes heard;
    auto ctx = TestType::template context<int>(token, heard);
    const auto stops = tutti::make_pass<"Stops">([&](int&) { token.request(); });
    int n = 0;
    tutti::with(ctx, [&](auto& scope) {
        scope.run(tutti::sequential(tutti::within(tutti::sequential(stops, next), 1'000'000), next), n);
    });
    CHECK(n == 0);
    CHECK(token.stopped_at() == "Next");
    CHECK(heard.text == noted{"Stops", "sequential: Next: the run was stopped here", "-Next", "sequential", "within",
                              "-Next", "sequential"});
}

TEMPLATE_TEST_CASE("within: a limit that was reached is no stop of the context", "[pass][within]", stoppable_static,
                   stoppable_erased) {
    tutti::stop_token token;
    auto ctx = TestType::template context<int>(token);
    int n = 0;
    tutti::with(ctx, [&](auto& scope) { scope.run(tutti::sequential(tutti::within(waits, 1), next), n); });
    CHECK(n == 101);
    CHECK(!token.stopped());
}

TEMPLATE_TEST_CASE("within: passes that throw leave the context's own token in place", "[pass][within]",
                   stoppable_static, stoppable_erased) {
    tutti::stop_token token;
    auto ctx = TestType::template context<int>(token);
    const auto fails = tutti::make_pass<"Fails">([](int&) { throw std::runtime_error("no"); });
    int n = 0;
    CHECK_THROWS(tutti::with(ctx, [&](auto& scope) { scope.run(tutti::within(fails, 1000), n); }));
    token.request();
    tutti::with(ctx, [&](auto& scope) { scope.run(tutti::sequential(next), n); });
    CHECK(n == 0);
}

TEMPLATE_TEST_CASE("within: a unit that cannot be moved, and a pass with state", "[pass][within]", static_layer,
                   erased_layer) {
    auto ctx = TestType::template context<owner>({});
    auto counts = tutti::within(tutti::make_pass<"Counts">([runs = 0](owner& o) mutable { o.n = ++runs; }), 1000);
    owner o;
    TestType::with(ctx, [&](auto& scope) {
        scope.run(counts, o);
        scope.run(counts, o);
    });
    CHECK(o.n == 2);
}

TEST_CASE("within: around and inside passes over parts, also in parallel", "[pass][within]") {
    tutti::thread_pool pool{2};
    std::atomic<int> runs = 0;
    const auto each_slow = tutti::each<function>(tutti::make_pass<"EachSlow">([&](function& f) {
        f.cost = ++runs;
        sleep_a_little();
    }));
    const auto spin = tutti::each<function>(tutti::within(tutti::make_pass<"Spin">([](function& f, auto& ctx) {
                                                              while (!ctx.stop_requested()) {}
                                                              f.cost = -1;
                                                          }),
                                                          1));
    const auto check = [&](auto&& ctx) {
        module m;
        m.functions.resize(1000);
        runs = 0;
        tutti::with(ctx, [&](auto& scope) { scope.run(tutti::within(each_slow, 10), m); });
        CHECK(runs < 1000);
        m.functions.resize(4);
        tutti::with(ctx, [&](auto& scope) { scope.run(spin, m); });
        for (const function& f : m.functions) CHECK(f.cost == -1);
    };
    check(tutti::pass_context{});
    check(tutti::pass_context{tutti::on(pool), tutti::analysis_cache{}});
    check(tutti::runtime::pass_context<module>{});
    check(tutti::runtime::pass_context<module>{tutti::runtime::context_options<module>{.executor = tutti::on(pool)}});
}

TEST_CASE("within: keeps options, levels, config keys and analyses of the context around it", "[pass][within]") {
    static constexpr tutti::config_key<std::int64_t> depth{"within.depth", 1};
    static int computed = 0;
    struct twice {
        int operator()(const int& n) const {
            ++computed;
            return 2 * n;
        }
    };
    const auto asks = tutti::make_pass<"Asks">([](int& n, auto& ctx) {
        n += 10 * ctx.opt_level() + static_cast<int>(ctx.config(depth)) +
             0 * (ctx.template get<twice>(n) + ctx.template get<twice>(n));
    });
    const auto high = tutti::make_pass<"High", 4>([](int& n) { n = -1; });
    const auto pipeline = tutti::within(tutti::sequential(asks, high, next), 1000);
    tutti::pass_context ctx{tutti::opt_level<3>, tutti::disable<"Next">, tutti::set_config(depth, std::int64_t{5}),
                            tutti::analysis_cache{}};
    int n = 0;
    tutti::with(ctx, [&](auto& scope) { scope.run(pipeline, n); });
    CHECK(n == 35);
    CHECK(computed == 1);
}

TEST_CASE("within: is written and read as text, static and at run time", "[pass][within]") {
    const auto pipeline = tutti::sequential(tutti::within(tutti::sequential(next, slow), 5), tutti::within(next, 1000));
    CHECK(tutti::write_pipeline(pipeline) == "within{ms=5}(Next,Slow),within(Next)");
    const auto literal = tutti::pipeline<"within{ms=5}(Next,Slow),within(Next)">(known{});
    static_assert(std::is_same_v<decltype(literal), decltype(pipeline)>);
    CHECK(tutti::write_pipeline(literal) == tutti::write_pipeline(pipeline));
    const tutti::runtime::registry<int> names{
        tutti::passes<std::remove_const_t<decltype(next)>, std::remove_const_t<decltype(waits)>>{}};
    const auto parsed = tutti::runtime::parse_pipeline("within{ms=1}(Waits,Next), Next", names);
    CHECK(tutti::write_pipeline(parsed) == "within{ms=1}(Waits,Next),Next");
    int n = 0;
    tutti::runtime::pass_context<int> ctx;
    tutti::with(ctx, [&](auto& scope) { scope.run(parsed, n); });
    CHECK(n == 101);
    CHECK_THROWS_WITH(tutti::runtime::parse_pipeline("within{ms=-1}(Next)", names),
                      Catch::Contains("an integer from 0"));
    CHECK_THROWS_WITH(tutti::runtime::parse_pipeline("within{seconds=1}(Next)", names), Catch::Contains("ms"));
}

TEST_CASE("within: resolve adds the requirements of its members", "[pass][within]") {
    int n = 1;
    tutti::with(tutti::pass_context{},
                [&](auto& scope) { scope.run(tutti::resolve(tutti::sequential(tutti::within(needs{}, 1000))), n); });
    CHECK(n == 4);
}
