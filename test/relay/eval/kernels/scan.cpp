#include <tutti/relay/eval/kernels/scan.hpp>

#include "support.hpp"

using test::tensor;

namespace {

constexpr test::kernel_table kernels = tutti::relay::kernels::scan_kernels<>;
const tensor x({2, 3}, {1.F, 2.F, 3.F, 4.F, 5.F, 6.F});

} // namespace

TEST_CASE("kernels/scan: the operators take their attributes", "[relay][eval]") {
    const test::call_row rows[]{
        {"cumsum(%a)", {x}, {6}, {1, 3, 6, 10, 15, 21}},
        {"cumsum(%a, axis=-1, exclusive=True)", {x}, {2, 3}, {0, 1, 3, 0, 4, 9}},
        {"cumprod(%a, axis=1)", {x}, {2, 3}, {1, 2, 6, 4, 20, 120}},
    };
    test::check(kernels, rows);
    const tensor whole = test::first_of(kernels, R"(cumsum(%a, axis=0, dtype="int8"))", {x});
    CHECK(whole.type() == test::dtype::int8);
    CHECK(test::difference(whole, {2, 3}, {1, 2, 3, 5, 7, 9}, 0) == "");
}
