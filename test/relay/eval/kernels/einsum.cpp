#include <tutti/relay/eval/kernels/einsum.hpp>

#include "support.hpp"

TEST_CASE("kernels/einsum: the equation is an attribute", "[relay][eval]") {
    const test::tensor x({2, 2}, {1.F, 2.F, 3.F, 4.F});
    const test::call_row rows[]{
        {R"(einsum((%a, %b), equation="ij,jk->ik"))", {x, x}, {2, 2}, {7, 10, 15, 22}},
        {R"(einsum((%a, %b), equation="ij,ij->"))", {x, x}, {}, {30}},
    };
    test::check(tutti::relay::kernels::einsum_kernels<>, rows);
}
