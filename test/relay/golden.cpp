#include "golden.hpp"

#include "support/catch.hpp"

using namespace tutti::test;

TEST_CASE("test helper: a missing file is an error, not an empty text", "[relay][golden]") {
    CHECK_THROWS(recorded("nowhere.txt"));
    CHECK_FALSE(recorded("tutorials/use_pass_infra.txt").empty());
}

TEST_CASE("test helper: definitions are numbered from 0, and a missing one is an error", "[relay][golden]") {
    const std::string text = "def @a() {\n  1\n}\n\ndef @b() {\n  2\n}\n\nrest\n";
    CHECK(definition_in(text, 0) == "def @a() {\n  1\n}\n");
    CHECK(definition_in(text, 1) == "def @b() {\n  2\n}\n");
    CHECK_THROWS(definition_in(text, 2));
}
