#include <tutti/pipeline/edit.hpp>

#include <tutti/pass/each.hpp>
#include <tutti/pass/make_pass.hpp>
#include <tutti/pass/requiring.hpp>
#include <tutti/pass/with.hpp>
#include <tutti/pipeline/literal.hpp>
#include <tutti/pipeline/writing.hpp>

#include "support/catch.hpp"
#include "support/described_passes.hpp"
#include "support/recorder.hpp"
#include "support/two_layers.hpp"

#include <concepts>
#include <memory>
#include <string>

namespace {

namespace edit = tutti::edit;

template <tutti::fixed_string Name, int By>
struct plus {
    static constexpr tutti::pass_info info{.name = Name.view()};
    constexpr void operator()(int& n) const { n += By; }
};
using a = plus<"A", 1>;
using b = plus<"B", 10>;
using c = plus<"C", 100>;
struct needs_b : plus<"N", 1000> {
    using required = tutti::passes<b>;
};

struct is_even {
    constexpr bool operator()(int n) const { return n % 2 == 0; }
};

// Compares types: equal types have the same events, levels and options.
template <class P, class Q>
constexpr bool same(const P&, const Q&) {
    return std::same_as<P, Q>;
}

constexpr auto pipeline = tutti::sequential(a{}, tutti::fixpoint(tutti::sequential(b{}, a{}), 3),
                                            tutti::sequential<"Tail", 2>(tutti::repeat(a{}, 2), b{}));

using tutti::fixpoint, tutti::repeat, tutti::sequential;

static_assert(same(edit::insert_after<"A">(pipeline, c{}),
                   sequential(a{}, c{}, fixpoint(sequential(b{}, a{}, c{}), 3),
                              sequential<"Tail", 2>(repeat(sequential(a{}, c{}), 2), b{}))));
static_assert(same(edit::insert_before<"A#2">(pipeline, c{}, b{}),
                   sequential(a{}, fixpoint(sequential(b{}, c{}, b{}, a{}), 3),
                              sequential<"Tail", 2>(repeat(a{}, 2), b{}))));
static_assert(same(edit::replace<"fixpoint">(pipeline, c{}),
                   sequential(a{}, c{}, sequential<"Tail", 2>(repeat(a{}, 2), b{}))));
static_assert(same(edit::remove<"B">(pipeline),
                   sequential(a{}, fixpoint(a{}, 3), sequential<"Tail", 2>(repeat(a{}, 2)))));
static_assert(same(edit::remove<"A#3">(pipeline), sequential(a{}, fixpoint(sequential(b{}, a{}), 3),
                                                             sequential<"Tail", 2>(repeat(sequential(), 2), b{}))));
static_assert(same(edit::insert_before<"Tail">(pipeline, c{}), sequential(a{}, fixpoint(sequential(b{}, a{}), 3), c{},
                                                                          sequential<"Tail", 2>(repeat(a{}, 2), b{}))));
static_assert(same(edit::start_from<"A#2">(pipeline),
                   sequential(fixpoint(a{}, 3), sequential<"Tail", 2>(repeat(a{}, 2), b{}))));
static_assert(same(edit::stop_after<"A#3">(pipeline),
                   sequential(a{}, fixpoint(sequential(b{}, a{}), 3), sequential<"Tail", 2>(repeat(a{}, 2)))));
static_assert(same(edit::start_from<"fixpoint">(pipeline),
                   sequential(fixpoint(sequential(b{}, a{}), 3), sequential<"Tail", 2>(repeat(a{}, 2), b{}))));
static_assert(same(edit::stop_after<"fixpoint">(pipeline), sequential(a{}, fixpoint(sequential(b{}, a{}), 3))));

// By type.
static_assert(same(edit::remove<b>(pipeline), edit::remove<"B">(pipeline)));
static_assert(same(edit::insert_after<a, 3>(pipeline, c{}), edit::insert_after<"A#3">(pipeline, c{})));
static_assert(same(edit::start_from<b, 2>(pipeline), edit::start_from<"B#2">(pipeline)));
static_assert(same(edit::replace<a>(pipeline, a{}), pipeline));

constexpr auto with_options = sequential(add_amount{.amount = 3}, fixpoint(add_amount{.amount = 4}, 5), double_it{});

struct whole {
    std::unique_ptr<int> first;
};
struct grow {
    static constexpr tutti::pass_info info{.name = "Grow"};
    void operator()(whole& unit) const { ++*unit.first; }
};
struct shrink {
    static constexpr tutti::pass_info info{.name = "Shrink"};
    whole operator()(whole unit) const {
        *unit.first -= 10;
        return unit;
    }
};

} // namespace

TEST_CASE("edit: other passes keep their options", "[pipeline][edit]") {
    CHECK(tutti::write_pipeline(edit::insert_after<"AddAmount#1">(with_options, double_it{})) ==
          "AddAmount{amount=3},Double,fixpoint{limit=5}(AddAmount{amount=4}),Double");
    CHECK(tutti::write_pipeline(edit::replace<"Double">(with_options, add_amount{.times = 2}, double_it{})) ==
          "AddAmount{amount=3},fixpoint{limit=5}(AddAmount{amount=4}),AddAmount{times=2},Double");
    CHECK(tutti::write_pipeline(edit::remove<"AddAmount#2">(with_options)) ==
          "AddAmount{amount=3},fixpoint{limit=5}(),Double");
}

TEST_CASE("edit: works in constant evaluation", "[pipeline][edit]") {
    constexpr int n = [] {
        tutti::pass_context ctx{tutti::opt_level<2>};
        return tutti::with(ctx, [](auto& scope) { return scope.run(edit::insert_after<"A#1">(pipeline, c{}), 0); });
    }();
    STATIC_REQUIRE(n == 1 + 100 + 3 * 11 + 2 + 10);
}

TEST_CASE("edit: reaches passes in all adaptors", "[pipeline][edit]") {
    const auto in_only_if = sequential(tutti::only_if(is_even{}, a{}));
    CHECK(same(edit::insert_after<"A">(in_only_if, b{}), sequential(tutti::only_if(is_even{}, sequential(a{}, b{})))));
    const auto in_each = sequential(tutti::each<int>(fixpoint(sequential(a{}, b{}))));
    CHECK(same(edit::remove<"B">(in_each), sequential(tutti::each<int>(fixpoint(a{})))));
    const auto in_predicate =
        edit::replace<"A">(sequential(tutti::only_if([limit = 5](int n) { return n < limit; }, a{})), b{});
    tutti::pass_context ctx;
    CHECK(tutti::with(ctx, [&](auto& scope) { return scope.run(in_predicate, 4); }) == 14);
    CHECK(tutti::with(ctx, [&](auto& scope) { return scope.run(in_predicate, 5); }) == 5);
}

TEST_CASE("edit: a pipeline that is not an unnamed sequential is a list of one pass", "[pipeline][edit]") {
    constexpr auto named = sequential<"Named", 3>(a{}, b{});
    CHECK(same(edit::remove<"A">(named), sequential<"Named", 3>(b{})));
    CHECK(same(edit::insert_before<"Named">(named, c{}), sequential(c{}, named)));
    CHECK(same(edit::remove<"Named">(named), sequential()));
    CHECK(same(edit::start_from<"Named">(named), named));
    CHECK(same(edit::insert_after<"A">(fixpoint(a{}), c{}), fixpoint(sequential(a{}, c{}))));
    CHECK(same(edit::insert_after<"A">(a{}, c{}), sequential(a{}, c{})));
    CHECK(same(edit::replace<"A">(a{}, c{}), sequential(c{})));
    // an unnamed sequential of one sequential stays
    CHECK(same(edit::remove<"A">(sequential(sequential(a{}, b{}))), sequential(sequential(b{}))));
    CHECK(same(edit::remove<"A">(fixpoint(sequential(sequential(a{}, b{})))), fixpoint(sequential(sequential(b{})))));
}

TEST_CASE("edit: a place does not name sequentials without a name, nor required passes", "[pipeline][edit]") {
    constexpr auto p = sequential(needs_b{}, sequential(a{}));
    CHECK(same(edit::insert_before<"A">(p, b{}), sequential(needs_b{}, sequential(b{}, a{}))));
    const auto late = sequential(tutti::make_pass<"sequential">([](int&) {}), a{}); // a pass may have the name
    CHECK(same(edit::remove<"sequential">(late), sequential(a{})));
}

TEST_CASE("edit: a resolved sequential stays resolved", "[pipeline][edit]") {
    constexpr auto resolved = tutti::resolve(sequential(a{}, c{}));
    constexpr auto edited = edit::insert_before<"C">(sequential(resolved, a{}), needs_b{});
    CHECK(same(edited, sequential(tutti::resolve(sequential(a{}, needs_b{}, c{})), a{})));
    CHECK(tutti::write_pipeline(edited) == "resolved(A,B,N,C),A");
    // a required pass comes back
    CHECK(same(edit::remove<"B">(edited), edited));
    CHECK(tutti::write_pipeline(edit::remove<"N">(edited)) == "resolved(A,B,C),A");
}

TEST_CASE("edit: passes in a pass that requires others are out of reach", "[pipeline][edit]") {
    const auto tidy = tutti::requiring<b>(sequential<"Tidy", 1>(a{}, c{}));
    const auto p = sequential(a{}, tidy);
    CHECK(same(edit::remove<"A">(p), sequential(tidy)));
    CHECK(same(edit::remove<"Tidy">(p), sequential(a{})));
}

TEST_CASE("edit: passes may have state, and units need not be copyable", "[pipeline][edit]") {
    auto counting = sequential(grow{}, tutti::make_pass<"Count">([n = 0](whole& unit) mutable { *unit.first += ++n; }));
    auto edited = edit::insert_after<"Grow">(counting, shrink{});
    tutti::pass_context ctx;
    whole unit{std::make_unique<int>(20)};
    tutti::with(ctx, [&](auto& scope) {
        scope.run(edited, unit);
        scope.run(edited, unit);
    });
    CHECK(*unit.first == 20 + 2 * (1 - 10) + 1 + 2);
    whole other = tutti::with(ctx, [&](auto& scope) {
        return scope.run(edit::stop_after<"Shrink">(edited), whole{std::make_unique<int>(20)});
    });
    CHECK(*other.first == 11);
}

TEST_CASE("edit: instruments see the edited pipeline", "[pipeline][edit]") {
    std::string text;
    recorder seen{"r", text, recording::hooks_and_passes};
    tutti::pass_context ctx{tutti::instruments(seen)};
    int n = 0;
    tutti::with(ctx, [&](auto& scope) { scope.run(edit::remove<"A">(sequential(a{}, b{}, a{})), n); });
    CHECK(n == 10);
    CHECK(text == "r enter_pass_ctx\nr should_run sequential\nr run_before_pass sequential\nr should_run B\n"
                  "r run_before_pass B\nr run_after_pass B\nr run_after_pass sequential\nr exit_pass_ctx\n");
}

TEST_CASE("edit: extension points are filled in turn, and have no place", "[pipeline][edit]") {
    constexpr tutti::point<"x"> x{};
    constexpr auto p = sequential(a{}, x, fixpoint(sequential(x, tutti::point<"A">{}, a{})));
    CHECK(same(edit::fill<"x">(edit::fill<"x">(p, b{}), c{}, b{}),
               sequential(a{}, b{}, c{}, b{}, x, fixpoint(sequential(b{}, c{}, b{}, x, tutti::point<"A">{}, a{})))));
    CHECK(same(edit::remove<"A">(p), sequential(x, fixpoint(sequential(x, tutti::point<"A">{})))));
    CHECK(same(edit::fill<"A">(p), p));
    CHECK(same(edit::fill<"x">(x, a{}), sequential(a{}, x)));
}

TEST_CASE("edit: a long pipeline compiles", "[pipeline][edit]") {
    constexpr auto of_eight = [](auto p) { return sequential(p, p, p, p, p, p, p, p); };
    constexpr auto long_one = of_eight(of_eight(a{}));
    constexpr auto edited = edit::insert_after<"A#64">(edit::insert_before<"A#1">(long_one, c{}), c{});
    tutti::pass_context ctx;
    CHECK(tutti::with(ctx, [&](auto& scope) { return scope.run(edited, 0); }) == 264);
}
