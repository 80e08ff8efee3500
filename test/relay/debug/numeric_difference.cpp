#include <tutti/relay/debug/numeric_difference.hpp>

#include "support/catch.hpp"

#include <limits>

namespace relay = tutti::relay;
using tutti::kernel::tensor;

namespace {
constexpr float bad = std::numeric_limits<float>::quiet_NaN();
constexpr float infinite = std::numeric_limits<float>::infinity();

tensor floats(std::initializer_list<float> values) { return {{static_cast<std::int64_t>(values.size())}, values}; }
} // namespace

TEST_CASE("numeric_difference: by the magnitude, or the root mean square of the tensor", "[relay][debug]") {
    const tensor was = floats({0, 3, 4, 100});
    CHECK_FALSE(relay::differ(was, was, 0));
    CHECK_FALSE(relay::differ(was, floats({0.05F, 3.05F, 4, 100.09F}), 1e-3));
    const auto found = relay::differ(was, floats({0.06F, 3, 4, 101}), 1e-3);
    REQUIRE(found);
    CHECK(to_text(*found) == "element [3] is 101 and was 100: 1 apart; 2 of 4 elements are out of bounds");
    CHECK(found->allowed == 0.1);
    CHECK(to_text(*relay::differ(was, floats({0, 3, 5, 100}), 1e-3), "B has", "A") ==
          "element [2] B has 5 and A 4: 1 apart");
}

TEST_CASE("numeric_difference: integers and truth are exact", "[relay][debug]") {
    const std::int64_t large = std::int64_t{1} << 60;
    const tensor was({2, 1}, std::initializer_list<std::int64_t>{large, 7});
    const tensor is({2, 1}, std::initializer_list<std::int64_t>{large + 1, 7});
    CHECK_FALSE(relay::differ(was, was, 1));
    CHECK(relay::differ(was, is, 1)->after == "1152921504606846977"); // double cannot represent this
    CHECK(relay::differ(was, is, 1)->element == "[0, 0]");
    const double anything[]{std::numeric_limits<double>::infinity(), 0};
    CHECK_FALSE(relay::differ(was, is, 0, anything));
    const tensor yes(std::vector<std::int64_t>{}, std::initializer_list<bool>{true});
    const tensor no(std::vector<std::int64_t>{}, std::initializer_list<bool>{false});
    CHECK(to_text(*relay::differ(yes, no, 1)) == "element [] is False and was True: 1 apart");
}

TEST_CASE("numeric_difference: NaN and infinities are like themselves", "[relay][debug]") {
    CHECK_FALSE(relay::differ(floats({bad, infinite, -infinite}), floats({-bad, infinite, -infinite}), 0));
    CHECK(to_text(*relay::differ(floats({bad, 1}), floats({1, 1}), 1)) == "element [0] is 1 and was nan");
    CHECK(to_text(*relay::differ(floats({1, 1}), floats({1, bad}), 1)) == "element [1] is nan and was 1");
    CHECK(relay::differ(floats({infinite}), floats({-infinite}), 1));
    // The mean covers finite elements only.
    CHECK_FALSE(relay::differ(floats({infinite, 1}), floats({infinite, 1.01F}), 0.1));
}

TEST_CASE("numeric_difference: reports other types and shapes", "[relay][debug]") {
    CHECK(to_text(*relay::differ(floats({1}), floats({1, 2}), 1)) == "is (2,) float32 and was (1,) float32");
}

TEST_CASE("numeric_difference: lost numbers are those that are finite no more, of any type", "[relay][debug][nan]") {
    CHECK_FALSE(relay::lost_numbers(floats({1, bad, infinite, 4}), floats({9, bad, -infinite, -4})));
    const auto found = relay::lost_numbers(floats({bad, 1, 2, 3}), floats({infinite, 1, infinite, bad}));
    REQUIRE(found);
    CHECK(to_text(*found) == "element [2] is inf and was 2; 2 of 4 elements are out of bounds");
    using tutti::kernel::float16;
    const tensor half({2}, std::initializer_list<float16>{static_cast<float16>(1.F), static_cast<float16>(bad)});
    CHECK(to_text(*relay::lost_numbers(floats({1, 2}), half)) == "element [1] is nan and was 2");
    CHECK_FALSE(relay::lost_numbers(floats({1, 2, 3}), half)); // differ() reports another shape
    CHECK_FALSE(relay::lost_numbers(half, tensor({2}, std::initializer_list<std::int32_t>{0, 0})));
}
