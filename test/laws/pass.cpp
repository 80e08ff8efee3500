#include "archetypes/pass.hpp"

#include "archetypes/tree.hpp"
#include "pass_laws.hpp"

namespace {
struct infer {
    static constexpr tutti::pass_info info{.name = "Infer", .opt_level = 7};
    void operator()(int& n, auto&) const { n += 100; }
};
struct scale {
    static constexpr tutti::pass_info info{.name = "Scale", .opt_level = 2};
    using required = tutti::passes<decltype(tutti::make_pass<"Nothing">([](int&) {}))>;
    int by = 3;
    int operator()(int n, auto& ctx) const { return ctx.run(infer{}, n * by); }
};
constexpr auto one = [] { return 1; };
constexpr auto same = [](int n) { return n; };
constexpr auto three_leaves = [] { return node(1, leaf(2), node(3, leaf(4), leaf(5))); };
constexpr auto sum_of = [](const tree& t) { return sum(t); };
} // namespace

TEMPLATE_TEST_CASE("laws: every pass over a plain value keeps them", "[laws][pass]", static_layer, erased_layer) {
    pass_laws<TestType, int>(pass_by_value{}, one, same);
    pass_laws<TestType, int>(pass_in_place{}, one, same);
    pass_laws<TestType, int>(pass_without_context<int>{}, one, same);
    pass_laws<TestType, int>(pass_in_place_without_context<int>{}, one, same);
    pass_laws<TestType, int>(pass_described_late{}, one, same);
    pass_laws<TestType, int>(infer{}, one, same);
    pass_laws<TestType, int>(scale{.by = 4}, one, same);
    pass_laws<TestType, int>(tutti::make_pass<"Twice", 3>([](int n) { return 2 * n; }), one, same);
    pass_laws<TestType, int>(tutti::sequential<"Both", 4>(infer{}, scale{}), one, same);
}

TEMPLATE_TEST_CASE("laws: every pass over a unit that owns keeps them", "[laws][pass]", static_layer, erased_layer) {
    pass_laws<TestType, tree>(pass_by_value{}, three_leaves, sum_of);
    pass_laws<TestType, tree>(pass_in_place{}, three_leaves, sum_of);
    pass_laws<TestType, tree>(pass_without_context<tree>{}, three_leaves, sum_of);
    pass_laws<TestType, tree>(pass_in_place_without_context<tree>{}, three_leaves, sum_of);
    pass_laws<TestType, tree>(pass_described_late{}, three_leaves, sum_of);
    pass_laws<TestType, tree>(tutti::make_pass<"Grow">([](tree t) { return node(1, std::move(t), leaf(2)); }),
                              three_leaves, sum_of);
    pass_laws<TestType, tree>(tutti::make_pass<"Bump">([](tree& t) { t.value += 7; }), three_leaves, sum_of);
}
