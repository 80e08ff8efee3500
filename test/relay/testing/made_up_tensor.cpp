#include <tutti/relay/testing/made_up_tensor.hpp>

#include "support/catch.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

using namespace tutti::relay::testing;
using tutti::kernel::number;

TEST_CASE("made_up_tensor: follows from its seed, and has elements of its kind", "[relay][testing][made_up_tensor]") {
    const auto values = [](dtype type, elements kind, std::uint64_t seed) {
        return made_up_tensor(type, {16, 16}, kind, seed);
    };
    bool same = true, infinite = false;
    const auto small = values(dtype::float32, elements::small, 1), again = values(dtype::float32, elements::small, 1);
    const auto positive = values(dtype::int8, elements::positive, 2);
    const auto edges = values(dtype::float16, elements::edges, 3);
    for (std::int64_t i = 0; i < 256; ++i) {
        same = same && number::at(small, i).real() == number::at(again, i).real();
        CHECK(std::abs(number::at(small, i).real()) <= 4);
        CHECK(number::at(positive, i).real() >= 1);
        infinite = infinite || std::isinf(number::at(edges, i).real());
    }
    CHECK(same);
    CHECK(infinite);
    CHECK(values(dtype::boolean, elements::any, 4).type() == dtype::boolean);
}

TEST_CASE("made_up_tensor: scalars, and the ends of types", "[relay][testing][made_up_tensor]") {
    CHECK(number::at(scalar_of(dtype::float64, 0.5), 0).real() == 0.5);
    CHECK(lowest(dtype::int8) == -128);
    CHECK(greatest(dtype::uint8) == 255);
    CHECK(greatest(dtype::float16) == 65504);
    CHECK(lowest(dtype::float32) == std::numeric_limits<float>::lowest());
}
