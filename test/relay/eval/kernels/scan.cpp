#include <tutti/relay/eval/kernels/scan.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <span>
#include <vector>

namespace relay = tutti::relay;
using relay::builder;
using relay::dim;
using relay::expr;
using test::difference;
using test::tensor;

namespace {

using arguments = std::span<const expr>;

template <class Build>
tensor result(const std::vector<tensor>& inputs, Build build) {
    return test::computed(relay::kernels::scan_kernels<>, inputs, build)[0];
}

const tensor x({2, 3}, {1.F, 2.F, 3.F, 4.F, 5.F, 6.F});

} // namespace

TEST_CASE("kernels/scan: the operators take their attributes", "[relay][eval]") {
    const auto sums = [](const relay::scan_attributes& a) {
        return result({x}, [&](builder&, arguments e) { return relay::cumsum(e[0], a); });
    };
    CHECK(difference(sums({}), {6}, {1, 3, 6, 10, 15, 21}, 0) == "");
    CHECK(difference(sums({.axis = dim(-1), .exclusive = true}), {2, 3}, {0, 1, 3, 0, 4, 9}, 0) == "");
    const tensor whole = sums({.axis = dim(0), .dtype = relay::dtype::int8});
    CHECK(whole.type() == relay::dtype::int8);
    CHECK(difference(whole, {2, 3}, {1, 2, 3, 5, 7, 9}, 0) == "");
    CHECK(difference(result({x}, [](builder&, arguments e) { return relay::cumprod(e[0], {.axis = dim(1)}); }), {2, 3},
                     {1, 2, 6, 4, 20, 120}, 0) == "");
}
