#include <tutti/base/folder.hpp>

#include "support/catch.hpp"

// test/consume/single_header.py tests the error.
TEST_CASE("folder: a header of the folder is known to be included", "[folder]") {
#ifdef TUTTI_FOLDER
    constexpr bool known = true;
#else
    constexpr bool known = false;
#endif
    CHECK(known);
}
