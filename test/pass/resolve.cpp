#include <tutti/pass/resolve.hpp>

#include <tutti/pass/adaptors.hpp>
#include <tutti/pass/make_pass.hpp>
#include <tutti/pass/pass_context.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/pipeline/identity.hpp>

#include "support/catch.hpp"

#include <array>

using namespace std::string_view_literals;
using tutti::pass_context;

namespace {
// A pass that appends its digit to the unit.
template <int Digit, int Level, class... Required>
struct digit {
    static constexpr char name[2] = {static_cast<char>('0' + Digit), 0};
    static constexpr tutti::pass_info info{.name = name, .opt_level = Level};
    using required = tutti::passes<Required...>;
    int value = Digit;
    constexpr void operator()(int& n, auto&) const { n = n * 10 + value; }
};
using one = digit<1, 0>;
using two = digit<2, 1, one>;
using three = digit<3, 2, two, one>;
using four = digit<4, 3, three>;

constexpr auto all = tutti::resolve(tutti::sequential<"Digits", 1>(four{.value = 7}, one{}, three{.value = 5}));
static_assert(tutti::names_of(all) == std::array{"Digits"sv, "1"sv, "2"sv, "3"sv, "4"sv});
static_assert(all.info == tutti::pass_info{.name = "Digits", .opt_level = 1, .kind = tutti::pass_kind::sequential});

constexpr int run(const auto& ctx) {
    return tutti::with(ctx, [](auto& scope) { return scope.run(all, 0); });
}
static_assert(run(pass_context{tutti::opt_level<3>}) == 1257);
static_assert(run(pass_context{}) == 125);
static_assert(run(pass_context{tutti::opt_level(0)}) == 1);
static_assert(run(pass_context{tutti::opt_level<0>}) == 1);
// The required passes of an enabled pass run even if they are not enabled themselves.
static_assert(run(pass_context{tutti::opt_level<0>, tutti::require<"4">}) == 1257);
static_assert(run(pass_context{tutti::opt_level(0), tutti::require("4"), tutti::disable("2")}) == 1257);
static_assert(run(pass_context{tutti::opt_level<3>, tutti::disable<"4">}) == 125);
} // namespace

TEST_CASE("resolve: includes each pass once, after its required passes, with its options", "[pass][resolve]") {
    CHECK(tutti::names_of(all) == std::array{"Digits"sv, "1"sv, "2"sv, "3"sv, "4"sv});
    CHECK(run(pass_context{tutti::opt_level(3)}) == 1257);
}

TEST_CASE("resolve: leaves alone a pipeline that requires nothing", "[pass][resolve]") {
    STATIC_REQUIRE(tutti::names_of(tutti::resolve(tutti::sequential(one{}))) == std::array{"1"sv});
    STATIC_REQUIRE(tutti::names_of(tutti::resolve(tutti::sequential())).empty());
}

namespace {
constexpr int run_all(const auto& pipeline, const auto& ctx) {
    return tutti::with(ctx, [&](auto& scope) { return scope.run(pipeline, 0); });
}
// Passes in a nested sequential run in order, and satisfy the requirements of later passes.
constexpr auto nested = tutti::resolve(tutti::sequential(tutti::sequential(three{}), four{}));
static_assert(run_all(nested, pass_context{tutti::opt_level<3>}) == 1234);
static_assert(tutti::names_of(nested) == std::array{"1"sv, "2"sv, "3"sv, "4"sv});
// Passes in a sequential with a higher level do not satisfy requirements, since the sequential may be skipped.
constexpr auto leveled = tutti::resolve(tutti::sequential(tutti::sequential<"Late", 3>(one{}), two{}));
static_assert(run_all(leveled, pass_context{tutti::opt_level<3>}) == 112);
static_assert(run_all(leveled, pass_context{tutti::opt_level<2>}) == 12);
// Every pass listed in the pipeline runs. The same pass may be listed several times with different options.
constexpr auto equal = tutti::resolve(tutti::sequential(one{.value = 8}, two{}, one{.value = 9}));
static_assert(run_all(equal, pass_context{}) == 829);
// Passes in adaptors are resolved as well.
constexpr auto adapted = tutti::resolve(tutti::sequential(tutti::repeat(two{}, 2), three{}));
} // namespace

TEST_CASE("resolve: puts required passes inside of adaptors where they are needed", "[pass][resolve]") {
    // Each of the two iterations runs 1 and 2. They run again before 3, since a repeat does not satisfy requirements.
    CHECK(run_all(adapted, pass_context{tutti::opt_level(2)}) == 1212123);
}

TEST_CASE("resolve: takes units that can only be moved, and not assigned", "[pass][resolve]") {
    struct fixed {
        const int value;
    };
    const auto next = tutti::make_pass<"Next">([](fixed f) { return fixed{f.value + 1}; });
    const auto times = tutti::make_pass<"Times">([](fixed f) { return fixed{f.value * 10}; });
    const auto pipeline = tutti::resolve(tutti::sequential(next, times, next));
    CHECK(tutti::with(pass_context{}, [&](auto& scope) { return scope.run(pipeline, fixed{1}); }).value == 21);
}
