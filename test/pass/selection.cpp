#include <tutti/pass/selection.hpp>

#include "archetypes/pass.hpp"
#include "support/catch.hpp"

#include <string>
#include <vector>

namespace {
using tutti::detail::verdict;

constexpr auto types = tutti::disable<pass_by_value, pass_in_place>();
constexpr auto names = tutti::disable<"ByValue", "Late">();
constexpr auto list = tutti::require({"InPlace", "Late"});

static_assert(decltype(types)::known<pass_by_value> == tutti::detail::verdict::yes);
static_assert(decltype(types)::known<pass_without_context<int>> == tutti::detail::verdict::no);
static_assert(decltype(types)::known<pass_described_late> == tutti::detail::verdict::unknown);
static_assert(decltype(names)::known<pass_by_value> == tutti::detail::verdict::yes);
static_assert(decltype(names)::known<pass_in_place> == tutti::detail::verdict::no);
static_assert(decltype(names)::known<pass_described_late> == tutti::detail::verdict::unknown);
static_assert(decltype(list)::known<pass_in_place> == tutti::detail::verdict::unknown);
static_assert(list.matches({.name = "Late"}) && !list.matches({.name = "ByValue"}));
static_assert(decltype(types)::what == tutti::detail::rule::disable &&
              decltype(list)::what == tutti::detail::rule::require);
} // namespace

TEST_CASE("disable and require: match by the names of the types they were given", "[pass][selection]") {
    CHECK(types.matches({.name = "InPlace"}));
    CHECK_FALSE(types.matches({.name = "Late"}));
    CHECK(names.matches({.name = "Late"}));
    CHECK(tutti::disable<pass_described_late>().matches({.name = "Late"}) == false);
}

TEST_CASE("disable and require: take one name, several, or a range that the caller keeps", "[pass][selection]") {
    const std::string from_outside = "Late";
    CHECK(tutti::disable(from_outside).matches(pass_described_late{}.info));
    CHECK(tutti::require({"A", "B", "Late"}).matches(pass_described_late{}.info));
    const std::vector<std::string_view> kept{"A", "Late"};
    CHECK(tutti::disable(kept).matches(pass_described_late{}.info));
    CHECK(tutti::require(kept).matches(pass_described_late{}.info));
    CHECK_FALSE(tutti::disable(kept).matches({.name = "B"}));
    CHECK_FALSE(tutti::require(std::vector<std::string_view>{}).matches({.name = "B"}));
}
