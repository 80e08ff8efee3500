#include <tutti/relay/text/print/values.hpp>

#include "support/catch.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

using namespace tutti::relay;
using tutti::kernel::float16;

namespace {

template <class T>
std::string literal(T value) {
    std::string out;
    text::append_literal(out, tensor::scalar(value));
    return out;
}

std::string attribute(std::vector<attr_value> values, const graph& g = {}) {
    std::string out;
    text::append_attribute(out, g, values);
    return out;
}

} // namespace

TEST_CASE("values: a scalar's literal shows its element type", "[relay][values]") {
    CHECK(literal(std::int16_t{-1}) == "-1i16");
    CHECK(literal(std::int32_t{7}) == "7");
    CHECK(literal(std::numeric_limits<std::int64_t>::min()) == "-9223372036854775808i64");
    CHECK(literal(float16(1.5F)) == "1.5f16");
    CHECK(literal(1.0F) == "1f");
    CHECK(literal(1.0) == "1f64");
    CHECK(literal(true) == "True");
    CHECK(literal(false) == "False");
}

TEST_CASE("values: a floating literal has six significant digits, as %g", "[relay][values]") {
    CHECK(literal(0.1F) == "0.1f");
    CHECK(literal(2e-5F) == "2e-05f");
    CHECK(literal(1.0F / 3) == "0.333333f");
    CHECK(literal(123456789.0F) == "1.23457e+08f");
    CHECK(literal(100000.0F) == "100000f");
    CHECK(literal(1000000.0F) == "1e+06f");
    CHECK(literal(-0.0F) == "-0f");
    CHECK(literal(float16(0.1F)) == "0.0999756f16");
    CHECK(literal(1e300) == "1e+300f64");
    CHECK(literal(std::numeric_limits<float>::infinity()) == "inff");
    CHECK(literal(std::numeric_limits<float>::quiet_NaN()) == "nanf");
    CHECK(literal(-std::numeric_limits<double>::quiet_NaN()) == "nanf64"); // NaN is printed without a sign
    CHECK(literal(float16(-std::numeric_limits<float>::quiet_NaN())) == "nanf16");
}

TEST_CASE("values: other types and other ranks have no literal", "[relay][values]") {
    CHECK(text::has_literal(tensor::scalar(1.0F)));
    CHECK(text::has_literal(tensor::scalar(true)));
    CHECK_FALSE(text::has_literal(tensor::scalar(std::int8_t{1})));
    CHECK_FALSE(text::has_literal(tensor::scalar(std::uint8_t{1})));
    CHECK_FALSE(text::has_literal(tensor::scalar(std::uint64_t{1})));
    CHECK_FALSE(text::has_literal(tensor({1}, {1.0F})));
    CHECK_FALSE(text::has_literal(tensor(dtype::float32, {0})));
}

TEST_CASE("values: attributes of every kind", "[relay][values]") {
    graph g;
    CHECK(attribute({attr_value{}}) == "None");
    CHECK(attribute({attr_value::of(true)}) == "True");
    CHECK(attribute({attr_value::of(false)}) == "False");
    CHECK(attribute({attr_value::of(dim(-5))}) == "-5");
    CHECK(attribute({attr_value::of(dim::wide(5))}) == "5i64");
    CHECK(attribute({attr_value::of(dim::any())}) == "?");
    CHECK(attribute({attr_value::of(1e-5)}) == "1e-05f");
    CHECK(attribute({attr_value::of(1.0)}) == "1f");
    CHECK(attribute({attr_value::of(dtype::int8)}) == "\"int8\"");
    CHECK(attribute({attr_value::of(dtype::none)}) == "\"\"");
    CHECK(attribute({attr_value::of(g.strings().add("NCHW"))}, g) == "\"NCHW\"");
    CHECK(attribute({attr_value::of(g.strings().add("a\"b\\c\n"))}, g) == "\"a\\\"b\\\\c\\n\"");
}

TEST_CASE("values: lists, empty and nested, without the entries after them", "[relay][values]") {
    const attr_value one = attr_value::of(dim(1));
    const attr_value two = attr_value::of(dim::wide(2));
    CHECK(attribute({attr_value::list(0), one}) == "[]");
    CHECK(attribute({attr_value::list(1), one, two}) == "[1]");
    CHECK(attribute({attr_value::list(3), one, attr_value::of(dim::any()), two}) == "[1, ?, 2i64]");
    CHECK(attribute({attr_value::list(2), attr_value::list(2), one, two, attr_value::list(0)}) == "[[1, 2i64], []]");
    CHECK(attribute({attr_value::list(2), attr_value::list(1), attr_value::list(1), one, two}) == "[[[1]], 2i64]");
}
