#include <tutti/relay/eval/kernels/reshape.hpp>

#include "support.hpp"

#include <string_view>
#include <vector>

using test::tensor;

namespace {

constexpr test::kernel_table kernels = tutti::relay::kernels::reshape_kernels<>;
const tensor x({2, 3}, {1, 2, 3, 4, 5, 6});

} // namespace

TEST_CASE("kernels/reshape: the elements are shared", "[relay][eval]") {
    const auto shared = [](std::string_view call, const std::vector<tensor>& inputs, const test::shape_t& shape) {
        const tensor t = test::first_of(kernels, call, inputs);
        return t.same_elements(x) && test::shape_t(t.shape().begin(), t.shape().end()) == shape;
    };
    CHECK(shared("reshape(%a, newshape=[-1, 0, 1])", {x}, {2, 3, 1}));
    CHECK(shared("reshape(%a, newshape=[-4, 1, -1, -2])", {x}, {1, 2, 3}));
    CHECK(shared("contrib_reverse_reshape(%a, newshape=[-1, 0])", {x}, {2, 3}));
    CHECK(shared("reshape_like(%a, %b, lhs_begin=0, lhs_end=None, rhs_begin=0, rhs_end=2)",
                 {x, tensor(test::dtype::int8, {3, 2, 9})}, {3, 2}));
}
