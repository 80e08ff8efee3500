#include <tutti/relay/debug/agreement.hpp>

#include "support/catch.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

namespace relay = tutti::relay;
using relay::agreement_of;
using tutti::kernel::tensor;

namespace {
constexpr float none = std::numeric_limits<float>::quiet_NaN();
constexpr float infinite = std::numeric_limits<float>::infinity();

tensor floats(std::initializer_list<float> values) { return {{static_cast<std::int64_t>(values.size())}, values}; }
} // namespace

TEST_CASE("agreement: equal tensors, with NaN, infinities or no elements", "[relay][debug]") {
    for (const tensor& t : {floats({1, 2}), floats({none, infinite, -infinite}), floats({}), floats({0, 0})}) {
        const relay::agreement found = agreement_of(t, t, {0, 0});
        CHECK(found.elements == t.size());
        CHECK(found.outside == 0);
        CHECK(found.largest == 0);
        CHECK(found.cosine == 1);
        CHECK(std::isinf(found.signal_to_noise));
        CHECK(to_text(found) == "equal");
    }
}

TEST_CASE("agreement: distances, cosine and signal to noise", "[relay][debug]") {
    const relay::agreement found = agreement_of(floats({3, 4}), floats({3, 3}), {.relative = 0, .absolute = 0.5});
    CHECK(found.outside == 1);
    CHECK(found.largest == 1);
    CHECK(found.mean == 0.5);
    CHECK(std::abs(found.cosine - 21 / (5 * std::sqrt(18.0))) < 1e-12);
    CHECK(std::abs(found.signal_to_noise - 10 * std::log10(18.0)) < 1e-12);
    CHECK(found.place == "[1]");
    CHECK(found.element == "4");
    CHECK(found.expected == "3");
}

TEST_CASE("agreement: the place is where the distance is largest for what is accepted", "[relay][debug]") {
    const relay::agreement found =
        agreement_of(floats({1001, 0.5F}), floats({1000, 0}), {.relative = 0.01, .absolute = 0.1});
    CHECK(found.largest == 1);
    CHECK(found.place == "[1]");
    CHECK(found.outside == 1);
    CHECK(agreement_of(floats({1001, 0.5F}), floats({1000, 0}), {.relative = 0.01, .absolute = 0.5}).outside == 0);
}

TEST_CASE("agreement: NaN and infinity are far from all others", "[relay][debug]") {
    for (const auto& [is, wanted] :
         {std::pair{none, 1.0F}, {1.0F, none}, {infinite, 1.0F}, {1.0F, infinite}, {infinite, -infinite}}) {
        const relay::agreement found = agreement_of(floats({2, is}), floats({2, wanted}), {1e9, 1e9});
        CHECK(found.outside == 1);
        CHECK(std::isinf(found.largest));
        CHECK(found.mean == 0);
        CHECK(found.place == "[1]");
    }
}

TEST_CASE("agreement: integers differ although they are one double", "[relay][debug]") {
    const std::int64_t large = std::int64_t{1} << 60;
    const tensor is({1}, std::initializer_list<std::int64_t>{large + 1}),
        wanted({1}, std::initializer_list<std::int64_t>{large});
    CHECK(agreement_of(is, wanted, {0, 0}).outside == 1);
    CHECK(agreement_of(is, wanted, {0, 0}).element == "1152921504606846977");
}

TEST_CASE("agreement: integers have no tolerance", "[relay][debug]") {
    const tensor is({2}, std::initializer_list<std::int32_t>{1001, 7});
    const tensor wanted({2}, std::initializer_list<std::int32_t>{1000, 7});
    CHECK(agreement_of(is, wanted, {.relative = 0.1, .absolute = 10}).outside == 1);
}

TEST_CASE("agreement: a zero vector has no angle", "[relay][debug]") {
    CHECK(std::isnan(agreement_of(floats({1, 1}), floats({0, 0})).cosine));
}
