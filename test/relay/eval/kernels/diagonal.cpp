#include <tutti/relay/eval/kernels/diagonal.hpp>

#include "support.hpp"

namespace {

constexpr test::kernel_table kernels = tutti::relay::kernels::diagonal_kernels<>;

} // namespace

TEST_CASE("kernels/diagonal: trilu takes its attributes", "[relay][eval]") {
    const test::tensor x({2, 3}, {1.F, 2.F, 3.F, 4.F, 5.F, 6.F});
    const test::call_row rows[]{
        {"trilu(%a, 0, upper=True)", {x}, {2, 3}, {1, 2, 3, 0, 5, 6}},
        {"trilu(%a, 1, upper=False)", {x}, {2, 3}, {1, 2, 0, 4, 5, 6}},
    };
    test::check(kernels, rows);
}
