#include <tutti/relay/text/parse/function_parser.hpp>

#include "relay/text/syntax.hpp"
#include "support/catch.hpp"

#include <string>
#include <string_view>

using namespace tutti;
using namespace tutti::test;
using relay::expr_id;
using relay::expr_kind;
using relay::function;

namespace {

struct reading {
    relay::parse_options options;
    relay::text::cursor in;
    relay::text::diagnostic_list found;
    relay::text::declarations known;
    relay::text::function_parser parser;

    explicit reading(std::string_view text, relay::parse_limits limits = {})
        : options{.limits = limits}
        , in(text)
        , found(text, limits.diagnostics)
        , known(text)
        , parser(in, text, options, known, found) {}

    function next() { return parser.definition(in.here()); }
};

std::string noted(std::string_view text, relay::parse_limits limits = {}) {
    reading r(text, limits);
    const std::string problem = syntax_problem([&] { r.next(); });
    return (problem == "(read)" ? "" : problem + '\n') + notes(r.found);
}

} // namespace

TEST_CASE("function_parser: functions are read one after the other, and share nothing", "[relay][text]") {
    reading r("(%x) { %0 = add(%x, %x); %0 } (%y) { %0 = (%y,); %0.0 } (%y) { %x } () { %0 }");
    const function first = r.next();
    CHECK(first.graph.kind(first.graph.body(first.root)) == expr_kind::call);
    const function second = r.next();
    CHECK(second.graph.kind(second.graph.body(second.root)) == expr_kind::projection);
    CHECK(r.found.empty());
    r.next();
    r.next();
    const std::string said = notes(r.found);
    CHECK(said.starts_with("1:64: the variable `%x` is not defined"));
    CHECK(said.ends_with("1:74: `%0` is defined in another function, not in this one\n"));
    CHECK(r.in.at_end());
}

TEST_CASE("function_parser: a number refers to one expression, also outside of its block", "[relay][text]") {
    reading r("(%c, %x) { if (%c) { %0 = add(%x, %x); %0 } else { add(%0, %0) } }");
    const function f = r.next();
    REQUIRE(r.found.empty());
    const auto parts = f.graph.operands(f.graph.body(f.root));
    REQUIRE(parts.size() == 3);
    CHECK(f.graph.arguments(parts[2])[0] == parts[1]);
    CHECK(f.graph.arguments(parts[2])[1] == parts[1]);
}

TEST_CASE("function_parser: lets become a chain, and a name means the variable bound last", "[relay][text]") {
    reading r("(%x) { let %y = %x; let %x = %y; %x }");
    const function f = r.next();
    REQUIRE(r.found.empty());
    const auto outer = f.graph.operands(f.graph.body(f.root));
    REQUIRE(f.graph.kind(outer[2]) == expr_kind::let);
    const auto inner = f.graph.operands(outer[2]);
    CHECK(outer[1] == f.graph.params(f.root)[0]);
    CHECK(inner[1] == outer[0]);
    CHECK(inner[2] == inner[0]);
    CHECK(inner[0] != f.graph.params(f.root)[0]);
}

TEST_CASE("function_parser: a scope ends with its block", "[relay][text]") {
    CHECK(
        noted("(%c) { if (%c) { let %y = 1; %y } else { %y } }").starts_with("1:42: the variable `%y` is not defined"));
    CHECK(noted("() { let %f = fn (%a) { %a }; %a }").starts_with("1:31: the variable `%a` is not defined"));
    CHECK(noted("() { let %f = fn (%a) { %f(%a) }; %f }").empty()); // recursion
}

TEST_CASE("function_parser: a field is taken of a variable, unless its name ends in that number", "[relay][text]") {
    reading r("(%x, %x.1) { (%x.0, %x.1, %x.1.2, %x.0.3) }");
    const function f = r.next();
    REQUIRE(r.found.empty());
    const auto params = f.graph.params(f.root);
    const auto fields = f.graph.operands(f.graph.body(f.root));
    CHECK(f.graph.operands(fields[0])[0] == params[0]);
    CHECK(fields[1] == params[1]);
    CHECK(f.graph.operands(fields[2])[0] == params[1]);
    CHECK(f.graph.field(fields[2]) == 2);
    CHECK(f.graph.field(fields[3]) == 3);
    CHECK(f.graph.kind(f.graph.operands(fields[3])[0]) == expr_kind::projection);
}

TEST_CASE("function_parser: expressions know where they begin, and the types that were noted", "[relay][text]") {
    reading r("(%x: int8) {\n  add(%x, 1i8) /* ty=int8 */\n} /* ty=fn (int8) -> int8 */");
    const function f = r.next();
    const expr_id call = f.graph.body(f.root);
    CHECK(f.graph.location(call) == relay::source_location{2, 3});
    CHECK(f.graph.location(f.graph.arguments(call)[1]) == relay::source_location{2, 11});
    CHECK(relay::to_text(f.graph.types(), f.graph.type(call)) == "int8");
    CHECK(f.graph.type(f.graph.arguments(call)[1]) == relay::type_id::none);
}

TEST_CASE("function_parser: after an error the rest of the function is read", "[relay][text]") {
    const std::string said =
        noted("(%x) {\n  %0 = add(%x %x);\n  let %y = );\n  %1 = ad(%0, %y);\n  if (%x) { ; } else { %z }\n}");
    INFO(said);
    CHECK(said.find("2:15: ") == 0);
    CHECK(said.find("\n3:12: ") != std::string::npos);
    CHECK(said.find("\n4:8: there is no operator `ad`") != std::string::npos);
    CHECK(said.find("\n5:13: ") != std::string::npos);
    CHECK(said.find("\n5:24: the variable `%z` is not defined") != std::string::npos);
}

TEST_CASE("function_parser: a body may be much shorter than its parameters, or much longer", "[relay][text]") {
    for (const int parameters : {2, 5000})
        for (const int lines : {0, 1, 5000}) {
            std::string text = "(%x: int32";
            for (int i = 1; i < parameters; ++i) text += ", %p" + std::to_string(i) + ": int32";
            text += ") {\n";
            for (int i = 0; i < lines; ++i)
                text +=
                    "  %" + std::to_string(i) + " = add(%x, " + (i == 0 ? "%x" : "%" + std::to_string(i - 1)) + ");\n";
            text += lines == 0 ? "  %x\n}" : "  abs(%" + std::to_string(lines - 1) + ")\n}";
            reading r(text);
            const function f = r.next();
            INFO(parameters << " parameters, " << lines << " lines");
            CHECK(notes(r.found) == "");
            CHECK(f.graph.operand_count(f.root) == static_cast<std::size_t>(parameters + 1));
            CHECK(f.graph.size() >= static_cast<std::size_t>(parameters + lines));
        }
}

TEST_CASE("function_parser: refuses texts over the limits", "[relay][text]") {
    CHECK(noted("() { ((((1)))) }", {.nesting = 5}).empty());
    CHECK(noted("() { ((((1)))) }", {.nesting = 4})
              .find("expressions are nested too deeply; expected at most 4 at a time") != std::string::npos);
    CHECK(noted("() { (1, 1, 1) }", {.operands = 3}).empty());
    CHECK(noted("() { (1, 1, 1) }", {.operands = 2}).find("there are 3 operands; expected at most 2") !=
          std::string::npos);
    CHECK(noted("(%a, %b) { 1 }", {.operands = 1}).find("there are 2 operands") != std::string::npos);
}
