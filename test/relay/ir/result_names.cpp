#include <tutti/relay/ir/result_names.hpp>

#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/text/printer.hpp>

#include "support/catch.hpp"

#include <string>
#include <vector>

using namespace tutti;

namespace {

const std::string plain = "#[version = \"0.0.5\"]\ndef @main(%x: float32) {\n  (%x, %x)\n}\n";
using names = std::vector<std::string>;

std::string with_attributes(const std::string& attributes) {
    std::string text = plain;
    return text.insert(text.find(") {"), ", " + attributes);
}

} // namespace

TEST_CASE("result_names: texts have them as the reference's importers write them", "[relay][ir]") {
    relay::ir_module m = relay::parse(plain);
    relay::function& f = *m.find("main");
    CHECK(relay::result_names(f).empty());
    relay::set_result_names(f, names{"logits", "a \"name\""});
    const std::string text = relay::to_text(m);
    CHECK(text == with_attributes(R"(output_tensor_names=["logits", "a \"name\""])"));
    const relay::ir_module again = relay::parse(text);
    CHECK(relay::result_names(*again.find("main")) == names{"logits", "a \"name\""});
    CHECK(relay::to_text(again) == text);
}

TEST_CASE("result_names: other attributes stay", "[relay][ir]") {
    relay::ir_module m = relay::parse(with_attributes(R"(a=[1, [2, 3]], output_tensor_names=["x", "y"], b="c")"));
    relay::function& f = *m.find("main");
    CHECK(relay::result_names(f) == names{"x", "y"});
    relay::set_result_names(f, names{"z"});
    CHECK(relay::to_text(m) == with_attributes(R"(a=[1, [2, 3]], b="c", output_tensor_names=["z"])"));
    relay::set_result_names(f, {});
    CHECK(relay::to_text(m) == with_attributes(R"(a=[1, [2, 3]], b="c")"));
    m = relay::parse(with_attributes(R"(output_tensor_names=["x", "y"])"));
    relay::set_result_names(*m.find("main"), {});
    CHECK(relay::to_text(m) == plain);
}

TEST_CASE("result_names: an attribute that is no list of names names nothing", "[relay][ir]") {
    for (const char* value : {"1", "\"x\"", "[1, 2]", "[\"x\", 2]", "[\"x\", [\"y\"]]", "[]"}) {
        const relay::ir_module m = relay::parse(with_attributes(std::string("output_tensor_names=") + value));
        CHECK(relay::result_names(*m.find("main")).empty());
    }
}
