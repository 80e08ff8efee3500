#include <tutti/relay/ir/text_name.hpp>

#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/text/printer.hpp>

#include "support/catch.hpp"

using namespace tutti;

TEST_CASE("text_name: keeps valid characters, and replaces others by underscores", "[relay][ir]") {
    for (const auto& [name, text] :
         {std::pair("x", "x"), std::pair("_x", "v_x"), std::pair("input:0", "input_0"),
          std::pair("Identity_1:0", "Identity_1_0"), std::pair("conv.weight", "conv.weight"),
          std::pair("layer.0.bias", "layer_0.bias"), std::pair("a.", "a_"), std::pair(".a", "v_a"),
          std::pair("a..b", "a_.b"), std::pair("0/conv.weight.1", "v0_conv.weight_1"), std::pair("", "v"),
          std::pair("\xC3\xA9", "v__"), std::pair("x y", "x_y")}) {
        INFO(name);
        CHECK(relay::text_name(name) == text);
        const std::string program =
            "#[version = \"0.0.5\"]\ndef @main(%" + std::string(text) + ": float32) {\n  exp(%" + text + ")\n}\n";
        CHECK(relay::to_text(relay::parse(program)) == program);
    }
}
