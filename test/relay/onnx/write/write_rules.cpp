#include <tutti/relay/onnx/write/write_rules.hpp>

#include "../round_trip.hpp"
#include "support/catch.hpp"

#include <span>
#include <string>
#include <string_view>

using namespace tutti;
using namespace tutti::relay::onnx;
using namespace tutti::test;

namespace {

constexpr std::span<const write_rule> tables[]{
    relay::onnx::detail::written::elementwise_rules, relay::onnx::detail::written::image_rules,
    relay::onnx::detail::written::index_rules,       relay::onnx::detail::written::network_rules,
    relay::onnx::detail::written::quantized_rules,   relay::onnx::detail::written::shape_rules};

} // namespace

TEST_CASE("write_rules: every rule is found by its operator", "[relay][onnx][write_rules]") {
    std::string missing;
    for (const std::span<const write_rule> table : tables)
        for (const write_rule& rule : table)
            if (find_write_rule(rule.op) != &rule) missing.append(" ").append(rule.op);
    CHECK(missing == "");
    CHECK(find_write_rule("invert_permutation") == nullptr);
    CHECK(find_write_rule("") == nullptr);
    CHECK(find_write_rule("nn.conv") == nullptr);
}

TEST_CASE("write_rules: every rule is of a built-in operator and has one form", "[relay][onnx][write_rules]") {
    for (const std::span<const write_rule> table : tables)
        for (const write_rule& rule : table) {
            CAPTURE(rule.op);
            CHECK(relay::default_operators().find(rule.op) != nullptr);
            CHECK((rule.write == nullptr) != rule.same_as.empty());
        }
}

TEST_CASE("write_rules: the comparison of written programs notices a difference", "[relay][onnx][write_rules]") {
    const auto program = [](std::string_view body) {
        return program_of("def @main(%x: Tensor[(2, 3), float32]) { " + std::string(body) + " }");
    };
    const auto x = made_up_inputs(program("%x"), elements::small, 1);
    CHECK(difference(program("exp(%x)"), program("exp(%x)"), x) == "");
    CHECK(difference(program("exp(%x)"), program("add(exp(%x), 1f)"), x).starts_with("result 0: element ["));
    CHECK(difference(program("%x"), program("(%x, %x)"), x) == "2 results, not 1");
    CHECK(difference(program("%x"), program("reshape(%x, newshape=[3, 2])"), x) ==
          "result 0: is (3, 2) float32 and was (2, 3) float32");
    CHECK(difference(program("floor(%x)"), program("cast(%x, dtype=\"int32\")"), x).starts_with("result 0: is"));
    const auto whole = [&](std::string_view more) {
        return program("add(cast(%x, dtype=\"int32\"), " + std::string(more) + ")");
    };
    CHECK(difference(whole("1"), whole("2"), x) != "");
    CHECK(difference(whole("1"), whole("2"), x, 1) == "");
    CHECK(difference(whole("1"), whole("3"), x, 1) != "");
}

TEST_CASE("write_rules: rows name the programs that fail and the rules they lack", "[relay][onnx][write_rules]") {
    CHECK(change_of(round_trip{"%x: Tensor[(2), T]", "abs(%x)", "float32 int8"}) == "");
    CHECK(change_of(round_trip{"%x: Tensor[(2), T]", "invert_permutation(%x)", "int32 int64"}) ==
          "def @main(%x: Tensor[(2), int32]) { invert_permutation(%x) }\n"
          "cannot be written as ONNX: invert_permutation: ONNX has no such operator\n");
    CHECK(change_of(round_trip{"%x: float32", "abs(%y)"}).find("%y") != std::string::npos);
    constexpr write_rule rules[]{{"add", "Add"}, {"exp", "Exp"}, {"nn.pad", "Pad"}};
    constexpr round_trip rows[]{{"", "scatter_add(nn.pad(%x), exp)"}};
    CHECK(rules_without_row(rules, rows) == "add exp");
}
