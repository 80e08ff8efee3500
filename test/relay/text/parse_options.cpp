#include <tutti/relay/text/parse_options.hpp>

#include "support/catch.hpp"

using namespace tutti;

TEST_CASE("parse_options: as they are, the operators are known, metadata is not read, and limits are finite",
          "[relay][text]") {
    constexpr relay::parse_options options;
    STATIC_REQUIRE(options.operators.find("nn.conv2d") != nullptr);
    STATIC_REQUIRE(options.metadata == nullptr);
    STATIC_REQUIRE(options.limits.nesting >= 1'000'000);
    STATIC_REQUIRE(options.limits.diagnostics > 1);
    STATIC_REQUIRE(options.limits.operands < std::size_t{1} << 24);
    STATIC_REQUIRE(options.limits.characters <= std::size_t{1} << 31);
}

TEST_CASE("parse_options: the operators are a value: none, or others", "[relay][text]") {
    constexpr relay::parse_options none{.operators = relay::op_set{}};
    STATIC_REQUIRE(none.operators.find("add") == nullptr);
    STATIC_REQUIRE(none.source == "<text>");
}
