#include <tutti/instrument/profile_formats.hpp>

#include "support/catch.hpp"

#include <nlohmann/json.hpp>

using namespace tutti::instrument;

namespace {
const char* const names[] = {"Outer", "A", "B, \"b\"", "A"};

// The passes Outer(A, B(A)), A. Consecutive begins and ends are one microsecond apart.
profile measured() {
    profile p;
    std::int64_t now = 0;
    const auto begin = [&](int i) { p.begin(names[i], [&] { return now += 1000; }); };
    const auto end = [&] { p.end(now += 1000); };
    begin(0), begin(1), end(), begin(2), begin(1), end(), end(), end(), begin(3), end();
    return p;
}
} // namespace

TEST_CASE("profile_formats: totals add up the runs of a name", "[instrument][profile_formats]") {
    const auto totals = totals_of(measured());
    REQUIRE(totals.size() == 3);
    CHECK(totals[0].name == "Outer");
    CHECK(totals[0].calls == 1);
    CHECK(totals[0].inclusive == 7000);
    CHECK(totals[0].self == 3000);
    CHECK(totals[1].name == "A");
    CHECK(totals[1].calls == 3);
    CHECK(totals[1].inclusive == 3000);
    CHECK(totals[1].share == 37.5);
    CHECK(totals[2].self == 2000);
    CHECK(totals_of({}).empty());
}

TEST_CASE("profile_formats: a pass inside of itself is counted once", "[instrument][profile_formats]") {
    profile p;
    p.begin("A", [] { return 0; });
    p.begin("A", [] { return 1000; });
    p.end(3000);
    p.end(4000);
    const auto totals = totals_of(p);
    REQUIRE(totals.size() == 1);
    CHECK(totals[0].calls == 2);
    CHECK(totals[0].inclusive == 4000);
    CHECK(totals[0].self == 4000);
}

TEST_CASE("profile_formats: a list, the longest first", "[instrument][profile_formats]") {
    CHECK(render_list(measured()) == "     calls      total       self   share  pass\n"
                                     "         1        7us        3us  37.50%  Outer\n"
                                     "         3        3us        3us  37.50%  A\n"
                                     "         1        3us        2us  25.00%  B, \"b\"\n");
    CHECK(render_list(measured(), 1) == "     calls      total       self   share  pass\n"
                                        "         1        7us        3us  37.50%  Outer\n"
                                        "         4                   5us  62.50%  others\n");
    CHECK(render_list({}) == "     calls      total       self   share  pass\n");
}

TEST_CASE("profile_formats: values for other programs", "[instrument][profile_formats]") {
    CHECK(render_csv(measured()) == "depth,pass,inclusive_ns,self_ns\n0,Outer,7000,3000\n1,A,1000,1000\n"
                                    "1,\"B, \"\"b\"\"\",3000,2000\n2,A,1000,1000\n0,A,1000,1000\n");
    const auto read = nlohmann::json::parse(render_json(measured()));
    REQUIRE(read["passes"].size() == 2);
    const auto& outer = read["passes"][0];
    CHECK(outer["pass"] == "Outer");
    CHECK(outer["inclusive_ns"] == 7000);
    CHECK(outer["passes"][1]["pass"] == "B, \"b\"");
    CHECK(outer["passes"][1]["passes"][0]["self_ns"] == 1000);
    CHECK(nlohmann::json::parse(render_json({}))["passes"].empty());
}
