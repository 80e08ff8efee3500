#include <tutti/relay/eval/kernels/repeat.hpp>

#include "support.hpp"

TEST_CASE("kernels/repeat: elements, or all of a tensor, come several times", "[relay][eval]") {
    const test::tensor x({2, 3}, {1, 2, 3, 4, 5, 6});
    const test::call_row rows[]{
        {"repeat(%a, repeats=2, axis=0)", {x}, {4, 3}, {1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6}},
        {"repeat(%a, repeats=2)", {x}, {12}, {1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6}},
        {"tile(%a, reps=[1, 2])", {x}, {2, 6}, {1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6}},
    };
    test::check(tutti::relay::kernels::repeat_kernels<>, rows);
}
