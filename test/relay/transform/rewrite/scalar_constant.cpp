#include <tutti/relay/transform/rewrite/scalar_constant.hpp>

#include "support/catch.hpp"

#include <limits>

using namespace tutti;

namespace {

constexpr double value(relay::dtype element, double value) {
    relay::graph g;
    const relay::expr e = relay::scalar_constant(g, element, value);
    const relay::tensor& t = g.constant_value(e.id);
    if (t.type() != element || t.rank() != 0) return -1;
    return relay::number_at(t, 0);
}

static_assert(value(relay::dtype::float32, 0.5) == 0.5);
static_assert(value(relay::dtype::int64, 3) == 3);

} // namespace

TEST_CASE("scalar_constant: has the given element type and value", "[relay][transform]") {
    using enum relay::dtype;
    for (const relay::dtype element :
         {boolean, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float16, float32, float64})
        CHECK(value(element, 1) == 1);
    CHECK(value(float16, 0.25) == 0.25);
    CHECK(value(float32, 0.1) == static_cast<double>(0.1F));
    CHECK(value(float64, 0.1) == 0.1);
    CHECK(value(int8, -5) == -5);
}

TEST_CASE("number_at: returns an element as a number", "[relay][transform]") {
    CHECK(relay::number_at(kernel::tensor({3}, {1.5F, -2.0F, 0.25F}), 1) == -2);
    CHECK(relay::number_at(kernel::tensor({2}, {std::int64_t{7}, std::int64_t{-9}}), 1) == -9);
    CHECK(relay::number_at(kernel::tensor({2}, {kernel::float16(0.5F), kernel::float16(8.0F)}), 0) == 0.5);
}

TEST_CASE("magnitude: is NaN for NaN", "[relay][transform]") {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    STATIC_REQUIRE(relay::magnitude(-2.5) == 2.5);
    STATIC_REQUIRE(relay::magnitude(2.5) == 2.5);
    STATIC_REQUIRE(relay::magnitude(nan) != relay::magnitude(nan));
    STATIC_REQUIRE(relay::magnitude(-std::numeric_limits<double>::infinity()) ==
                   std::numeric_limits<double>::infinity());
}
