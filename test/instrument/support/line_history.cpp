#include <tutti/instrument/support/line_history.hpp>

#include "support/catch.hpp"

#include <string>

using tutti::instrument::line_history;

TEST_CASE("line_history: a line continues the one that defined its value, or one removed at its place",
          "[instrument][line_history]") {
    line_history lines;
    CHECK_FALSE(lines.begun());
    lines.start("%0 = a\n%1 = norm %0\n%2 = f %1\n", "%");
    CHECK(lines.begun());
    lines.add("%0 = a\n%1 = sub %0\n%2 = div %1\n%3 = f %2\n", "Simplify", 1);
    lines.add("%0 = a\n%1 = sub %0\n%2 = div %1\n%3 = f %2\n", "Nothing", 2);
    REQUIRE(lines.size() == 4);
    CHECK(lines.versions(0).size() == 1); // from the source
    CHECK(lines.versions(3).size() == 1); // other numbers are no change
    for (const std::size_t line : {1U, 2U}) {
        const auto versions = lines.versions(line);
        REQUIRE(versions.size() == 2);
        CHECK(versions[0].pass == "Simplify");
        CHECK(versions[0].line == line + 1);
        CHECK(versions[1].text == "%1 = norm %0");
        CHECK(versions[1].line == 2);
    }
    CHECK(lines.find("%3") == 3);
    CHECK(lines.find("%9") == lines.size());
    CHECK(lines.missing().empty());
}

TEST_CASE("line_history: an inserted line has no earlier version", "[instrument][line_history]") {
    line_history lines;
    lines.start("a\nb\n", "%");
    lines.add("a\nnew\nb\n", "Insert", 1);
    REQUIRE(lines.versions(1).size() == 1);
    CHECK(lines.versions(1)[0].pass == "Insert");
    lines.start("c\n", "%");
    CHECK(lines.versions(0)[0].run == 0);
}

TEST_CASE("line_history: keeps the latest versions within the limit", "[instrument][line_history]") {
    line_history lines{1000};
    lines.start("a\n", "%");
    for (std::size_t i = 1; i < 50; ++i) lines.add("a" + std::to_string(i) + "\n", "Pass", i);
    const auto versions = lines.versions(0);
    CHECK(versions.size() < 12);
    CHECK(versions.front().text == "a49");
    CHECK(versions.back().is_incomplete);
    CHECK(lines.complete_from().first == "Pass");
    CHECK(lines.complete_from().second > 30);
    // The lines of the latest text are never discarded.
    line_history none{0};
    none.start("a\nb\n", "%");
    none.add("a\nc\n", "Pass", 1);
    CHECK(none.versions(1).front().text == "c");
    CHECK_FALSE(none.missing().empty());
}
