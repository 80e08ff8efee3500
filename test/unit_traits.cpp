#include <tutti/unit_traits.hpp>

#include "catch.hpp"

namespace {
struct plan {
    int steps = 0;
};
} // namespace

template <>
struct tutti::unit_traits<plan> {
    static std::string to_text(const plan& p) { return std::to_string(p.steps) + " steps"; }
};

namespace {
static_assert(tutti::has_text<plan> && !tutti::has_fingerprint<plan>);
static_assert(!tutti::has_text<int> && !tutti::has_fingerprint<int>);
} // namespace

TEST_CASE("unit_traits: has the parts that were given, and says which", "[instrument][unit_traits]") {
    CHECK(tutti::unit_traits<plan>::to_text(plan{3}) == "3 steps");
    CHECK(tutti::has_text<plan>);
}
