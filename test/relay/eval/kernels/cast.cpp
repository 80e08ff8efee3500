#include <tutti/relay/eval/kernels/cast.hpp>

#include "support.hpp"

using test::tensor;

namespace {

constexpr test::kernel_table kernels = tutti::relay::kernels::cast_kernels<>;

} // namespace

TEST_CASE("kernels/cast: to the type that is named, or to another tensor's", "[relay][eval]") {
    const tensor x({3}, {1.5F, -2.5F, 300.F});
    const test::call_row rows[]{
        {R"(cast(%a, dtype="int8"))", {x}, {3}, {1, -2, 127}},
        {"cast_like(%a, True)", {x}, {3}, {1, 1, 1}},
    };
    test::check(kernels, rows);
}

TEST_CASE("kernels/cast: reinterpret keeps the bits", "[relay][eval]") {
    CHECK(test::same(test::first_of(kernels, R"(reinterpret(%a, dtype="int32"))", {tensor({2}, {1.F, -2.F})}),
                     tensor({2}, {0x3F800000, -0x40000000})));
}
