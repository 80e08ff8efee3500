#include <tutti/relay/eval/kernels/annotation.hpp>

#include "catch.hpp"
#include "support.hpp"

#include <span>
#include <vector>

namespace relay = tutti::relay;
using relay::builder;
using relay::expr;
using test::tensor;

TEST_CASE("kernels/annotation: stop_fusion is its argument", "[relay][eval]") {
    const tensor x({2}, {1.F, 2.F});
    const auto out = test::computed(relay::kernels::annotation_kernels, {x}, [](builder&, std::span<const expr> e) {
        return relay::annotation::stop_fusion(e[0]);
    });
    CHECK(out.at(0).same_elements(x));
}

TEST_CASE("kernels/annotation: dropout keeps every element", "[relay][eval]") {
    const tensor x({3}, {1.F, -2.F, 0.F});
    const auto out = test::computed(relay::kernels::annotation_kernels, {x}, [](builder&, std::span<const expr> e) {
        return relay::nn::dropout(e[0], {.rate = 0.9});
    });
    REQUIRE(out.size() == 2);
    CHECK(out[0].same_elements(x));
    CHECK(test::difference(out[1], {3}, {1, 1, 1}, 0) == "");
}
