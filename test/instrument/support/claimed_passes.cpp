#include <tutti/instrument/support/claimed_passes.hpp>

#include <tutti/pass.hpp>
#include <tutti/runtime.hpp>

#include "support/catch.hpp"

#include <string>
#include <string_view>

namespace {

struct odd {
    static constexpr std::string_view name = "odd";
};
struct other {
    static constexpr std::string_view name = "other";
};
struct number {
    int n = 0;
};

} // namespace

template <>
struct tutti::unit_traits<number> {
    static bool holds(const number& u, const odd&) { return u.n % 2 != 0; }
};

namespace {

struct set {
    static constexpr tutti::pass_info info{.name = "Set"};
    using gives = tutti::properties<odd>;
    using breaks = tutti::properties<other>;
    void operator()(number& u) const { u.n = 1; }
};
struct uses {
    static constexpr tutti::pass_info info{.name = "Uses"};
    using required = tutti::passes<set>;
    void operator()(number&) const {}
};

std::string names(const std::vector<tutti::instrument::claimed_pass>& list) {
    std::string text;
    for (const auto& each : list) text.append(text.empty() ? "" : " ").append(each.name);
    return text;
}

} // namespace

TEST_CASE("claimed_passes: lists passes, their requirements, and those in adaptors", "[instrument][claimed_passes]") {
    const auto pipeline = tutti::sequential(tutti::fixpoint(uses{}), set{});
    const tutti::runtime::sequential<number> erased{{tutti::fixpoint(uses{}), set{}}};
    CHECK(names(tutti::instrument::claimed_passes<number>(pipeline)) == "Uses Set Set");
    CHECK(names(tutti::instrument::claimed_passes<number>(erased)) == "Uses Set Set");
}

TEST_CASE("claimed_passes: a property has a check if the unit's traits have one", "[instrument][claimed_passes]") {
    const auto list = tutti::instrument::claimed_passes<number>(tutti::runtime::any_pass<number>{set{}});
    REQUIRE(list.size() == 1);
    REQUIRE(list[0].claims != nullptr);
    REQUIRE(list[0].rows.size() == 1);
    const auto checks = list[0].rows[0].checks;
    REQUIRE(checks.size() == 2);
    const number even{2}, uneven{3};
    CHECK(checks[0].name->text == "odd");
    CHECK(checks[0].holds(&uneven));
    CHECK_FALSE(checks[0].holds(&even));
    CHECK(checks[1].holds == nullptr);
}
