#include <tutti/relay/text/json_document.hpp>

#include "support/catch.hpp"

#include <string>
#include <string_view>
#include <vector>

using tutti::relay::text::json_document;
using tutti::relay::text::json_kind;

namespace {

constexpr tutti::limit most{"metadata", "values", "", 1000};

// Appends the printed form of a parsed document to `out`. All scalars become quoted strings.
void write(const json_document& d, json_document::place v, std::string& out) {
    const char* separator = "";
    switch (d.kind(v)) {
    case json_kind::list:
        out += '[';
        d.each_element(v, [&](json_document::place e) {
            out += separator;
            write(d, e, out);
            separator = ",";
        });
        out += ']';
        break;
    case json_kind::object:
        out += '{';
        d.each_member(v, [&](std::string_view name, json_document::place e) {
            out.append(separator).append(name).append(":");
            write(d, e, out);
            separator = ",";
        });
        out += '}';
        break;
    case json_kind::string:
        out.append("'").append(d.text(v)).append("'");
        break;
    default:
        out += d.text(v);
    }
}

std::string read(std::string_view json) {
    std::string out;
    try {
        const json_document d(json, most);
        write(d, json_document::root, out);
    } catch (const tutti::error& e) {
        return e.what();
    }
    return out;
}

} // namespace

TEST_CASE("json_document: reads all kinds of values", "[relay][text]") {
    CHECK(read(" [1, -2.5e+3, 0, true, false, null, \"a\", [], {}, [[]]] ") ==
          "[1,-2.5e+3,0,true,false,null,'a',[],{},[[]]]");
    CHECK(read("{\"a\": {\"b\": [1, {\"c\": 2}]}, \"d\": \"\"}\n") == "{a:{b:[1,{c:2}]},d:''}");
    CHECK(read("7") == "7");
    CHECK(read(R"(["\"\\\/\b\f\n\r\t", "\u0041\u00e4\u20ac\ud83d\ude00", "plain", "\u0000"])") ==
          std::string("['\"\\/\b\f\n\r\t','A\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80','plain','") + '\0' + "']");
    CHECK(read("\"\xC3\xA4\xF0\x9F\x98\x80\"") == "'\xC3\xA4\xF0\x9F\x98\x80'");
}

TEST_CASE("json_document: finds members and elements", "[relay][text]") {
    const json_document d(R"({"a": [1, [2], 3], "b": 4, "a": 5})", most);
    CHECK(d.find(json_document::root, "c") == json_document::none);
    CHECK(d.text(d.find(json_document::root, "b")) == "4");
    CHECK(d.text(d.find(json_document::root, "a")) == "5"); // if a key is repeated, its last value counts
    const json_document list("[1, [2], 3]", most);
    const std::vector<json_document::place> all = list.elements(json_document::root);
    REQUIRE(all.size() == 3);
    CHECK(list.text(all[2]) == "3");
}

TEST_CASE("json_document: says where a text is no JSON", "[relay][text]") {
    const std::string no = "metadata: the section is not JSON: line ";
    CHECK(read("") == no + "1, column 1: the text ends here; expected a value");
    CHECK(read("{\"a\": 1,\n x}") == no + "2, column 2: unexpected `x`; expected a member's name");
    CHECK(read("[1 2]") == no + "1, column 4: unexpected `2`; expected `,` or `]`");
    CHECK(read("{\"a\" 1}") == no + "1, column 6: unexpected `1`; expected `:`");
    CHECK(read("[1]]") == no + "1, column 4: something follows the value; expected the end");
    CHECK(read("\"\xFF\"") == no + "1, column 2: a byte that is not UTF-8; expected `\"`");
    CHECK(read("\"\n\"") == no + "1, column 2: a control character; expected `\"`");
    for (const char* wrong : {"[1,]",        "{,}",
                              "[,1]",        "{\"a\"}",
                              "{\"a\":}",    "{\"a\":1,}",
                              "01",          "-",
                              "1.",          ".5",
                              "1e",          "+1",
                              "tru",         "nul",
                              "'a'",         "\"",
                              "\"\\\"",      "\"\\x\"",
                              "\"\\u12\"",   "\"\\u12g4\"",
                              "\"\\ud800\"", "\"\\ud800\\u0041\"",
                              "\"\\udc00\"", "{1:2}",
                              "[",           "{",
                              "[1",          "{\"a\":1",
                              "NaN",         "[1}",
                              "{\"a\":1]",   "\"\\"}) {
        INFO(wrong);
        CHECK(read(wrong).starts_with(no));
    }
}

TEST_CASE("json_document: counts values, and nests as deep as the text does", "[relay][text][limits]") {
    CHECK(read("[" + std::string(998, '[') + std::string(999, ']')).size() == 2 * 999);
    CHECK(read(std::string(1001, '[')) == "metadata: more than 1,000 values; expected no more");
    const json_document deep(std::string(1'000'000, '[') + std::string(1'000'000, ']'),
                             {"metadata", "values", "", 1'000'000});
    CHECK(deep.kind(999'999) == json_kind::list);
}
