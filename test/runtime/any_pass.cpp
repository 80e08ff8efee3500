#include <tutti/runtime/any_pass.hpp>

#include <tutti/runtime.hpp>

#include "archetypes/pass.hpp"
#include "archetypes/tree.hpp"
#include "support/catch.hpp"
#include "support/two_layers.hpp"

#include <string>
#include <type_traits>

using tutti::runtime::any_pass;

namespace {
struct infer {
    static constexpr tutti::pass_info info{.name = "Infer"};
    void operator()(int& n, auto&) const { n += 100; }
};
struct scale {
    static constexpr tutti::pass_info info{.name = "Scale", .opt_level = 3};
    using required = tutti::passes<infer>;
    int by = 2;
    int operator()(int n, auto&) const { return n * by; }
};
struct dynamic {
    std::string text;
    tutti::pass_info info{.name = text, .opt_level = 1};
    void operator()(int& n) const { n = -n; }
};
static_assert(!std::is_convertible_v<int, any_pass<int>> && !std::is_constructible_v<any_pass<int>, const char*>);
static_assert(std::is_convertible_v<infer, any_pass<int>>);
} // namespace

TEST_CASE("any_pass: is the pass it was made from", "[runtime][any_pass]") {
    const any_pass<int> pass = scale{.by = 5};
    CHECK(pass.info == scale::info);
    tutti::runtime::pass_context<int> ctx;
    CHECK(ctx.run(pass, 3) == 15);
    int n = 4;
    ctx.run(any_pass<int>{pass}, n);
    CHECK(n == 20);
    ctx.run(any_pass<int>{pass_by_value{}}, n);
    ctx.run(any_pass<int>{pass_in_place_without_context<int>{}}, n);
    CHECK(n == 20);
}

TEST_CASE("any_pass: keeps its required passes", "[runtime][any_pass]") {
    tutti::runtime::pass_context<int> ctx{{.opt_level = 3}};
    CHECK(ctx.run(tutti::runtime::sequential<int>{{scale{}}}, 1) == 202);
    // An any_pass may hold a run-time sequential, and a static sequential may hold an any_pass.
    CHECK(ctx.run(any_pass<int>{tutti::runtime::sequential<int>{{scale{}}}}, 1) == 202);
    CHECK(ctx.run(tutti::sequential(any_pass<int>{scale{}}), 1) == 202);
}

TEST_CASE("any_pass: keeps a description that is only known at run time", "[runtime][any_pass]") {
    any_pass<int> pass = infer{};
    {
        const std::string name(40, 'x');
        pass = tutti::runtime::sequential<int>{{dynamic{.text = "negate"}}, name, 1};
    }
    CHECK(pass.info.name == std::string(40, 'x'));
    tutti::runtime::pass_context<int> ctx;
    CHECK(ctx.run(pass, 1) == -1);
}

TEST_CASE("any_pass: moves a unit that owns", "[runtime][any_pass]") {
    const any_pass<tree> grow = tutti::make_pass<"Grow">([](tree t) { return node(1, std::move(t), leaf(2)); });
    tutti::runtime::pass_context<tree> ctx;
    CHECK(sum(ctx.run(grow, ctx.run(grow, leaf(3)))) == 9);
}

TEST_CASE("any_pass: holds an only_if whose predicate is a lambda that captures", "[runtime][any_pass]") {
    const std::string least = "bbb";
    const auto longer = [least](const std::string& text) { return text.size() > least.size(); };
    const auto extend = tutti::make_pass<"Extend">([](std::string& text) { text += '+'; });
    const any_pass<std::string> pass = tutti::only_if(longer, tutti::sequential(extend));
    const any_pass<std::string> copy = pass;
    tutti::runtime::pass_context<std::string> ctx;
    CHECK(ctx.run(pass, std::string("aaaa")) == "aaaa+");
    CHECK(ctx.run(copy, std::string("aaa")) == "aaa");
    CHECK(tutti::write_pipeline(copy) == "only_if(seq(Extend))");
}
