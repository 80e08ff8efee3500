#include <tutti/relay/text/parser.hpp>

#include <tutti/parallel/executor.hpp>
#include <tutti/parallel/thread_pool.hpp>
#include <tutti/relay/text/printer.hpp>

#include "support/catch.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

using namespace tutti;
using relay::parse;

namespace {

std::string printed(std::string_view text) { return relay::to_text(parse(text)); }

// Returns a program in the printer's format, whose function `main` has these parameters and lines.
std::string program(const std::string& parameters, const std::string& body) {
    return "#[version = \"0.0.5\"]\ndef @main(" + parameters + ") {\n" + body + "}\n";
}

// Parses a text. Returns the locations and problems of the diagnostics, or "(read)".
std::string wrong(std::string_view text, const relay::parse_options& options = {}) {
    try {
        parse(text, options);
    } catch (const relay::parse_error& e) {
        std::string out;
        for (const relay::diagnostic& d : e.diagnostics())
            out += std::to_string(d.where.line) + ':' + std::to_string(d.where.column) + ": " + d.problem + '\n';
        return out;
    }
    return "(read)";
}

std::string repeated(std::string_view text, std::size_t times) {
    std::string out;
    out.reserve(text.size() * times);
    for (std::size_t i = 0; i < times; ++i) out += text;
    return out;
}

} // namespace

TEST_CASE("parser: printed programs are printed the same again", "[relay][text][parser]") {
    for (const std::string& text :
         {program("", "  ()\n"), program("%x", "  %x\n"),
          program("%x: float32, %y: Tensor[(2, ?), int8]", "  (%x, %y)\n"), program("%x", "  (%x,)\n"),
          program("%x", "  %x.0\n"), program("%x", "  %0 = %x.1;\n  %0.2\n"), program("%x, %y", "  add(%x, %y)\n"),
          program("%x", "  %0 = nn.relu(%x);\n  add(%0, %0)\n"),
          program("%x, %w", "  nn.conv2d(%x, %w, strides=[2, 1], padding=[0, 0, 0, 0], data_layout=\"NHWC\")\n"),
          program("%x", "  let %y = %x;\n  let %z: int8 = %y;\n  %z\n"), program("%x", "  %x(1, 1f, 2i64)\n"),
          program("%x", "  @main(%x)\n"), program("%c, %x", "  if (%c) {\n    %x\n  } else {\n    1f\n  }\n"),
          program("%x", "  %0 = fn (%y: int8, Primitive=1) -> int8 {\n    %y\n  };\n  %0(%x)\n"),
          program("%x: fn (int8) -> (int8,)", "  (1, -1, True, False, 0.5f, 1e-05f, 1i64, 2f16, 3f64)\n"),
          program("%x /* a comment that no printer writes */", "  %x\n"),
          program("%x: int8 /* ty=int8 */", "  %x\n")}) {
        INFO(text);
        const std::string once = printed(text);
        CHECK(printed(once) == once);
        if (text.find("/* a") == std::string::npos) CHECK(once == text);
    }
}

TEST_CASE("parser: several functions, and a text of an expression", "[relay][text][parser]") {
    const relay::ir_module two = parse("def @b() { @a() } // one\ndef @a() { 1 }");
    CHECK(two.size() == 2);
    REQUIRE(two.find("a") != nullptr);
    CHECK(two.find("a")->graph.location(two.find("a")->root).line == 2);
    CHECK(parse("").size() == 0);
    CHECK(parse("#[version = \"0.0.5\"]").size() == 0);
    CHECK(printed("fn (%x) { %x }") == program("%x", "  %x\n"));
    CHECK(printed("free_var %x: int8;\nadd(%x, 1f)").find("def @main(%x: int8) {\n  add(%x, 1f") != std::string::npos);
}

TEST_CASE("parser: reports all errors of a text in one run, in order", "[relay][text][parser]") {
    CHECK(wrong("#[version = \"0.0.6\"]\n"
                "def @f(%x) { ad(%y, 1) }\n"
                "def f() { 1 }\n"
                "def @f() { add(1) }\n"
                "import \"a\"\n") == "1:13: the text's version is 0.0.6\n"
                                     "2:14: there is no operator `ad`; did you mean `add`?\n"
                                     "2:17: the variable `%y` is not defined; did you mean `%x`?\n"
                                     "3:5: unexpected `f`\n"
                                     "4:1: the function `@f` is defined already, in line 2\n"
                                     "4:12: add takes 2 arguments (lhs, rhs), not 1\n"
                                     "5:1: a definition with `import` is not supported\n");
}

TEST_CASE("parser: an error has the file, the location, the line, and the expectation", "[relay][text][parser]") {
    CHECK_THROWS_WITH(
        parse("def @main() {\n  1.5\n}", {.source = "a.relay"}),
        "a.relay:2:3: error: the constant `1.5` has no type suffix; expected `1.5f`, or the suffix `f16` or `f64`\n  "
        "1.5\n  ^\n");
}

TEST_CASE("parser: reports at most as many errors as the limit, wherever they occur", "[relay][text][parser]") {
    std::string many = "def @f() { (";
    for (int i = 0; i < 20'000; ++i) many += "%a" + std::to_string(i) + ", ";
    many += ") }\ndef @f() { 1 }";
    for (const std::size_t limit : {std::size_t{0}, std::size_t{1}, std::size_t{20}}) {
        const std::string said = wrong(many, {.limits = {.diagnostics = limit}});
        CHECK(static_cast<std::size_t>(std::count(said.begin(), said.end(), '\n')) == (limit == 0 ? 1 : limit));
    }
    CHECK(wrong("def @f() { 1 }\ndef @f() { 1 }", {.limits = {.diagnostics = 1}}) ==
          "2:1: the function `@f` is defined already, in line 1\n");
    CHECK(wrong("#[version = \"1\"]\ndef @f() { 1 }", {.limits = {.diagnostics = 1}}) ==
          "1:13: the text's version is 1\n");
}

TEST_CASE("parser: a text beyond the limits is refused", "[relay][text][parser]") {
    const std::string_view text = "def @f() { ((1)) }";
    CHECK(wrong(text, {.limits = {.characters = text.size()}}) == "(read)");
    CHECK(wrong(text, {.limits = {.characters = text.size() - 1}}) == "1:1: the text has 18 characters\n");
    CHECK(wrong(text, {.limits = {.nesting = 2}}).find("nested too deeply") != std::string::npos);
}

TEST_CASE("parser: a million brackets, lets and ifs in each other, and less of the rest", "[relay][text][parser]") {
    const auto ends = [](const std::string& open, std::string_view middle, std::string_view close, std::size_t n) {
        INFO(open);
        const std::string all = "def @f(%x) { " + repeated(open, n);
        CHECK(wrong(all) != "(read)");
        CHECK(wrong(all + std::string(middle)) != "(read)");
        CHECK(wrong(all + std::string(middle) + repeated(close, n) + " }") == "(read)");
    };
    ends("(", "%x", ")", 1'000'000);
    ends("nn.relu(", "%x", ")", 100'000);
    ends("let %y = ", "%x", "; %y", 1'000'000);
    ends("let %y = (", "%x", "); %y", 100'000);
    ends("if (%x) {", "%x", "} else { %x }", 1'000'000);
    ends("if (", "%x", ") { %x } else { %x }", 100'000);
    ends("fn () {", "%x", "}", 100'000);
    constexpr std::size_t n = 100'000;
    CHECK(wrong("def @f(%x) { %x" + repeated(".0", n) + " }") == "(read)");
    CHECK(wrong("def @f(%x) { %x" + repeated("()", n) + " }") == "(read)");
    CHECK(wrong("def @f(%x) { " + repeated("let %x = %x; ", n) + "%x }") == "(read)");
}

TEST_CASE("parser: a text that is cut or changed anywhere is parsed or refused", "[relay][text][parser]") {
    const std::string text =
        program("%x: Tensor[(2, ?), int8] /* ty=int8 */, %c",
                "  %0 = fn (%y, Primitive=1) -> int8 {\n    (%y.0, -1.5f, \"\")\n  };\n"
                "  let %z = if (%c) {\n    meta[relay.Constant][0]\n  } else {\n    nn.softmax(%x, axis=[1])\n  };\n"
                "  @f(%z, /* a */ True)\n");
    std::size_t refused = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (wrong(std::string_view(text).substr(0, i)) != "(read)") ++refused;
        for (const char c : std::string_view("(){}[];,%@\"/*.=\n0a#\0", 20)) {
            std::string changed = text;
            changed[i] = c;
            if (wrong(changed) != "(read)") ++refused;
        }
    }
    CHECK(refused > text.size());
}

namespace {

// Returns a program of functions that call @f0. A few of them fill one of the parts that are parsed in parallel.
std::string many_functions() {
    std::string text = "#[version = \"0.0.5\"]\n";
    for (int f = 0; f < 400; ++f) {
        text += "def @f" + std::to_string(f) + "(%x: Tensor[(2, 3), float32]) {\n";
        for (int i = 0; i < 40; ++i)
            text += "  %" + std::to_string(i) + " = add(" + (i == 0 ? "%x" : "%" + std::to_string(i - 1)) + ", %x);\n";
        text += "  @f0(%39)\n}\n\n";
    }
    return text;
}

// Parses a text. Returns the printed module and the line of its last function, or the error.
std::string outcome(const std::string& text, tutti::executor_ref on) {
    try {
        const auto m = tutti::relay::parse(text, {.executor = on});
        const auto& last = (m.end() - 1)->function;
        return tutti::relay::to_text(m) + std::to_string(last.graph.location(last.root).line);
    } catch (const tutti::relay::parse_error& e) {
        return e.what();
    }
}

} // namespace

TEST_CASE("parse: on an executor the same is read, and the same is wrong", "[relay][text][parser]") {
    tutti::thread_pool pool(3);
    const std::string good = many_functions();
    REQUIRE(good.size() > 3 * (1 << 16));
    CHECK(outcome(good, pool) == outcome(good, {}));

    const auto with = [&](std::size_t at, const char* what) {
        std::string text = good;
        const std::size_t line = text.find("\ndef @f" + std::to_string(at) + '(') + 1;
        return text.insert(line, what);
    };
    for (const std::size_t at : {1U, 150U, 399U})
        for (const char* const what :
             {"}\n", "def @f0() { 1 }\n", "/* a comment\n", "\"a string\n", "def @bad(%x: int) { %y }\n", "1\n",
              "type T { A }\n", "def @g() {\n", "#[version = \"0.0.5\"]\n", "#[metadata]\n{}\n", "// def\n",
              "def @c() { meta[relay.Constant][0] }\n", "def @t(%l: List[int32]) { %l }\ntype List[A] { Nil }\n"}) {
            CAPTURE(at, what);
            CHECK(outcome(with(at, what), pool) == outcome(with(at, what), {}));
        }
    const std::string one_line = with(7, "/* a comment\ndef @f of which */\n");
    CHECK(outcome(one_line, pool) == outcome(one_line, {}));
    const std::string commented = with(100, "/*\n") + "*/";
    CHECK(outcome(commented, pool) == outcome(commented, {}));
    CHECK(outcome("1f\n" + good, pool) == outcome("1f\n" + good, {}));
    CHECK(outcome(with(100, "*/\n").insert(0, "/*"), pool) == outcome(with(100, "*/\n").insert(0, "/*"), {}));
}
