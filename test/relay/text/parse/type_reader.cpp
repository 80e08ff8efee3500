#include <tutti/relay/text/parse/type_reader.hpp>

#include "relay/text/syntax.hpp"
#include "support/catch.hpp"

#include <string>
#include <string_view>

using namespace tutti;
using namespace tutti::test;
using relay::text::cursor;
using relay::text::diagnostic_list;
using relay::text::type_reader;

namespace {

// Reads a type. Returns its printed form or the syntax error, then the diagnostics and the unread text.
std::string reading(std::string_view text, std::size_t nesting = 100) {
    cursor in(text);
    diagnostic_list found(text, 10);
    relay::text::declarations known(text);
    relay::type_table types;
    std::string out;
    const std::string problem = syntax_problem([&] {
        const relay::type_id read = type_reader(in, found, known, nesting).read(types);
        if (!relay::append_type(out, types, read)) out = "(too long)";
    });
    const std::string noted = notes(found);
    return (problem == "(read)" ? out : problem) + (noted.empty() ? "" : '\n' + noted) + std::string(in.rest());
}

} // namespace

TEST_CASE("type_reader: reads back printed types", "[relay][text]") {
    for (const char* text :
         {"float32", "bool", "Tensor[(1, 2), float32]", "Tensor[(?, 3i64), uint8]", "Tensor[(0), int8]", "()",
          "(float16,)", "(float32, (int8, ()), Tensor[(2), bool])", "fn () -> ()",
          "fn [A, B](A, ref(B)) -> fn [A](A) -> B", "(_, ref(_))", "fn [A](int8) -> fn (A) -> fn [B](B) -> B",
          "fn (float32, (int8,)) -> fn (int8) -> float64"}) {
        INFO(text);
        CHECK(reading(text) == text);
    }
}

TEST_CASE("type_reader: blanks, comments, brackets and commas at the end do not matter", "[relay][text]") {
    CHECK(reading(" /* a */Tensor [ ( 1 , 2 , ) , int8 ]") == "Tensor[(1, 2), int8]");
    CHECK(reading("((float32))") == "float32");
    CHECK(reading("((float32),)") == "(float32,)");
    CHECK(reading("(int8, int8,)") == "(int8, int8)");
    CHECK(reading("fn(int8,)->int8") == "fn (int8) -> int8");
    CHECK(reading("fn ((int8)) -> int8") == "fn (int8) -> int8");
    CHECK(reading("Tensor[(), int8]") == "int8");
    CHECK(reading("fn (int8) -> int8 {") == "fn (int8) -> int8 {");
}

TEST_CASE("type_reader: equal types are one", "[relay][text]") {
    relay::type_table types;
    cursor in("(Tensor[(1), int8], Tensor[(1), int8]) Tensor[(1), int8]");
    diagnostic_list found("", 1);
    relay::text::declarations known("");
    type_reader reader(in, found, known, 10);
    const relay::type_id pair = reader.read(types);
    CHECK(types.fields(pair)[0] == types.fields(pair)[1]);
    CHECK(reader.read(types) == types.fields(pair)[0]);
}

TEST_CASE("type_reader: an invalid type is reported with its location", "[relay][text]") {
    CHECK(reading("") == "1:1: unexpected end of the text; expected a type");
    CHECK(reading("Tensor(").starts_with("1:7: unexpected `(`; expected `[`, as in"));
    CHECK(reading("Tensor[3]").starts_with("1:8: unexpected `3`; expected `(` and the dimensions"));
    CHECK(reading("Tensor[(-1), int8]").starts_with("1:9: unexpected `-`; expected a dimension such as `3` or `?`"));
    CHECK(reading("Tensor[(,), int8]").starts_with("1:9: unexpected `,`; expected a dimension"));
    CHECK(reading("Tensor[(1 2), int8]").starts_with("1:11: unexpected `2`; expected `,` or `)`"));
    CHECK(reading("Tensor[(1)]").starts_with("1:11: unexpected `]`; expected `,` and the element type"));
    CHECK(reading("Tensor[(1), 5]").starts_with("1:13: unexpected `5`; expected an element type such as `float32`"));
    CHECK(reading("Tensor[(1), int8").starts_with("1:17: unexpected end of the text; expected `]`"));
    CHECK(reading("Tensor[(9223372036854775807), int8]").starts_with("1:9: `9223372036854775807` is too large"));
    CHECK(reading("(int8 int8)").starts_with("1:7: unexpected `int8`; expected `,` or `)`"));
    CHECK(reading("(int8").starts_with("1:6: unexpected end of the text; expected `,` or `)`"));
    CHECK(reading("(,)").starts_with("1:2: unexpected `,`; expected a type"));
    CHECK(reading("fn (int8) int8").starts_with("1:11: unexpected `int8`; expected `->` and the result's type"));
    CHECK(reading("fn () ->").starts_with("1:9: unexpected end of the text; expected a type"));
    CHECK(reading("fn [A(A) -> A").starts_with("1:6: unexpected `(`"));
}

TEST_CASE("type_reader: a misspelt name is noted, with the nearest, and reading goes on", "[relay][text]") {
    CHECK(reading("(flaot32, int8)x").ends_with("\n1:2: unknown type `flaot32`; did you mean `float32`?\nx"));
    CHECK(
        reading("Tensor[(1), flot32]x").ends_with("\n1:13: unknown element type `flot32`; did you mean `float32`?\nx"));
    CHECK(reading("Tensor[(1), quaternion]").find("1:13: unknown element type `quaternion`; expected bool, or int") !=
          std::string::npos);
    CHECK(reading("Tesnor[(1), int8]").find("1:1: unknown type `Tesnor`; did you mean `Tensor`?") != std::string::npos);
    CHECK(reading("Tensor[(1), Tensor]").find("did you mean `Tensor`") == std::string::npos);
}

TEST_CASE("type_reader: types nested too deeply are refused, others read without recursion", "[relay][text]") {
    CHECK(reading("((int8,),)", 2) == "((int8,),)");
    CHECK(reading("(((int8,),),)", 2).starts_with("1:4: types are nested too deeply"));
    std::string deep(1'000'000, '(');
    CHECK(reading(deep, 100).starts_with("1:102: types are nested too deeply"));
    CHECK(reading(deep, 2'000'000) == "1:1000001: unexpected end of the text; expected a type");
    deep += "int8";
    for (int i = 0; i < 1'000'000; ++i) deep += ",)";
    CHECK(reading(deep, 2'000'000) == deep);
    std::string result;
    for (int i = 0; i < 100'000; ++i) result += "fn () -> ";
    CHECK(reading(result + "int8", 200'000) == result + "int8");
}
