#include <tutti/relay/eval/kernels/einsum.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <span>

namespace relay = tutti::relay;
using relay::builder;
using relay::expr;
using test::difference;
using test::tensor;

TEST_CASE("kernels/einsum: the equation is an attribute", "[relay][eval]") {
    const tensor x({2, 2}, {1.F, 2.F, 3.F, 4.F});
    const auto of = [&](std::string_view equation) {
        return test::computed(relay::kernels::einsum_kernels<>, {x, x}, [&](builder& b, std::span<const expr> e) {
            return relay::einsum(b.tuple({e[0], e[1]}), {.equation = equation});
        })[0];
    };
    CHECK(difference(of("ij,jk->ik"), {2, 2}, {7, 10, 15, 22}, 0) == "");
    CHECK(difference(of("ij,ij->"), {}, {30}, 0) == "");
}
