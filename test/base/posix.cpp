#include <tutti/base/posix.hpp>

#include "support/catch.hpp"

#if defined(TUTTI_POSIX)
#include <unistd.h>
#endif

TEST_CASE("posix: is known where there are processes", "[posix]") {
#if defined(TUTTI_POSIX)
    CHECK(::getpid() > 0);
#elif defined(__unix__) || defined(__APPLE__)
    FAIL("this is a POSIX system");
#endif
}
