#include <tutti/search/bisect_rewrites.hpp>

#include "support/catch.hpp"
#include "support/plan_unit.hpp"
#include "support/two_layers.hpp"

#include <cstddef>
#include <stdexcept>
#include <string>

using tutti::instrument::bisect_limit;
using tutti::instrument::bisect_rewrites;
using tutti::instrument::rewrite_bisection;
using tutti::instrument::rewrite_limit;

namespace {

// Numbers the steps `sort`, one rewrite for each; the wrong one breaks its step.
struct numbers {
    static constexpr tutti::pass_info info{.name = "Numbers"};
    std::size_t wrong = 0;

    void operator()(plan& p, auto& ctx) const {
        std::size_t n = 0;
        for (std::string& each : p.steps)
            if (each.starts_with("sort") && ++n != 0 && ctx.may_apply("number", [&] { return std::to_string(n); }))
                each = n == wrong ? "broken" : "sort" + std::to_string(n);
    }
};

bool is_whole(const plan& p) {
    for (const std::string& step : p.steps)
        if (step == "broken") return false;
    return true;
}

template <class Layer>
rewrite_bisection found(const auto& passes, std::size_t steps) {
    return bisect_rewrites([&](bisect_limit<>& limit, rewrite_limit<>& rewrites) {
        plan p;
        p.steps.assign(steps, "sort");
        auto ctx = Layer::template context<plan>({}, limit, rewrites);
        Layer::with(ctx, [&](auto& scope) { scope.run(passes, p); });
        return is_whole(p);
    });
}

} // namespace

TEMPLATE_TEST_CASE("bisect_rewrites: finds the rewrite of the pass", "[instrument][bisect_rewrites]", static_layer,
                   erased_layer) {
    for (std::size_t wrong = 1; wrong <= 20; ++wrong) {
        const auto passes = tutti::sequential(numbers{}, tutti::repeat(numbers{}, 3),
                                              tutti::sequential<"Inner">(numbers{wrong}), add_sort);
        const rewrite_bisection there = found<TestType>(passes, 20);
        CHECK(there.failed);
        CHECK(there.number == 5);
        CHECK(there.pass == "Numbers in Inner");
        CHECK(there.passes == 6);
        CHECK(there.rewrites == 20);
        CHECK(there.rewrite == wrong);
        CHECK(there.made_before == 80);
        CHECK(to_text(there.what) == "Numbers, number at " + std::to_string(wrong));
        CHECK(there.tries <= 11);
    }
}

TEMPLATE_TEST_CASE("bisect_rewrites: names only the pass if none of its rewrites is wrong",
                   "[instrument][bisect_rewrites]", static_layer, erased_layer) {
    const rewrite_bisection silent = found<TestType>(tutti::sequential(numbers{}, break_it, numbers{}), 4);
    CHECK(silent.pass == "BreakIt");
    CHECK(silent.rewrites == 0);
    CHECK(silent.rewrite == 0);
    CHECK(silent.what.pass.empty());

    const auto breaks = tutti::make_pass<"BreaksToo">([](plan& p, auto& ctx) {
        if (ctx.may_apply("add", "here")) p.steps.emplace_back("scan");
        p.steps.emplace_back("broken");
    });
    const rewrite_bisection also = found<TestType>(tutti::sequential(numbers{}, breaks), 4);
    CHECK(also.pass == "BreaksToo");
    CHECK(also.rewrites == 1);
    CHECK(also.rewrite == 0);
    CHECK(also.what.pass.empty());
}

TEMPLATE_TEST_CASE("bisect_rewrites: says that nothing is wrong, or that no pass is to blame",
                   "[instrument][bisect_rewrites]", static_layer, erased_layer) {
    const rewrite_bisection right = found<TestType>(tutti::sequential(numbers{}, numbers{}), 3);
    CHECK_FALSE(right.failed);
    CHECK(right.tries == 1);
    const rewrite_bisection before = bisect_rewrites([](bisect_limit<>&, rewrite_limit<>&) { return false; });
    CHECK(before.failed);
    CHECK(before.number == 0);
    CHECK(before.rewrite == 0);
}

TEMPLATE_TEST_CASE("bisect_rewrites: finds the rewrite after which a pass throws", "[instrument][bisect_rewrites]",
                   static_layer, erased_layer) {
    const auto throws = tutti::make_pass<"Throws">([](plan&, auto& ctx) {
        for (int i = 1; i < 9; ++i)
            if (ctx.may_apply("step", std::to_string(i)) && i == 6) throw std::runtime_error("six");
    });
    const rewrite_bisection thrown = found<TestType>(tutti::sequential(numbers{}, throws, numbers{}), 2);
    CHECK(thrown.pass == "Throws");
    CHECK(thrown.rewrite == 6);
    CHECK(thrown.what.where == "6");
}
