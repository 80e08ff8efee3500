#include <tutti/relay/eval/kernels/fixed_point.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <span>

namespace relay = tutti::relay;
using relay::builder;
using relay::expr;
using test::difference;
using test::tensor;

TEST_CASE("kernels/fixed_point: factors are attributes, or differ along axes", "[relay][eval]") {
    using arguments = std::span<const expr>;
    const tensor x({2, 2}, {100, -100, 7, 6});
    CHECK(difference(test::computed(relay::kernels::fixed_point_kernels<>, {x},
                                    [](builder&, arguments e) {
                                        return relay::fixed_point_multiply(
                                            e[0], {.multiplier = std::int64_t{1 << 30}, .shift = std::int64_t{-1}});
                                    })[0],
                     {2, 2}, {25, -25, 2, 2}, 0) == "");
    const tensor by({2}, {1 << 30, 1 << 30});
    const tensor left({2}, {1, 0});
    const tensor right({2}, {0, 1});
    const auto per_axis = [&](bool l, bool r) {
        return test::computed(relay::kernels::fixed_point_kernels<>, {x, by, left, right}, [&](builder&, arguments e) {
            return relay::fixed_point_multiply_per_axis(
                e[0], e[1], e[2], e[3], {.is_lshift_required = l, .is_rshift_required = r, .axes = {0}});
        })[0];
    };
    CHECK(difference(per_axis(true, true), {2, 2}, {100, -100, 2, 2}, 0) == "");
    CHECK(difference(per_axis(false, false), {2, 2}, {50, -50, 4, 3}, 0) == "");
}
