#include <tutti/relay/eval/kernels/gather.hpp>

#include "support.hpp"

TEST_CASE("kernels/gather: the operators take their attributes", "[relay][eval]") {
    using test::tensor;
    const tensor x({2, 3}, {1.F, 2.F, 3.F, 4.F, 5.F, 6.F});
    const test::call_row rows[]{
        {"gather(%a, %b, axis=1)", {x, tensor({2, 1}, {2, -1})}, {2, 1}, {3, 6}},
        {"gather_nd(%a, %b)", {x, tensor({2, 2}, {0, 1, 2, 0})}, {2}, {3, 4}},
        {"gather_nd(%a, %b, batch_dims=1)", {x, tensor({1, 2}, {2, 0})}, {2}, {3, 4}},
        {"adv_index((%a, %b, %c))", {x, tensor({2, 1}, {0, 1}), tensor({2}, {2, 0})}, {2, 2}, {3, 1, 6, 4}},
    };
    test::check(tutti::relay::kernels::gather_kernels<>, rows);
}
