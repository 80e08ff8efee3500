#include <tutti/unit/operator_counts.hpp>

#include "support/catch.hpp"

using tutti::operator_counts;

TEST_CASE("operator_counts: keeps the names in order, each once", "[pass][operator_counts]") {
    operator_counts counts;
    CHECK(counts.empty());
    for (const char* const name : {"relu", "add", "relu", "mul", "add", "relu"}) ++counts[name];
    CHECK(counts == operator_counts{{"add", 2}, {"mul", 1}, {"relu", 3}});
    CHECK(counts == operator_counts{{"relu", 3}, {"mul", 1}, {"add", 1}, {"add", 1}});
    CHECK(counts.size() == 3);
    std::string names;
    for (const auto& [name, uses] : counts) names += name + ' ';
    CHECK(names == "add mul relu ");
}

TEST_CASE("operator_counts: reports added and removed operators relative to other counts", "[pass][operator_counts]") {
    const operator_counts before{{"add", 2}, {"mul", 1}}, after{{"add", 1}, {"mul", 1}, {"relu", 1}};
    CHECK(after.since(before) == operator_counts{{"add", -1}, {"relu", 1}});
    CHECK(before.since(before).empty());
    CHECK(operator_counts{}.since(before) == operator_counts{{"add", -2}, {"mul", -1}});
}
