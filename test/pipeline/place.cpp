#include <tutti/pipeline/place.hpp>

#include "support/catch.hpp"

namespace {

using tutti::edit::place;

constexpr bool reads(const char* text, const char* name, std::size_t occurrence) {
    const place read{text};
    return read.is_of(name) && read.occurrence == occurrence;
}

constexpr bool reads_all() {
    return reads("FuseOps", "FuseOps", 0) && reads("FuseOps#1", "FuseOps", 1) && reads("FuseOps#120", "FuseOps", 120) &&
           reads("a b#2", "a b", 2) && reads("C#", "C#", 0) && reads("C##3", "C#", 3) && reads("#1", "#1", 0) &&
           reads("A#0", "A#0", 0) && reads("A#1x", "A#1x", 0) && reads("A2", "A2", 0) && reads("", "", 0) &&
           reads("\"A#2\"", "A#2", 0) && reads("\"A#2\"#1", "A#2", 1) && reads("\"say \\\"so\\\"\"#2", "say \"so\"", 2);
}
static_assert(reads_all());

} // namespace

TEST_CASE("place: reads a name and an occurrence, also in quotes", "[pipeline][place]") { CHECK(reads_all()); }

TEST_CASE("place: selects all passes, or one", "[pipeline][place]") {
    STATIC_REQUIRE(place{"A"}.selects(1));
    STATIC_REQUIRE(place{"A"}.selects(7));
    STATIC_REQUIRE(place{"A#2"}.selects(2));
    STATIC_REQUIRE(!place{"A#2"}.selects(1));
}

TEST_CASE("place: an invalid word is the name of no pass", "[pipeline][place]") {
    CHECK(!place{"\"A"}.is_of("A"));
    CHECK(!place{"\"A\"x"}.is_of("A"));
    CHECK(place{"A#99999999999999999999"}.is_of("A#99999999999999999999")); // too large for an occurrence
}
