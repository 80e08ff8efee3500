#include <tutti/relay/text/parse/call_reader.hpp>

#include <tutti/relay/op/op_set.hpp>
#include <tutti/relay/op/standard_ops.hpp>

#include "relay/text/syntax.hpp"
#include "support/catch.hpp"

#include <string>
#include <string_view>

using namespace tutti;
using namespace tutti::test;
using relay::attrs_id;

namespace {

constexpr relay::op_set known = relay::standard_ops;
constexpr relay::text::place at_call{{1, 1}, 0};

struct reading {
    relay::text::cursor in;
    relay::text::diagnostic_list found;
    relay::text::attribute_reader values;
    relay::text::call_reader calls;
    relay::graph g;

    explicit reading(std::string_view text) : in(text), found(text, 10), values(in), calls(in, values, found) {}

    // Reads call attributes. Returns the syntax error and the diagnostics.
    std::string said_of(std::string_view op) {
        const std::string problem = syntax_problem([&] {
            if (calls.read_attributes(g))
                calls.attributes(g, *known.find(op), at_call);
            else
                calls.no_attributes(g, *known.find(op), at_call);
        });
        return (problem == "(read)" ? "" : problem) + notes(found);
    }
};

} // namespace

TEST_CASE("call_reader: tells attributes from an argument that begins with a name", "[relay][text]") {
    for (const char* text : {"nn.relu(%x))", "%x)", "1f)", "if (%x) {", ")", "", "fn () {"}) {
        INFO(text);
        reading r(text);
        CHECK_FALSE(r.calls.read_attributes(r.g));
        CHECK(r.in.rest() == text);
    }
    reading r(" axis /* comment */ = 1 )x");
    CHECK(r.calls.read_attributes(r.g));
    CHECK(r.in.rest() == "x");
}

TEST_CASE("call_reader: attributes in another order, and defaults written out, are the same", "[relay][text]") {
    reading r("groups=1, strides=[2, 2])strides=[2, 2])strides=[1, 1])");
    const relay::op_def& conv = *known.find("nn.conv2d");
    REQUIRE(r.calls.read_attributes(r.g));
    const attrs_id first = r.calls.attributes(r.g, conv, at_call);
    REQUIRE(r.calls.read_attributes(r.g));
    CHECK(r.calls.attributes(r.g, conv, at_call) == first);
    REQUIRE(r.calls.read_attributes(r.g));
    CHECK(r.calls.attributes(r.g, conv, at_call) == r.calls.no_attributes(r.g, conv, at_call));
    CHECK(r.found.empty());
}

TEST_CASE("call_reader: an operator is one expression in a graph, another one in the next", "[relay][text]") {
    reading r("");
    const relay::op_def& add = *known.find("add");
    const relay::expr_id first = r.calls.use(r.g, add);
    for (const char* other : {"subtract", "multiply", "nn.conv2d", "nn.dense", "nn.relu", "tanh", "reshape", "exp"})
        CHECK(r.calls.use(r.g, *known.find(other)) != first);
    CHECK(r.calls.use(r.g, add) == first);
    CHECK(r.calls.no_attributes(r.g, add, at_call) == attrs_id::none);
    relay::graph next;
    next.tuple({});
    r.calls.clear();
    const relay::expr_id there = r.calls.use(next, add);
    CHECK(next.op_definition(there).name == "add");
}

TEST_CASE("call_reader: errors in attributes have the attribute's location", "[relay][text]") {
    CHECK(reading("axis=1,\n  axes=2)").said_of("nn.softmax").starts_with("2:3: "));
    CHECK(reading("axis=1,\n  axes=2)").said_of("nn.softmax").find("`axis`") != std::string::npos);
    CHECK(reading("  axis=\"a\")").said_of("nn.softmax").starts_with("1:3: "));
    CHECK(reading("axis=1, axis=2)").said_of("nn.softmax") != "");
    CHECK(reading("axis=1)").said_of("add").starts_with("1:1: "));
    CHECK(reading(")").said_of("nn.softmax").empty());
}

TEST_CASE("call_reader: missing attributes are reported for every call", "[relay][text]") {
    reading r("");
    const relay::op_def& expand = *known.find("expand_dims");
    r.calls.no_attributes(r.g, expand, {{1, 1}, 0});
    r.calls.no_attributes(r.g, expand, {{1, 2}, 0});
    const std::string said = notes(r.found);
    CHECK(said.starts_with("1:1: "));
    CHECK(said.find("\n1:2: ") != std::string::npos);
}

TEST_CASE("call_reader: invalid attributes are reported with their location", "[relay][text]") {
    CHECK(reading("axis=1 2)").said_of("nn.softmax") == "1:8: unexpected `2`; expected `,` or `)`");
    CHECK(reading("axis=1, %x)").said_of("nn.softmax") ==
          "1:9: unexpected `%x`; expected an attribute `name=value`; arguments come before attributes");
    CHECK(reading("axis=1, b)").said_of("nn.softmax") ==
          "1:10: unexpected `)`; expected `=` and the attribute's value");
    CHECK(reading("axis=)").said_of("nn.softmax").starts_with("1:6: unexpected `)`; expected a value"));
}

TEST_CASE("call_reader: a wrong number of arguments is reported with their names", "[relay][text]") {
    reading r("abc");
    r.calls.check_arity(*known.find("add"), 2, at_call);
    CHECK(r.found.empty());
    r.calls.check_arity(*known.find("add"), 3, at_call);
    r.calls.check_arity(*known.find("nn.relu"), 0, {{1, 2}, 1});
    CHECK(notes(r.found) ==
          "1:1: add takes 2 arguments (lhs, rhs), not 3\n1:2: nn.relu takes 1 argument (data), not 0\n");
}
