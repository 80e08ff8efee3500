#include <tutti/pass/pass_error.hpp>

#include "support/catch.hpp"

#include <string>

TEST_CASE("pass_error: keeps a short text", "[pass]") {
    CHECK(std::string{tutti::pass_error("too deep").what()} == "too deep");
    CHECK(std::string{tutti::pass_error("").what()}.empty());
    CHECK(std::string{tutti::pass_error(std::string(500, 'x')).what()} == std::string(239, 'x'));
}
