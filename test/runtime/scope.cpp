#include <tutti/runtime/scope.hpp>

#include "catch.hpp"
#include "two_layers.hpp"

namespace runtime = tutti::runtime;

TEST_CASE("runtime::scope: is what passes get, static ones and erased ones", "[runtime][scope]") {
    const auto level = tutti::make_pass<"Level">([](int& n, auto& ctx) {
        STATIC_REQUIRE(std::is_same_v<decltype(ctx), runtime::scope<int>&>);
        n = ctx.opt_level();
    });
    runtime::pass_context<int> ctx{{.opt_level = 4}};
    runtime::scope<int> scope{ctx};
    CHECK(scope.run(level, 0) == 4);
    CHECK(scope.run(runtime::any_pass<int>{level}, 0) == 4);
    CHECK(&scope.context() == &ctx);
}

TEST_CASE("runtime::scope: tells instruments of passes that a sequential skips", "[runtime][scope]") {
    std::string text;
    full_recorder r{"R", text, recording::hooks_and_passes};
    runtime::pass_context<int> ctx{{.instruments = {r}}};
    runtime::scope<int>{ctx}.skip<int>({.name = "A"}, tutti::skip_reason::disabled);
    CHECK(text == "R pass_skipped A disabled\n");
}
