#include <tutti/relay/debug/compare.hpp>

#include <tutti/relay/eval/synthetic.hpp>
#include <tutti/relay/text/parser.hpp>

#include "support/catch.hpp"

namespace relay = tutti::relay;
using relay::tensor;

namespace {
std::string compared(const std::string& a, const std::string& b, const relay::compare_options& options = {}) {
    relay::evaluator first(relay::parse("#[version = \"0.0.5\"]\n" + a));
    relay::evaluator second(relay::parse("#[version = \"0.0.5\"]\n" + b));
    std::vector<tensor> inputs;
    for (const relay::parameter& p : first.parameters())
        inputs.push_back(relay::synthetic_input(p.name, first.types(), p.type));
    std::vector<const tensor*> pointers;
    for (const tensor& t : inputs) pointers.push_back(&t);
    const relay::comparison found = relay::compare_programs(first, pointers, second, pointers, options);
    std::string text = std::to_string(found.compared_results) + "+" + std::to_string(found.compared_inside) + "-" +
                       std::to_string(found.not_kept);
    for (const auto* list : {&found.results, &found.inside})
        for (const auto& d : *list)
            text += "\n" + d.place + (d.other.empty() ? "" : " | " + d.other) + ": " + to_text(d.what);
    CHECK(found.same() == found.results.empty());
    return text;
}
} // namespace

TEST_CASE("compare: results, and values on the way by their structure", "[relay][debug]") {
    const std::string a = "def @main(%x: Tensor[(2), float32]) { (nn.relu(exp(%x)), multiply(%x, 2f)) }";
    CHECK(compared(a, a) == "2+3-0");
    const std::string b = "def @main(%x: Tensor[(2), float32]) { (nn.relu(exp(%x)), multiply(%x, 3f)) }";
    CHECK(
        compared(a, b) ==
        "2+3-0\n"
        "result 1: element [0] is -1.7927506 and was -1.19516706: 0.597583532 apart; 2 of 2 elements are out of bounds\n"
        "@main 2:58 multiply: element [0] is -1.7927506 and was -1.19516706: 0.597583532 apart; 2 of 2 elements are out of bounds");
    CHECK(compared(a, b, {.tolerance = 0.5}) == "2+3-0");
    // One chain has a different operator. Values that do not depend on it still match.
    CHECK(compared(a, "def @main(%x: Tensor[(2), float32]) { (abs(exp(%x)), multiply(%x, 2f)) }") == "2+2-0");
    CHECK_THROWS_AS(compared(a, "def @main(%x: Tensor[(2), float32]) { %x }"), tutti::error);
}

TEST_CASE("compare: values on the way by the names that lets give them", "[relay][debug]") {
    const std::string a = "def @main(%x: Tensor[(2), float32]) { let %a = exp(%x); let %b = sqrt(%a); %b }";
    const std::string b =
        "def @main(%x: Tensor[(2), float32]) { let %c = abs(%x); let %a = exp(%c); let %b = sqrt(%a); %b }";
    CHECK(compared(a, b) ==
          "1+2-0\n"
          "result 0: element [0] is 1.34822881 and was 0.741713822: 0.60651499 apart\n"
          "@main 2:48 %a, exp | @main 2:66 %a, exp: element [0] is 1.81772101 and was 0.550139427: 1.26758158 apart\n"
          "@main 2:66 %b, sqrt | @main 2:84 %b, sqrt: element [0] is 1.34822881 and was 0.741713822: 0.60651499 apart");
}

TEST_CASE("compare: values on the way by their places, where both are of one text", "[relay][debug]") {
    const std::string a = "def @main(%x: Tensor[(2), float32]) {\n  %0 = exp(%x);\n  %1 = nn.relu(%0);\n  sqrt(%1)\n}";
    const std::string b = "def @main(%x: Tensor[(2), float32]) {\n  %0 = exp(%x);\n                 \n  sqrt(%0)\n}";
    CHECK(compared(a, b, {.same_text = true}) == "1+2-0");
    CHECK(compared(a, b, {.same_text = true, .max_bytes = 8}) == "1+1-1"); // nn.relu has no match, so it uses no memory
}

TEST_CASE("compare: a function that is called often is compared call by call", "[relay][debug]") {
    const std::string f = "def @f(%a: Tensor[(2), float32]) { let %y = exp(%a); %y }\n";
    CHECK(compared(f + "def @main(%x: Tensor[(2), float32]) { add(@f(%x), @f(negative(%x))) }",
                   f + "def @main(%x: Tensor[(2), float32]) { add(@f(%x), @f(multiply(%x, -1f))) }") == "1+3-0");
}
