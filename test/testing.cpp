#include <tutti/testing.hpp>

#include <tutti/pass/make_pass.hpp>
#include <tutti/pass/pass_info.hpp>
#include <tutti/unit/unit_traits.hpp>

#include "support/catch.hpp"

#include <sstream>
#include <string>

using namespace tutti::testing;

namespace {

// The unit and the passes of the example in the header.
struct query {
    std::string plan;
};

struct push_down_filters {
    static constexpr tutti::pass_info info{.name = "PushDownFilters", .opt_level = 1};
    void operator()(query& q) const { q.plan = "scan(filter)"; }
};

} // namespace

template <>
struct tutti::unit_traits<query> {
    static std::string to_text(const query& q) { return q.plan; }
};

TEST_CASE("testing: compares results of a pass and matches their text, also without a test framework", "[testing]") {
    CHECK(check_pass(push_down_filters{}, query{"filter(scan)"}, query{"scan(filter)"}));
    CHECK_FALSE(check_pass(push_down_filters{}, query{"filter(scan)"}, query{"filter(scan)"}));

    constexpr auto pipeline = tutti::make_pass<"Number">([](query& q) { q.plan = "query 2\n%1 = scan\njoin(%1)"; });
    const std::string pattern =
        "CHECK-LABEL: query 2\nCHECK: [[X:%\\d+]] = scan\nCHECK-NOT: filter\nCHECK: join([[X]])";
    CHECK(check_pass_text(pipeline, query{}, pattern));
    CHECK_FALSE(check_pass_text(push_down_filters{}, query{}, pattern));

    std::ostringstream said;
    if (const outcome o = match_text("query 1\n", pattern); !o) said << o;
    CHECK(said.str().find("query 2") != std::string::npos);
}
