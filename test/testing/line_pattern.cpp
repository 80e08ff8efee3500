#include <tutti/testing/line_pattern.hpp>

#include "support/catch.hpp"

#include <string>
#include <string_view>

using tutti::testing::detail::line_pattern;
using tutti::testing::detail::pattern_variables;
using tutti::testing::detail::text_range;

namespace {

// Matches a text. Returns the match in angle brackets and the variable X if it is set, or "nothing", or the error.
std::string found(std::string_view pattern, std::string_view text, pattern_variables&& variables = {}) {
    try {
        text_range at;
        if (!line_pattern(pattern).find(text, {0, text.size()}, variables, at)) return "nothing";
        std::string said = "<" + std::string(text.substr(at.begin, at.end - at.begin)) + ">";
        if (const std::string* x = variables.find("X")) said += " X=" + *x;
        return said;
    } catch (const tutti::error& e) {
        return e.what();
    }
}

} // namespace

TEST_CASE("line_pattern: characters match themselves, blanks match blanks", "[testing][line_pattern]") {
    CHECK(found("add(%x", "  add(%x, %y)") == "<add(%x>");
    CHECK(found("a b", "a  \tb") == "<a  \tb>");
    CHECK(found("a b", "ab") == "nothing");
    CHECK(found("a b", "a\nb") == "nothing");
    CHECK(found("a.b", "axb a.b") == "<a.b>");
    CHECK(found("pad_width=[[0, 0], [[1]]", "pad_width=[[0, 0], [[1]]") == "<pad_width=[[0, 0], [[1]]>");
    CHECK(found("[[NCHW, NHWC]]", "x [[NCHW, NHWC]]") == "<[[NCHW, NHWC]]>");
}

TEST_CASE("line_pattern: has regular expressions", "[testing][line_pattern]") {
    CHECK(found("a{{.*}}d", "abcd ad") == "<abcd ad>");
    CHECK(found("%{{[0-9]+}} =", "  %12 = x") == "<%12 =>");
    CHECK(found("{{%\\d+}}", "%x %7") == "<%7>");
    CHECK(found("{{add|sub(tract)?}}(", "subtract(") == "<subtract(>");
    CHECK(found("{{a|b|c}}", "xc") == "<c>");
    CHECK(found("{{(ab)+}}", "xababa") == "<abab>");
    CHECK(found("{{[^a-z ]+}}", "ab 12-3 x") == "<12-3>");
    CHECK(found("{{\\w+\\s\\w}}", "-- ab c") == "<ab c>");
    CHECK(found("{{[]x]+}}", "ab]]x") == "<]]x>");
    CHECK(found("{{\\.}}", "ab.") == "<.>");
    CHECK(found("a{{b?}}c", "abc") == "<abc>");
    CHECK(found("a{{b?}}c", "xac") == "<ac>");
    CHECK(found("{{.+}}", "one\ntwo") == "<one>");
    CHECK(found("{{(a*)*}}b", std::string(40, 'a')).find("million") != std::string::npos);
}

TEST_CASE("line_pattern: has variables", "[testing][line_pattern]") {
    CHECK(found("[[X:%\\d+]] = exp", "%1 = add\n%2 = exp") == "<%2 = exp> X=%2");
    CHECK(found("add([[X:[^,]+]], [[X]])", "add(a, b) add(c, c)") == "<add(c, c)> X=c");
    CHECK(found("[[X:[a-z]]]", "7q") == "<q> X=q");
    pattern_variables variables;
    variables.set("X", "a.b");
    CHECK(found("([[X]])", "(axb) (a.b)", pattern_variables(variables)) == "<(a.b)> X=a.b");
    CHECK(found("[[X]] [[X:.]]", "a.b c", pattern_variables(variables)) == "<a.b c> X=c");
    CHECK(found("[[X]]", "a") == "[[X]]: is not defined; expected a [[X:...]] before it");
}

TEST_CASE("line_pattern: reports malformed patterns", "[testing][line_pattern]") {
    CHECK(found("a {{b", "") == "pattern `a {{b`, column 3: is not closed; expected }}");
    CHECK(found("{{*a}}", "") == "pattern `{{*a}}`, column 3: repeats nothing; expected something before it, or a \\");
    CHECK(found("{{(a}}", "") == "pattern `{{(a}}`, column 5: a ( is not closed; expected )");
    CHECK(found("{{[a}}", "") == "pattern `{{[a}}`, column 5: a [ is not closed; expected ]");
    CHECK(found("{{a)}}", "") == "pattern `{{a)}}`, column 4: has no matching (; expected a ( before it");
    CHECK(found("[[X:a", "") == "pattern `[[X:a`, column 1: is not closed; expected ]]");
    CHECK(found("[[X:a]][[X:b]]", "").find("is defined twice") != std::string::npos);
}
