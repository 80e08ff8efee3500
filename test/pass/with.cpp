#include <tutti/pass/with.hpp>

#include "archetypes/instrument.hpp"
#include "support/catch.hpp"
#include "support/two_layers.hpp"

#include <memory>

namespace {
constexpr auto next = tutti::make_pass<"Next">([](int& n) { ++n; });

constexpr int through_instruments(int n) {
    struct doubling {
        int entered = 0;
        constexpr void enter_pass_ctx() { ++entered; }
    } instrument;
    tutti::pass_context ctx{tutti::instruments(instrument)};
    tutti::with(ctx, [&](auto& scope) { scope.run(tutti::make_pass<"Twice">([](int& m) { m *= 2; }), n); });
    return n + instrument.entered;
}
static_assert(through_instruments(4) == 9);
} // namespace

TEST_CASE("with: returns the result of the body, a value, a reference, or nothing", "[pass][with]") {
    int n = 1;
    only_exits exiting;
    tutti::pass_context ctx{tutti::instruments(exiting)};
    tutti::pass_context plain{};
    CHECK(*tutti::with(ctx, [](auto&) { return std::make_unique<int>(3); }) == 3);
    CHECK(&tutti::with(ctx, [&](auto&) -> int& { return n; }) == &n);
    CHECK(&tutti::with(plain, [&](auto&) -> int& { return n; }) == &n);
    STATIC_REQUIRE(std::is_void_v<decltype(tutti::with(ctx, [](auto&) {}))>);
    CHECK(tutti::with(tutti::pass_context{tutti::opt_level<3>}, [](auto& scope) { return scope.opt_level(); }) == 3);
}

TEMPLATE_TEST_CASE("with: enters in order, leaves in the same order", "[pass][with]", static_layer, erased_layer) {
    std::string text;
    full_recorder a{"A", text}, b{"B", text};
    auto ctx = TestType::template context<int>({}, a, b);
    TestType::with(ctx, [&](auto&) { text += "body\n"; });
    CHECK(text == "A enter_pass_ctx\nB enter_pass_ctx\nbody\nA exit_pass_ctx\nB exit_pass_ctx\n");
}

TEMPLATE_TEST_CASE("with: leaves also when the body throws", "[pass][with]", static_layer, erased_layer) {
    std::string text;
    full_recorder a{"A", text}, b{"B", text};
    auto ctx = TestType::template context<int>({}, a, b);
    CHECK_THROWS_AS(TestType::with(ctx, [&](auto&) { throw 3; }), int);
    CHECK(text == "A enter_pass_ctx\nB enter_pass_ctx\nA exit_pass_ctx\nB exit_pass_ctx\n");
    CHECK_FALSE(ctx.instruments_cleared());
}

TEMPLATE_TEST_CASE("with: an enter that throws leaves those entered, clears, and goes on", "[pass][with]", static_layer,
                   erased_layer) {
    std::string text;
    full_recorder a{"A", text}, c{"C", text}, d{"D", text};
    throwing_recorder b{"B", text, hook::enter};
    auto ctx = TestType::template context<int>({}, a, c, b, d);
    CHECK_THROWS_WITH(TestType::with(ctx, [&](auto&) { text += "body\n"; }), "B bad enter_pass_ctx");
    CHECK(text == "A enter_pass_ctx\nC enter_pass_ctx\nB bad enter_pass_ctx!!!\nA exit_pass_ctx\nC exit_pass_ctx\n");
    CHECK(ctx.instruments_cleared());
    text.clear();
    int n = 1;
    TestType::with(ctx, [&](auto& scope) { scope.run(next, n); });
    CHECK(text.empty());
    CHECK(n == 2);
}

TEMPLATE_TEST_CASE("with: an exit that throws is the last, clears, and goes on", "[pass][with]", static_layer,
                   erased_layer) {
    std::string text;
    full_recorder a{"A", text}, c{"C", text};
    throwing_recorder b{"B", text, hook::exit};
    {
        auto ctx = TestType::template context<int>({}, a, b, c);
        CHECK_THROWS_WITH(TestType::with(ctx, [&](auto&) { text.clear(); }), "B bad exit_pass_ctx");
        CHECK(text == "A exit_pass_ctx\nB bad exit_pass_ctx!!!\n");
        CHECK(ctx.instruments_cleared());
    }
    auto ctx = TestType::template context<int>({}, a, b, c);
    CHECK_THROWS_WITH(TestType::with(ctx, [&](auto&) { throw std::runtime_error{"the body's"}; }),
                      "B bad exit_pass_ctx");
}

TEMPLATE_TEST_CASE("with: only the innermost context's instruments are called", "[pass][with]", static_layer,
                   erased_layer) {
    std::string text;
    full_recorder a{"A", text}, b{"B", text};
    auto outer = TestType::template context<int>({}, a);
    auto inner = TestType::template context<int>({}, b);
    int n = 1;
    TestType::with(outer, [&](auto&) { TestType::with(inner, [&](auto& scope) { scope.run(next, n); }); });
    CHECK(text == "A enter_pass_ctx\nB enter_pass_ctx\nB should_run\nB run_before_pass\nB run_after_pass\n"
                  "B exit_pass_ctx\nA exit_pass_ctx\n");
}

TEMPLATE_TEST_CASE("with: a context that is entered inside of itself stays without instruments once they are cleared",
                   "[pass][with]", static_layer, erased_layer) {
    std::string text;
    full_recorder a{"A", text};
    throwing_recorder b{"B", text, hook::exit};
    auto ctx = TestType::template context<int>({}, a, b);
    int n = 1;
    TestType::with(ctx, [&](auto& scope) {
        text.clear();
        CHECK_THROWS_WITH(TestType::with(ctx, [&](auto&) { text.clear(); }), "B bad exit_pass_ctx");
        scope.run(next, n);
    });
    CHECK(text == "A exit_pass_ctx\nB bad exit_pass_ctx!!!\n"); // no hooks are called after this
    CHECK(n == 2);
    CHECK(ctx.instruments_cleared());
}

TEMPLATE_TEST_CASE("entered: enters and leaves as with does", "[pass][with]", static_layer, erased_layer) {
    std::string text;
    full_recorder a{"A", text};
    auto ctx = TestType::template context<int>({}, a);
    int n = 1;
    {
        tutti::entered in{ctx};
        in.run(next, n);
    }
    CHECK(text == "A enter_pass_ctx\nA should_run\nA run_before_pass\nA run_after_pass\nA exit_pass_ctx\n");
    text.clear();
    {
        tutti::entered in{ctx};
        in.leave();
        in.leave();
        CHECK(text == "A enter_pass_ctx\nA exit_pass_ctx\n");
    }
    CHECK(text == "A enter_pass_ctx\nA exit_pass_ctx\n");
    text.clear();
    const auto throws = [&] {
        tutti::entered in{ctx};
        throw 3;
    };
    CHECK_THROWS_AS(throws(), int);
    CHECK(text == "A enter_pass_ctx\nA exit_pass_ctx\n");
}

TEMPLATE_TEST_CASE("entered: an error at exit propagates, but does not replace one in flight", "[pass][with]",
                   static_layer, erased_layer) {
    std::string text;
    throwing_recorder bad{"B", text, hook::exit};
    auto ctx = TestType::template context<int>({}, bad);
    CHECK_THROWS_WITH([&] { tutti::entered in{ctx}; }(), "B bad exit_pass_ctx");
    CHECK(ctx.instruments_cleared());
    auto other = TestType::template context<int>({}, bad);
    const auto throws = [&] {
        tutti::entered in{other};
        throw 3;
    };
    CHECK_THROWS_AS(throws(), int);
    CHECK(other.instruments_cleared());
}
