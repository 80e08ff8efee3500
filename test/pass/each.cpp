#include <tutti/pass/each.hpp>

#include <tutti/pass/make_pass.hpp>

#include "support/catch.hpp"
#include "support/levels.hpp"
#include "support/two_layers.hpp"

namespace {
constexpr auto unroll = tutti::make_pass<"Unroll", 1>([](loop& l) { l.trips /= 2; });
constexpr auto cost = tutti::make_pass<"Cost">([](function& f) {
    f.cost = 0;
    for (const loop& l : f.loops) f.cost += l.trips;
});
constexpr auto add_function = tutti::make_pass<"AddFunction">([](module m) {
    m.functions.push_back({.loops = {{100}}});
    return m;
});
constexpr auto pipeline = tutti::sequential(add_function, tutti::each<function>(tutti::each<loop>(unroll), cost));

module two_functions() { return {.functions = {{.loops = {{8}, {4}}}, {}}}; }

struct sees {
    std::string text{};
    void run_before_pass(const auto&, const tutti::pass_run& run) {
        text.append(static_cast<std::size_t>(run.depth), ' ').append(run.name).append("\n");
        if (run.outer) CHECK(run.outer->depth == run.depth - 1);
    }
};
struct verify_input {
    static constexpr tutti::pass_info info{.name = "VerifyInput"};
    void operator()(module& m) const { m.functions.front().cost += 1000; }
};
struct number_loops {
    static constexpr tutti::pass_info info{.name = "NumberLoops"};
    void operator()(function& f) const { f.cost += 1; }
};
struct needs_both {
    static constexpr tutti::pass_info info{.name = "NeedsBoth"};
    using required = tutti::passes<number_loops>;
    void operator()(function& f) const { f.cost *= 2; }
};
struct needs_whole {
    static constexpr tutti::pass_info info{.name = "NeedsWhole"};
    using required = tutti::passes<verify_input>;
    void operator()(function& f) const { f.cost += 1; }
};
} // namespace

static_assert(decltype(tutti::each<function>(cost))::info.name == "function");
static_assert(decltype(tutti::each<function>(cost))::info.kind == tutti::pass_kind::adaptor);

TEMPLATE_TEST_CASE("each: runs passes over the parts of a whole, to any depth", "[pass][each]", static_layer,
                   erased_layer) {
    auto ctx = TestType::template context<module>({});
    module m = two_functions();
    TestType::with(ctx, [&](auto& scope) { scope.run(pipeline, m); });
    REQUIRE(m.functions.size() == 3);
    CHECK(m.functions[0].cost == 6);
    CHECK(m.functions[2].cost == 50);
    const module by_value = TestType::with(ctx, [&](auto& scope) { return scope.run(pipeline, two_functions()); });
    CHECK(by_value.functions[0].cost == 6);
}

TEMPLATE_TEST_CASE("each: instruments see the whole and the parts, with the enclosing passes", "[pass][each]",
                   static_layer, erased_layer) {
    sees all;
    struct sees_functions {
        int before = 0, after = 0;
        void run_before_pass(const function&, const tutti::pass_info&) { ++before; }
        void run_after_pass(const function&, const tutti::pass_info&) { ++after; }
    } functions;
    struct sees_modules {
        int after = 0;
        void run_after_pass(const module&, const tutti::pass_info&) { ++after; }
    } modules;
    auto ctx = TestType::template context<module>({}, all, functions, modules);
    module m{.functions = {{.loops = {{8}}}}};
    TestType::with(ctx, [&](auto& scope) { scope.run(tutti::each<function>(tutti::each<loop>(unroll), cost), m); });
    CHECK(all.text == "function\n sequential\n  loop\n   Unroll\n  Cost\n");
    CHECK(functions.before == 3);
    CHECK(functions.after == 3);
    CHECK(modules.after == 1);
}

TEMPLATE_TEST_CASE("each: levels and disabled passes count below it", "[pass][each]", static_layer, erased_layer) {
    module m = two_functions();
    const setup low{.opt_level = 0};
    auto level_0 = TestType::template context<module>(low);
    TestType::with(level_0, [&](auto& scope) { scope.run(pipeline, m); });
    CHECK(m.functions[0].cost == 12);
    const setup without{.opt_level = 2, .disabled = {"loop"}};
    auto disabled = TestType::template context<module>(without);
    m = two_functions();
    TestType::with(disabled, [&](auto& scope) { scope.run(pipeline, m); });
    CHECK(m.functions[0].cost == 12);
}

TEMPLATE_TEST_CASE("each: required passes of a part's pass run over the part, or over the whole", "[pass][each]",
                   static_layer, erased_layer) {
    auto ctx = TestType::template context<module>({});
    module m{.functions = {{}, {}}};
    TestType::with(ctx, [&](auto& scope) {
        scope.run(tutti::sequential(tutti::each<function>(needs_both{}), tutti::each<function>(needs_whole{})), m);
    });
    CHECK(m.functions[0].cost == 2 + 1000 + 1);
    CHECK(m.functions[1].cost == 2 + 1);
}

TEMPLATE_TEST_CASE("each: a part's pass that throws ends in pass_failed on both levels", "[pass][each]", static_layer,
                   erased_layer) {
    std::string text;
    full_recorder r{"R", text, recording::hooks_and_passes};
    auto ctx = TestType::template context<module>({}, r);
    const auto fail = tutti::make_pass<"Fail">([](loop&) { throw 3; });
    module m = two_functions();
    CHECK_THROWS_AS(
        TestType::with(ctx, [&](auto& scope) { scope.run(tutti::each<function>(tutti::each<loop>(fail)), m); }), int);
    CHECK(text.find("R pass_failed Fail\nR pass_failed loop\nR pass_failed function\n") != std::string::npos);
}
