#include <tutti/relay/eval/kernels/scatter.hpp>

#include "support.hpp"

using test::tensor;

namespace {

constexpr test::kernel_table kernels = tutti::relay::kernels::scatter_kernels<>;
const tensor x({2, 3}, {1.F, 2.F, 3.F, 4.F, 5.F, 6.F});

} // namespace

TEST_CASE("kernels/scatter: the operators take their attributes", "[relay][eval]") {
    const tensor at({1, 3}, {1, -1, 1});
    const tensor updates({1, 3}, {10.F, 20.F, 30.F});
    const tensor places({2, 2}, {0, 1, 2, 0});
    const tensor put({2}, {2.5F, 7.F});
    const test::call_row rows[]{
        {"scatter(%a, %b, %c, axis=0)", {x, at, updates}, {2, 3}, {1, 2, 3, 10, 20, 30}},
        {"scatter_add(%a, %b, %c, axis=1)", {x, at, updates}, {2, 3}, {1, 42, 23, 4, 5, 6}},
        {R"(scatter_nd(%a, %b, %c, mode="update"))", {x, places, put}, {2, 3}, {1, 2, 2.5, 7, 5, 6}},
        {R"(scatter_nd(%a, %b, %c, mode="add"))", {x, places, put}, {2, 3}, {1, 2, 5.5, 11, 5, 6}},
        {R"(scatter_nd(%a, %b, %c, mode="mul"))", {x, places, put}, {2, 3}, {1, 2, 7.5, 28, 5, 6}},
        {R"(scatter_nd(%a, %b, %c, mode="min"))", {x, places, put}, {2, 3}, {1, 2, 2.5, 4, 5, 6}},
        {R"(scatter_nd(%a, %b, %c, mode="max"))", {x, places, put}, {2, 3}, {1, 2, 3, 7, 5, 6}},
    };
    test::check(kernels, rows);
}
