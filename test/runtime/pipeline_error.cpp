#include <tutti/runtime/pipeline_error.hpp>

#include "support/catch.hpp"

using tutti::runtime::pipeline_error;

TEST_CASE("pipeline_error: shows the place as a compiler does", "[runtime][pipeline_error]") {
    const pipeline_error e{"InferType,FuseOp{k=2}", 10, 6, {"FuseOp: no such pass; did you mean FuseOps?"}};
    CHECK(std::string{e.what()} == "pipeline:1:11: error: FuseOp: no such pass; did you mean FuseOps?\n"
                                   "InferType,FuseOp{k=2}\n"
                                   "          ^~~~~~\n");
    CHECK(e.where() == "pipeline:1:11");
    CHECK(e.position() == 10);
}

TEST_CASE("pipeline_error: counts lines, shows the one, and no character that would disturb",
          "[runtime][pipeline_error]") {
    const pipeline_error e{"A,\nB\tC,\nD", 5, 1, {"found `C`", "',' or the end"}};
    CHECK(std::string{e.what()} == "pipeline:2:3: error: found `C`; expected ',' or the end\nB\tC,\n \t^\n");
    CHECK(std::string{pipeline_error{"A,", 2, 0, {"p"}}.what()} == "pipeline:1:3: error: p\nA,\n  ^\n");
    CHECK(std::string{pipeline_error{"", 0, 0, {"p"}}.what()} == "pipeline:1:1: error: p\n\n^\n");
    CHECK(std::string{pipeline_error{"A\n", 1, 1, {"p"}}.what()} == "pipeline:1:2: error: p\nA\n ^\n");
}

TEST_CASE("pipeline_error: provides the problem and its position as data", "[runtime][pipeline_error]") {
    const pipeline_error e{"A,FuseOp", 2, 6, tutti::internal::unknown_name("pass", "FuseOp", {"A", "FuseOps"})};
    CHECK(e.position() == 2);
    CHECK(e.length() == 6);
    CHECK(e.said().asked == "FuseOp");
    CHECK(e.said().meant == "FuseOps");
    CHECK(e.said().known == std::vector<std::string>{"A", "FuseOps"});
}
