#include <tutti/pass/change.hpp>

#include "catch.hpp"

using tutti::change;
using tutti::changed;
using tutti::unchanged;

static_assert((unchanged | unchanged) == unchanged);
static_assert((unchanged | changed) == changed && (changed | unchanged) == changed);
static_assert((change::unknown | unchanged) == change::unknown && (unchanged | change::unknown) == change::unknown);
static_assert((change::unknown | changed) == changed && (changed | change::unknown) == changed);

TEST_CASE("change: of two passes, one that changed something is enough", "[pass][change]") {
    change all = unchanged;
    all |= change::unknown;
    CHECK(all == change::unknown);
    all |= changed;
    CHECK(all == changed);
}
