#include <tutti/pass/change.hpp>

#include "support/catch.hpp"

#include <ostream>

using tutti::change;
using tutti::changed;
using tutti::unchanged;

namespace {
struct plan {
    [[maybe_unused]] friend std::ostream& operator<<(std::ostream& out, const plan&) { return out; }
};
} // namespace

static_assert((unchanged | unchanged) == unchanged);
static_assert((unchanged | changed) == changed && (changed | unchanged) == changed);
static_assert((change::unknown | unchanged) == change::unknown && (unchanged | change::unknown) == change::unknown);
static_assert((change::unknown | changed) == changed && (changed | change::unknown) == changed);

TEST_CASE("change: two passes changed the unit if either did", "[pass][change]") {
    change all = unchanged;
    all |= change::unknown;
    CHECK(all == change::unknown);
    all |= changed;
    CHECK(all == changed);
}

TEST_CASE("change: what a run in place returns is one, and compares where the unit can be written to a stream",
          "[pass][change]") {
    const tutti::detail::in_place_result<plan> result{changed};
    const change same = result;
    CHECK(same == changed);
    CHECK(result == changed);
    CHECK(tutti::detail::in_place_result<int>{unchanged} == unchanged);
    change all = unchanged;
    all |= result;
    CHECK(all == changed);
}
