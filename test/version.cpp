#include <tutti/version.hpp>

#include "support/catch.hpp"

TEST_CASE("version: is not older than the first one", "[version]") {
    CHECK((tutti::version.major_number > 0 || tutti::version.minor_number > 0));
    CHECK(tutti::version.patch_number >= 0);
}
