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
