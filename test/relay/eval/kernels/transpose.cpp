#include <tutti/relay/eval/kernels/transpose.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace relay = tutti::relay;
using relay::builder;
using relay::dims;
using relay::expr;
using test::difference;
using test::tensor;

namespace {

using arguments = std::span<const expr>;

template <class Build>
tensor result(const std::vector<tensor>& inputs, Build build) {
    return test::computed(relay::kernels::transpose_kernels<>, inputs, build)[0];
}

const tensor x({2, 3}, {1, 2, 3, 4, 5, 6});

} // namespace

TEST_CASE("kernels/transpose: the same layout shares the elements", "[relay][eval]") {
    const auto shared = [](const tensor& t, const test::shape_t& shape) {
        return t.same_elements(x) && test::shape_t(t.shape().begin(), t.shape().end()) == shape;
    };
    CHECK(shared(result({x},
                        [](builder&, arguments e) {
                            return relay::layout_transform(e[0], {.src_layout = "NC", .dst_layout = "NC"});
                        }),
                 {2, 3}));
}

TEST_CASE("kernels/transpose: elements go where the axes say", "[relay][eval]") {
    CHECK(difference(result({x}, [](builder&, arguments e) { return relay::transpose(e[0]); }), {3, 2},
                     {1, 4, 2, 5, 3, 6}, 0) == "");
    CHECK(difference(result({x.reshaped({1, 2, 3})},
                            [](builder&, arguments e) { return relay::transpose(e[0], {.axes = dims{2, 0, -2}}); }),
                     {3, 1, 2}, {1, 4, 2, 5, 3, 6}, 0) == "");
    CHECK(difference(result({x.reshaped({1, 3, 2})},
                            [](builder&, arguments e) {
                                return relay::layout_transform(e[0], {.src_layout = "NWC", .dst_layout = "NCW1c"});
                            }),
                     {1, 2, 3, 1}, {1, 3, 5, 2, 4, 6}, 0) == "");
}
