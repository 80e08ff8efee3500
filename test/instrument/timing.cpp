#include <tutti/instrument/timing.hpp>

#include "support/catch.hpp"
#include "support/two_layers.hpp"

#include <chrono>

using namespace std::chrono_literals;
using tutti::instrument::accounting;

namespace {
// A clock that only passes and hooks advance.
struct fake_clock {
    static inline thread_local std::int64_t elapsed = 0;
    static std::int64_t now() { return elapsed; }
};
void take(std::chrono::nanoseconds t) { fake_clock::elapsed += t.count(); }

using timing = tutti::instrument::basic_timing<fake_clock>;

// Each hook takes a different, long time.
struct slow {
    bool should_run(const auto&, const tutti::pass_info&) { return take(1000us), true; }
    void run_before_pass(const auto&, const tutti::pass_info&) { take(200us); }
    void run_after_pass(const auto&, const tutti::pass_info&) { take(30us); }
    void pass_skipped(const tutti::pass_info&, tutti::skip_reason) { take(5000us); }
    void pass_failed(const auto*, const tutti::pass_info&, const std::exception_ptr&) { take(70000us); }
};

constexpr auto infer = tutti::make_pass<"InferType">([](int&) { take(10us); });
struct fold {
    static constexpr tutti::pass_info info{.name = "FoldConstant"};
    void operator()(int& n, auto& ctx) const {
        take(3us);
        ctx.run(infer, n);
        take(7us);
    }
};
constexpr auto too_high = tutti::make_pass<"TooHigh", 9>([](int&) {});
constexpr auto scale = tutti::sequential<"FoldScaleAxis">(too_high, fold{});
constexpr auto fail = tutti::make_pass<"Fail">([](int& n, auto& ctx) {
    ctx.run(infer, n);
    take(5us);
    throw std::runtime_error{"it fails"};
});

const char* const truth = "InferType: 10us [10us] (33.33%; 33.33%)\n"
                          "FoldScaleAxis: 20us [0us] (66.67%; 66.67%)\n"
                          "\tFoldConstant: 20us [10us] (66.67%; 100.00%)\n"
                          "\t\tInferType: 10us [10us] (33.33%; 50.00%)\n";

template <class Layer, class... I>
std::string rendered(timing& t, I&... instruments) {
    auto ctx = Layer::template context<int>({}, instruments...);
    return Layer::with(ctx, [&](auto& scope) {
        int n = 1;
        scope.run(infer, n);
        scope.run(scale, n);
        return t.render();
    });
}
} // namespace

TEMPLATE_TEST_CASE("timing: renders the profile of passes as they are nested", "[instrument][timing]", static_layer,
                   erased_layer) {
    timing t;
    CHECK(rendered<TestType>(t, t) == truth);
}

TEMPLATE_TEST_CASE("timing: excludes the cost of instruments, wherever they are, at every depth",
                   "[instrument][timing]", static_layer, erased_layer) {
    timing t;
    slow a, b;
    CHECK(rendered<TestType>(t, a, t) == truth);
    CHECK(rendered<TestType>(t, t, a) == truth);
    CHECK(rendered<TestType>(t, a, t, b) == truth);
    timing other;
    CHECK(rendered<TestType>(t, t, a, other, b) == truth);
    CHECK(other.last().render() == truth);
}

TEMPLATE_TEST_CASE("timing: includes instruments on request, as the reference does", "[instrument][timing]",
                   static_layer, erased_layer) {
    timing t{accounting::as_reference};
    slow a;
    // The time within a pass includes its own run_after_pass, all hooks for its children, and skipped passes.
    CHECK(rendered<TestType>(t, a, t) == "InferType: 40us [40us] (0.53%; 0.53%)\n"
                                         "FoldScaleAxis: 7510us [6230us] (99.47%; 99.47%)\n"
                                         "\tFoldConstant: 1280us [1240us] (16.95%; 17.04%)\n"
                                         "\t\tInferType: 40us [40us] (0.53%; 3.12%)\n");
}

TEMPLATE_TEST_CASE("timing: is consistent after a pass has thrown", "[instrument][timing]", static_layer,
                   erased_layer) {
    timing t;
    slow a;
    auto ctx = TestType::template context<int>({}, a, t);
    TestType::with(ctx, [&](auto& scope) {
        int n = 1;
        CHECK_THROWS(scope.run(tutti::sequential(infer, fail), n));
        scope.run(infer, n);
        CHECK(t.render() == "sequential: 25us [0us] (71.43%; 71.43%)\n"
                            "\tInferType: 10us [10us] (28.57%; 40.00%)\n"
                            "\tFail: 15us [5us] (42.86%; 60.00%)\n"
                            "\t\tInferType: 10us [10us] (28.57%; 66.67%)\n"
                            "InferType: 10us [10us] (28.57%; 28.57%)\n");
    });
    CHECK(t.render().empty());
}

TEST_CASE("timing: is consistent after a hook has thrown, its own side or the other", "[instrument][timing]") {
    std::string ignored;
    for (const hook where : {hook::should_run, hook::before, hook::after}) {
        for (const bool first : {true, false}) {
            timing t;
            throwing_recorder bad{"B", ignored, where};
            tutti::pass_context one{tutti::instruments(bad, t)};
            tutti::pass_context two{tutti::instruments(t, bad)};
            int n = 1;
            const auto body = [&](auto& scope) {
                CHECK_THROWS(scope.run(infer, n));
                CHECK_FALSE(t.current().running());
                CHECK_NOTHROW(t.render());
            };
            first ? tutti::with(one, body) : tutti::with(two, body);
        }
    }
}

TEST_CASE("timing: warns if nothing was profiled", "[instrument][timing]") {
    timing t;
    std::string warning;
    CHECK(t.render([&](const char* text) { warning = text; }).empty());
    CHECK(warning == "no passes have been profiled, did you enable pass profiling?");
    CHECK(t.render().empty());
}

TEST_CASE("timing: refuses to render while a pass runs", "[instrument][timing]") {
    timing t;
    tutti::pass_context ctx{tutti::instruments(t)};
    const auto looks = tutti::make_pass<"Looks">([&](int&) { CHECK_THROWS_AS(t.render(), tutti::error); });
    tutti::with(ctx, [&](auto& scope) { CHECK(scope.run(looks, 1) == 1); });
    CHECK(t.last().size() == 1);
}

TEST_CASE("timing: leaving a context clears the profile, and the last one is kept", "[instrument][timing]") {
    timing t;
    CHECK(rendered<static_layer>(t, t) == truth);
    CHECK(t.render().empty());
    CHECK(t.current().empty());
    CHECK(t.last().render() == truth);
    t.exit_pass_ctx(); // as override_instruments does after a `with`
    CHECK(t.last().render() == truth);
    tutti::pass_context ctx{tutti::instruments(t)};
    tutti::with(ctx, [](auto&) {});
    CHECK(t.last().empty());
}

TEST_CASE("timing: in a context within a pass, it goes on with the profile", "[instrument][timing]") {
    timing t;
    tutti::pass_context outer{tutti::instruments(t)}, inner{tutti::instruments(t)};
    const auto nests = tutti::make_pass<"Nests">([&](int& n) {
        take(1us);
        tutti::with(inner, [&](auto& scope) { scope.run(infer, n); });
    });
    tutti::with(outer, [&](auto& scope) {
        CHECK(scope.run(nests, 1) == 1);
        CHECK(t.render() == "Nests: 11us [1us] (100.00%; 100.00%)\n\tInferType: 10us [10us] (90.91%; 90.91%)\n");
    });
}

TEST_CASE("timing: measures by the steady clock", "[instrument][timing]") {
    tutti::instrument::timing t;
    tutti::pass_context ctx{tutti::instruments(t)};
    const auto works = tutti::make_pass<"Works">([](int& n) {
        const auto until = std::chrono::steady_clock::now() + 2ms;
        while (std::chrono::steady_clock::now() < until) ++n;
    });
    tutti::with(ctx, [&](auto& scope) { CHECK(scope.run(works, 0) > 0); });
    REQUIRE(t.last().size() == 1);
    CHECK(std::chrono::nanoseconds{t.last()[0].inclusive} >= 2ms);
}
