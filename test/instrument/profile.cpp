#include <tutti/instrument/profile.hpp>

#include "support/catch.hpp"

#include <chrono>

using namespace std::chrono_literals;
using tutti::instrument::profile;

namespace {
void begin(profile& p, std::string_view name, std::chrono::nanoseconds at) {
    p.begin(name, [at] { return std::int64_t{at.count()}; });
}
// A (10 us) contains B (6 us), which contains C (1 us); then D (30 us).
profile four_passes() {
    profile p;
    begin(p, "A", 0us);
    begin(p, "B", 2us);
    begin(p, "C", 3us);
    p.end(4000);
    p.end(8000);
    p.end(10000);
    begin(p, "D", 20us);
    p.end(50000);
    return p;
}
} // namespace

TEST_CASE("profile: renders a line a run, nested by tabs, with both shares", "[instrument][profile]") {
    CHECK(four_passes().render() == "A: 10us [4us] (25.00%; 25.00%)\n"
                                    "\tB: 6us [5us] (15.00%; 60.00%)\n"
                                    "\t\tC: 1us [1us] (2.50%; 16.67%)\n"
                                    "D: 30us [30us] (75.00%; 75.00%)\n");
}

TEST_CASE("profile: can be read run by run", "[instrument][profile]") {
    const profile p = four_passes();
    REQUIRE(p.size() == 4);
    CHECK(p[1].name == "B");
    CHECK(p[1].depth == 1);
    CHECK(p[1].inclusive == 6000);
    CHECK(p[1].self == 5000);
    CHECK(p[3].depth == 0);
}

TEST_CASE("profile: is empty text if nothing ran, and divides no zero", "[instrument][profile]") {
    CHECK(profile{}.render().empty());
    CHECK(profile{}.empty());
    profile p;
    begin(p, "A", 5us);
    begin(p, "B", 5us);
    p.end(5000);
    p.end(5000);
    CHECK(p.render() == "A: 0us [0us] (0.00%; 0.00%)\n\tB: 0us [0us] (0.00%; 0.00%)\n");
}

TEST_CASE("profile: refuses to render while a pass runs, and names it", "[instrument][profile]") {
    profile p;
    begin(p, "A", 1us);
    begin(p, "B", 1us);
    CHECK(p.running_name() == "B");
    CHECK_THROWS_WITH(
        p.render(),
        "tutti::instrument::profile::render: the pass B is running; expected a call while no pass is running");
    p.end(2000);
    CHECK_THROWS_AS(p.render(), tutti::error);
    p.end(2000);
    CHECK_FALSE(p.running());
    CHECK(p.running_name().empty());
    CHECK_NOTHROW(p.render());
}

TEST_CASE("profile: an end without a begin is nothing", "[instrument][profile]") {
    profile p;
    p.end(3000);
    CHECK(p.empty());
    CHECK_FALSE(p.running());
}

TEST_CASE("profile: keeps names of passes that are gone", "[instrument][profile]") {
    profile p;
    {
        const std::string name(100, 'x');
        begin(p, name, 0us);
    }
    p.end(1000);
    CHECK(p[0].name == std::string(100, 'x'));
}

TEST_CASE("profile: a pass ends by name, together with its children; an unknown name ends nothing",
          "[instrument][profile]") {
    const std::string_view a = "A", b = "B";
    profile p;
    begin(p, a, 0us);
    const std::size_t outside = p.place();
    begin(p, b, 2us);
    begin(p, "C", 3us);
    p.end("D", 4000);
    CHECK(p.running_name() == "C");
    p.end(b, 5000);
    CHECK(p.running_name() == "A");
    begin(p, b, 6us);
    begin(p, a, 7us);
    p.end_since(outside, 9000);
    CHECK(p.running_name() == "A");
    p.end(a, 10000);
    CHECK_FALSE(p.running());
    CHECK(p.render() == "A: 10us [4us] (100.00%; 100.00%)\n"
                        "\tB: 3us [1us] (30.00%; 30.00%)\n"
                        "\t\tC: 2us [2us] (20.00%; 66.67%)\n"
                        "\tB: 3us [1us] (30.00%; 30.00%)\n"
                        "\t\tA: 2us [2us] (20.00%; 66.67%)\n");
}
