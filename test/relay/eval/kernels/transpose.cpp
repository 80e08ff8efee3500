#include <tutti/relay/eval/kernels/transpose.hpp>

#include "support.hpp"

using test::tensor;

namespace {

constexpr test::kernel_table kernels = tutti::relay::kernels::transpose_kernels<>;
const tensor x({2, 3}, {1, 2, 3, 4, 5, 6});

} // namespace

TEST_CASE("kernels/transpose: the same layout shares the elements", "[relay][eval]") {
    const tensor out = test::first_of(kernels, R"(layout_transform(%a, src_layout="NC", dst_layout="NC"))", {x});
    CHECK(out.same_elements(x));
    CHECK(test::same(out, x));
}

TEST_CASE("kernels/transpose: elements go where the axes say", "[relay][eval]") {
    const test::call_row rows[]{
        {"transpose(%a, axes=None)", {x}, {3, 2}, {1, 4, 2, 5, 3, 6}},
        {"transpose(%a, axes=[2, 0, -2])", {x.reshaped({1, 2, 3})}, {3, 1, 2}, {1, 4, 2, 5, 3, 6}},
        {R"(layout_transform(%a, src_layout="NWC", dst_layout="NCW1c"))",
         {x.reshaped({1, 3, 2})},
         {1, 2, 3, 1},
         {1, 3, 5, 2, 4, 6}},
    };
    test::check(kernels, rows);
}
