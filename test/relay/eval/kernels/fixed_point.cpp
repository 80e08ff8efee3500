#include <tutti/relay/eval/kernels/fixed_point.hpp>

#include "support.hpp"

TEST_CASE("kernels/fixed_point: factors are attributes, or differ along axes", "[relay][eval]") {
    using test::tensor;
    const tensor x({2, 2}, {100, -100, 7, 6});
    const tensor by({2}, {1 << 30, 1 << 30});
    const tensor left({2}, {1, 0});
    const tensor right({2}, {0, 1});
    const test::call_row rows[]{
        {"fixed_point_multiply(%a, multiplier=1073741824, shift=-1)", {x}, {2, 2}, {25, -25, 2, 2}},
        {"fixed_point_multiply_per_axis(%a, %b, %c, %d, is_lshift_required=True, is_rshift_required=True, axes=[0])",
         {x, by, left, right},
         {2, 2},
         {100, -100, 2, 2}},
        {"fixed_point_multiply_per_axis(%a, %b, %c, %d, is_lshift_required=False, is_rshift_required=False, axes=[0])",
         {x, by, left, right},
         {2, 2},
         {50, -50, 4, 3}},
    };
    test::check(tutti::relay::kernels::fixed_point_kernels<>, rows);
}
