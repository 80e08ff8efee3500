#include <tutti/pass/sequential.hpp>

#include <tutti/pipeline/identity.hpp>

#include "archetypes/tree.hpp"
#include "support/catch.hpp"
#include "support/two_layers.hpp"

#include <array>

using namespace std::string_view_literals;

namespace {
struct infer {
    static constexpr tutti::pass_info info{.name = "Infer"};
    constexpr void operator()(int& n, auto&) const { n += 100; }
};
struct canonicalize {
    static constexpr tutti::pass_info info{.name = "Canonicalize", .opt_level = 3};
    using required = tutti::passes<infer>;
    constexpr void operator()(int& n, auto&) const { n *= 2; }
};
struct convert {
    static constexpr tutti::pass_info info{.name = "Convert", .opt_level = 3};
    using required = tutti::passes<infer, canonicalize>;
    int by = 1;
    constexpr int operator()(int n, auto&) const { return n + by; }
};
constexpr auto plus_one = tutti::make_pass<"PlusOne", 1>([](int n) { return n + 1; });

constexpr auto pipeline = tutti::sequential(plus_one, convert{.by = 7});
static_assert(tutti::names_of(pipeline) == std::array{"PlusOne"sv, "Convert"sv});
static_assert(pipeline.info == tutti::pass_info{.name = "sequential", .kind = tutti::pass_kind::sequential});
static_assert(tutti::sequential<"Fold", 3>(plus_one).info ==
              tutti::pass_info{.name = "Fold", .opt_level = 3, .kind = tutti::pass_kind::sequential});
static_assert(tutti::sequential<"Fold">().info.name == "Fold");

constexpr int run(const auto& ctx, const auto& passes, int n) {
    return tutti::with(ctx, [&](auto& scope) {
        int in_place = n;
        scope.run(passes, in_place);
        const int by_value = scope.run(passes, n + 0);
        return in_place == by_value ? by_value : throw "by value and in place differ";
    });
}
using tutti::pass_context;
// At level 2, Convert (level 3) and its required passes are skipped.
static_assert(run(pass_context{}, pipeline, 1) == 2);
static_assert(run(pass_context{tutti::opt_level(2)}, pipeline, 1) == 2);
// At level 3, Infer, Canonicalize and Convert run. Infer, which Canonicalize also requires, does not run again.
static_assert(run(pass_context{tutti::opt_level<3>}, pipeline, 1) == (2 + 100) * 2 + 7);
static_assert(run(pass_context{tutti::opt_level(3)}, pipeline, 1) == (2 + 100) * 2 + 7);
// Required passes run even if they are disabled.
static_assert(run(pass_context{tutti::opt_level<3>, tutti::disable<"Canonicalize">}, pipeline, 1) == (2 + 100) * 2 + 7);
static_assert(run(pass_context{tutti::require<convert>}, pipeline, 1) == (2 + 100) * 2 + 7);
static_assert(run(pass_context{tutti::require("Convert")}, pipeline, 1) == (2 + 100) * 2 + 7);
static_assert(run(pass_context{tutti::require<convert>, tutti::disable<"Convert">}, pipeline, 1) == 2);
static_assert(run(pass_context{tutti::opt_level<0>, tutti::disable({"Convert", "X"})}, pipeline, 1) == 1);
static_assert(run(pass_context{}, tutti::sequential(), 1) == 1);
struct runs_its_own {
    static constexpr tutti::pass_info info{.name = "RunsItsOwn"};
    void operator()(int& n, auto& ctx) const { ctx.run(tutti::sequential(plus_one), n); }
};
} // namespace

TEST_CASE("sequential: keeps the order it was given", "[pass][sequential]") {
    CHECK(tutti::names_of(pipeline) == std::array{"PlusOne"sv, "Convert"sv});
    const auto other = tutti::sequential(convert{}, plus_one, tutti::sequential<"Inner">(plus_one));
    CHECK(tutti::names_of(other) == std::array{"Convert"sv, "PlusOne"sv, "Inner"sv, "PlusOne"sv});
}

TEMPLATE_TEST_CASE("sequential: skips a pass above the context's opt_level", "[pass][sequential]", static_layer,
                   erased_layer) {
    std::string text;
    full_recorder a{"A", text, recording::hooks_and_passes};
    const setup s{.opt_level = 0, .disabled = {"Convert"}};
    auto ctx = TestType::template context<int>(s, a);
    TestType::with(ctx, [&](auto& scope) {
        text.clear();
        CHECK(scope.run(pipeline, 1) == 1);
        CHECK(text == "A should_run sequential\nA run_before_pass sequential\n"
                      "A pass_skipped PlusOne opt_level\nA pass_skipped Convert disabled\n"
                      "A run_after_pass sequential\n");
    });
}

TEMPLATE_TEST_CASE("sequential: a should_run that says no comes too late for the required", "[pass][sequential]",
                   static_layer, erased_layer) {
    std::string text;
    refusing_recorder a{"A", text, "Convert", recording::hooks_and_passes};
    auto ctx = TestType::template context<int>({.opt_level = 3}, a);
    TestType::with(ctx, [&](auto& scope) {
        text.clear();
        CHECK(scope.run(tutti::sequential<"S">(convert{}), 1) == 202);
        CHECK(text == "A should_run S\nA run_before_pass S\n"
                      "A should_run Infer\nA run_before_pass Infer\nA run_after_pass Infer\n"
                      "A should_run Canonicalize\nA run_before_pass Canonicalize\nA run_after_pass Canonicalize\n"
                      "A should_run Convert\nA pass_skipped Convert instrument\n"
                      "A run_after_pass S\n");
    });
}

TEMPLATE_TEST_CASE("sequential: when a member throws, it and the sequential end in pass_failed", "[pass][sequential]",
                   static_layer, erased_layer) {
    std::string text;
    full_recorder a{"A", text, recording::hooks_and_passes};
    const auto fail = tutti::make_pass<"Fail">([](int&) { throw 3; });
    auto ctx = TestType::template context<int>({}, a);
    int n = 1;
    CHECK_THROWS_AS(
        TestType::with(ctx, [&](auto& scope) { scope.run(tutti::sequential(plus_one, fail, plus_one), n); }), int);
    CHECK(n == 2);
    CHECK(text == "A enter_pass_ctx\nA should_run sequential\nA run_before_pass sequential\n"
                  "A should_run PlusOne\nA run_before_pass PlusOne\nA run_after_pass PlusOne\n"
                  "A should_run Fail\nA run_before_pass Fail\nA pass_failed Fail\n"
                  "A pass_failed sequential\nA exit_pass_ctx\n");
}

TEST_CASE("sequential: hands on a unit that owns, over both kinds of pass", "[pass][sequential]") {
    const auto grow = tutti::make_pass<"Grow">([](tree t) { return node(1, std::move(t), leaf(2)); });
    const auto bump = tutti::make_pass<"Bump">([](tree& t) { t.value += 10; });
    const auto passes = tutti::sequential(grow, bump, grow);
    tutti::pass_context ctx{};
    tree t = tutti::with(ctx, [&](auto& scope) { return scope.run(passes, leaf(3)); });
    CHECK(sum(t) == 19);
    tutti::with(ctx, [&](auto& scope) { scope.run(passes, t); });
    CHECK(sum(t) == 35);
}

TEST_CASE("sequential: a nested one checks its names against the whole pipeline of the user", "[pass][sequential]") {
    tutti::pass_context ctx{tutti::disable<"Infer">};
    CHECK(tutti::with(ctx, [](auto& scope) { return scope.run(tutti::sequential(infer{}, runs_its_own{}), 1); }) == 2);
}
