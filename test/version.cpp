#include <tutti/version.hpp>

#include "catch.hpp"

static_assert(tutti::version.major_number >= 0 && tutti::version.minor_number >= 0 && tutti::version.patch_number >= 0);

TEST_CASE("version: is known at compile time", "[version]") {
    constexpr int parts[]{tutti::version.major_number, tutti::version.minor_number, tutti::version.patch_number};
    CHECK((parts[0] > 0 || parts[1] > 0 || parts[2] > 0));
}
