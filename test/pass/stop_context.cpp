#include <tutti/pass/stop_context.hpp>

#include "support/catch.hpp"
#include "support/two_layers.hpp"

#include <type_traits>

using tutti::internal::stop_context;

static_assert(tutti::context<stop_context<tutti::pass_context<>>>);
static_assert(tutti::context<stop_context<stop_context<tutti::pass_context<tutti::analysis_cache>>>>);
static_assert(!stop_context<tutti::pass_context<>>::keeps_analyses);
static_assert(stop_context<tutti::pass_context<tutti::analysis_cache>>::keeps_analyses);

TEMPLATE_TEST_CASE("with_stop: polls its own token, and then the context's again", "[pass][stop_context]", static_layer,
                   erased_layer) {
    auto ctx = TestType::template context<int>({});
    const auto next = tutti::make_pass<"Next">([](int& n) { ++n; });
    const auto twice = tutti::make_pass<"Twice">([&](int& n, auto& outside) {
        CHECK(tutti::internal::stop_of(outside) == nullptr);
        tutti::stop_token token;
        token.request();
        tutti::internal::with_stop(outside, token, [&](auto& inside) {
            CHECK(inside.stop_requested());
            CHECK(tutti::internal::stop_of(inside) == &token);
            inside.run_member(next, n);
        });
        CHECK(!outside.stop_requested());
        outside.run_member(next, n);
    });
    int n = 0;
    TestType::with(ctx, [&](auto& scope) { scope.run(twice, n); });
    CHECK(n == 1);
}

TEST_CASE("with_stop: a run-time context keeps its type, a static one is wrapped", "[pass][stop_context]") {
    using tutti::internal::stop_scope_t;
    using erased = tutti::scope<tutti::runtime::pass_context<int>, true>;
    using plain = tutti::scope<tutti::pass_context<>, true>;
    STATIC_REQUIRE(std::is_same_v<stop_scope_t<erased>, erased>);
    STATIC_REQUIRE(std::is_same_v<stop_scope_t<plain>, tutti::scope<stop_context<tutti::pass_context<>>, true>>);
    STATIC_REQUIRE(std::is_same_v<stop_scope_t<int>, int>);
}
