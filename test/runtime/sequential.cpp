#include <tutti/runtime/sequential.hpp>

#include "support/catch.hpp"
#include "support/two_layers.hpp"

namespace runtime = tutti::runtime;

namespace {
constexpr auto next = tutti::make_pass<"Next">([](int& n) { ++n; });
constexpr auto twice = tutti::make_pass<"Twice", 3>([](int n) { return 2 * n; });
struct both {
    static constexpr tutti::pass_info info{.name = "Both", .opt_level = 1};
    using required = tutti::passes<decltype(tutti::sequential<"Inner">())>;
    void operator()(int& n, auto& ctx) const {
        ctx.run(next, n);
        ctx.run(twice, n);
    }
};

std::string recorded(const auto& pipeline, const setup& s, int expected) {
    std::string text;
    full_recorder r{"R", text, recording::hooks_and_passes};
    auto ctx = erased_layer::context<int>(s, r);
    tutti::with(ctx, [&](auto& scope) { CHECK(scope.run(pipeline, 1) == expected); });
    return text;
}
} // namespace

TEST_CASE("runtime::sequential: gives the same events and the same unit as its static twin", "[runtime][sequential]") {
    const auto fixed = tutti::sequential<"Pipeline", 2>(next, twice, both{}, tutti::sequential(next));
    const runtime::sequential<int> erased{{next, twice, both{}, tutti::sequential(next)}, "Pipeline", 2};
    CHECK(erased.info == fixed.info);
    CHECK(erased.passes().size() == 4);
    for (const setup& s : {setup{}, setup{.opt_level = 3}, setup{.opt_level = 0}, setup{.required = {"Twice"}},
                           setup{.opt_level = 3, .disabled = {"Next", "Both"}}}) {
        const int expected = tutti::with(
            tutti::pass_context{tutti::opt_level(s.opt_level), tutti::disable(s.disabled), tutti::require(s.required)},
            [&](auto& scope) { return scope.run(fixed, 1); });
        const std::string text = recorded(erased, s, expected);
        CHECK(text == recorded(fixed, s, expected));
        CHECK(text == recorded(runtime::any_pass<int>{fixed}, s, expected));
        CHECK(text.size() > 100);
    }
}

TEST_CASE("runtime::sequential: is named sequential, with level 0, unless given", "[runtime][sequential]") {
    const runtime::sequential<int> empty{{}};
    CHECK(empty.info == tutti::pass_info{.name = "sequential", .kind = tutti::pass_kind::sequential});
    runtime::pass_context<int> ctx;
    CHECK(ctx.run(empty, 3) == 3);
    const auto copy = runtime::sequential<int>{runtime::sequential<int>{{next}, std::string(50, 'n')}};
    CHECK(copy.info.name == std::string(50, 'n'));
}

TEST_CASE("runtime::sequential: one in braces is a member, not a copy", "[runtime][sequential]") {
    const runtime::sequential<int> inner{{next}, "inner", 2};
    const runtime::sequential<int> outer{{inner}}, copy{inner}, named{{inner}, "outer", 1};
    CHECK(tutti::write_pipeline(outer) == "seq[inner,2](Next)");
    CHECK(outer.info.name == "sequential");
    REQUIRE(outer.passes().size() == 1);
    CHECK(outer.passes().front().info == inner.info);
    CHECK(copy.info == inner.info);
    CHECK(named.info.name == "outer");
    // In parentheses, a sequential is copied. Any other pass becomes a member.
    CHECK(runtime::sequential<int>({inner}).info == inner.info);
    CHECK(runtime::sequential<int>({next}).passes().size() == 1);
    CHECK(runtime::sequential<int>{{outer}}.passes().front().info == outer.info);
    CHECK(runtime::sequential<int>{{inner, inner}}.passes().size() == 2);
    CHECK(runtime::sequential<int>{{}}.passes().empty());
}
