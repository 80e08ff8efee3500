#include <tutti/base/error.hpp>

#include "support/catch.hpp"

#include <type_traits>

TEST_CASE("error: composes the location, the problem and the expectation", "[error]") {
    const tutti::error e{"nn.conv2d, argument weight", "has 3 input channels", "4"};
    CHECK(std::string{e.what()} == "nn.conv2d, argument weight: has 3 input channels; expected 4");
    CHECK(e.where() == "nn.conv2d, argument weight");
    CHECK(e.problem() == "has 3 input channels");
    CHECK(e.expected() == "4");
}

TEST_CASE("error: leaves out the parts that are empty", "[error]") {
    CHECK(std::string{tutti::error{"here", "is wrong"}.what()} == "here: is wrong");
    CHECK(std::string{tutti::error{"", "wrong", "right"}.what()} == "wrong; expected right");
    STATIC_REQUIRE(std::is_base_of_v<std::runtime_error, tutti::error>);
}
