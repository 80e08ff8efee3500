#include <tutti/relay/text/parse_options.hpp>

#include "support/catch.hpp"

using namespace tutti;

TEST_CASE("parse_options: as they are, the operators are known, metadata is not read, and limits are finite",
          "[relay][text]") {
    const relay::parse_options options;
    CHECK(options.operators.find("nn.conv2d") != nullptr);
    CHECK(options.metadata == nullptr);
    CHECK(options.limits.nesting >= 1'000'000);
    CHECK(options.limits.diagnostics > 1);
    CHECK(options.limits.operands < std::size_t{1} << 24);
    CHECK(options.limits.characters <= std::size_t{1} << 31);
}

TEST_CASE("parse_options: the operators are a value: none, or others", "[relay][text]") {
    const relay::parse_options none{.operators = relay::op_set{}};
    CHECK(none.operators.find("add") == nullptr);
    CHECK(none.source == "<text>");
}
