#include <tutti/relay/text/parse/pattern_reader.hpp>

#include <tutti/base/error.hpp>
#include <tutti/relay/ir/equal.hpp>
#include <tutti/relay/ir/verify.hpp>
#include <tutti/relay/text/parser.hpp>
#include <tutti/relay/text/printer.hpp>

#include "support/catch.hpp"

#include <string>
#include <string_view>

using namespace tutti;

namespace {

std::string with(std::string_view pattern) {
    return "type T { A(T, T), B }\ndef @main(%x: T) {\n  match? (%x) {\n    " + std::string(pattern) +
           " => {\n      1\n    },\n  }\n}\n";
}
std::string problem(std::string_view pattern) {
    try {
        relay::verify_structure(relay::parse(with(pattern)));
    } catch (const error& e) {
        return e.what();
    }
    return {};
}

} // namespace

TEST_CASE("pattern_reader: patterns are written as they are read", "[relay][text]") {
    for (const char* pattern : {"_", "%a", "B", "A(_, B)", "A(%a: T[], A(%b, _))", "(%a, (B, _))", "()", "(_)"}) {
        const std::string text = relay::to_text(relay::parse(with(pattern)), {.version_line = false});
        INFO(text);
        CHECK(text.find(std::string("    ") + pattern + " => {\n") != text.npos);
    }
}

TEST_CASE("pattern_reader: reports errors", "[relay][text]") {
    CHECK(problem("C").find("there is no constructor `C`") != std::string::npos);
    CHECK(problem("A(_ _)").find("`,` or `)`") != std::string::npos);
    CHECK(problem("1").find("a pattern") != std::string::npos);
    CHECK(problem("A").find("a pattern gives A 0 fields") != std::string::npos);
}

TEST_CASE("pattern_reader: patterns, types and blocks that are nested deeply are read and written without recursion",
          "[relay][text]") {
    std::string pattern;
    std::string type;
    std::string block;
    for (int i = 0; i < 50000; ++i) {
        pattern += "A(_, ";
        type += "ref(";
        block += "{ ";
    }
    const auto closed = [](std::string text, const char* inside, char end) {
        return text + inside + std::string(50000, end);
    };
    const std::string text = with(closed(pattern, "B", ')'));
    const relay::ir_module m = relay::parse(text);
    CHECK(relay::to_text(m, {.version_line = false}).find(closed(pattern, "B", ')')) != std::string::npos);
    const std::string deep = "def @main(%x: " + closed(type, "int8", ')') + ") { " + closed(block, "1", '}') + " }";
    CHECK(relay::to_text(relay::parse(deep)).find(closed(type, "int8", ')')) != std::string::npos);
    std::string matches;
    for (int i = 0; i < 20000; ++i) matches += "match? (%x) { B => ";
    matches += "1";
    for (int i = 0; i < 20000; ++i) matches += "}";
    const std::string nested = "type T { A(T, T), B }\ndef @main(%x: T) { " + matches + " }";
    const relay::ir_module n = relay::parse(nested);
    relay::verify_structure(n);
    CHECK(relay::structural_equal(relay::parse(relay::to_text(n)), n));
    relay::parse_options few{.limits = {.nesting = 100}};
    CHECK_THROWS_AS(relay::parse(nested, few), error);
    CHECK_THROWS_AS(relay::parse(deep, few), error);
    CHECK_THROWS_AS(relay::parse(text, few), error);
}
