#include <tutti/error.hpp>

#include "catch.hpp"

#include <string>
#include <type_traits>

static_assert(std::is_base_of_v<std::runtime_error, tutti::error>);

TEST_CASE("error: says where, what is wrong and what was expected", "[error]") {
    const tutti::error e{"nn.conv2d, argument weight", "has 3 input channels", "4"};
    CHECK(std::string{e.what()} == "nn.conv2d, argument weight: has 3 input channels; expected 4");
    CHECK(e.where() == "nn.conv2d, argument weight");
    CHECK(e.problem() == "has 3 input channels");
    CHECK(e.expected() == "4");
}

TEST_CASE("error: leaves out the parts that are empty", "[error]") {
    CHECK(std::string{tutti::error{"model.relay:3:7", "unknown operator"}.what()} == "model.relay:3:7: unknown operator");
    CHECK(std::string{tutti::error{"", "no program"}.what()} == "no program");
    CHECK(std::string{tutti::error{"line 1", "", "a type"}.what()} == "line 1; expected a type");
}
