#include <tutti/runtime/with.hpp>

#include <tutti/instrument/callbacks.hpp>

#include "catch.hpp"
#include "two_layers.hpp"

#include <memory>

namespace runtime = tutti::runtime;
using context = runtime::pass_context<int>;

TEST_CASE("runtime::with: makes the context current, nested ones too, and ends that however the body ends",
          "[runtime][with]") {
    context outer, inner;
    context& before = context::current();
    runtime::with(outer, [&] {
        CHECK(&context::current() == &outer);
        CHECK_THROWS_AS(runtime::with(inner,
                                      [&](auto& scope) {
                                          CHECK(&scope.context() == &inner);
                                          CHECK(&context::current() == &inner);
                                          throw 3;
                                      }),
                        int);
        CHECK(&context::current() == &outer);
    });
    CHECK(&context::current() == &before);
}

TEST_CASE("runtime::with: while hooks of entering and leaving run, the outer context is current", "[runtime][with]") {
    context& outside = context::current();
    context *on_enter = nullptr, *on_exit = nullptr;
    tutti::instrument::callbacks looks{.enter_pass_ctx = [&] { on_enter = &context::current(); },
                                       .exit_pass_ctx = [&] { on_exit = &context::current(); }};
    context ctx{{.instruments = {looks}}};
    runtime::with(ctx, [] {});
    CHECK(on_enter == &outside);
    CHECK(on_exit == &outside);
    on_exit = nullptr;
    CHECK_THROWS(runtime::with(ctx, [] { throw 3; }));
    CHECK(on_exit == &outside);
}

TEST_CASE("runtime::with: a context that could not be entered does not become current", "[runtime][with]") {
    std::string text;
    throwing_recorder bad{"B", text, hook::enter};
    context& outside = context::current();
    context ctx{{.instruments = {bad}}};
    CHECK_THROWS(runtime::with(ctx, [] {}));
    CHECK(&context::current() == &outside);
}

TEST_CASE("runtime::with: returns what the body returns", "[runtime][with]") {
    context ctx;
    int n = 1;
    CHECK(*runtime::with(ctx, [] { return std::make_unique<int>(3); }) == 3);
    CHECK(&runtime::with(ctx, [&](auto&) -> int& { return n; }) == &n);
    CHECK(runtime::with(context{{.opt_level = 3}}, [] { return context::current().opt_level(); }) == 3);
}
