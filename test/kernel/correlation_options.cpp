#include <tutti/kernel/correlation_options.hpp>

#include "support/catch.hpp"

using tutti::kernel::correlation_options;

TEST_CASE("correlation_options: how many patches and displacements there are", "[kernel][correlation]") {
    static_assert(correlation_options{.displacement = 4}.places() == 9);
    static_assert(correlation_options{.displacement = 5, .other_stride = 2}.places() == 5);
    CHECK(correlation_options{.displacement = 4}.count(18) == 10);
    CHECK(correlation_options{.size = 3, .stride = 2}.count(9) == 3);
    CHECK(correlation_options{.displacement = 4}.count(8) == 0);
    CHECK(correlation_options{.displacement = 4}.count(-1) == 0);
}
