#include <tutti/relay/debug/value_summary.hpp>

#include <tutti/relay/eval/evaluator.hpp>
#include <tutti/relay/text/parser.hpp>

#include "support/catch.hpp"

#include <limits>

namespace relay = tutti::relay;
using relay::tensor;

namespace {
constexpr float bad = std::numeric_limits<float>::quiet_NaN();
constexpr float infinite = std::numeric_limits<float>::infinity();

tensor floats(std::initializer_list<float> values) { return {{static_cast<std::int64_t>(values.size())}, values}; }

// Runs a program with one parameter, and checks that all values are finite. Returns the error.
std::string stopped(const std::string& body, const tensor& x) {
    const std::string type = "Tensor[(" + std::to_string(x.size()) + "), float32]";
    relay::evaluator e(relay::parse("#[version = \"0.0.5\"]\ndef @main(%x: " + type + ") {\n  " + body + "\n}\n"));
    relay::computed_values stop{e.module(), [](const relay::computed_value& v) { check_finite(v); }};
    try {
        e.run(std::span<const tensor>(&x, 1), stop);
    } catch (const relay::not_finite_error& found) {
        return found.what();
    }
    return {};
}
} // namespace

TEST_CASE("value_summary: as a text", "[relay][debug]") {
    const tensor t({2, 2}, {0.5F, 2.F, bad, -infinite});
    CHECK(relay::summary_text(t) == "(2, 2) float32, from 0.5 to 2, mean 1.25, 1 nan, 1 inf");
    CHECK(relay::summary_text(tensor({1}, {bad})) == "(1,) float32, 1 nan");
    CHECK(relay::summary_text(tensor(relay::dtype::int32, {0, 3})) == "(0, 3) int32");
}

TEST_CASE("value_summary: covers finite elements; NaNs and infinities are counted", "[relay][debug]") {
    const relay::value_summary s = relay::summary_of(floats({3, bad, -1, infinite, -infinite, 4}));
    CHECK(s.elements == 6);
    CHECK(s.nans == 1);
    CHECK(s.infinities == 2);
    CHECK(s.least == -1);
    CHECK(s.greatest == 4);
    CHECK(s.mean == 2);
    CHECK(relay::summary_of(tensor(std::vector<std::int64_t>{2}, {true, false})).mean == 0.5);
    CHECK(relay::summary_of(floats({})).finite() == 0);
}

TEST_CASE("value_summary: a line of a table", "[relay][debug]") {
    const tensor t = floats({1, 2.5F, bad});
    CHECK(
        relay::trace_heading() ==
        "value                                    type                                  least      greatest          mean     nan     inf\n");
    CHECK(
        relay::trace_line({.value = &t, .op = "exp", .function = "main", .name = "y", .where = {3, 8}}) ==
        "@main 3:8 %y, exp                        (3,) float32                              1           2.5          1.75       1       0\n");
    const tensor none = floats({bad});
    CHECK(
        relay::trace_line(
            {.value = &none, .op = "an.operator.whose.name.is.longer.than.the.column", .function = "main"}) ==
        "@main an.operator.whose.name.is.longer.than.the.column (1,) float32                -             -             -       1       0\n");
}

TEST_CASE("check_finite: stops at the first operator that makes a NaN or an infinity of none", "[relay][debug]") {
    CHECK(stopped("log(exp(%x))", floats({1, 2})).empty());
    CHECK(
        stopped("%0 = sqrt(%x);\n  add(%0, %0)", floats({4, -1, -2})) ==
        "@main: sqrt at 3:8: element [1] is nan, and no input has a NaN (2 of 3 elements are NaN, 0 infinite; inputs from -2 to 4)");
    CHECK(
        stopped("let %y = divide(1f, %x);\n  %y", floats({4, 0})) ==
        "@main: divide, %y at 3:12: element [1] is inf, and no input has an infinity or a NaN (0 of 2 elements are NaN, 1 infinite; "
        "inputs from 1 to 1, from 0 to 4)");
    CHECK(stopped("exp(%x)", floats({bad, 1})).empty()); // the NaN is already in the input
    CHECK(stopped("exp(%x)", floats({infinite, 1})).empty());
    CHECK(
        stopped("subtract(%x, %x)", floats({infinite, 1})) ==
        "@main: subtract at 3:3: element [0] is nan, and no input has a NaN (1 of 2 elements are NaN, 0 infinite; inputs from 1 to 1, "
        "from 1 to 1)"); // the input has an infinity, but no NaN
}
