#include <tutti/pass/required.hpp>

#include <tutti/pass/adaptors.hpp>
#include <tutti/pass/each.hpp>
#include <tutti/pass/resolve.hpp>

#include "catch.hpp"
#include "levels.hpp"
#include "two_layers.hpp"

#include <type_traits>

namespace detail = tutti::detail;
using tutti::each;
using tutti::passes;
using tutti::sequential;

namespace {
// Each appends its digit to the cost: of its function, of all functions of a module, or of nothing that has none.
struct seven {
    static constexpr tutti::pass_info info{.name = "Seven"};
    void operator()(module& m) const {
        for (function& f : m.functions) f.cost = f.cost * 10 + 7;
    }
};
struct six {
    static constexpr tutti::pass_info info{.name = "Six"};
    using required = passes<seven>;
    void operator()(module& m) const {
        for (function& f : m.functions) f.cost = f.cost * 10 + 6;
    }
};
struct one {
    static constexpr tutti::pass_info info{.name = "One"};
    void operator()(function& f) const { f.cost = f.cost * 10 + 1; }
};
struct two {
    static constexpr tutti::pass_info info{.name = "Two", .opt_level = 2};
    using required = passes<six, one>;
    void operator()(function& f) const { f.cost = f.cost * 10 + 2; }
};
// over loops, two levels below what it requires
struct inner {
    static constexpr tutti::pass_info info{.name = "Inner"};
    using required = passes<six, one>;
    void operator()(loop& l) const { ++l.trips; }
};

int cost_after(auto& ctx, const auto& pipeline) {
    module m{.functions = {{.loops = {{}}}}};
    tutti::with(ctx, [&](auto& scope) { scope.run(pipeline, m); });
    return m.functions.front().cost;
}
template <class Layer>
int cost(const setup& s, const auto& pipeline) {
    auto ctx = Layer::template context<module>(s);
    return cost_after(ctx, pipeline);
}
} // namespace

static_assert(detail::is_over<one, function> && !detail::is_over<one, module> && detail::is_over<one, void>);
static_assert(std::is_same_v<detail::wanted_of<six>, passes<seven>>);
static_assert(std::is_same_v<detail::wanted_of<decltype(each<function>(two{}))>, passes<seven, six>>);
static_assert(std::is_same_v<detail::wanted_of<decltype(each<function>(each<loop>(inner{})))>, passes<seven, six>>);
static_assert(detail::needs_pass<seven, two> && detail::needs_pass<six, decltype(each<function>(two{}))>);
static_assert(!detail::needs_pass<one, decltype(sequential(one{}))>); // to have it is not to require it

TEMPLATE_TEST_CASE("required: what a pass over parts requires of the whole runs before the parts, from any depth",
                   "[pass][required]", static_layer, erased_layer) {
    CHECK(cost<TestType>({}, sequential(each<function>(two{}))) == 612);
    CHECK(cost<TestType>({}, sequential(each<function>(sequential(tutti::repeat(2, two{}))))) == 61212);
    CHECK(cost<TestType>({}, sequential(each<function>(each<loop>(inner{})))) == 61);
}

TEMPLATE_TEST_CASE("required: an adaptor over parts that checks its own members knows of the whole", "[pass][required]",
                   static_layer, erased_layer) {
    const auto has_loops = [](const function& f) { return !f.loops.empty(); };
    CHECK(cost<TestType>({}, sequential(each<function>(tutti::only_if(has_loops, two{})))) == 612);
}

TEMPLATE_TEST_CASE("required: nothing runs over the whole for a pass over parts that is left out", "[pass][required]",
                   static_layer, erased_layer) {
    const auto pipeline = sequential(each<function>(sequential<"S", 1>(two{})));
    CHECK(cost<TestType>({.opt_level = 1}, pipeline) == 0);
    CHECK(cost<TestType>({.disabled = {"Two"}}, pipeline) == 0);
    CHECK(cost<TestType>({.disabled = {"S"}}, pipeline) == 0);
    CHECK(cost<TestType>({.disabled = {"function"}}, pipeline) == 0);
    CHECK(cost<TestType>({.opt_level = 1, .required = {"Two"}}, pipeline) == 612);
    // what is required runs even if it is disabled
    CHECK(cost<TestType>({.disabled = {"Six"}}, pipeline) == 612);
}

TEMPLATE_TEST_CASE("required: resolve puts what parts require of the whole before them, once", "[pass][required]",
                   static_layer, erased_layer) {
    const auto resolved = tutti::resolve(sequential(each<function>(two{}), six{}, each<function>(two{})));
    CHECK(cost<TestType>({}, resolved) == 761212);
    CHECK(cost<TestType>({}, tutti::resolve(sequential(each<function>(each<loop>(inner{}))))) == 761);
    // a resolved sequential over parts, whose units were not known when it was resolved
    const auto inside = sequential(each<function>(tutti::resolve(sequential(two{}))));
    CHECK(cost<TestType>({}, inside) == 7612);
    CHECK(cost<TestType>({.opt_level = 1}, inside) == 1);
    CHECK(cost<TestType>({}, sequential(each<function>(tutti::repeat(2, tutti::resolve(sequential(two{})))))) ==
          761212);
}
