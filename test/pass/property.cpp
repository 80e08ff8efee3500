#include <tutti/pass/property.hpp>

#include <tutti/pass.hpp>

#include "support/catch.hpp"
#include "support/levels.hpp"

#include <string>
#include <string_view>

namespace {

struct typed {
    static constexpr std::string_view name = "typed";
};
struct sorted {
    static constexpr std::string_view name = "sorted";
};
template <int N>
struct numbered {
    static constexpr char text[]{'n', char('0' + N / 10), char('0' + N % 10), 0};
    static constexpr std::string_view name = text;
};

struct infer {
    static constexpr tutti::pass_info info{.name = "Infer"};
    using gives = tutti::properties<typed>;
    void operator()(auto&) const {}
};
struct lower {
    static constexpr tutti::pass_info info{.name = "Lower"};
    using breaks = tutti::properties<typed>;
    void operator()(auto&) const {}
};
struct fuse {
    static constexpr tutti::pass_info info{.name = "Fuse"};
    using needs = tutti::properties<typed>;
    void operator()(auto&) const {}
};
struct rewrite {
    static constexpr tutti::pass_info info{.name = "Rewrite"};
    using keeps = tutti::properties<sorted>;
    void operator()(auto&) const {}
};
struct plain {
    static constexpr tutti::pass_info info{.name = "Plain"};
    void operator()(auto&) const {}
};
struct safe {
    static constexpr tutti::pass_info info{.name = "Safe"};
    using required = tutti::passes<infer>;
    using needs = tutti::properties<typed>;
    using breaks = tutti::properties<typed>;
    void operator()(auto&) const {}
};
template <class P, int Level>
struct at_level : P {
    static constexpr tutti::pass_info info{.name = P::info.name, .opt_level = Level};
};
struct positive {
    bool operator()(const auto&) const { return true; }
};

struct infer_whole {
    static constexpr tutti::pass_info info{.name = "InferWhole"};
    using gives = tutti::properties<typed>;
    void operator()(module&) const {}
};
struct fuse_part {
    static constexpr tutti::pass_info info{.name = "FusePart"};
    using required = tutti::passes<infer_whole>;
    using needs = tutti::properties<typed>;
    void operator()(function&) const {}
};

template <class... P>
using seq = decltype(tutti::sequential(P{}...));
template <class... P>
inline constexpr bool works = tutti::order_works<seq<P...>>;

} // namespace

TEST_CASE("property: a pass needs what no earlier pass broke", "[pass][property]") {
    STATIC_REQUIRE(works<infer, fuse>);
    STATIC_REQUIRE(works<fuse>);
    STATIC_REQUIRE(works<infer, plain, fuse>);
    STATIC_REQUIRE_FALSE(works<lower, fuse>);
    STATIC_REQUIRE_FALSE(works<infer, lower, plain, fuse>);
    STATIC_REQUIRE(works<lower, infer, fuse>);
    STATIC_REQUIRE_FALSE(works<infer, rewrite, fuse>);
}

TEST_CASE("property: with a known start, a property that no pass gives is missing", "[pass][property]") {
    STATIC_REQUIRE_FALSE(tutti::order_works<seq<fuse>, tutti::properties<>>);
    STATIC_REQUIRE_FALSE(tutti::order_works<seq<fuse>, tutti::properties<sorted>>);
    STATIC_REQUIRE(tutti::order_works<seq<fuse>, tutti::properties<typed, sorted>>);
    STATIC_REQUIRE(tutti::order_works<seq<infer, fuse>, tutti::properties<>>);
    STATIC_REQUIRE(tutti::order_works<seq<fuse>, tutti::all_properties>);
}

TEST_CASE("property: a requirement gives what its pass needs", "[pass][property]") {
    STATIC_REQUIRE(works<lower, safe, safe>);
    STATIC_REQUIRE_FALSE(works<safe, fuse>);
    constexpr auto resolved = tutti::resolve(tutti::sequential(lower{}, safe{}, safe{}));
    STATIC_REQUIRE_FALSE(tutti::order_works<decltype(resolved)>); // Infer runs once
    constexpr auto tidy = tutti::requiring<infer>(tutti::sequential(fuse{}, lower{}));
    STATIC_REQUIRE(works<lower, decltype(tidy)>);
    STATIC_REQUIRE(tutti::check_order(tutti::sequential(lower{}, tidy, tidy)));
}

TEST_CASE("property: members of nested sequentials count", "[pass][property]") {
    STATIC_REQUIRE_FALSE(works<seq<infer, lower>, seq<plain, fuse>>);
    STATIC_REQUIRE(works<seq<lower, infer>, seq<plain, fuse>>);
}

TEST_CASE("property: a body that runs again must restore what it needs", "[pass][property]") {
    STATIC_REQUIRE_FALSE(tutti::order_works<decltype(tutti::fixpoint(tutti::sequential(fuse{}, lower{})))>);
    STATIC_REQUIRE(tutti::order_works<decltype(tutti::fixpoint(tutti::sequential(infer{}, fuse{}, lower{})))>);
    STATIC_REQUIRE_FALSE(tutti::order_works<decltype(tutti::repeat(tutti::sequential(fuse{}, lower{}), 2))>);
}

TEST_CASE("property: the effect of a pass that may not run is uncertain", "[pass][property]") {
    constexpr auto maybe_lower = tutti::only_if(positive{}, lower{});
    constexpr auto maybe_infer = tutti::only_if(positive{}, infer{});
    STATIC_REQUIRE(works<decltype(maybe_lower), fuse>);
    STATIC_REQUIRE(works<lower, decltype(maybe_infer), fuse>);
    constexpr auto inside = tutti::only_if(positive{}, tutti::sequential(lower{}, fuse{}));
    STATIC_REQUIRE_FALSE(works<decltype(inside)>);
    STATIC_REQUIRE(tutti::effect_on<typed, seq<decltype(maybe_lower)>> == tutti::property_effect{});
}

TEST_CASE("property: an order must work at each level", "[pass][property]") {
    STATIC_REQUIRE_FALSE(works<lower, at_level<infer, 2>, fuse>);
    STATIC_REQUIRE(works<lower, at_level<infer, 2>, at_level<fuse, 2>>);
    STATIC_REQUIRE(works<lower, at_level<infer, 2>, at_level<fuse, 3>>);
    STATIC_REQUIRE_FALSE(works<at_level<lower, 3>, fuse>);
    STATIC_REQUIRE_FALSE(works<at_level<lower, 1>, at_level<infer, 3>, at_level<fuse, 2>>);
}

TEST_CASE("property: a context of a known level decides which passes count", "[pass][property]") {
    int n = 0;
    tutti::pass_context low{tutti::opt_level<1>};
    tutti::with(low, [&](auto& scope) { scope.run(tutti::sequential(at_level<lower, 2>{}, fuse{}), n); });
    tutti::pass_context without{tutti::disable<"Lower">};
    tutti::with(without, [&](auto& scope) { scope.run(tutti::sequential(lower{}, fuse{}), n); });
    tutti::pass_context high{tutti::opt_level<3>};
    tutti::with(high, [&](auto& scope) { scope.run(tutti::sequential(lower{}, at_level<infer, 3>{}, fuse{}), n); });
    CHECK(n == 0);
}

TEST_CASE("property: a pass made of a class states the properties of the class", "[pass][property]") {
    STATIC_REQUIRE_FALSE(works<decltype(tutti::make_pass<"Mine">(lower{})), fuse>);
    STATIC_REQUIRE(works<decltype(tutti::make_pass<"Mine">([](int&) {})), fuse>);
}

TEST_CASE("property: passes over parts count, and their requirements over the whole run before them",
          "[pass][property]") {
    STATIC_REQUIRE_FALSE(works<lower, decltype(tutti::each<function>(fuse{}))>);
    STATIC_REQUIRE(works<lower, decltype(tutti::each<function>(fuse_part{}))>);
    STATIC_REQUIRE_FALSE(works<decltype(tutti::each<function>(lower{}, fuse_part{}))>);
    STATIC_REQUIRE(works<decltype(tutti::each<function>(lower{}, infer{}, fuse_part{}))>);
}

TEST_CASE("property: a sequential derives its own effect", "[pass][property]") {
    using tutti::effect_on;
    using tutti::property_effect;
    STATIC_REQUIRE(effect_on<typed, seq<fuse, lower>> == property_effect{.needs = true, .breaks = true});
    STATIC_REQUIRE(effect_on<typed, seq<infer, fuse>> == property_effect{.gives = true});
    STATIC_REQUIRE(effect_on<typed, seq<plain>> == property_effect{.keeps = true});
    STATIC_REQUIRE(effect_on<sorted, seq<lower, rewrite>> == property_effect{.keeps = true});
    STATIC_REQUIRE(effect_on<typed, seq<lower, safe, infer>> == property_effect{.gives = true});
    STATIC_REQUIRE(effect_on<typed, fuse> == property_effect{.needs = true, .keeps = true});
}

namespace {

template <int N>
struct gives_one {
    static constexpr tutti::pass_info info{.name = "GivesOne"};
    using gives = tutti::properties<numbered<N>>;
    using keeps = tutti::all_properties;
    void operator()(auto&) const {}
};
template <int N>
struct needs_one {
    static constexpr tutti::pass_info info{.name = "NeedsOne"};
    using needs = tutti::properties<numbered<N>>;
    void operator()(auto&) const {}
};
template <int... N>
constexpr auto many(std::integer_sequence<int, N...>) {
    return tutti::sequential(rewrite{}, gives_one<N>{}..., needs_one<N>{}...);
}

} // namespace

TEST_CASE("property: there may be more properties than a word has bits", "[pass][property]") {
    constexpr auto all = many(std::make_integer_sequence<int, 99>{});
    STATIC_REQUIRE(tutti::check_order<tutti::properties<>>(all));
    STATIC_REQUIRE_FALSE(tutti::order_works<seq<rewrite, decltype(all), needs_one<99>>>);
    STATIC_REQUIRE(tutti::effect_on<numbered<98>, decltype(all)>.gives);
    STATIC_REQUIRE(tutti::effect_on<numbered<99>, decltype(all)>.breaks); // by Rewrite
}
