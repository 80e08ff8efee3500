#include <tutti/pass/required.hpp>

#include <tutti/pass/adaptors.hpp>
#include <tutti/pass/each.hpp>
#include <tutti/pass/resolve.hpp>

#include "support/catch.hpp"
#include "support/levels.hpp"
#include "support/two_layers.hpp"

#include <type_traits>

namespace detail = tutti::detail;
using tutti::each;
using tutti::passes;
using tutti::sequential;

namespace {
// Passes that append a digit to the cost of a function, or of all functions of a module. A loop has no cost.
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
// A pass over loops, which requires a pass over modules, two levels up.
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
static_assert(!detail::needs_pass<one, decltype(sequential(one{}))>); // a sequential does not require its members

TEMPLATE_TEST_CASE("required: passes that parts require of the whole run before the parts, from any depth",
                   "[pass][required]", static_layer, erased_layer) {
    CHECK(cost<TestType>({}, sequential(each<function>(two{}))) == 612);
    CHECK(cost<TestType>({}, sequential(each<function>(sequential(tutti::repeat(two{}, 2))))) == 61212);
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
    // Required passes run even if they are disabled.
    CHECK(cost<TestType>({.disabled = {"Six"}}, pipeline) == 612);
}

TEMPLATE_TEST_CASE("required: resolve puts passes that parts require of the whole before them, once",
                   "[pass][required]", static_layer, erased_layer) {
    const auto resolved = tutti::resolve(sequential(each<function>(two{}), six{}, each<function>(two{})));
    CHECK(cost<TestType>({}, resolved) == 761212);
    CHECK(cost<TestType>({}, tutti::resolve(sequential(each<function>(each<loop>(inner{}))))) == 761);
    // The inner sequential is resolved before its unit type is known.
    const auto inside = sequential(each<function>(tutti::resolve(sequential(two{}))));
    CHECK(cost<TestType>({}, inside) == 7612);
    CHECK(cost<TestType>({.opt_level = 1}, inside) == 1);
    CHECK(cost<TestType>({}, sequential(each<function>(tutti::repeat(tutti::resolve(sequential(two{})), 2)))) ==
          761212);
}

namespace {
struct up_to_three { // reports its change
    static constexpr tutti::pass_info info{.name = "UpToThree"};
    constexpr tutti::change operator()(int& n) const {
        if (n >= 3) return tutti::unchanged;
        ++n;
        return tutti::changed;
    }
};
struct needs_three {
    static constexpr tutti::pass_info info{.name = "NeedsThree"};
    using required = tutti::passes<up_to_three>;
    constexpr tutti::change operator()(int&) const { return tutti::unchanged; }
};
struct silent {
    static constexpr tutti::pass_info info{.name = "Silent"};
    void operator()(int&) const {}
};
struct needs_silent {
    static constexpr tutti::pass_info info{.name = "NeedsSilent"};
    using required = tutti::passes<silent>;
    tutti::change operator()(int&) const { return tutti::unchanged; }
};
struct adds_a_function {
    static constexpr tutti::pass_info info{.name = "AddsAFunction"};
    tutti::change operator()(module& m) const {
        if (m.functions.size() >= 3) return tutti::unchanged;
        m.functions.push_back({});
        return tutti::changed;
    }
};
struct needs_functions {
    static constexpr tutti::pass_info info{.name = "NeedsFunctions"};
    using required = tutti::passes<adds_a_function>;
    tutti::change operator()(function&) const { return tutti::unchanged; }
};

template <class Layer, class Unit>
tutti::change said(const auto& pipeline, Unit& unit) {
    auto ctx = Layer::template context<Unit>({});
    return Layer::with(ctx, [&](auto& scope) { return scope.run(pipeline, unit); });
}
} // namespace

TEMPLATE_TEST_CASE("required: what a required pass changes, who runs it says", "[pass][required]", static_layer,
                   erased_layer) {
    int n = 1;
    CHECK(said<TestType>(tutti::sequential(needs_three{}), n) == tutti::changed);
    CHECK(said<TestType>(tutti::fixpoint(tutti::sequential(needs_three{}), 9), n) == tutti::changed);
    CHECK(n == 3);
    CHECK(said<TestType>(tutti::fixpoint(needs_three{}), n) == tutti::unchanged);
    CHECK(said<TestType>(tutti::sequential(needs_silent{}), n) == tutti::change::unknown);
    module m{{{}}};
    CHECK(said<TestType>(tutti::fixpoint(tutti::each<function>(needs_functions{})), m) == tutti::changed);
    CHECK(m.functions.size() == 3);
    CHECK(said<TestType>(tutti::each<function>(needs_functions{}), m) == tutti::unchanged);
}

TEST_CASE("required: the same of passes that are known at run time", "[pass][required]") {
    int n = 1;
    CHECK(said<erased_layer>(tutti::runtime::sequential<int>{{needs_three{}}}, n) == tutti::changed);
    n = 0;
    CHECK(said<erased_layer>(
              tutti::fixpoint(tutti::runtime::any_pass<int>{tutti::runtime::sequential<int>{{needs_three{}}}}), n) ==
          tutti::changed);
    CHECK(n == 3);
    CHECK(said<erased_layer>(tutti::runtime::sequential<int>{{needs_three{}}}, n) == tutti::unchanged);
    CHECK_FALSE(tutti::runtime::sequential<int>{{needs_silent{}}}.tells_change());
    module m{{{}}};
    CHECK(said<erased_layer>(tutti::runtime::sequential<module>{{tutti::each<function>(
                                 tutti::runtime::any_pass<function, module>{needs_functions{}})}},
                             m) == tutti::changed);
}
