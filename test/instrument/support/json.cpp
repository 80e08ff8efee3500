#include <tutti/instrument/support/json.hpp>

#include "support/catch.hpp"

using namespace tutti::internal;

TEST_CASE("json: texts are put in quotes", "[instrument][json]") {
    std::string out;
    write_json_text("a\"b\\c\nd\x01é", out);
    CHECK(out == "\"a\\\"b\\\\c\\u000ad\\u0001é\"");
}

TEST_CASE("json: times are microseconds", "[instrument][json]") {
    std::string out;
    for (const std::int64_t n : {0, 1, 999, 12345, -1500}) write_micros(n, out += ' ');
    CHECK(out == " 0.000 0.001 0.999 12.345 -1.500");
}
