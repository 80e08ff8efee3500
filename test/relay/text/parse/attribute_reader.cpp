#include <tutti/relay/text/parse/attribute_reader.hpp>

#include "relay/text/syntax.hpp"
#include "support/catch.hpp"

#include <string>
#include <string_view>

using namespace tutti;
using namespace tutti::test;
using relay::attr_value;
using relay::dim;
using relay::plain_vector;
using relay::text::attribute_reader;
using relay::text::cursor;

namespace {

struct reading {
    relay::graph g;
    plain_vector<attr_value> values;
    std::string problem;
    std::string rest;

    explicit reading(std::string_view text) {
        cursor in(text);
        problem = syntax_problem([&] { attribute_reader(in).read(g, values); });
        rest = in.rest();
    }
};

plain_vector<attr_value> values(std::string_view text) { return reading(text).values; }
std::string problem(std::string_view text) { return reading(text).problem; }

} // namespace

TEST_CASE("attribute_reader: single values, of the kind that they are written as", "[relay][text]") {
    CHECK(values("1") == plain_vector{attr_value::of(dim(1))});
    CHECK(values("-1i64") == plain_vector{attr_value::of(dim::wide(-1))});
    CHECK(values("?") == plain_vector{attr_value::of(dim::any())});
    CHECK(values("True") == plain_vector{attr_value::of(true)});
    CHECK(values(" False") == plain_vector{attr_value::of(false)});
    CHECK(values("None") == plain_vector{attr_value{}});
    for (const char* half : {"0.5", "5e-1f", "0.5f64", "0.5f32"})
        CHECK(values(half) == plain_vector{attr_value::of(0.5)});
    CHECK(values("2f") == plain_vector{attr_value::of(2.0)});
    CHECK(values("1e-05f") == plain_vector{attr_value::of(1e-05)});
    CHECK(values("-inff")[0].floating() < 0);
}

TEST_CASE("attribute_reader: a string's escapes are resolved, and it may be empty", "[relay][text]") {
    const reading r(R"(["N\"C\n", ""])");
    REQUIRE(r.values.size() == 3);
    CHECK(r.g.strings()[r.values[1].string()] == "N\"C\n");
    CHECK(r.g.strings()[r.values[2].string()].empty());
}

TEST_CASE("attribute_reader: a list precedes its elements", "[relay][text]") {
    CHECK(values("[]") == plain_vector{attr_value::list(0)});
    CHECK(values("[1, 2]x") == plain_vector{attr_value::list(2), attr_value::of(dim(1)), attr_value::of(dim(2))});
    CHECK(values("[[], [1], 2]") == plain_vector{attr_value::list(3), attr_value::list(0), attr_value::list(1),
                                                 attr_value::of(dim(1)), attr_value::of(dim(2))});
    CHECK(reading("[[1]] , b").rest == " , b");
}

TEST_CASE("attribute_reader: appends, so that several values may be one list of values", "[relay][text]") {
    relay::graph g;
    cursor in("[1] 2");
    attribute_reader reader(in);
    plain_vector<attr_value> out{attr_value::of(true)};
    reader.read(g, out);
    reader.read(g, out);
    CHECK(out ==
          plain_vector{attr_value::of(true), attr_value::list(1), attr_value::of(dim(1)), attr_value::of(dim(2))});
}

TEST_CASE("attribute_reader: an invalid value is reported with its location", "[relay][text]") {
    const std::string value = "; expected a value: a number, a string, True, False, None or a list `[1, 2]`";
    CHECK(problem("") == "1:1: unexpected end of the text" + value);
    CHECK(problem("Truer") == "1:1: unexpected `Truer`" + value);
    CHECK(problem("[1,]") == "1:4: unexpected `]`" + value);
    CHECK(problem("[,1]") == "1:2: unexpected `,`" + value);
    CHECK(problem("%x") == "1:1: unexpected `%x`" + value);
    CHECK(problem("[1") == "1:3: unexpected end of the text; expected `,` or `]`");
    CHECK(problem("[1 2]") == "1:4: unexpected `2`; expected `,` or `]`");
    CHECK(problem("[\n 1.5i64]") == "2:2: unknown suffix of the number `1.5i64`; expected `f` or none");
    CHECK(problem("1u8") == "1:1: `1u8` is not an integer; expected an integer such as `5` or `5i64`");
    CHECK(problem("1e999") == "1:1: `1e999` does not fit in float64");
}

TEST_CASE("attribute_reader: a list is as good after an error, and lists nest a million deep", "[relay][text]") {
    relay::graph g;
    cursor in("[[1 [2]");
    attribute_reader reader(in);
    plain_vector<attr_value> out;
    CHECK(syntax_problem([&] { reader.read(g, out); }) == "1:5: unexpected `[`; expected `,` or `]`");
    out.clear();
    reader.read(g, out);
    CHECK(out == plain_vector{attr_value::list(1), attr_value::of(dim(2))});

    std::string deep(1'000'000, '[');
    CHECK(problem(deep) != "(read)");
    deep.append(1'000'000, ']');
    CHECK(values(deep).size() == 1'000'000);
}

TEST_CASE("attribute_reader: a reference to a constant is its own text", "[relay][text]") {
    const reading read("meta[relay.Constant][12], x");
    CHECK(read.g.strings()[read.values[0].string()] == "meta[relay.Constant][12]");
    CHECK(read.rest == ", x");
    CHECK(problem("meta[relay.Constant][?]") != "");
    CHECK(problem("meta[relay.Var][0]") != "");
}
