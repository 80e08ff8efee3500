#include <tutti/search/shorter_pipeline.hpp>

#include "support/catch.hpp"

#include <string>
#include <string_view>
#include <vector>

using tutti::instrument::edit_set;
using tutti::instrument::pipeline_parts;
using tutti::instrument::shorter_pipeline;

namespace {
// Shortens a pipeline while it contains these words.
std::string with(std::vector<std::string> words, std::string text) {
    return shorter_pipeline(std::move(text), [&](const std::string& passes) {
        for (const std::string& each : words)
            if (passes.find(each) == std::string::npos) return false;
        return true;
    });
}
} // namespace

TEST_CASE("pipeline_parts: passes, their wrappers, options", "[instrument][shorter_pipeline]") {
    const pipeline_parts parts{" A, seq[x,2](B, fixpoint{limit=3}(C{a=1, b=[1,2]}, D)), E"};
    CHECK(parts.passes() == 7);
    CHECK(parts.edits() == 12);
    edit_set edits(parts.edits(), 0);
    CHECK(parts.without(edits) == "A,seq[x,2](B,fixpoint{limit=3}(C{a=1,b=[1,2]},D)),E");
    const auto without = [&](std::vector<std::size_t> some) {
        edit_set chosen = edits;
        for (const std::size_t each : some) chosen[each] = 1;
        return parts.without(chosen);
    };
    CHECK(without({0, 6}) == "seq[x,2](B,fixpoint{limit=3}(C{a=1,b=[1,2]},D))");
    CHECK(without({1}) == "A,E");
    CHECK(without({4, 5}) == "A,seq[x,2](B),E");
    CHECK(without({2, 4, 5}) == "A,E"); // a wrapper without passes is removed
    CHECK(without({7}) == "A,B,fixpoint{limit=3}(C{a=1,b=[1,2]},D),E");
    CHECK(without({7, 8}) == "A,B,C{a=1,b=[1,2]},D,E");
    CHECK(without({9}) == "A,seq[x,2](B,fixpoint(C{a=1,b=[1,2]},D)),E");
    CHECK(without({10}) == "A,seq[x,2](B,fixpoint{limit=3}(C{b=[1,2]},D)),E");
    CHECK(without({10, 11}) == "A,seq[x,2](B,fixpoint{limit=3}(C,D)),E");
    CHECK(without({0, 1, 6}).empty());
    CHECK(pipeline_parts{""}.edits() == 0);
    CHECK(parts.first() == "A");
    CHECK(pipeline_parts{"seq[x](A{b=\",\"},C),D"}.first() == "seq[x](A{b=\",\"},C)");
    CHECK(pipeline_parts{""}.first().empty());
}

TEST_CASE("pipeline_parts: an extension point is one thing", "[instrument][shorter_pipeline]") {
    const pipeline_parts parts{"A,point(x),fixpoint(B,point(\"a b\"))"};
    CHECK(parts.passes() == 5);
    CHECK(parts.edits() == 6);
    CHECK(parts.without({0, 0, 0, 0, 0, 0}) == "A,point(x),fixpoint(B,point(\"a b\"))");
    CHECK(parts.without({0, 1, 0, 0, 0, 1}) == "A,B,point(\"a b\")");
    CHECK(with({"B"}, "A,point(x),fixpoint(B,point(y))") == "B");
}

TEST_CASE("shorter_pipeline: the least that holds", "[instrument][shorter_pipeline]") {
    CHECK(with({"C"}, "A,B,C,D,E") == "C");
    CHECK(with({"A", "E"}, "A,B,C,D,E") == "A,E");
    CHECK(with({"D"}, "A,seq[x](B,fixpoint{limit=3}(C,D)),E") == "D");
    CHECK(with({"fixpoint(D"}, "A,seq[x](B,fixpoint(C,D)),E") == "fixpoint(D)");
    CHECK(with({"b=2"}, "A{b=1},A{a=1,b=2}") == "A{b=2}");
    CHECK(with({}, "A,B") == "");
    CHECK(with({"not there"}, "A,B") == "A,B");
}
