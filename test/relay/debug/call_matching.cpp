#include <tutti/relay/debug/call_matching.hpp>

#include <tutti/relay/text/parser.hpp>

#include "support/catch.hpp"

#include <string>
#include <vector>

namespace relay = tutti::relay;

namespace {

// Returns the calls of the second module, each after its match in the first: "exp=exp", or "none=exp" without a match.
std::string matched(const relay::ir_module& a, const relay::ir_module& b, bool same_text = false) {
    const relay::call_matching matching(a, b, same_text);
    const auto calls = [](const relay::ir_module& m, auto number) {
        std::vector<std::string> texts;
        for (const auto& [name, f] : m)
            for (std::uint32_t i = 0; i < f.graph.size(); ++i) {
                const relay::expr_id e{i};
                const std::uint32_t n = number(&f.graph, e);
                if (n == relay::call_matching::none) continue;
                if (texts.size() <= n) texts.resize(n + 1);
                texts[n] = std::string(f.graph.called_op(e)->name) + ' ' + std::to_string(f.graph.location(e).line);
            }
        return texts;
    };
    const auto first =
        calls(a, [&](const relay::graph* g, relay::expr_id e) { return matching.number_in_first(g, e); });
    const auto second =
        calls(b, [&](const relay::graph* g, relay::expr_id e) { return matching.number_in_second(g, e); });
    REQUIRE(first.size() == matching.calls_in_first());
    REQUIRE(second.size() == matching.calls_in_second());
    std::string text;
    for (std::uint32_t i = 0; i < second.size(); ++i) {
        const std::uint32_t n = matching.in_first(i);
        text += (text.empty() ? "" : ", ") + (n == relay::call_matching::none ? "none" : first[n]) + "=" + second[i];
        if (n != relay::call_matching::none) CHECK(matching.in_second(n) == i);
    }
    return text;
}
std::string matched(const std::string& a, const std::string& b, bool same_text = false) {
    return matched(relay::parse("#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(2), float32]) {\n" + a + "\n}\n"),
                   relay::parse("#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(2), float32]) {\n" + b + "\n}\n"),
                   same_text);
}

} // namespace

TEST_CASE("call_matching: the same computations match in any order", "[relay][debug]") {
    CHECK(matched("%0 = exp(%x);\n%1 = log(%x);\nadd(%0, %1)", "%0 = log(%x);\n%1 = exp(%x);\nadd(%1, %0)") ==
          "exp 3=exp 4, log 4=log 3, add 5=add 5");
    CHECK(matched("let %a = exp(%x);\nlog(%a)", "%0 = exp(%x);\nlog(%0)") == "exp 3=exp 3, log 4=log 4");
    CHECK(matched("%0 = fn (%p) {\nexp(%p)\n};\n%1 = %0(%x);\nlog(%1)", "%0 = exp(%x);\nlog(%0)") ==
          "exp 4=exp 3, log 7=log 4");
    CHECK(matched("%0 = (exp(%x), %x);\n%1 = %0.0;\nlog(%1)", "%0 = exp(%x);\nlog(%0)") == "exp 3=exp 3, log 5=log 4");
}

TEST_CASE("call_matching: a call more on one side, at the front, in the middle or at the end", "[relay][debug]") {
    const std::string chain = "%0 = exp(%x);\n%1 = nn.relu(%0);\n%2 = sqrt(%1);\nlog(%2)";
    const std::string front = "%0 = abs(%x);\n%1 = exp(%0);\n%2 = nn.relu(%1);\n%3 = sqrt(%2);\nlog(%3)";
    const std::string middle = "%0 = exp(%x);\n%1 = abs(%0);\n%2 = nn.relu(%1);\n%3 = sqrt(%2);\nlog(%3)";
    const std::string end = "%0 = exp(%x);\n%1 = nn.relu(%0);\n%2 = sqrt(%1);\n%3 = log(%2);\nabs(%3)";
    CHECK(matched(chain, front) == "none=abs 3, exp 3=exp 4, nn.relu 4=nn.relu 5, sqrt 5=sqrt 6, log 6=log 7");
    CHECK(matched(chain, middle) == "exp 3=exp 3, none=abs 4, nn.relu 4=nn.relu 5, sqrt 5=sqrt 6, log 6=log 7");
    CHECK(matched(chain, end) == "exp 3=exp 3, nn.relu 4=nn.relu 4, sqrt 5=sqrt 5, log 6=log 6, none=abs 7");
    CHECK(matched(middle, chain) == "exp 3=exp 3, nn.relu 5=nn.relu 4, sqrt 6=sqrt 5, log 7=log 6");
}

TEST_CASE("call_matching: other constants and attributes keep the structure", "[relay][debug]") {
    CHECK(matched("%0 = multiply(%x, 2f);\nlog(%0)", "%0 = multiply(%x, 3f);\nlog(%0)") ==
          "multiply 3=multiply 3, log 4=log 4");
    // Among calls that differ only in constants, those with the same constant match first.
    CHECK(matched("%0 = multiply(%x, 2f);\n%1 = multiply(%x, 3f);\n(%0, %1)",
                  "%0 = multiply(%x, 3f);\n%1 = multiply(%x, 4f);\n(%0, %1)") ==
          "multiply 4=multiply 3, multiply 3=multiply 4");
}

TEST_CASE("call_matching: names that lets or models give, and places of one text", "[relay][debug]") {
    CHECK(matched("let %a = exp(%x);\nlet %b = exp(%a);\n(%a, %b)",
                  "let %c = abs(%x);\nlet %b = exp(%c);\nlet %a = exp(%b);\n(%a, %b)") ==
          "none=abs 3, exp 4=exp 4, exp 3=exp 5");
    CHECK(matched("%0 = abs(%x);\n  exp(%0)", "%0 = sqrt(%x);\n  exp(%0)", true) == "none=sqrt 3, exp 4=exp 4");
    relay::ir_module a = relay::parse(
        "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(2), float32]) {\n%0 = exp(%x);\n%1 = exp(%0);\n(%1, %0)\n}");
    relay::ir_module b = relay::parse(
        "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(2), float32]) {\n%0 = abs(%x);\n%1 = exp(%0);\n%2 = exp(%1);\n(%2, %1)\n}");
    CHECK(matched(a, b) == "none=abs 3, exp 3=exp 4, exp 4=exp 5");
    for (relay::ir_module* m : {&a, &b}) {
        relay::graph& g = m->find("main")->graph;
        const char* const names[]{m == &a ? "front" : "back", m == &a ? "back" : "front"};
        int next = 0;
        for (std::uint32_t i = 0; i < g.size(); ++i)
            if (const relay::op_def* op = g.called_op(relay::expr_id{i}); op != nullptr && op->name == "exp")
                g.set_source_name(relay::expr_id{i}, names[next++]);
    }
    CHECK(matched(a, b) == "none=abs 3, exp 0=exp 0, exp 0=exp 0");
}

TEST_CASE("call_matching: recursive functions and calls in loops end", "[relay][debug]") {
    const relay::ir_module m =
        relay::parse("#[version = \"0.0.5\"]\n"
                     "def @f(%n: int32) -> int32 {\n"
                     "  let %loop = fn (%i: int32) -> int32 {\n    if (less(%i, %n)) {\n      %loop(add(%i, 1))\n"
                     "    } else {\n      %i\n    }\n  };\n  %loop(0)\n}\n"
                     "def @main(%n: int32) -> int32 {\n  @f(multiply(%n, 2))\n}\n");
    const relay::call_matching matching(m, m);
    REQUIRE(matching.calls_in_first() == 3);
    for (std::uint32_t i = 0; i < 3; ++i) CHECK(matching.in_first(i) == i);
}
