#include <tutti/pass/result.hpp>

#include <tutti/parallel/thread_pool.hpp>
#include <tutti/pass/parallel.hpp>
#include <tutti/pass/within.hpp>

#include "support/catch.hpp"
#include "support/levels.hpp"
#include "support/stoppable.hpp"

#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace {

constexpr auto next = tutti::make_pass<"Next">([](int& n) { ++n; });
constexpr auto other = tutti::make_pass<"Other">([](int n) { return n + 10; });
// Increments, and fails from a number on.
struct limited {
    static constexpr tutti::pass_info info{.name = "Limited"};
    int most = 3;
    tutti::result<> operator()(int& n) const {
        if (++n > most) return tutti::pass_error{"too large"};
        return tutti::changed;
    }
};
struct depth {
    int value;
};
struct too_deep {
    static constexpr tutti::pass_info info{.name = "TooDeep"};
    tutti::result<depth> operator()(int& n, auto&) const { return depth{n}; }
};

// Notes the ends of passes, and the reasons of failures.
struct ends {
    std::vector<std::string> text{};

    void run_before_pass(const auto&, const tutti::pass_info& info) { text.push_back("<" + std::string{info.name}); }
    void run_after_pass(const auto&, const tutti::pass_info& info) { text.push_back(std::string{info.name} + ">"); }
    void pass_failed(const auto* unit, const tutti::pass_info& info, const std::exception_ptr& reason) {
        std::string said = std::string{info.name} + "! " + (unit != nullptr ? "" : "lost ");
        tutti::internal::with_what(reason, [&](const char* what) { said += what; });
        text.push_back(said);
    }
    void pass_skipped(const tutti::pass_info& info, tutti::skip_reason why) {
        text.push_back("-" + std::string{info.name} + " " + std::string{to_string(why)});
    }
};

struct owner {
    std::unique_ptr<int> part = std::make_unique<int>(0);
    owner() = default;
    owner(owner&&) = delete;
};

template <class Layer, class Unit>
auto run_in(const auto& pass, Unit& unit, auto&... instruments) {
    auto ctx = Layer::template context<Unit>({}, instruments...);
    return Layer::with(ctx, [&](auto& scope) { return tutti::try_run(scope, pass, unit); });
}

} // namespace

TEST_CASE("result: is a change or an error", "[pass][result]") {
    const tutti::result<> fine = tutti::changed, unknown, bad = tutti::pass_error{std::string(300, 'x')};
    CHECK(fine);
    CHECK(fine.change() == tutti::changed);
    CHECK(unknown.change() == tutti::change::unknown);
    CHECK(!bad);
    CHECK(bad.error().what() == std::string(239, 'x'));
    CHECK(bad.pass().empty());
}

TEMPLATE_TEST_CASE("try_run: without an error it returns the change", "[pass][result]", static_layer, erased_layer) {
    int n = 0;
    const auto done = run_in<TestType>(tutti::sequential(limited{}, limited{}), n);
    CHECK(done);
    CHECK(done.change() == tutti::changed);
    CHECK(n == 2);
}

TEMPLATE_TEST_CASE("try_run: an error skips the rest, instruments see the failures, and the caller gets the error",
                   "[pass][result]", static_layer, erased_layer) {
    ends heard;
    int n = 0;
    const auto pipeline =
        tutti::sequential(next, tutti::sequential<"Inner">(other, limited{.most = 5}, next), tutti::repeat(next, 2));
    const auto done = run_in<TestType>(pipeline, n, heard);
    REQUIRE(!done);
    CHECK(std::string{done.error().what()} == "too large");
    CHECK(done.pass() == "Limited");
    CHECK(n == 12);
    CHECK(heard.text == noted{"<sequential", "<Next", "Next>", "<Inner", "<Other", "Other>", "<Limited",
                              "Limited! too large", "-Next stopped", "Inner! too large", "-repeat stopped",
                              "sequential! too large"});
}

TEMPLATE_TEST_CASE("try_run: fixpoint, repeat and within end with the error", "[pass][result]", static_layer,
                   erased_layer) {
    int n = 0;
    CHECK(!run_in<TestType>(tutti::fixpoint(limited{}, 100), n));
    CHECK(n == 4);
    n = 0;
    CHECK(!run_in<TestType>(tutti::repeat(tutti::sequential(next, limited{}), 100), n));
    CHECK(n == 4);
    n = 0;
    ends heard;
    CHECK(!run_in<TestType>(tutti::within(tutti::repeat(limited{}, 100), 1'000'000), n, heard));
    CHECK(n == 4);
    CHECK(heard.text.back() == "within! too large");
}

TEMPLATE_TEST_CASE("try_run: returns the error of a fixpoint that reaches its limit", "[pass][result]", static_layer,
                   erased_layer) {
    int n = 0;
    ends heard;
    const auto done =
        run_in<TestType>(tutti::sequential(tutti::fixpoint(next, 3, tutti::on_limit::fail), next), n, heard);
    REQUIRE(!done);
    CHECK(std::string{done.error().what()} == "the limit was reached before a round changed nothing");
    CHECK(done.pass() == "fixpoint");
    CHECK(n == 3);
    CHECK(heard.text.back() == "sequential! the limit was reached before a round changed nothing");
}

TEMPLATE_TEST_CASE("try_run: returns errors of your own type", "[pass][result]", static_layer, erased_layer) {
    auto ctx = TestType::template context<int>({});
    int n = 7;
    const auto done = TestType::with(
        ctx, [&](auto& scope) { return tutti::try_run<depth>(scope, tutti::sequential(too_deep{}, next), n); });
    REQUIRE(!done);
    CHECK(done.error().value == 7);
    CHECK(done.pass() == "TooDeep");
    // Another type of error becomes its text, or is thrown.
    const auto as_text =
        TestType::with(ctx, [&](auto& scope) { return tutti::try_run(scope, tutti::sequential(too_deep{}), n); });
    CHECK(std::string{as_text.error().what()} == "it returned an error");
    CHECK_THROWS_WITH(
        TestType::with(
            ctx, [&](auto& scope) { return tutti::try_run<depth>(scope, tutti::sequential(limited{.most = 0}), n); }),
        "too large");
}

TEMPLATE_TEST_CASE("try_run: exceptions propagate, and the context stays usable", "[pass][result]", static_layer,
                   erased_layer) {
    const auto throws = tutti::make_pass<"Throws">([](int&) { throw std::runtime_error("thrown"); });
    auto ctx = TestType::template context<int>({});
    int n = 0;
    CHECK_THROWS_WITH(TestType::with(ctx, [&](auto& scope) { return tutti::try_run(scope, throws, n); }), "thrown");
    CHECK(TestType::with(ctx, [&](auto& scope) { return tutti::try_run(scope, limited{}, n); }));
    CHECK(!TestType::with(ctx, [&](auto& scope) { return tutti::try_run(scope, limited{.most = 0}, n); }));
    CHECK(TestType::with(ctx, [&](auto& scope) { return tutti::try_run(scope, limited{}, n); }));
    CHECK(n == 3);
}

TEMPLATE_TEST_CASE("try_run: inside a pass, which goes on with another attempt", "[pass][result]", static_layer,
                   erased_layer) {
    const auto attempts = tutti::make_pass<"Attempts">([](int& n, auto& ctx) -> tutti::result<> {
        if (!tutti::try_run(ctx, tutti::sequential(limited{.most = 0}, next), n)) n = 100;
        if (const auto done = tutti::try_run(ctx, limited{.most = 100}, n); !done) return done.error();
        return tutti::changed;
    });
    ends heard;
    int n = 0;
    const auto done = run_in<TestType>(tutti::sequential(attempts, next), n, heard);
    CHECK(!done);
    CHECK(done.pass() == "Attempts");
    CHECK(n == 101);
}

TEMPLATE_TEST_CASE("try_run: a unit that cannot be moved, and a pass with state", "[pass][result]", static_layer,
                   erased_layer) {
    auto counts = tutti::make_pass<"Counts">([runs = 0](owner& o) mutable -> tutti::result<> {
        *o.part = ++runs;
        if (runs == 2) return tutti::pass_error{"twice"};
        return {};
    });
    auto ctx = TestType::template context<owner>({});
    owner o;
    const auto run = [&](auto& scope) { return tutti::try_run(scope, counts, o); };
    CHECK(TestType::with(ctx, run));
    CHECK(!TestType::with(ctx, run));
    CHECK(*o.part == 2);
}

TEMPLATE_TEST_CASE("try_run: over parts, the error is that of the first part", "[pass][result]", static_layer,
                   erased_layer) {
    const auto costly = tutti::make_pass<"Costly">([](function& f) -> tutti::result<> {
        if (f.cost >= 3) return tutti::pass_error{"function " + std::to_string(f.cost)};
        f.cost = -1;
        return tutti::changed;
    });
    tutti::thread_pool pool{2};
    const auto check = [&](auto&& ctx) {
        module m;
        for (int i = 0; i < 100; ++i) m.functions.push_back({.cost = i});
        const auto done =
            tutti::with(ctx, [&](auto& scope) { return tutti::try_run(scope, tutti::each<function>(costly), m); });
        REQUIRE(!done);
        CHECK(std::string{done.error().what()} == "function 3");
        CHECK(m.functions[2].cost == -1);
        CHECK(m.functions[4].cost == 4);
    };
    check(TestType::template context<module>({}));
    if constexpr (std::is_same_v<TestType, static_layer>)
        check(tutti::pass_context{tutti::on(pool), tutti::analysis_cache{}});
    else
        check(
            tutti::runtime::pass_context<module>{tutti::runtime::context_options<module>{.executor = tutti::on(pool)}});
}

TEMPLATE_TEST_CASE("try_run: with a stop token, both end the run", "[pass][result]", stoppable_static,
                   stoppable_erased) {
    tutti::stop_token token;
    auto ctx = TestType::template context<int>(token);
    int n = 0;
    const auto run = [&](auto& scope) { return tutti::try_run(scope, tutti::sequential(limited{.most = 0}, next), n); };
    CHECK(!tutti::with(ctx, run));
    CHECK(!token.stopped()); // the error is no stop
    token.request();
    CHECK(tutti::with(ctx, run));
    CHECK(n == 1);
    CHECK(token.stopped_at() == "Limited");
}

TEST_CASE("result: without a try_run, a run-time context throws the error", "[pass][result]") {
    tutti::runtime::pass_context<int> ctx;
    int n = 5;
    CHECK_THROWS_AS(tutti::with(ctx, [&](auto& scope) { scope.run(limited{}, n); }), tutti::pass_error);
    CHECK_THROWS_WITH(tutti::with(ctx, [&](auto& scope) { scope.run(too_deep{}, n); }), "it returned an error");
}

TEST_CASE("try_run: erased passes and pipelines from text", "[pass][result]") {
    const tutti::runtime::registry<int> known{tutti::passes<std::remove_const_t<decltype(next)>, too_deep>{}};
    const auto pipeline = tutti::runtime::parse_pipeline("Next,repeat{times=3}(TooDeep,Next),Next", known);
    ends heard;
    tutti::runtime::pass_context<int> ctx{{.instruments = {heard}}};
    int n = 0;
    const auto done = tutti::with(ctx, [&](auto& scope) { return tutti::try_run<depth>(scope, pipeline, n); });
    REQUIRE(!done);
    CHECK(done.error().value == 1);
    CHECK(done.pass() == "TooDeep");
    CHECK(n == 1);
    CHECK(heard.text.back() == "sequential! it returned an error");
    const tutti::runtime::sequential<int> made{{limited{.most = 0}, next}};
    const auto resolved =
        tutti::with(ctx, [&](auto& scope) { return tutti::try_run(scope, tutti::runtime::resolve(made), n); });
    CHECK(!resolved);
    CHECK(n == 2);
}
