#include <tutti/relay/text/parse/reference_reader.hpp>

#include "relay/text/syntax.hpp"
#include "support/catch.hpp"

#include <string>
#include <string_view>

using namespace tutti;
using namespace tutti::test;
using relay::expr_id;
using relay::expr_kind;
using relay::text::place;

namespace {

struct reading {
    relay::parse_options options;
    relay::text::cursor in;
    relay::text::diagnostic_list found;
    relay::text::scopes names;
    relay::text::reference_reader references;
    relay::graph g;

    explicit reading(std::string_view text) : in(text), found(text, 20), references(in, text, names, options, found) {
        references.next_definition();
    }

    expr_id bound(std::string_view name) {
        const expr_id v = g.variable(name);
        names.bind(name, v);
        return v;
    }
    expr_id variable() { return references.variable(g, in.here()); }
};

constexpr place here{{1, 1}, 0};

} // namespace

TEST_CASE("reference_reader: a variable's name may end in numbers, or be followed by fields", "[relay][text]") {
    reading r("x.0.1 x.1");
    const expr_id x = r.bound("x");
    const expr_id x0 = r.bound("x.0");
    CHECK(r.variable() == x0);
    CHECK(r.in.rest() == ".1 x.1");
    r.in.pass(3);
    CHECK(r.variable() == x);
    CHECK(r.in.rest() == ".1");
    CHECK(r.found.empty());
}

TEST_CASE("reference_reader: an unknown variable is noted once, with the nearest", "[relay][text]") {
    reading r("wieght wieght");
    r.bound("weight");
    const expr_id unknown = r.variable();
    CHECK(r.references.is_harmless(unknown));
    r.in.skip_blank();
    CHECK(r.variable() == unknown);
    CHECK(notes(r.found) == "1:1: the variable `%wieght` is not defined; did you mean `%weight`?\n");
    CHECK(syntax_problem([] { reading("y = 1").variable(); }) ==
          "1:1: `%y` is bound without `let`; expected `let %x = …;` or `%0 = …;`");
    CHECK(syntax_problem([] { reading("-").variable(); }).find("a variable's name or number") != std::string::npos);
}

TEST_CASE("reference_reader: a number is bound once, in one definition, before it is used", "[relay][text]") {
    reading r("   ");
    const expr_id value = r.bound("x");
    r.references.check_definition(3, here);
    r.references.define(3, value);
    CHECK(r.references.numbered(r.g, 3, here) == value);
    CHECK(r.found.empty());
    r.references.check_definition(3, here);
    CHECK(r.references.is_harmless(r.references.numbered(r.g, 4, {{1, 2}, 1})));
    r.references.next_definition();
    CHECK(r.references.numbered(r.g, 3, {{1, 3}, 2}) != value);
    CHECK(notes(r.found) == "1:1: `%3` is defined already\n"
                            "1:2: `%4` is not defined before it is used\n"
                            "1:3: `%3` is defined in another function, not in this one\n");
    CHECK(syntax_problem([&] { r.references.check_definition(relay::text::cursor::none, here); }) ==
          "1:1: the number is too large; expected less than 2^32 - 1");
}

TEST_CASE("reference_reader: functions of the module, and constants of the metadata", "[relay][text]") {
    reading r("f [relay.Constant][1]");
    CHECK(r.g.global_name(r.references.global(r.g)) == "f");
    r.options.metadata = nullptr;
    CHECK(r.references.constant(r.g, here) == expr_id::none);
    CHECK(notes(r.found).starts_with("1:1: the text has no `#[metadata]` section"));
    CHECK(r.in.at_end());
    CHECK(syntax_problem([] {
              reading wrong("[relay.Expr][1]");
              wrong.references.constant(wrong.g, here);
          }).find("`meta[relay.Constant][0]`") != std::string::npos);
    CHECK(syntax_problem([] {
              reading wrong("0");
              wrong.references.global(wrong.g);
          }).find("a function's name") != std::string::npos);
}
