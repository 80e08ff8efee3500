#include <tutti/relay/eval/kernels/reshape.hpp>

#include "support.hpp"
#include "support/catch.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace relay = tutti::relay;
using relay::builder;
using relay::expr;
using test::tensor;

namespace {

using arguments = std::span<const expr>;

template <class Build>
tensor result(const std::vector<tensor>& inputs, Build build) {
    return test::computed(relay::kernels::reshape_kernels<>, inputs, build)[0];
}

const tensor x({2, 3}, {1, 2, 3, 4, 5, 6});

} // namespace

TEST_CASE("kernels/reshape: the elements are shared", "[relay][eval]") {
    const auto shared = [](const tensor& t, const test::shape_t& shape) {
        return t.same_elements(x) && test::shape_t(t.shape().begin(), t.shape().end()) == shape;
    };
    CHECK(shared(result({x}, [](builder&, arguments e) { return relay::reshape(e[0], {.newshape = {-1, 0, 1}}); }),
                 {2, 3, 1}));
    CHECK(shared(result({x}, [](builder&, arguments e) { return relay::reshape(e[0], {.newshape = {-4, 1, -1, -2}}); }),
                 {1, 2, 3}));
    CHECK(shared(
        result({x}, [](builder&, arguments e) { return relay::contrib_reverse_reshape(e[0], {.newshape = {-1, 0}}); }),
        {2, 3}));
    CHECK(shared(result({x, tensor(tutti::kernel::dtype::int8, {3, 2, 9})},
                        [](builder&, arguments e) {
                            return relay::reshape_like(e[0], e[1],
                                                       {.lhs_begin = 0, .lhs_end = {}, .rhs_begin = 0, .rhs_end = 2});
                        }),
                 {3, 2}));
}
