#include <tutti/runtime/freeze.hpp>

#include <tutti/pass/adaptors.hpp>
#include <tutti/pass/requiring.hpp>
#include <tutti/pass/sequential.hpp>
#include <tutti/runtime/sequential.hpp>

#include "support/catch.hpp"
#include "support/described_passes.hpp"

#include <string>

namespace {
namespace runtime = tutti::runtime;
using runtime::freeze;
} // namespace

TEST_CASE("freeze: writes a header with the pipeline", "[runtime][freeze]") {
    const runtime::sequential<int> pipeline{{add_amount{.amount = 3}, tutti::fixpoint(double_it{}, 4)}};
    CHECK(freeze(pipeline, {.passes = "constant_passes"}) ==
          "#pragma once\n\n#include <tutti/pipeline/literal.hpp>\n\n"
          "inline const auto pipeline = tutti::pipeline<\"AddAmount{amount=3},fixpoint{limit=4}(Double)\">"
          "(constant_passes);\n");
    CHECK(freeze(tutti::sequential(double_it{}), // the same for static pipelines
                 {.name = "mine::a1::tuned", .passes = "list{}", .headers = {"a.hpp", "b/c.hpp"}}) ==
          "#pragma once\n\n#include <tutti/pipeline/literal.hpp>\n#include <a.hpp>\n#include <b/c.hpp>\n\n"
          "namespace mine::a1 {\n\n"
          "inline const auto tuned = tutti::pipeline<\"Double\">(list{});\n\n"
          "} // namespace mine::a1\n");
}

TEST_CASE("freeze: escapes the text", "[runtime][freeze]") {
    const runtime::sequential<int> pipeline{{convert_layout{.target = "a \"b\"\n1"}}};
    CHECK(freeze(pipeline, {.passes = "x"}).find(R"(<"ConvertLayout{target=\"a \\\"b\\\"\0121\"}">)") !=
          std::string::npos);
}

TEST_CASE("freeze: refuses names that are no identifiers, and pipelines without a text", "[runtime][freeze]") {
    const auto pipeline = tutti::sequential(double_it{});
    for (const char* bad : {"", "1a", "a b", "a::", "::a", "a::b;"})
        CHECK_THROWS_AS(freeze(pipeline, {.name = bad, .passes = "x"}), tutti::input_error);
    CHECK_THROWS_WITH(freeze(pipeline, {.name = "a::b c", .passes = "x"}),
                      "freeze: `b c` is not an identifier; expected a name such as tuned or mine::tuned");
    CHECK_THROWS_AS(freeze(tutti::requiring<double_it>(pipeline), {.passes = "x"}), tutti::error);
}
