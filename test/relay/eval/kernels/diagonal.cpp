#include <tutti/relay/eval/kernels/diagonal.hpp>

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
    return test::computed(relay::kernels::diagonal_kernels<>, inputs, build)[0];
}

const tensor x({2, 3}, {1.F, 2.F, 3.F, 4.F, 5.F, 6.F});

} // namespace

TEST_CASE("kernels/diagonal: trilu takes its attributes", "[relay][eval]") {
    const auto part = [](int k, bool upper) {
        return result({x, tensor::scalar(k)},
                      [&](builder&, arguments e) { return relay::trilu(e[0], e[1], {.upper = upper}); });
    };
    CHECK(difference(part(0, true), {2, 3}, {1, 2, 3, 0, 5, 6}, 0) == "");
    CHECK(difference(part(1, false), {2, 3}, {1, 2, 0, 4, 5, 6}, 0) == "");
}
