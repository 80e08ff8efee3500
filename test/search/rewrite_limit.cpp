#include <tutti/search/rewrite_limit.hpp>

#include "support/catch.hpp"
#include "support/plan_unit.hpp"
#include "support/two_layers.hpp"

#include <string>
#include <string_view>

using tutti::instrument::named_rewrite;
using tutti::instrument::rewrite_limit;

namespace {
// Replaces each step `sort` by `merge`.
constexpr auto merges = tutti::make_pass<"Merges">([](plan& p, auto& ctx) {
    for (std::size_t i = 0; i < p.steps.size(); ++i)
        if (p.steps[i] == "sort" && ctx.may_apply("sort_is_merge", [&] { return "step " + std::to_string(i); }, "plan"))
            p.steps[i] = "merge";
});
template <class Layer>
std::string after(auto& limit, const auto& pass) {
    plan p{{"sort", "scan", "sort", "sort"}};
    auto ctx = Layer::template context<plan>({}, limit);
    Layer::with(ctx, [&](auto& scope) { scope.run(pass, p); });
    std::string text;
    for (const std::string& each : p.steps) text.append(each).append(" ");
    return text;
}
} // namespace

TEMPLATE_TEST_CASE("rewrite_limit: makes the first rewrites and counts all", "[instrument][rewrite_limit]",
                   static_layer, erased_layer) {
    rewrite_limit<> none{0};
    CHECK(after<TestType>(none, merges) == "sort scan sort sort ");
    CHECK(none.count() == 3);
    CHECK(none.last() == named_rewrite{});
    rewrite_limit<> two{2};
    CHECK(after<TestType>(two, merges) == "merge scan merge sort ");
    CHECK(two.count() == 3);
    CHECK(two.last() == named_rewrite{"Merges", "sort_is_merge", "step 2", "plan"});
    CHECK(to_text(two.last()) == "Merges, sort_is_merge at step 2");
    rewrite_limit<> all;
    CHECK(after<TestType>(all, merges) == "merge scan merge merge ");
    CHECK(all.count() == 3);
}

TEMPLATE_TEST_CASE("rewrite_limit: a refused rewrite that is found again counts again", "[instrument][rewrite_limit]",
                   static_layer, erased_layer) {
    rewrite_limit<> two{2};
    CHECK(after<TestType>(two, tutti::repeat(merges, 2)) == "merge scan merge sort ");
    CHECK(two.count() == 4);
}

TEMPLATE_TEST_CASE("rewrite_limit: writes a line for each rewrite", "[instrument][rewrite_limit]", static_layer,
                   erased_layer) {
    std::string text;
    rewrite_limit one{1, [&](std::string_view line) { text += line; }};
    after<TestType>(one, merges);
    CHECK(text == "BISECT: making rewrite (1) Merges, sort_is_merge at step 0\n"
                  "BISECT: NOT making rewrite (2) Merges, sort_is_merge at step 2\n"
                  "BISECT: NOT making rewrite (3) Merges, sort_is_merge at step 3\n");
}
