#include <tutti/relay/text/parse/declaration_reader.hpp>

#include "relay/text/syntax.hpp"
#include "support/catch.hpp"

#include <string>
#include <string_view>
#include <vector>

using namespace tutti;
using namespace tutti::test;
using relay::expr_id;
using relay::type_id;
using relay::text::scope_kind;

namespace {

// A reader of declarations, and the objects that it refers to.
struct reading {
    relay::text::cursor in;
    relay::text::diagnostic_list found;
    relay::text::scopes names;
    relay::text::attribute_reader values;
    relay::text::declarations known;
    relay::text::declaration_reader declarations;
    relay::graph g;
    relay::plain_vector<expr_id> parameters;

    explicit reading(std::string_view text)
        : in(text), found(text, 10), values(in), known(text), declarations(in, names, values, found, known, 100) {}

    std::string type(type_id t) const { return t == type_id::none ? "-" : relay::to_text(g.types(), t); }
};

std::string head_problem(std::string_view text) {
    reading r(text);
    return syntax_problem([&] { r.declarations.function(r.g, r.parameters); });
}
std::string variable_problem(std::string_view text) {
    reading r(text);
    return syntax_problem([&] { r.declarations.variable(r.g, scope_kind::block); });
}

} // namespace

TEST_CASE("declaration_reader: a variable with its annotation, its noted type, and its location", "[relay][text]") {
    reading r("\n  %x.1: Tensor[(?), int8] /* ty=Tensor[(2), int8] span=a.b:1 */ = %y: int8; %z;");
    const expr_id x = r.declarations.variable(r.g, scope_kind::block);
    CHECK(r.type(r.g.annotation(x)) == "Tensor[(?), int8]");
    CHECK(r.type(r.g.type(x)) == "Tensor[(2), int8]");
    CHECK(r.g.location(x) == relay::source_location{2, 3});
    CHECK(r.names.find("x.1") == x);
    REQUIRE(r.in.take('='));
    const expr_id y = r.declarations.variable(r.g, scope_kind::whole);
    CHECK(r.type(r.g.type(y)) == "-");
    r.names.leave(0);
    CHECK(r.names.find("x.1") == expr_id::none);
    CHECK(r.names.find("y") == y);
    REQUIRE(r.in.take(';'));
    CHECK(r.type(r.g.annotation(r.declarations.variable(r.g, scope_kind::block))) == "-");
}

TEST_CASE("declaration_reader: a type is noted of a variable without annotation, too", "[relay][text]") {
    reading r("%x /* not */ /* ty=int8 */ = 1");
    const expr_id x = r.declarations.variable(r.g, scope_kind::block);
    CHECK(r.type(r.g.annotation(x)) == "-");
    CHECK(r.type(r.g.type(x)) == "int8");
    CHECK(r.in.take('='));
}

TEST_CASE("declaration_reader: an invalid variable is reported with its location", "[relay][text]") {
    CHECK(variable_problem(" x") == "1:2: unexpected `x`; expected a variable such as `%x`");
    CHECK(variable_problem("%1") == "1:2: unexpected `1`; expected a variable's name, which begins with a letter");
    CHECK(variable_problem("%x: =") == "1:5: unexpected `=`; expected a type");
    CHECK(variable_problem("%x: int8 /* ty=int8, */") == "1:20: unexpected `,`; expected `*/`");
    CHECK(variable_problem("%x: int8 /* ty=int8") == "1:20: unexpected end of the text; expected `*/`");
}

TEST_CASE("declaration_reader: a head may have parameters, attributes and a result", "[relay][text]") {
    reading r("() {(%x: int8, %y) -> (int8,) {(%p0, Primitive=1, Axes=[1, 2], Name=\"a\") {(A=0) -> int8 {");
    const auto nothing = r.declarations.function(r.g, r.parameters);
    CHECK(r.parameters.empty());
    CHECK(r.type(nothing.result) == "-");
    CHECK(nothing.attributes == relay::attrs_id::none);

    CHECK(r.type(r.declarations.function(r.g, r.parameters).result) == "(int8,)");
    REQUIRE(r.parameters.size() == 2);
    CHECK(r.names.find("y") == r.parameters[1]);

    const auto attributes = r.g.attrs()[r.declarations.function(r.g, r.parameters).attributes];
    CHECK(r.parameters.size() == 3); // one was appended
    REQUIRE(attributes.size() == 8);
    CHECK(r.g.strings()[attributes[0].string()] == "Primitive");
    CHECK(attributes[1] == relay::attr_value::of(relay::dim(1)));
    CHECK(attributes[3] == relay::attr_value::list(2));

    CHECK(r.g.attrs()[r.declarations.function(r.g, r.parameters).attributes].size() == 2);
    CHECK(r.in.at_end());
}

TEST_CASE("declaration_reader: a parameter's name may hide another, not be given twice", "[relay][text]") {
    reading r("(%x, %y) {(%y, %x, %y) {");
    r.declarations.function(r.g, r.parameters);
    CHECK(r.found.empty());
    r.declarations.function(r.g, r.parameters);
    CHECK(notes(r.found) == "1:20: there is a parameter `%y` already\n");
}

TEST_CASE("declaration_reader: an invalid head is reported with its location", "[relay][text]") {
    CHECK(head_problem("%x") == "1:1: unexpected `%x`; expected `(` and the parameters");
    CHECK(head_problem("[A(%x: A)").starts_with("1:3: unexpected `(`"));
    CHECK(head_problem("(%x %y)").starts_with("1:5: unexpected `%y`; expected `"));
    CHECK(head_problem("(,)") == "1:2: unexpected `,`; expected a parameter such as `%x: float32`");
    CHECK(head_problem("(A=1, %x)") ==
          "1:7: unexpected `%x`; expected an attribute `Name=1`; parameters come before attributes");
    CHECK(head_problem("(A)") == "1:3: unexpected `)`; expected `=` and the attribute's value");
    CHECK(head_problem("(A=)").starts_with("1:4: unexpected `)`; expected a value"));
    CHECK(head_problem("() ;") == "1:4: unexpected `;`; expected `->` and the result's type, or `{`");
    CHECK(head_problem("() -> int8 ;") == "1:12: unexpected `;`; expected `{`");
    CHECK(head_problem("(") == "1:2: unexpected end of the text; expected a parameter such as `%x: float32`");
}
