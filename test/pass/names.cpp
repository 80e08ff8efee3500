#include <tutti/pass/names.hpp>

#include <tutti/pass/adaptors.hpp>

#include "archetypes/pass.hpp"
#include "archetypes/tree.hpp"
#include "support/catch.hpp"

#include <string>

namespace {
struct needs_by_value {
    static constexpr tutti::pass_info info{.name = "Needs"};
    using required = tutti::passes<pass_by_value>;
    void operator()(auto&, auto&) const {}
};
constexpr auto pipeline =
    tutti::sequential(pass_in_place{}, tutti::sequential<"Inner">(tutti::repeat(needs_by_value{}, 2)));
using pipeline_type = std::remove_const_t<decltype(pipeline)>;
using late_type = decltype(tutti::sequential(pass_described_late{}));
using tutti::detail::verdict;
} // namespace

TEST_CASE("names: are found in sequentials, nested ones, in adaptors and in required passes", "[pass][names]") {
    STATIC_REQUIRE(tutti::detail::check_name<tutti::detail::rule::disable, "InPlace", pipeline_type>());
    STATIC_REQUIRE(tutti::detail::check_name<tutti::detail::rule::disable, "Inner", pipeline_type>());
    STATIC_REQUIRE(tutti::detail::check_name<tutti::detail::rule::disable, "repeat", pipeline_type>());
    STATIC_REQUIRE(tutti::detail::check_name<tutti::detail::rule::require, "Needs", pipeline_type>());
    STATIC_REQUIRE(tutti::detail::check_name<tutti::detail::rule::require, "ByValue", pipeline_type>());
    STATIC_REQUIRE(!tutti::detail::runs_named<pipeline_type, true>("Other"));
    STATIC_REQUIRE(tutti::detail::check_name<tutti::detail::rule::disable, "Other", late_type>()); // unknown names
}

TEST_CASE("names: types are found where names are", "[pass][names]") {
    STATIC_REQUIRE(tutti::detail::check_type<tutti::detail::rule::disable, needs_by_value, pipeline_type>());
    STATIC_REQUIRE(tutti::detail::check_type<tutti::detail::rule::require, pass_by_value, pipeline_type>());
    STATIC_REQUIRE(tutti::detail::runs_pass<pass_without_context<int>, pipeline_type>() == tutti::detail::verdict::no);
    STATIC_REQUIRE(tutti::detail::runs_pass<pass_without_context<int>, late_type>() == tutti::detail::verdict::unknown);
}

namespace {
struct second;
struct first {
    static constexpr tutti::pass_info info{.name = "First"};
    using required = tutti::passes<second>;
    void operator()(int& n) const { n += 1; }
};
struct second {
    static constexpr tutti::pass_info info{.name = "Second"};
    using required = tutti::passes<first>;
    void operator()(int& n) const { n += 10; }
};
} // namespace

TEST_CASE("names: passes may require each other", "[pass][names]") {
    const auto both = tutti::sequential(first{});
    STATIC_REQUIRE(tutti::detail::runs_pass<pass_without_context<int>, std::remove_const_t<decltype(both)>>() ==
                   tutti::detail::verdict::no);
    std::string all;
    CHECK_FALSE(tutti::internal::each_pass_name(
        both, [&](std::string_view name) { return all.append(name).append(" "), false; }));
    CHECK(all == "sequential First Second ");
}

TEST_CASE("names: each_pass_name visits all names until it is stopped", "[pass][names]") {
    std::string all;
    CHECK_FALSE(tutti::internal::each_pass_name(
        pipeline, [&](std::string_view name) { return all.append(name).append(" "), false; }));
    CHECK(all == "sequential InPlace Inner repeat Needs ByValue ");
    int seen = 0;
    CHECK(tutti::internal::each_pass_name(pipeline, [&](std::string_view name) { return ++seen, name == "InPlace"; }));
    CHECK(seen == 2);
}
