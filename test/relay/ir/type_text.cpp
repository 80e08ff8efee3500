#include <tutti/relay/ir/type_text.hpp>

#include "support/catch.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

using namespace tutti::relay;

namespace {

std::string number(std::int64_t value) {
    std::string text;
    append_number(text, value);
    return text;
}

} // namespace

TEST_CASE("type_text: numbers are decimal over the whole range", "[relay][type_text]") {
    CHECK(number(0) == "0");
    CHECK(number(-1) == "-1");
    CHECK(number(1234567890) == "1234567890");
    CHECK(number(std::numeric_limits<std::int64_t>::max()) == "9223372036854775807");
    CHECK(number(std::numeric_limits<std::int64_t>::min()) == "-9223372036854775808");
}

TEST_CASE("type_text: types are as Relay text has them", "[relay][type_text]") {
    type_table t;
    const type_id scalar = t.tensor({}, dtype::boolean);
    const type_id vector = t.tensor(std::array{dim(3)}, dtype::float16);
    const type_id matrix = t.tensor(std::array{dim(1), dim::any(), dim::wide(5)}, dtype::uint8);
    CHECK(to_text(t, scalar) == "bool");
    CHECK(to_text(t, vector) == "Tensor[(3), float16]");
    CHECK(to_text(t, matrix) == "Tensor[(1, ?, 5i64), uint8]");
    CHECK(to_text(t, t.tuple({})) == "()");
    CHECK(to_text(t, t.tuple(std::array{scalar})) == "(bool,)");
    CHECK(to_text(t, t.tuple(std::array{scalar, vector})) == "(bool, Tensor[(3), float16])");
    CHECK(to_text(t, t.function({}, scalar)) == "fn () -> bool");
    const type_id f = t.function(std::array{scalar, matrix}, t.tuple(std::array{scalar}));
    CHECK(to_text(t, f) == "fn (bool, Tensor[(1, ?, 5i64), uint8]) -> (bool,)");
    CHECK(
        to_text(t, t.function(std::array{f}, f)) ==
        "fn (fn (bool, Tensor[(1, ?, 5i64), uint8]) -> (bool,)) -> fn (bool, Tensor[(1, ?, 5i64), uint8]) -> (bool,)");
    CHECK(to_text(t, type_id::none) == "?");
}

TEST_CASE("type_text: a type that shares its parts is written no further than it may be", "[relay][type_text]") {
    type_table t;
    type_id deep = t.tensor({}, dtype::boolean);
    for (int i = 0; i < 60; ++i) deep = t.tuple(std::array{deep, deep});
    const std::string shown = to_text(t, deep);
    CHECK(shown.size() == 1003);
    CHECK(shown.starts_with(std::string(60, '(') + "bool, bool), (bool, bool)), "));
    CHECK(shown.ends_with("..."));

    std::string text = "type ";
    CHECK(!append_type(text, t, deep, 100));
    CHECK(text.size() < 200);
    text.clear();
    CHECK(append_type(text, t, t.tensor({}, dtype::boolean), 4));
    CHECK(!append_type(text, t, t.tensor({}, dtype::boolean), 3));
    const type_id flat = t.tuple(std::vector<type_id>(200, t.tensor({}, dtype::boolean)));
    text.clear();
    CHECK(append_type(text, t, flat));
    CHECK(text.size() == 1200);
    CHECK(to_text(t, flat) == text.substr(0, 1000) + "...");
}
