#include <tutti/relay/eval/kernels/shape.hpp>

#include "support.hpp"

#include <string_view>

using test::tensor;

namespace {

constexpr test::kernel_table kernels = tutti::relay::kernels::shape_kernels<>;
const tensor x({2, 3}, {1, 2, 3, 4, 5, 6});

} // namespace

TEST_CASE("kernels/shape: operators that keep the order of elements share them", "[relay][eval]") {
    const auto shared = [](std::string_view call, const tensor& input, const test::shape_t& shape) {
        const tensor t = test::first_of(kernels, call, {input});
        return t.same_elements(x) && test::shape_t(t.shape().begin(), t.shape().end()) == shape;
    };
    CHECK(shared("expand_dims(%a, axis=-1, num_newaxis=2)", x, {2, 3, 1, 1}));
    CHECK(shared("nn.batch_flatten(%a)", x, {2, 3}));
    CHECK(shared("squeeze(%a)", x, {2, 3}));
    CHECK(shared("squeeze(%a, axis=[-3])", x.reshaped({2, 1, 3, 1}), {2, 3, 1}));
}

TEST_CASE("kernels/shape: broadcast_to takes its attributes", "[relay][eval]") {
    const tensor out = test::first_of(kernels, "broadcast_to(%a, shape=[2, 3])", {tensor({3}, {1, 2, 3})});
    CHECK(test::difference(out, {2, 3}, {1, 2, 3, 1, 2, 3}, 0) == "");
}
