#include <tutti/pass/context.hpp>

#include <tutti/pass/pass_context.hpp>
#include <tutti/runtime/pass_context.hpp>

#include "support/catch.hpp"
#include "support/two_layers.hpp"

static_assert(tutti::context<tutti::pass_context<>>);
static_assert(tutti::context<tutti::runtime::pass_context<int>>);
static_assert(!tutti::context<int>);

namespace {
constexpr tutti::config_key<std::int64_t> depth{"test.depth", 7};
constexpr auto next = tutti::make_pass<"Next", 1>([](int& n) { ++n; });
} // namespace

TEMPLATE_TEST_CASE("context: reports disabled and required passes, and decides by them", "[pass][context]",
                   static_layer, erased_layer) {
    const setup s{.opt_level = 0, .disabled = {"A"}, .required = {"Next", "B"}};
    const auto ctx = TestType::template context<int>(s);
    std::string names;
    ctx.each_disabled([&](std::string_view name) { names.append(name).append(";"); });
    ctx.each_required([&](std::string_view name) { names.append(name).append(" "); });
    CHECK(names == "A;Next B ");
    CHECK(ctx.decide(next) == tutti::decision::run);
    CHECK(ctx.is_required(next));
    CHECK(ctx.opt_level() == 0);
    CHECK(config(ctx, depth) == 7);
}

TEST_CASE("context: a static one has config keys too, the last setting counts", "[pass][context]") {
    constexpr tutti::pass_context ctx{tutti::set_config(depth, 1), tutti::set_config(depth, 9)};
    STATIC_REQUIRE(config(ctx, depth) == 9);
    int seen = 0;
    const auto asks =
        tutti::make_pass<"Asks">([&](int&, auto& scope) { seen = static_cast<int>(tutti::config(scope, depth)); });
    int n = 0;
    tutti::with(ctx, [&](auto& scope) { scope.run(asks, n); });
    CHECK(seen == 9);
}
