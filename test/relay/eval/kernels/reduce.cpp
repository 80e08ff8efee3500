#include <tutti/relay/eval/kernels/reduce.hpp>

#include "support.hpp"

using test::tensor;

namespace {

constexpr test::kernel_table kernels = tutti::relay::kernels::reduce_kernels<>;
const tensor x({2, 3}, {1.F, 5.F, 3.F, 4.F, 2.F, 4.F});

} // namespace

TEST_CASE("kernels/reduce: axis, keepdims and exclude select the reduced axes", "[relay][eval]") {
    const tensor truths({2, 2}, {true, false, true, true});
    const test::call_row rows[]{
        {"sum(%a)", {x}, {}, {19}},
        {"sum(%a, axis=[0])", {x}, {3}, {5, 7, 7}},
        {"sum(%a, axis=[-1], keepdims=True)", {x}, {2, 1}, {9, 10}},
        {"sum(%a, axis=[0], exclude=True)", {x}, {2}, {9, 10}},
        {"sum(%a, axis=[])", {x}, {}, {19}},
        {"sum(%a, axis=[], exclude=True)", {x}, {}, {19}},
        {"mean(%a, axis=[0, 1])", {x}, {}, {19 / 6.0}, 1e-6},
        {"max(%a, axis=[1])", {x}, {2}, {5, 4}},
        {"min(%a, axis=[1])", {x}, {2}, {1, 2}},
        {"prod(%a, axis=[1])", {x}, {2}, {15, 32}},
        {"all(%a, axis=[1])", {truths}, {2}, {0, 1}},
        {"any(%a)", {truths}, {}, {1}},
    };
    test::check(kernels, rows);
}

TEST_CASE("kernels/reduce: argmax and argmin count over the reduced axes", "[relay][eval]") {
    const test::call_row rows[]{
        {"argmax(%a)", {x}, {}, {1}},
        {"argmax(%a, axis=[1])", {x}, {2}, {1, 0}},
        {"argmax(%a, axis=[1], select_last_index=True)", {x}, {2}, {1, 2}},
        {"argmax(%a, axis=[1], keepdims=True, exclude=True)", {x}, {1, 3}, {1, 0, 1}},
        {"argmin(%a, axis=[1])", {x}, {2}, {0, 1}},
        {"argmin(%a, axis=[0], select_last_index=True)", {x}, {3}, {0, 1, 0}},
    };
    test::check(kernels, rows);
}

TEST_CASE("kernels/reduce: collapse_sum takes the shape of the other argument, or the attribute's", "[relay][eval]") {
    const test::call_row rows[]{
        {"collapse_sum_like(%a, %b)", {x, tensor(test::dtype::float32, {3})}, {3}, {5, 7, 7}},
        {"collapse_sum_to(%a, %b, shape=[2, 1])", {x, tensor({2}, {2, 1})}, {2, 1}, {9, 10}},
    };
    test::check(kernels, rows);
}

TEST_CASE("kernels/reduce: variance is about the mean that it is given", "[relay][eval]") {
    const tensor mean({2, 1}, {3.F, 4.F});
    const test::call_row rows[]{
        {"variance(%a, %b, axis=[1], keepdims=True)", {x, mean}, {2, 1}, {8 / 3.0, 4 / 3.0}, 1e-6},
        {"variance(%a, %b, axis=[1], keepdims=True, unbiased=True)", {x, mean}, {2, 1}, {4, 2}, 1e-6},
    };
    test::check(kernels, rows);
}
